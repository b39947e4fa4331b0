# Compiles through ccache where it is installed. Emscripten's compiler is a script that ccache does not know.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER AND NOT EMSCRIPTEN)
    find_program(GLISSADE_CCACHE ccache)
    mark_as_advanced(GLISSADE_CCACHE)
    if(GLISSADE_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER "${GLISSADE_CCACHE}")
    endif()
endif()
