// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Calls from which a rank may return before all have come, and nothing else: a meeting that was closed is opened again by
// the ranks' vote alone (start_vote.pml). Ranks run ahead of each other, and close one meeting after the other.
// Proven: all ranks carry a call alike, none reads what was laid out for another one, and none waits for ever.
//
// CHECK RANKS=2 CALLS=8
// CHECK RANKS=3 CALLS=4
// MORE RANKS=2 CALLS=12
// MORE RANKS=3 CALLS=6
// BROKEN COUNTS_EARLIER_VOTES RANKS=2 CALLS=10: a vote behind a meeting says that its rank has left a later one behind
// BROKEN NOBODY_VOTES RANKS=2 CALLS=10: the next call opens it
#include "host_meeting.pmlh"

mtype = { native, finish_staged, not_together };

proctype rank(byte me) {
  byte call, meetings, peer, laid_out, shift;
  bool closed, agreed;
  do
  :: call < CALLS ->
     if
#ifndef NOBODY_VOTES
     :: closed -> begins_anew()
#endif
     :: else
     fi;
     if
#ifndef NOBODY_VOTES
     :: closed -> take_path(call, native)
#endif
     :: else ->
        laid_out = call + 1;
        arrive(1, true);
        hear(1, true, RANKS);
        if
        :: closed -> take_path(call, not_together)
        :: else -> assert(agreed); take_path(call, finish_staged); take(call + 1, meetings)
        fi
     fi;
     d_step { call++; laid_out = 0; agreed = false }
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
