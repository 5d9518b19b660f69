# SPDX-License-Identifier: Apache-2.0
# Toolchain for aarch64 on Debian: gcc-aarch64-linux-gnu, and qemu-user to run what it builds. The
# libraries are arm64 packages unpacked into WEFT_AARCH64_ROOT (tests/portable/machines_check.py).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${WEFT_AARCH64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_C_FLAGS_INIT "-isystem ${WEFT_AARCH64_ROOT}/usr/include")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WEFT_AARCH64_ROOT)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu -E
  LD_LIBRARY_PATH=${WEFT_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu:${WEFT_AARCH64_ROOT}/lib/aarch64-linux-gnu:/usr/aarch64-linux-gnu/lib)
