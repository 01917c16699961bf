# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# The libraries that the sources are compiled with: fmt::fmt-header-only, nlohmann_json::nlohmann_json, CLI11::CLI11,
# airamp_highway (where there is Highway) and airamp_libyaml. None of them is needed once AIRamp is built.
include(AirampThirdParty)

# Ends the configuration for want of a library.
function(airamp_missing what package)
  message(FATAL_ERROR "${what} was not found. Install it (Debian: ${package}), name its folder in CMAKE_PREFIX_PATH, or "
                      "set AIRAMP_THIRD_PARTY=AUTO to have it downloaded.")
endfunction()

# A library of headers: airamp_headers(PACKAGE VERSION TARGET FOLDER DEBIAN-PACKAGE, then as airamp_take()).
macro(airamp_headers package version target folder debian_package)
  if(NOT AIRAMP_THIRD_PARTY STREQUAL BUNDLED)
    find_package(${package} ${version} CONFIG QUIET)
  endif()
  if(NOT TARGET ${target})
    airamp_take(${package} ${ARGN})
    if(NOT ${package}_ROOT)
      airamp_missing("${package} ${version} or later" ${debian_package})
    endif()
    add_library(airamp_${package} INTERFACE)
    target_include_directories(airamp_${package} SYSTEM INTERFACE ${${package}_ROOT}/${folder})
    add_library(${target} ALIAS airamp_${package})
  endif()
endmacro()

airamp_headers(fmt 9.1 fmt::fmt-header-only include libfmt-dev
  f/fmtlib/fmtlib_10.1.1+ds1.orig.tar.gz 7000f214d2628f04174822f8048c573f1608194408d7931121595a03f1c18a17
  include LICENSE.rst)
if(TARGET airamp_fmt)
  target_compile_definitions(airamp_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()
airamp_headers(nlohmann_json 3.11 nlohmann_json::nlohmann_json single_include nlohmann-json3-dev
  n/nlohmann-json3/nlohmann-json3_3.11.3.orig.tar.gz 0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406
  single_include LICENSE.MIT)
airamp_headers(CLI11 2.1 CLI11::CLI11 include libcli11-dev
  c/cli11/cli11_2.4.1+ds.orig.tar.xz 0b8fbf2398875f15f30a675c7f412123a2aaa38df2863e991de72004fd5f1292
  include LICENSE)

# Highway, for its headers alone.
set(airamp_highway_folder "")
if(NOT AIRAMP_THIRD_PARTY STREQUAL BUNDLED)
  find_path(AIRAMP_HIGHWAY_INCLUDE_DIR hwy/foreach_target.h)
  mark_as_advanced(AIRAMP_HIGHWAY_INCLUDE_DIR)
  set(airamp_highway_folder ${AIRAMP_HIGHWAY_INCLUDE_DIR})
endif()
if(airamp_highway_folder)
  # It stands in base.h, before 1.1 in highway.h.
  file(STRINGS ${airamp_highway_folder}/hwy/base.h airamp_highway_major REGEX "^#define HWY_MAJOR [1-9]")
  if(NOT airamp_highway_major)
    file(STRINGS ${airamp_highway_folder}/hwy/highway.h airamp_highway_major REGEX "^#define HWY_MAJOR [1-9]")
  endif()
  if(NOT airamp_highway_major)
    message(STATUS "The Highway in ${airamp_highway_folder} is older than 1.0: it is not used")
    set(airamp_highway_folder "")
  endif()
endif()
if(NOT airamp_highway_folder)
  airamp_take(highway
    h/highway/highway_1.2.0.orig.tar.gz 7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343
    hwy LICENSE)
  set(airamp_highway_folder ${highway_ROOT})
endif()
if(airamp_highway_folder)
  add_library(airamp_highway INTERFACE)
  target_include_directories(airamp_highway SYSTEM INTERFACE ${airamp_highway_folder})
endif()

# libyaml, into the preloaded library: an archive of code that is not position-independent cannot go there.
if(NOT AIRAMP_THIRD_PARTY STREQUAL BUNDLED)
  find_package(LibYaml QUIET)
  if(LibYaml_FOUND)
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS "-fPIC -shared")
    set(CMAKE_REQUIRED_INCLUDES ${LibYaml_INCLUDE_DIR})
    set(CMAKE_REQUIRED_LIBRARIES ${LibYaml_LIBRARY})
    check_c_source_compiles("#include <yaml.h>
      int load(yaml_parser_t* parser, yaml_document_t* document) { return yaml_parser_load(parser, document); }
      int main(void) { return 0; }" AIRAMP_LIBYAML_CAN_BE_SHARED)
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(NOT AIRAMP_LIBYAML_CAN_BE_SHARED)
      message(STATUS "${LibYaml_LIBRARY}: its code cannot go into a shared library, so it is not used")
    endif()
  endif()
endif()
if(AIRAMP_THIRD_PARTY STREQUAL BUNDLED OR NOT AIRAMP_LIBYAML_CAN_BE_SHARED)
  airamp_take(libyaml
    liby/libyaml/libyaml_0.2.5.orig.tar.gz fa240dbf262be053f3898006d502d514936c818e422afdcf33921c63bed9bf2e
    include src License)
  if(NOT libyaml_ROOT)
    airamp_missing("libyaml with its headers and its static archive" libyaml-dev)
  endif()
  file(GLOB airamp_yaml_sources ${libyaml_ROOT}/src/*.c)
  add_library(airamp_libyaml STATIC ${airamp_yaml_sources})
  target_include_directories(airamp_libyaml SYSTEM PUBLIC ${libyaml_ROOT}/include)
  target_compile_definitions(airamp_libyaml PRIVATE
    YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2 YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5")
  set_target_properties(airamp_libyaml PROPERTIES C_VISIBILITY_PRESET hidden)
else()
  add_library(airamp_libyaml INTERFACE)
  target_link_libraries(airamp_libyaml INTERFACE LibYaml::LibYaml)
endif()
