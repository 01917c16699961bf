# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Lets find_package(airamp VERSION) find the versions that it may: before 1.0, those with the same second number.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/airamp-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/airamp-config-version.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/airamp)
