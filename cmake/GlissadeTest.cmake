# The only places that create tests of any kind, examples and benchmarks. Nobody writes add_test by hand for a program.

set(GLISSADE_SCRIPT_DIR "${CMAKE_CURRENT_LIST_DIR}")

# glissade_add_test(<layer> SOURCES <file>... [PROPERTY_SOURCES <file>...] [LIBS <target>...]
#                   [TIMEOUT <seconds>])
# One program and one ctest entry per layer. PROPERTY_SOURCES are the files that include RapidCheck: it comes as a native
# library only, so they are left out of the WebAssembly build. Layers that have some get a second entry, <layer>_soak, with
# many more cases and another seed in every run; the label `soak` keeps it out of the daily run.
function(glissade_add_test layer)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;PROPERTY_SOURCES;LIBS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "glissade_add_test(${layer}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    set(target glissade_${layer}_test)
    add_executable(${target} ${arg_SOURCES})
    glissade_set_build_flags(${target})
    # src: tests may look at private headers. tests: what several tests share.
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(${target} PRIVATE glissade::glissade GTest::gmock GTest::gmock_main ${arg_LIBS})
    # Where tests find their data: GLISSADE_TEST_FOLDER "/vectors/...".
    target_compile_definitions(${target} PRIVATE "GLISSADE_TEST_FOLDER=\"${PROJECT_SOURCE_DIR}/tests\"")
    if(EMSCRIPTEN)
        # Lets tests read their data and write their results in Node; the traces of the lab need more than 16 MiB.
        target_link_options(${target} PRIVATE -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1)
    else()
        target_sources(${target} PRIVATE ${arg_PROPERTY_SOURCES})
        target_link_libraries(${target} PRIVATE rapidcheck)
    endif()

    # tools/count_results.py looks for the results there.
    add_test(NAME ${layer} COMMAND ${target} "--gtest_output=xml:${PROJECT_BINARY_DIR}/results/${layer}.xml")
    # RapidCheck's seed, so that every run is the same.
    set_tests_properties(${layer} PROPERTIES ENVIRONMENT RC_PARAMS=seed=1)
    if(arg_TIMEOUT)
        set_tests_properties(${layer} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    endif()
    if(arg_PROPERTY_SOURCES AND NOT EMSCRIPTEN)
        add_test(NAME ${layer}_soak
            COMMAND ${target} "--gtest_output=xml:${PROJECT_BINARY_DIR}/results/${layer}_soak.xml")
        set_tests_properties(${layer}_soak PROPERTIES ENVIRONMENT RC_PARAMS=max_success=30000 LABELS soak TIMEOUT 1200)
    endif()
endfunction()

# glissade_add_c_test(<name> <file>)
# A program in C, so that the C interface stays one: compiled with the warnings of a strict C project, and run.
function(glissade_add_c_test name file)
    add_executable(glissade_${name} ${file})
    target_link_libraries(glissade_${name} PRIVATE glissade::c)
    target_compile_options(glissade_${name} PRIVATE $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror>)
    set_target_properties(glissade_${name} PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF LINKER_LANGUAGE CXX)
    if(GLISSADE_SANITIZE)
        target_link_options(glissade_${name} PRIVATE -fsanitize=${GLISSADE_SANITIZE})
    endif()
    add_test(NAME ${name} COMMAND glissade_${name})
endfunction()

# glissade_add_asserts(SOURCES <file>...)
# The program of tests/asserts/: it takes the name of a case and breaks that precondition.
function(glissade_add_asserts)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "SOURCES")
    add_executable(glissade_asserts ${arg_SOURCES})
    glissade_set_build_flags(glissade_asserts)
    target_link_libraries(glissade_asserts PRIVATE glissade::glissade)
endfunction()

# glissade_add_assert_test(<case> "<condition>")
# `glissade_asserts <case>` must abort and name the condition on its error output. Nothing to test without asserts, and
# Node reports an abort in its own words.
function(glissade_add_assert_test case condition)
    if(NOT GLISSADE_ENABLE_ASSERT OR EMSCRIPTEN)
        return()
    endif()
    add_test(NAME assert_${case} COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:glissade_asserts>"
        "-DCASE=${case}" "-DCONDITION=${condition}" -P "${GLISSADE_SCRIPT_DIR}/expect_abort.cmake")
endfunction()

# glissade_add_example(<name> [LIBS <target>...])
# Builds examples/<name>.cpp; ctest runs it for 120 frames, and once with an argument that it must refuse.
function(glissade_add_example name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
    set(target glissade_example_${name})
    add_executable(${target} ${name}.cpp)
    glissade_set_build_flags(${target})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
    target_link_libraries(${target} PRIVATE glissade::glissade ${arg_LIBS})
    add_dependencies(glissade_examples ${target})
    if(GLISSADE_BUILD_TESTS)
        add_test(NAME example_${name} COMMAND ${target} --frames=120)
        add_test(NAME example_${name}_bad_argument COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>"
            -DARGUMENT=--nonsense -P "${GLISSADE_SCRIPT_DIR}/expect_usage_error.cmake")
    endif()
endfunction()

# glissade_add_demo_test(<demo> [ARGUMENTS <argument>...] [TIMEOUT <seconds>])
# Runs the program glissade_<demo>, and once with an argument that it must refuse.
function(glissade_add_demo_test demo)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "ARGUMENTS")
    set(target glissade_${demo})
    add_test(NAME demo_${demo} COMMAND ${target} ${arg_ARGUMENTS})
    if(arg_TIMEOUT)
        set_tests_properties(demo_${demo} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    endif()
    add_test(NAME demo_${demo}_bad_argument COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>"
        -DARGUMENT=--nonsense -P "${GLISSADE_SCRIPT_DIR}/expect_usage_error.cmake")
endfunction()

# glissade_add_bench(<name> SOURCES <file>... [LIBS <target>...])
# A Google Benchmark program <name>_bench.
function(glissade_add_bench name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
    set(target glissade_${name}_bench)
    add_executable(${target} ${arg_SOURCES})
    glissade_set_build_flags(${target})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}_bench)
    # bench: Highway includes a file of kernels by its name, once for each target.
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/bench")
    target_link_libraries(${target} PRIVATE glissade::glissade benchmark::benchmark_main ${arg_LIBS})
    add_dependencies(glissade_benchmarks ${target})
