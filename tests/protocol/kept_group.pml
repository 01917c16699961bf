// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Communicators of the same ranks follow each other, and each goes on in the memory of the one before if all ranks have
// that still and are at the same place in it: they agree on it when they come to need memory. On each are broadcasts
// that roots post in a ring, and go on: a root frees the communicator while others have yet to take what it left. Any
// rank may have let go of the memory meanwhile. A program that breaks MPI's rules may have the last rank leave out the
// last broadcast on the first communicator.
// Proven: what a rank takes was left for the call that it is in, all have the same memory, and none waits for ever.
//
// CHECK RANKS=2 COMMUNICATORS=3
// CHECK RANKS=3
// MORE RANKS=2 BROADCASTS=3 COMMUNICATORS=3
// MORE RANKS=3 COMMUNICATORS=3
// MORE RANKS=3 BROADCASTS=3
// BROKEN NOBODY_ASKS: who has memory takes it
// BROKEN PLACE_IS_LEFT_OUT: ranks that have the same memory go on, wherever they are in it
#ifndef BROADCASTS
#define BROADCASTS 2  // on each communicator
#endif
#ifndef COMMUNICATORS
#define COMMUNICATORS 2
#endif
#define OPERATIONS 2
#include "mpi.pmlh"

#define PLACES 2
#define this_call (comm * BROADCASTS + call)

// By memory: 0 is none.
byte number_in[(COMMUNICATORS + 1) * PLACES];
byte data_in[(COMMUNICATORS + 1) * PLACES];
byte done[(COMMUNICATORS + 1) * RANKS];
byte memory_of[COMMUNICATORS];  // as said by the rank that got there first

byte root[COMMUNICATORS * BROADCASTS];
bool leaves_out;  // the last rank

#define place (memory * PLACES + number % PLACES)
#define done_by(rank) done[memory * RANKS + (rank)]
#define is_done(rank) (rank == me || done_by(rank) + PLACES >= number)

// Which memory, and where in it.
#ifdef PLACE_IS_LEFT_OUT
#define digest (kept * 16)
#else
#define digest (kept * 16 + number)
#endif

inline come_to_memory() {
#ifdef NOBODY_ASKS
  memory = kept;
#else
  own = (kept > 0 -> digest : 0);
  allreduce(comm, own, least, most);
  d_step { memory = (least == most -> kept : 0); least = 0; most = 0; own = 0 }
#endif
  d_step {
    if
    :: memory == 0 -> memory = comm + 1; number = 0  // made anew
    :: else
    fi;
    if
    :: memory_of[comm] == 0 -> memory_of[comm] = memory
    :: else -> assert(memory_of[comm] == memory)
    fi;
    kept = 0
  }
}

inline leave() {
  all_ranks(is_done);
  data_in[place] = this_call + 1;
  d_step { number_in[place] = number; done_by(me) = number }
}

inline take() {
  number_in[place] == number;
  d_step {
    assert(data_in[place] == this_call + 1);
    done_by(me) = number
  }
}

proctype rank(byte me) {
  byte at, peer, least, most, own, comm, call, memory, number, kept;
  do
  :: comm < COMMUNICATORS ->
     come_to_memory();
     call = 0;
     do
     :: call < BROADCASTS && !(leaves_out && me == RANKS - 1 && this_call == BROADCASTS - 1) ->
        number++;
        if
        :: root[this_call] == me -> leave()
        :: root[this_call] != me -> take()
        fi;
        call++
     :: else -> break
     od;
     // MPI_Comm_free, in which nobody need wait
     atomic { kept = memory; memory = 0; call = 0 }
     if
     :: kept = 0
     :: true
     fi;
     comm++
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    if :: leaves_out = true :: leaves_out = false fi;
    do
    :: i < COMMUNICATORS * BROADCASTS ->
       if
       :: root[i] = 0
       :: !leaves_out -> root[i] = RANKS - 1
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
