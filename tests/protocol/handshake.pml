// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// MPI_Init: rank 0's settings become the job's. Settings may differ, those of some rank may have errors or another
// version of AIRamp may be loaded there, rank 0's may switch AIRamp off, and the job's communicator may not be had.
// Proven: AIRamp is on in all ranks or in none, with rank 0's settings, and none waits for another for ever.
//
// CHECK RANKS=2
// CHECK RANKS=3
// MORE RANKS=4
// BROKEN FAULTY_RANK_STAYS_AWAY: a rank whose configuration has errors does not shake hands
// BROKEN OWN_SETTINGS_DECIDE: a rank whose own settings switch AIRamp off is off
// BROKEN OFF_WHERE_NOTHING_OPENS: a rank without the job's communicator is off by itself
#define CALLS 1
#define OPERATIONS 12
#include "mpi.pmlh"

mtype = { on, off };

#define version_here 1
byte version[RANKS];
bool healthy[RANKS];
byte settings[RANKS];  // 0: off

proctype rank(byte me) {
  byte at, peer, least, most, text, said;
#ifdef FAULTY_RANK_STAYS_AWAY
  if :: !healthy[me] -> goto is_off :: else fi;
#endif
  // the smallest rank that is not healthy, and the smallest and largest version, in one reduction
  said = (healthy[me] -> version[me] : 0);
  allreduce(0, said, least, most);
  if
  :: least != most || least == 0 -> goto is_off
  :: else
  fi;
  said = settings[me];
  begin(0, mpi_bcast, said);                // rank 0's text
  begun_by(0, 0) > at;
  text = given_by(0, 0);
#ifdef OWN_SETTINGS_DECIDE
  text = (settings[me] == 0 -> 0 : text);
#endif
  said = text == settings[me];
  allreduce(0, said, least, most);          // whether any differ: a warning of rank 0's
  if
  :: text == 0 -> goto is_off
  :: else
  fi;
  begin(0, mpi_bcast, 0);                   // the job's name
  begun_by(0, 0) > at;
  atomic { if :: said = 1 :: said = 0 fi };
  synchronize(0, algorithm);                // MPI_Comm_dup
#ifdef OFF_WHERE_NOTHING_OPENS
  least = said;
#else
  allreduce(0, said, least, most);
#endif
  if
  :: least == 0 -> goto is_off
  :: else
  fi;
  assert(text == settings[0]);
  take_path(0, on);
  synchronize(0, native_call);              // ranks on a host, agreed on
  goto end;
is_off:
  take_path(0, off);
end:
  synchronize(0, native_call)               // the program's first call
}

init {
  byte i;
  atomic {
    do
    :: i < RANKS ->
       if :: version[i] = version_here :: version[i] = version_here + 1 fi;
       if :: healthy[i] = true :: healthy[i] = false fi;
       if :: settings[i] = 0 :: settings[i] = 1 :: settings[i] = 2 fi;
       i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < RANKS -> run rank(i); i++
    :: else -> break
    od
  }
}
