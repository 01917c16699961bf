# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# The target "docs", where Doxygen is: pages of the public headers, which are the C headers, in build/NAME/docs/html. What
# is not documented in them is an error.
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  message(STATUS "No Doxygen: there is no target docs")
  return()
endif()

file(GLOB_RECURSE airamp_public_headers ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/pmpi/*.h)
if(NOT airamp_public_headers)
  message(FATAL_ERROR "The public headers are not where cmake/AirampDocs.cmake looks for them")
endif()
set(DOXYGEN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/docs)
set(DOXYGEN_OPTIMIZE_OUTPUT_FOR_C YES)
set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
set(DOXYGEN_HAVE_DOT NO)
set(DOXYGEN_WARN_NO_PARAMDOC YES)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
doxygen_add_docs(docs ${airamp_public_headers})
