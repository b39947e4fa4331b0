# glissade_set_build_flags(<target>): warnings, sanitizers and the floating-point model of this project's own targets.
# All PRIVATE: a consumer of the library gets none of them.
function(glissade_set_build_flags target)
    # Without contraction, every compiler rounds alike and golden hashes hold everywhere.
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -ffp-contract=off)
    if(GLISSADE_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(GLISSADE_SANITIZE)
        target_compile_options(${target} PRIVATE
            -fsanitize=${GLISSADE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        if(GLISSADE_SANITIZE MATCHES undefined)
            # It needs type information, which the library is built without: where the linker takes the table of one
            # of fmt's classes from the library, every use of it elsewhere would be reported.
            target_compile_options(${target} PRIVATE -fno-sanitize=vptr)
        endif()
        target_link_options(${target} PRIVATE -fsanitize=${GLISSADE_SANITIZE})
    endif()
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()