endfunction()

# glissade_add_check(<name> <command>...)
# A check of the sources themselves. Exit code 77 means that a tool is missing: skipped, not passed.
function(glissade_add_check name)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# glissade_add_fixture(<name> <command>...)
# An entry that prepares something: ctest runs it before every test that names it as its FIXTURE, even if that test alone
# was asked for.
function(glissade_add_fixture name)
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES FIXTURES_SETUP ${name})
endfunction()

# glissade_add_browser_test(<name> <script> [ARGUMENTS <argument>...] [NEEDS <file>...] [FIXTURE <name>]
#                           [TIMEOUT <seconds>] [ALONE])
# A script of node:test that opens pages in Chromium; its cases are counted like those of GoogleTest. Left out with a
# message where something is missing. GLISSADE_CHROMIUM may name another browser of that family. ALONE: beside no other
# test, because it looks at when frames come.
function(glissade_add_browser_test name script)
    cmake_parse_arguments(PARSE_ARGV 2 arg "ALONE" "FIXTURE;TIMEOUT" "ARGUMENTS;NEEDS")
    find_program(GLISSADE_NODE node)
    if(DEFINED ENV{GLISSADE_CHROMIUM})
        set(GLISSADE_CHROMIUM "$ENV{GLISSADE_CHROMIUM}")
    else()
        find_program(GLISSADE_CHROMIUM NAMES chromium chromium-browser google-chrome)
    endif()
    mark_as_advanced(GLISSADE_NODE GLISSADE_CHROMIUM)
    set(missing "")
    if(NOT GLISSADE_NODE)
        list(APPEND missing "Node.js (package nodejs)")
    endif()
    if(NOT GLISSADE_CHROMIUM)
        list(APPEND missing "Chromium (package chromium)")
    endif()
    if(NOT EXISTS "${PROJECT_SOURCE_DIR}/tests/web/node_modules/playwright-core/package.json")
        list(APPEND missing "playwright-core (npm ci --prefix tests/web)")
    endif()
    foreach(file IN LISTS arg_NEEDS)
        if(NOT EXISTS "${file}")
            list(APPEND missing "${file} (./test builds it)")
        endif()
    endforeach()
    if(missing)
        list(JOIN missing ", " missing)
        message(STATUS "The test ${name} is left out: ${missing} not found")
        return()
    endif()
    add_test(NAME ${name} COMMAND "${GLISSADE_NODE}" --test-reporter=spec --test-reporter-destination=stdout
        --test-reporter=junit "--test-reporter-destination=${PROJECT_BINARY_DIR}/results/${name}.xml"
        "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${arg_ARGUMENTS})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "GLISSADE_CHROMIUM=${GLISSADE_CHROMIUM}")
    if(arg_FIXTURE)
        set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${arg_FIXTURE})
    endif()
    if(arg_TIMEOUT)
        set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    endif()
    if(arg_ALONE)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()

# glissade_add_node_test(<name> <module> <file>...)
# Tests of the front for browsers, in Node.js without a browser. Left out with a message where the module is not built.
function(glissade_add_node_test name module)
    find_program(GLISSADE_NODE node)
    mark_as_advanced(GLISSADE_NODE)
    if(NOT GLISSADE_NODE OR NOT EXISTS "${module}")
        message(STATUS "The test ${name} is left out: Node.js (package nodejs) or ${module} (./test builds it) not found")
        return()
    endif()
    add_test(NAME ${name} COMMAND "${GLISSADE_NODE}" --test --test-reporter=spec --test-reporter-destination=stdout
        --test-reporter=junit "--test-reporter-destination=${PROJECT_BINARY_DIR}/results/${name}.xml" ${ARGN})
    if(TARGET glissade_app)
        set_tests_properties(${name} PROPERTIES ENVIRONMENT "GLISSADE_PROGRAM=$<TARGET_FILE:glissade_app>")
    endif()
endfunction()

# glissade_add_python_test(<name> <folder> [TIMEOUT <seconds>])
# The tests of a folder, which are Python's unittest, run from outside against the program `glissade`; run.py of that
# folder writes their cases, which are counted like those of GoogleTest.
function(glissade_add_python_test name folder)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "TIMEOUT" "")
    find_package(Python3 COMPONENTS Interpreter)
    if(NOT Python3_Interpreter_FOUND)
        message(STATUS "The test ${name} is left out: Python (package python3) not found")
        return()
    endif()
    # -B: leaves no __pycache__ among the sources.
    add_test(NAME ${name} COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/run.py"
        --results "${PROJECT_BINARY_DIR}/results/${name}.xml")
    set_tests_properties(${name} PROPERTIES
        ENVIRONMENT "GLISSADE_PROGRAM=$<TARGET_FILE:glissade_app>;GLISSADE_SANITIZE=${GLISSADE_SANITIZE}")
    if(arg_TIMEOUT)
        set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    endif()
endfunction()
