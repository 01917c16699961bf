# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Finds libyaml as a static archive and defines LibYaml::LibYaml. The archive ends up inside a library that is preloaded
# into other people's programs, so whatever links it keeps libyaml's symbols to itself.
find_path(LibYaml_INCLUDE_DIR yaml.h)
find_library(LibYaml_LIBRARY NAMES libyaml.a)
mark_as_advanced(LibYaml_INCLUDE_DIR LibYaml_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibYaml REQUIRED_VARS LibYaml_LIBRARY LibYaml_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "install libyaml's headers and static archive (libyaml-dev)")

if(LibYaml_FOUND AND NOT TARGET LibYaml::LibYaml)
  get_filename_component(LibYaml_ARCHIVE_NAME ${LibYaml_LIBRARY} NAME)
  add_library(LibYaml::LibYaml STATIC IMPORTED)
  set_target_properties(LibYaml::LibYaml PROPERTIES
    IMPORTED_LOCATION ${LibYaml_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LibYaml_INCLUDE_DIR}
    INTERFACE_LINK_OPTIONS "LINKER:--exclude-libs,${LibYaml_ARCHIVE_NAME}")
endif()
