// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The messages of all algorithms travel on one communicator of the job, told apart by tags. On each rank two threads
// agree at the same time, each with the others' on a communicator of its own, on a tag for a plan.
// Proven: all ranks of a communicator have the same tag, or all have none, and two plans never share one.
//
// CHECK RANKS=2
// BROKEN TAGS_ARE_NOT_CLAIMED: who proposes a number does not see to it that no other thread takes it
// BROKEN CLAIMS_ARE_NOT_AGREED_ON: a rank whose claim fails starts again by itself
// BROKEN EACH_TAKES_ITS_OWN_NUMBER: the greatest number is not asked for
#define COMMUNICATORS 2
#define OPERATIONS 12
#define CALLS COMMUNICATORS
#include "mpi.pmlh"

#define max_attempts 2  // 8 in JobChannel::agree_on_tag
#define none 0

byte next_number[RANKS];             // TagBlocks, one in a process: numbers from 1 on here
byte tag[COMMUNICATORS * RANKS];
#define tag_of(c, rank) tag[(c) * RANKS + (rank)]

proctype thread(byte me; byte c) {
  byte at, peer, attempt, number, least, most;
  bool claimed;
  do
  :: attempt < max_attempts && tag_of(c, me) == none ->
     number = next_number[me];       // propose
     allreduce(c, number, least, most);
#ifndef EACH_TAKES_ITS_OWN_NUMBER
     number = most;
#endif
     atomic {                        // claim
#ifdef TAGS_ARE_NOT_CLAIMED
       claimed = true
#else
       claimed = number >= next_number[me];
       if :: claimed -> next_number[me] = number + 1 :: else fi
#endif
     }
#ifndef CLAIMS_ARE_NOT_AGREED_ON
     allreduce(c, claimed, least, most);
     claimed = least == 1;
#endif
     if :: claimed -> tag_of(c, me) = number + 1 :: else fi;
     attempt++
  :: else -> break
  od;
  synchronize(c, native_call);       // the plan's first call
  assert(tag_of(c, me) == tag_of(c, 0));
  assert(tag_of(c, me) == none || tag_of(c, me) != tag_of(1 - c, me))
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
