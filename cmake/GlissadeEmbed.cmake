# glissade_embed_files(<target> <name> FILES <path>...)
# Compiles files into <target>, so that a program needs none of them on disk. Paths are relative to the calling folder.
# #include "embedded/<name>.h" then declares, in glissade::embedded:
#   std::string_view <name>(std::string_view path)      the bytes of that file, or nothing for a path that was not listed
#   std::span<const std::string_view> <name>_paths()    the paths, in the order given
# A changed file is converted again by the build; the others are not.
set(GLISSADE_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/embed_file.cmake")
set(GLISSADE_EMBED_TEMPLATES "${CMAKE_CURRENT_LIST_DIR}")

function(glissade_embed_files target name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FILES")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_FILES)
        message(FATAL_ERROR "glissade_embed_files(${target} ${name}): expected FILES and nothing else")
    endif()
    set(include_dir "${CMAKE_CURRENT_BINARY_DIR}/generated")
    set(folder "${include_dir}/embedded")
    set(arrays "")
    set(entries "")
    set(paths "")
    set(byte_files "")
    foreach(path IN LISTS arg_FILES)
        string(MAKE_C_IDENTIFIER "${path}" identifier)
        set(input "${CMAKE_CURRENT_SOURCE_DIR}/${path}")
        set(output "${folder}/${name}/${identifier}.inc")
        add_custom_command(OUTPUT "${output}"
            COMMAND "${CMAKE_COMMAND}" "-DINPUT=${input}" "-DOUTPUT=${output}" -P "${GLISSADE_EMBED_SCRIPT}"
            DEPENDS "${input}" "${GLISSADE_EMBED_SCRIPT}"
            COMMENT "Embedding ${path}"
            VERBATIM)
        list(APPEND byte_files "${output}")
        string(APPEND arrays "constexpr unsigned char ${identifier}[] = {\n#include \"embedded/${name}/${identifier}.inc\"\n};\n")
        string(APPEND entries "    if (path == \"${path}\") {\n        return view(${identifier});\n    }\n")
        string(APPEND paths "    \"${path}\",\n")
    endforeach()
    configure_file("${GLISSADE_EMBED_TEMPLATES}/embedded.h.in" "${folder}/${name}.h" @ONLY)
    configure_file("${GLISSADE_EMBED_TEMPLATES}/embedded.cpp.in" "${folder}/${name}.cpp" @ONLY)
    target_sources(${target} PRIVATE "${folder}/${name}.cpp" ${byte_files})
    target_include_directories(${target} PRIVATE "${include_dir}")
endfunction()
