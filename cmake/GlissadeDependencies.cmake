# What the library itself needs: GLM, because its vectors and quaternions are in the public headers; Highway for the
# kernels of stage/; fmt and nlohmann-json to write and read traces, both as headers of its own sources only.

# glissade_import_headers(<target> <folder> <package>)
# Declares a header-only package for Emscripten. Its toolchain file hides the packages of the machine, and its compiler
# breaks when /usr/include is on the path, so a folder of the build tree shows it the wanted headers alone.
function(glissade_import_headers target folder package)
    string(TOUPPER "GLISSADE_${folder}_ROOT" root)
    # Only there: elsewhere a program may have the name of the folder, as /usr/bin/fmt has.
    find_path(${root} ${folder} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
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

if(NOT TARGET hwy::hwy)
    if(EMSCRIPTEN)
        glissade_import_headers(hwy::hwy hwy libhwy-dev)
        # One target, fixed when it is compiled, needs nothing of Highway's library; its debug checks would.
        target_compile_definitions(hwy::hwy INTERFACE HWY_COMPILE_ONLY_STATIC HWY_IS_DEBUG_BUILD=0)
        target_compile_options(hwy::hwy INTERFACE -msimd128)
    else()
        find_package(hwy CONFIG REQUIRED GLOBAL)
    endif()
endif()

if(NOT TARGET fmt::fmt-header-only)
    if(EMSCRIPTEN)
        glissade_import_headers(fmt::fmt-header-only fmt libfmt-dev)
        target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY FMT_USE_INT128=0
            # Nothing here groups digits by locale: the standard library's locales are not linked.
            "FMT_STATIC_THOUSANDS_SEPARATOR=','")
    else()
        find_package(fmt CONFIG REQUIRED GLOBAL)
    endif()
endif()

if(NOT TARGET nlohmann_json::nlohmann_json)
    if(EMSCRIPTEN)
        glissade_import_headers(nlohmann_json::nlohmann_json nlohmann nlohmann-json3-dev)
    else()
        find_package(nlohmann_json CONFIG REQUIRED GLOBAL)
    endif()
endif()
