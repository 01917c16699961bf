// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Who waits in shared memory keeps the MPI library going: a rank that is late may be in MPI itself, waiting for a
// message or a nonblocking collective that needs this rank's side. Before each call a rank may start either, and end it
// before or behind the call; a receiver waits for the message before its call or behind it.
// Proven: none waits for ever where none does natively, and what the program has started never meets what AIRamp does.
//
// CHECK RANKS=2 CALLS=3
// CHECK RANKS=3 CALLS=2
// MORE RANKS=3 CALLS=3
// MORE RANKS=4 CALLS=2
// BROKEN MAKES_NO_PROGRESS: who waits in a meeting leaves the MPI library alone
// BROKEN AGREES_BETWEEN_BY_ITSELF: a rank with something in flight agrees by messages, the others in shared memory
#define OPERATIONS 8
#include "mpi.pmlh"

mtype = { in_memory };
mtype = { nothing, message, collective };

mtype in_flight[CALLS];   // what is started before a call: the same on all ranks
bool before[CALLS];       // the receiver waits for the message before its call

bool started[CALLS * RANKS];   // by rank: its part of a nonblocking collective, or rank 0's send
bool moved[CALLS * RANKS];     // the MPI library has seen to that, in a call of it on the rank
byte arrived[RANKS];           // meetings that a rank has come to

#define started_by(rank) started[call * RANKS + (rank)]
#define moved_by(rank) moved[call * RANKS + (rank)]
#define has_arrived(rank) (arrived[rank] > call)

// Whatever is under way on this rank gets on, in any function of MPI that waits. A message of more than a few KiB is on
// its way once sender and receiver have both seen to it, as is a collective.
inline make_progress() {
  d_step {
    peer = 0;
    do
    :: peer <= call -> moved[peer * RANKS + me] = started[peer * RANKS + me]; peer++
    :: else -> break
    od;
    peer = 0
  }
}

#define needs_progress (started_by(me) && !moved_by(me))

// MPI_Wait, MPI_Recv: a function of MPI that ends when all whom it needs have seen to it.
inline wait_in_mpi() {
  make_progress();
  if
  :: in_flight[call] == message -> moved_by(0)
  :: in_flight[call] == collective -> all_ranks(moved_by)
  :: else
  fi
}

// The library sees to a rank's side a while after it was started, and only when it is called.
inline meet() {
  arrived[me]++;
#ifndef MAKES_NO_PROGRESS
  do
  :: all_ranks(has_arrived) -> break
  :: !all_ranks(has_arrived) && needs_progress -> make_progress()
  od
#else
  all_ranks(has_arrived)
#endif
}

proctype rank(byte me) {
  byte call, at, peer;
  do
  :: call < CALLS ->
     if
     :: in_flight[call] == collective ->    // MPI_Iallreduce, as any collective in its place of the communicator's
        begin(0, native_call, 0);
        started_by(me) = true
     :: in_flight[call] == message && me == 0 -> started_by(me) = true  // MPI_Isend
     :: else
     fi;
     if
     :: before[call] && me == 1 -> wait_in_mpi()  // MPI_Recv, or MPI_Wait of the collective
     :: else
     fi;
#ifdef AGREES_BETWEEN_BY_ITSELF
     if
     :: started_by(me) -> synchronize(0, mpi_allreduce)
     :: else -> meet()
     fi;
#else
     meet();                                 // AIRamp's agreement, and all of a call of all ranks
#endif
     take_path(call, in_memory);
     if
     :: !(before[call] && me == 1) -> wait_in_mpi()
     :: else
     fi;
     atomic { call++; at = 0 }
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    do
    :: i < CALLS ->
       if
       :: in_flight[i] = nothing
       :: in_flight[i] = message
       :: in_flight[i] = message; before[i] = true
       :: in_flight[i] = collective
       fi;
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
