# SPDX-License-Identifier: Apache-2.0
# Cross-compiles for arm64 on a Debian that has crossbuild packages and libraries of that architecture:
#   cmake --preset release -B build-arm64 -DCMAKE_TOOLCHAIN_FILE=cmake/arm64.cmake
# With qemu-user the test programs of the floors run too (those of cli start gloss, which needs binfmt).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
