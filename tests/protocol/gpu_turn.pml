// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// On each rank two threads make a collective on GPU buffers at the same time, each on a communicator of its own. The
// kernels of a collective wait for each other, and a rank's GPU has room for one at a time.
// Proven: nobody waits for ever, and all ranks of a communicator carry a call alike.
//
// CHECK RANKS=2
// MORE RANKS=3
// BROKEN WAITS_FOR_ITS_TURN: a call without a turn waits until the GPU is free
// BROKEN GOES_NATIVE_ALONE: a call without a turn is native on its rank
#define COMMUNICATORS 2
#define CALLS COMMUNICATORS
#define OPERATIONS 4
#include "mpi.pmlh"

mtype = { accelerate, refuse };

bool is_taken[RANKS];  // GpuTurn::holder

proctype thread(byte me; byte c) {
  byte at, peer, least, most;
  bool has_turn;
#ifdef WAITS_FOR_ITS_TURN
  atomic { !is_taken[me] -> has_turn = true; is_taken[me] = true }
#else
  atomic {
    has_turn = !is_taken[me];
    is_taken[me] = true
  }
#endif
#ifdef GOES_NATIVE_ALONE
  if
  :: !has_turn -> take_path(c, refuse); synchronize(c, native_call); goto end
  :: else
  fi;
#endif
  allreduce(c, has_turn, least, most);  // the agreement
  if
  :: least == 1 -> take_path(c, accelerate); synchronize(c, algorithm)
  :: else ->
     if :: has_turn -> is_taken[me] = false; has_turn = false :: else fi;
     take_path(c, refuse);
     synchronize(c, native_call)
  fi;
  if :: has_turn -> is_taken[me] = false :: else fi;
#ifdef GOES_NATIVE_ALONE
end:
#endif
  skip
}

init {
  byte i;
  atomic {
    do
    :: i < RANKS -> run thread(i, 0); run thread(i, 1); i++
    :: else -> break
    od
  }
}
