# Helpers that register Python tests with ctest.
#
#   weft_check(NAME SCRIPT ARGS...)   a test that needs nothing but Python
#   weft_oracle(NAME SCRIPT ARGS...)  a comparison with an oracle; exit status 77 counts as skipped

find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)

function(weft_check name script)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()

function(weft_oracle name script)
  weft_check(${name} ${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES
    LABELS oracle SKIP_RETURN_CODE 77 TIMEOUT 1200 RUN_SERIAL ON)
endfunction()
