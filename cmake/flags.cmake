# SPDX-License-Identifier: Apache-2.0
# Flags and libraries that every weft target uses, as one interface target `weft_flags`.

add_library(weft_flags INTERFACE)
target_include_directories(weft_flags INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(weft_flags INTERFACE
  _POSIX_C_SOURCE=200809L
  WEFT_VERSION="${PROJECT_VERSION}"
  $<$<BOOL:${WEFT_DEBUG}>:WEFT_DEBUG=1>)
# -ffp-contract=off: results must not depend on the compiler or on the machine (ARCHITECTURE.md).
target_compile_options(weft_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes $<$<BOOL:${WEFT_WERROR}>:-Werror>
  -ffp-contract=off -fvisibility=hidden)
if(WEFT_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(weft_flags INTERFACE ${sanitize})
  target_link_options(weft_flags INTERFACE ${sanitize})
  # Coverage for the fuzzer (tests/fuzz), where the compiler knows it; other programs do not use it.
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-fsanitize=fuzzer,address")
  check_c_source_compiles("#include <stddef.h>
    #include <stdint.h>
    int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) { return p && n > 3 ? 0 : 0; }"
    WEFT_HAS_LIBFUZZER)
  unset(CMAKE_REQUIRED_FLAGS)
  if(WEFT_HAS_LIBFUZZER)
    target_compile_options(weft_flags INTERFACE -fsanitize=fuzzer-no-link)
  endif()
endif()
target_link_options(weft_flags INTERFACE -Wl,--as-needed)
if(WEFT_SANITIZE)
  # Coverage and the sanitizers' own tables bring 600,000 addresses. At a fixed place in memory none of them has to be
  # relocated, which is a third of a start; and lld links them in a third of the time.
  include(CheckLinkerFlag)
  check_linker_flag(C -no-pie WEFT_HAS_NO_PIE)
  if(WEFT_HAS_NO_PIE)
    target_link_options(weft_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
  check_linker_flag(C -fuse-ld=lld WEFT_HAS_LLD)
  if(WEFT_HAS_LLD)
    target_link_options(weft_flags INTERFACE -fuse-ld=lld)
  endif()
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)
find_library(ZLIB_LIBRARY z REQUIRED)
target_link_libraries(weft_flags INTERFACE
  ${XXHASH_LIBRARY} ${ZSTD_LIBRARY} ${ZLIB_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS} m)
