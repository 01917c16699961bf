# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Sanitizers (AIRAMP_SANITIZERS) in what is added from here on. What is linked with it needs their runtime, so that is
# linked with all.
if(NOT AIRAMP_SANITIZERS)
  return()
endif()

# Checks earn warnings that the sources do not. With them in it, what is compiled into one function of its own takes the
# compiler a quarter of an hour.
set(options -fsanitize=${AIRAMP_SANITIZERS} -fno-omit-frame-pointer -g -O1 -w -Dflatten=noinline)
get_property(airamp_options_without_sanitizers DIRECTORY PROPERTY COMPILE_OPTIONS)
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:${options}>")
add_link_options(-fsanitize=${AIRAMP_SANITIZERS})
