# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Part of the build of libairamp.a: one object of all that it is made of. What it shows to the linker are the functions
# __wrap_MPI_X and airamp_X: other copies of the same libraries in a program do not get in its way.
#
#   cmake -DLINKER=... -DNM=... -DOBJCOPY=... -DAR=... -DFOLDER=... -P merge_static_library.cmake
#
# FOLDER/parts has the objects and archives, one a line. In FOLDER afterwards: libairamp.a, and link_options for the
# linker of the program.
file(STRINGS ${FOLDER}/parts parts)
list(FILTER parts EXCLUDE REGEX "\\.[gp]ch$")  # precompiled headers count as objects

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE status)
  if(status)
    message(FATAL_ERROR "${error}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Takes the object of this source out of the parts.
function(take source variable)
  set(object ${parts})
  list(FILTER object INCLUDE REGEX "/${source}\\.cpp\\.[a-z]+$")
  list(REMOVE_ITEM parts ${object})
  set(${variable} ${object} PARENT_SCOPE)
  set(parts ${parts} PARENT_SCOPE)
endfunction()

take(entry_points entries)
take(static_native_library native)
take(native_library dynamic)

run(${NM} --defined-only --extern-only --format=posix ${entries})
string(REGEX MATCHALL "P?MPIX?_[A-Za-z0-9_]+ T" names "${output}")
set(wrapped "")
set(real "")
set(options "")
foreach(name IN LISTS names)
  string(REPLACE " T" "" name ${name})
  string(APPEND wrapped "${name} __wrap_${name}\n")
  string(APPEND real "${name} __real_${name}\n")
  string(APPEND options "-Wl,--wrap=${name}\n")
endforeach()
file(WRITE ${FOLDER}/wrapped "${wrapped}")
file(WRITE ${FOLDER}/real "${real}")

# Our own calls of the real functions are not to be wrapped.
run(${OBJCOPY} --redefine-syms=${FOLDER}/real ${native} ${FOLDER}/native.o)
# Groups of sections, which a linker may take from elsewhere, become ordinary ones, for their symbols are made local.
run(${LINKER} -r --force-group-allocation -o ${FOLDER}/airamp.o ${entries} ${FOLDER}/native.o
    --start-group ${parts} --end-group)
# objcopy makes no symbol local that is unique in a process, unless it is made a weak one before.
run(${NM} --defined-only --format=posix ${FOLDER}/airamp.o)
string(REGEX MATCHALL "[^ \n]+ u" names "${output}")
string(REGEX REPLACE " u(;|$)" "\n" unique "${names}")
file(WRITE ${FOLDER}/unique "${unique}")
run(${OBJCOPY} --redefine-syms=${FOLDER}/wrapped --weaken-symbols=${FOLDER}/unique ${FOLDER}/airamp.o)
run(${OBJCOPY} --wildcard --keep-global-symbol=__wrap_* --keep-global-symbol=airamp_* --strip-debug ${FOLDER}/airamp.o)
run(${NM} --undefined-only --format=posix ${FOLDER}/airamp.o)
if(output MATCHES "_ZNK?6airamp[^ ]*")
  message(FATAL_ERROR "libairamp.a lacks ${CMAKE_MATCH_0}: a room is missing in AirampStaticLibrary.cmake")
endif()
# What we need of the MPI library, for the archive may stand behind it.
string(REGEX MATCHALL "PMPI_[A-Za-z0-9_]+ U" names "${output}")
foreach(name IN LISTS names)
  string(REPLACE " U" "" name ${name})
  string(APPEND options "-Wl,-u,${name}\n")
endforeach()
file(WRITE ${FOLDER}/link_options "${options}")
file(REMOVE ${FOLDER}/libairamp.a)
run(${AR} rcs ${FOLDER}/libairamp.a ${FOLDER}/airamp.o)
