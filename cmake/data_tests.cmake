# SPDX-License-Identifier: Apache-2.0
# Helpers that register Python tests with ctest.
#
#   weft_check(NAME SCRIPT ARGS...)   a test that needs nothing but Python
#   weft_oracle(NAME SCRIPT ARGS...)  a comparison with an oracle; exit status 77 counts as skipped

# Python 3.11 where there is one: it is the oracle of the parser. Another version skips that test.
find_package(Python3 3.11...<3.12 QUIET COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()

function(weft_check name script)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/${script} ${ARGN})
  # weft itself ends with 1 for bad input: what a sanitizer finds has to look different.
  set_tests_properties(${name} PROPERTIES TIMEOUT 1800
    ENVIRONMENT "ASAN_OPTIONS=exitcode=99;UBSAN_OPTIONS=exitcode=99:print_stacktrace=1")
endfunction()

function(weft_oracle name script)
  weft_check(${name} ${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES
    LABELS oracle SKIP_RETURN_CODE 77 TIMEOUT 1800)
  if(TARGET fmath_preload) # oracle_env.with_fmath
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "WEFT_FMATH_PRELOAD=$<TARGET_FILE:fmath_preload>")
  endif()
endfunction()
