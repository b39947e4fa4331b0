# What the library itself needs: GLM, because its vectors and quaternions are in the public headers.

# glissade_import_headers(<target> <folder> <package>)
# Declares a header-only package for Emscripten. Its toolchain file hides the packages of the machine, and its compiler
# breaks when /usr/include is on the path, so a folder of the build tree shows it the wanted headers alone.
function(glissade_import_headers target folder package)
    string(TOUPPER "GLISSADE_${folder}_ROOT" root)
    find_path(${root} ${folder} PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
    if(NOT ${root})
        message(FATAL_ERROR "${target} is missing: install the package ${package}, or set ${root} to its include folder")
    endif()
    set(wasm_include "${PROJECT_BINARY_DIR}/wasm_include")
    file(MAKE_DIRECTORY "${wasm_include}")
    file(CREATE_LINK "${${root}}/${folder}" "${wasm_include}/${folder}" SYMBOLIC)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} INTERFACE "${wasm_include}")
endfunction()

if(NOT TARGET glm::glm)
    if(EMSCRIPTEN)
        glissade_import_headers(glm::glm glm libglm-dev)
    else()
        # GLOBAL, or a project that adds this folder could not see the target behind glissade::glissade.
        find_package(glm CONFIG REQUIRED GLOBAL)
    endif()
endif()
