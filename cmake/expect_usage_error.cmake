# cmake -DPROGRAM=... -DARGUMENT=... -P expect_usage_error.cmake
# Passes when `PROGRAM ARGUMENT` exits with 2, the code for wrong usage, and says something on its error output.
execute_process(COMMAND "${PROGRAM}" "${ARGUMENT}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT result EQUAL 2)
    message(FATAL_ERROR "expected exit code 2, got '${result}'\n${output}${error}")
endif()
if(error STREQUAL "")
    message(FATAL_ERROR "exit code 2, but not a word on the error output")
endif()
