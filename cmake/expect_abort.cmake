# cmake -DPROGRAM=... -DCASE=... -DCONDITION=... -P expect_abort.cmake
# Passes when `PROGRAM CASE` aborts and its error output contains CONDITION, taken literally.
execute_process(COMMAND "${PROGRAM}" "${CASE}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT result MATCHES "abort")
    message(FATAL_ERROR "expected an abort, got '${result}'\n${output}${error}")
endif()
string(FIND "${error}" "${CONDITION}" position)
if(position EQUAL -1)
    message(FATAL_ERROR "the error output does not name '${CONDITION}':\n${error}")
endif()
