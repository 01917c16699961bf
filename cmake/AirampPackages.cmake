# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# cpack -G DEB, of a build with CMAKE_INSTALL_PREFIX=/usr: Debian packages "airamp" (what both families of MPI
# libraries have in common) and "airamp-FAMILY".
# cpack -G TXZ --config CPackSourceConfig.cmake: the release tarball, with third_party/ where AIRAMP_THIRD_PARTY is BUNDLED.
# scripts/package makes all of them.
set(CPACK_PACKAGE_NAME airamp)
set(CPACK_PACKAGE_VENDOR "the AIRamp authors")
set(CPACK_PACKAGE_CONTACT "the AIRamp authors <noreply@airamp.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "faster collectives for unmodified MPI programs")
set(CPACK_PACKAGE_DESCRIPTION "AIRamp is a library that is loaded between a program and its MPI library. It makes \
collectives faster among the ranks of one host, in host and in GPU memory, with every bit of the MPI library's results.")
set(CPACK_SET_DESTDIR ON)  # the service for systemd names the prefix
set(CPACK_STRIP_FILES ON)

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
# Not the links: the packages of both families would have them.
set(CPACK_COMPONENTS_ALL common family)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMON_PACKAGE_NAME airamp)
set(CPACK_DEBIAN_COMMON_PACKAGE_RECOMMENDS "airamp-openmpi | airamp-mpich")
set(CPACK_DEBIAN_FAMILY_PACKAGE_NAME airamp-${AIRAMP_MPI_FAMILY})
set(CPACK_DEBIAN_FAMILY_PACKAGE_DEPENDS "airamp (= ${PROJECT_VERSION})")
if(airamp_has_hip)
  # Apart: it alone needs the HIP run-time library.
  list(APPEND CPACK_COMPONENTS_ALL hip)
  set(CPACK_DEBIAN_HIP_PACKAGE_NAME airamp-${AIRAMP_MPI_FAMILY}-hip)
  set(CPACK_DEBIAN_HIP_PACKAGE_DEPENDS "airamp-${AIRAMP_MPI_FAMILY} (= ${PROJECT_VERSION})")
endif()

set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME airamp-${PROJECT_VERSION})
set(CPACK_SOURCE_INSTALLED_DIRECTORIES "${PROJECT_SOURCE_DIR};/")
if(AIRAMP_THIRD_PARTY STREQUAL BUNDLED AND NOT EXISTS ${PROJECT_SOURCE_DIR}/third_party)
  list(APPEND CPACK_SOURCE_INSTALLED_DIRECTORIES "${PROJECT_BINARY_DIR}/third_party;/third_party")
endif()
string(REGEX REPLACE "([][+.*()^$?|])" "\\\\\\1" airamp_source_pattern ${PROJECT_SOURCE_DIR})
set(CPACK_SOURCE_IGNORE_FILES "^${airamp_source_pattern}/(build|\\.git|\\.cache)(/|$)" "/__pycache__/"
    "/CMakeUserPresets\\.json$" "/compile_commands\\.json$")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
