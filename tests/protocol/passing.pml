// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Meetings before calls from which natively all but the root may go on, in a program that breaks MPI's rules: in any
// call any rank may pass by while others meet. Who waits for a rank that has gone by its call closes the meeting. A
// rank for which a meeting was closed passes by from then on. Natively the root waits for all others. Or all calls are
// synchronous: natively all wait for all, and nobody closes a meeting because it has lost patience.
// Proven: each call goes the same way on all ranks, natively if not all are at it; and nobody waits for ever.
//
// CHECK RANKS=2 CALLS=4 SYNCHRONOUS=0
// CHECK RANKS=3 CALLS=3 SYNCHRONOUS=0
// CHECK RANKS=3 CALLS=3 SYNCHRONOUS=1
// MORE RANKS=3 CALLS=4 SYNCHRONOUS=0
// MORE RANKS=3 CALLS=4 SYNCHRONOUS=1
// BROKEN WORDS_WITHOUT_PASSES: a rank at a later call is taken for one at this
// BROKEN TELLS_OF_PASSES_ALONE: a rank waits in a later meeting for one that has gone on from an earlier one
// BROKEN CLOSES_FOR_NOBODY: the root waits until all have come, though a rank has gone by
#if SYNCHRONOUS
#define COMES_BY_STORE
#endif
#include "host_meeting.pmlh"

#define ROOT 0
#if SYNCHRONOUS
#define has_patience true
#define waits_natively true
#else
#define has_patience (me == ROOT)
#define waits_natively (me == ROOT)
#endif
#define NATIVE 1
#define SHARED 2

byte gone_by[RANKS];          // the latest call that a rank has gone by, or of which the ranks have not agreed
bool sent[CALLS * RANKS];

#ifdef CLOSES_FOR_NOBODY
#define has_gone_by false
#else
#define has_gone_by (gone_by[peer] >= meetings + passed)
#endif
#ifdef WORDS_WITHOUT_PASSES
#define own_word 0
#else
#define own_word passed
#endif

inline meet() {
  arrive(own_word, true);
  agreed = !closed;
  peer = 0;
  do
  :: !closed && peer < RANKS -> wait_for(!has_patience || has_gone_by, own_word); peer++
  :: else -> break
  od;
  peer = 0;
#ifndef TELLS_OF_PASSES_ALONE
  if
  :: !agreed -> gone_by[me] = meetings + passed
  :: else
  fi
#endif
}

inline run_native() {
  take_path(call, NATIVE);
  sent[call * RANKS + me] = true;
  do
  :: waits_natively && peer < RANKS -> sent[call * RANKS + peer]; peer++
  :: else -> break
  od;
  peer = 0
}

proctype rank(byte me) {
  byte meetings, peer, laid_out, shift, call, passed;
  bool closed, agreed;
  do
  :: call < CALLS ->
     if
     :: !closed -> meet()
     :: true ->
        passed++;
        gone_by[me] = meetings + passed;
        agreed = false
     fi;
     if
     :: agreed -> take_path(call, SHARED)
     :: else -> run_native()
     fi;
     call++
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    do
    :: i < RANKS -> run rank(i); i++
    :: else -> break
    od
  }
}
