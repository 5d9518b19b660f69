# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: the program, both libraries, the header, package files for pkg-config and for
# find_package(weft), the manual page, and completions for bash, zsh and fish. `cpack` makes a .deb of it.
#
#     find_package(weft REQUIRED)
#     target_link_libraries(mine PRIVATE weft::weft)     # or weft::static
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(weft_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
set(weft_private_libraries xxhash zstd z m ${CMAKE_DL_LIBS})

install(TARGETS weft RUNTIME)
install(TARGETS weft_shared weft_static EXPORT weft
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/weft.h ${PROJECT_SOURCE_DIR}/include/weft_collect.h
              ${PROJECT_SOURCE_DIR}/include/weft_program.h ${PROJECT_SOURCE_DIR}/include/weft_sets.h TYPE INCLUDE)
install(FILES README.md LICENSE CHANGELOG.md TYPE DOC)

# --- find_package -------------------------------------------------------------------------------
set_target_properties(weft_shared PROPERTIES EXPORT_NAME weft)
set_target_properties(weft_static PROPERTIES EXPORT_NAME static)
target_link_libraries(weft_static INTERFACE
  $<INSTALL_INTERFACE:${weft_private_libraries}> $<INSTALL_INTERFACE:Threads::Threads>)
install(EXPORT weft NAMESPACE weft:: FILE weftTargets.cmake DESTINATION ${weft_cmake_dir})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/weftConfig.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/weftTargets.cmake")
]])
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weftConfig.cmake ${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
  DESTINATION ${weft_cmake_dir})

# --- pkg-config: paths are relative to the file, so that the folder can be moved ----------------
list(TRANSFORM weft_private_libraries PREPEND -l OUTPUT_VARIABLE weft_pc_libraries)
list(JOIN weft_pc_libraries " " weft_pc_libraries)
file(RELATIVE_PATH weft_pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" weft_pc_to_prefix "${weft_pc_to_prefix}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/weft.pc @ONLY CONTENT [[
prefix=${pcfiledir}/@weft_pc_to_prefix@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: weft
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: -I${includedir}
Libs: -L${libdir} -lweft
Libs.private: @weft_pc_libraries@ -pthread
]])
install(FILES ${PROJECT_BINARY_DIR}/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# --- what the program prints of itself: the manual page and completions -------------------------
# weft_generated(FILE FOLDER OPTION...): FILE is what `weft help OPTION...` prints, installed in FOLDER.
function(weft_generated file folder)
  set(path ${PROJECT_BINARY_DIR}/generated/${file})
  add_custom_command(OUTPUT ${path} COMMAND weft help ${ARGN} > ${path} DEPENDS weft VERBATIM)
  install(FILES ${path} DESTINATION ${folder})
  set(weft_generated_files ${weft_generated_files} ${path} PARENT_SCOPE)
endfunction()
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
  weft_generated(weft.1 ${CMAKE_INSTALL_MANDIR}/man1 --man)
  weft_generated(weft ${CMAKE_INSTALL_DATADIR}/bash-completion/completions --completion bash)
  weft_generated(_weft ${CMAKE_INSTALL_DATADIR}/zsh/site-functions --completion zsh)
  weft_generated(weft.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d --completion fish)
  add_custom_target(weft_generated ALL DEPENDS ${weft_generated_files})
endif()

# --- cpack --------------------------------------------------------------------------------------
set(CPACK_GENERATOR DEB)
# Who answers for a package: whoever publishes it gives a name and an address.
set(WEFT_CONTACT "weft developers <weft@weft.invalid>" CACHE STRING "maintainer of the .deb: NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT "${WEFT_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "weft compiles Python functions marked @wp.kernel to the text that warp-lang
generates, and to CUDA programs without Warp; executes them on the CPU; and
makes, checks and measures data sets of such pairs. This package has the
program, the C library, and what is needed to build with it.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# dpkg runs ldconfig by the trigger; shlibs says which package programs that link libweft.so.0 need.
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs
  "libweft ${PROJECT_VERSION_MAJOR} weft (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers ${PROJECT_BINARY_DIR}/debian/shlibs)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
include(CPack)
