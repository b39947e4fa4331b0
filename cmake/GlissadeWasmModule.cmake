# Links the C interface into WebAssembly modules without any JavaScript of Emscripten's. The memory of a module is imported
# and shared; each instance brings its own stack, thread-local block and arena, so that page and worker can each have one
# in the same memory.
#
# Linked by hand: Emscripten 3.1 makes modules for shared memory only together with its own runtime and thread pool.

# glissade_add_wasm_runtime(<target>): what the C and C++ libraries need of a host, and the allocator, which comes from
# Emscripten's sources. Not -pthread: that would give it locks, which arenas do not need.
function(glissade_add_wasm_runtime target)
    add_library(${target} OBJECT native/arena.c native/runtime.c)
    target_include_directories(${target} SYSTEM PRIVATE "${EMSCRIPTEN_ROOT_PATH}/system/lib")
    target_compile_options(${target} PRIVATE -matomics -mbulk-memory)
endfunction()

# glissade_read_exports(<variable> <header>...): --export for each function of the headers, which are the only lists.
function(glissade_read_exports variable)
    set(exports "")
    foreach(header IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
        file(STRINGS "${header}" lines REGEX "^[a-z].*glissade_[a-z0-9_]+\\(")
        foreach(line IN LISTS lines)
            string(REGEX MATCH "glissade_[a-z0-9_]+\\(" name "${line}")
            string(REPLACE "(" "" name "${name}")
            list(APPEND exports "--export=${name}")
        endforeach()
    endforeach()
    set(${variable} "${exports}" PARENT_SCOPE)
endfunction()

# glissade_add_wasm_module(<target> <file> RUNTIME <target> HEADERS <header>...): a module that exports the functions of
# the headers; what they do not need is left out.
function(glissade_add_wasm_module target file)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "RUNTIME" "HEADERS")
    find_program(GLISSADE_WASM_LD NAMES wasm-ld-14 wasm-ld REQUIRED NO_CMAKE_FIND_ROOT_PATH)
    find_program(GLISSADE_WASM_OPT NAMES wasm-opt REQUIRED NO_CMAKE_FIND_ROOT_PATH)
    mark_as_advanced(GLISSADE_WASM_LD GLISSADE_WASM_OPT)
    glissade_read_exports(exports ${arg_HEADERS})
    foreach(symbol __stack_pointer __heap_base __tls_size __wasm_init_tls __wasm_call_ctors glissade_arena_init)
        list(APPEND exports "--export=${symbol}")
    endforeach()
    # Those without threads: their locks would need a host, and instances share no object of theirs. They are compiled
    # without atomics for that reason, which --no-check-features lets pass.
    set(system_libraries "")
    foreach(library c++-noexcept c++abi-noexcept c compiler_rt)
        list(APPEND system_libraries "${EMSCRIPTEN_ROOT_PATH}/cache/sysroot/lib/wasm32-emscripten/lib${library}.a")
    endforeach()

    get_filename_component(folder "${file}" DIRECTORY)
    set(linked "${CMAKE_CURRENT_BINARY_DIR}/${target}.linked.wasm")
    add_custom_command(
        OUTPUT "${file}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
        COMMAND "${GLISSADE_WASM_LD}" --no-entry --import-memory --shared-memory --max-memory=2147483648
            -z stack-size=262144 --stack-first --gc-sections --strip-all --fatal-warnings --no-check-features
            ${exports} $<TARGET_OBJECTS:${arg_RUNTIME}> $<TARGET_FILE:glissade_c> $<TARGET_FILE:glissade_lab>
            $<TARGET_FILE:glissade> ${system_libraries} -o "${linked}"
        COMMAND "${GLISSADE_WASM_OPT}" -O3 --enable-threads --enable-bulk-memory --enable-simd --enable-mutable-globals
            --enable-nontrapping-float-to-int --enable-sign-ext "${linked}" -o "${file}"
        DEPENDS glissade_c glissade_lab glissade ${arg_RUNTIME} "$<TARGET_OBJECTS:${arg_RUNTIME}>"
        COMMAND_EXPAND_LISTS
        VERBATIM)
    add_custom_target(${target} ALL DEPENDS "${file}")
endfunction()
