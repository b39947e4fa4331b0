# cmake -DSOURCE=... -DWORK=... -DSETTINGS=... -P install.cmake
# Builds the library alone in WORK/build and installs it into an empty WORK/prefix.
set(off -DGLISSADE_BUILD_TESTS=OFF -DGLISSADE_BUILD_EXAMPLES=OFF -DGLISSADE_BUILD_BENCH=OFF)
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/build" ${SETTINGS} ${off}
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/build" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE "${WORK}/prefix")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${WORK}/build" --prefix "${WORK}/prefix"
    COMMAND_ERROR_IS_FATAL ANY)
