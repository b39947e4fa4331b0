# glissade_add_wasm_module(<target> <file>): links the C interface into one WebAssembly module without any JavaScript of
# Emscripten's. Its memory is imported and shared; each instance brings its own stack, thread-local block and arena, so
# that page and worker can each have one in the same memory.
#
# Linked by hand: Emscripten 3.1 makes modules for shared memory only together with its own runtime and thread pool.
function(glissade_add_wasm_module target file)
    find_program(GLISSADE_WASM_LD NAMES wasm-ld-14 wasm-ld REQUIRED NO_CMAKE_FIND_ROOT_PATH)
    find_program(GLISSADE_WASM_OPT NAMES wasm-opt REQUIRED NO_CMAKE_FIND_ROOT_PATH)
    mark_as_advanced(GLISSADE_WASM_LD GLISSADE_WASM_OPT)

    # The allocator comes from Emscripten's sources. Not -pthread: that would give it locks, which arenas do not need.
    add_library(${target}_runtime OBJECT native/arena.c native/runtime.c)
    target_include_directories(${target}_runtime SYSTEM PRIVATE "${EMSCRIPTEN_ROOT_PATH}/system/lib")
    target_compile_options(${target}_runtime PRIVATE -matomics -mbulk-memory -O2)

    # The header is the only list of what is exported.
    file(STRINGS native/glissade.h lines REGEX "^[a-z].*glissade_[a-z0-9_]+\\(")
    set(exports --export=__stack_pointer --export=__heap_base --export=__wasm_init_tls --export=__tls_size
        --export=__wasm_call_ctors)
    foreach(line IN LISTS lines)
        string(REGEX MATCH "glissade_[a-z0-9_]+\\(" name "${line}")
        string(REPLACE "(" "" name "${name}")
        list(APPEND exports "--export=${name}")
    endforeach()

    set(libraries "${EMSCRIPTEN_ROOT_PATH}/cache/sysroot/lib/wasm32-emscripten")
    set(system_libraries "")
    foreach(library c++-noexcept c++abi-noexcept c compiler_rt)
        list(APPEND system_libraries "${libraries}/lib${library}.a")
    endforeach()

    get_filename_component(folder "${file}" DIRECTORY)
    set(linked "${CMAKE_CURRENT_BINARY_DIR}/${target}.linked.wasm")
    add_custom_command(
        OUTPUT "${file}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
        COMMAND "${GLISSADE_WASM_LD}" --no-entry --import-memory --shared-memory --max-memory=2147483648
            -z stack-size=262144 --stack-first --gc-sections --strip-all --error-limit=0 --fatal-warnings --no-check-features ${exports}
            $<TARGET_OBJECTS:${target}_runtime> $<TARGET_FILE:glissade_c> $<TARGET_FILE:glissade_lab>
            $<TARGET_FILE:glissade> ${system_libraries} -o "${linked}"
        COMMAND "${GLISSADE_WASM_OPT}" -O3 --enable-threads --enable-bulk-memory --enable-simd --enable-mutable-globals
            --enable-nontrapping-float-to-int --enable-sign-ext "${linked}" -o "${file}"
        DEPENDS glissade_c glissade_lab glissade ${target}_runtime "$<TARGET_OBJECTS:${target}_runtime>"
        COMMAND_EXPAND_LISTS
        VERBATIM)
    add_custom_target(${target} ALL DEPENDS "${file}")
endfunction()
