# Flags that the library uses on itself must not reach the project that links it.
foreach(property IN ITEMS INTERFACE_COMPILE_OPTIONS INTERFACE_LINK_OPTIONS)
    get_target_property(flags glissade::glissade ${property})
    if(flags)
        message(FATAL_ERROR "glissade::glissade leaks ${property}: ${flags}")
    endif()
endforeach()
