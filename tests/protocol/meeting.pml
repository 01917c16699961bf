// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Calls that are agreed on in shared memory: any sequence of calls in which all ranks wait for all, and of calls with a
// root, whose meeting may be closed. Ranks run ahead of each other as far as such calls let them.
// Data of one chunk are laid out before the agreement, and some calls have a second meeting, behind which the next call
// has the same places. Data of two are laid out behind it, and a chunk is taken while the next one is there already.
// Proven: all ranks carry a call alike, none reads what was laid out for another one, and none waits for ever.
//
// CHECK RANKS=2 CALLS=4
// CHECK RANKS=3 CALLS=2
// MORE RANKS=2 CALLS=5
// MORE RANKS=3 CALLS=3
// MORE RANKS=4 CALLS=2
// BROKEN CELLS_REUSED_TOO_EARLY: cells take turns in two, not four
// BROKEN PLACES_REUSED_TOO_EARLY: places for data take turns in two, not three
// BROKEN KEEPS_PLACES_OF_ONE_MEETING: a call has the places of one before it that had no second meeting
// BROKEN COMES_BY_STORE: who comes to a meeting that may be closed does not look whether it was
// BROKEN STAGES_BEHIND_A_CLOSED_MEETING: data are laid out while a late rank may still read those before
// BROKEN ASKS_AGAIN_WHILE_CLOSED RANKS=2 CALLS=5 T_REVERSE=1: a call with a root is asked about behind a meeting that was closed
// BROKEN FALLS_BACK_ALONE: a rank that finds its call not eligible stays away from the meeting
#include "host_meeting.pmlh"

mtype = { brief, in_parts, lengthy };  // lengths: one chunk; one whose result lies in a place as well; two chunks
mtype = { native, refused, finish_staged, accelerate, not_together };

bool rooted[CALLS];  // what the program calls: the same on all ranks
mtype length_of[CALLS] = brief;
bool has_refused;    // one refusal in a run says as much as several

#define yes 1
#define no 2

proctype rank(byte me) {
  byte call, meetings, peer, laid_out, shift, said;
  bool closed, agreed, staged;
  do
  :: call < CALLS ->
     if
#ifndef ASKS_AGAIN_WHILE_CLOSED
     :: rooted[call] && closed -> take_path(call, native)
#endif
     :: else ->
        atomic {  // what the rank finds of its own data
          if
          :: said = yes
          :: !has_refused -> said = no; has_refused = true
          fi;
#ifdef FALLS_BACK_ALONE
          if
          :: said == no -> take_path(call, refused); goto next
          :: else
          fi;
#endif
#ifdef STAGES_BEHIND_A_CLOSED_MEETING
          staged = length_of[call] != lengthy;
#else
          staged = !closed && length_of[call] != lengthy;
#endif
          if
          :: staged && said == yes -> laid_out = chunk(call, 1)
          :: else
          fi
        }
        arrive(said, rooted[call]);
        hear(yes, rooted[call], RANKS);
        if
        :: closed -> take_path(call, not_together)
        :: !closed && !agreed -> take_path(call, refused)
        :: agreed && staged ->
           take_path(call, finish_staged);
           take(chunk(call, 1), meetings);
           if
#ifdef KEEPS_PLACES_OF_ONE_MEETING
           :: length_of[call] == in_parts -> shift = (shift + PLACES - 1) % PLACES
#else
           :: length_of[call] == in_parts ->
              laid_out = 0;
              arrive(yes, false);
              hear(yes, false, RANKS);
              keep_places()
#endif
           :: else
           fi
        :: agreed && !staged ->
           take_path(call, accelerate);
           laid_out = chunk(call, 1);
           arrive(yes, false);
           hear(yes, false, RANKS);
           if
           :: length_of[call] == lengthy ->
              laid_out = chunk(call, 2);
              arrive(yes, false);
              take(chunk(call, 1), meetings - 1);
              hear(yes, false, RANKS);
              take(chunk(call, 2), meetings)
           :: else -> take(chunk(call, 1), meetings)
           fi
        fi
     fi;
#ifdef FALLS_BACK_ALONE
next:
#endif
     atomic { call++; said = 0; laid_out = 0; staged = false; agreed = false }
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    do
    :: i < CALLS ->
       if
       :: rooted[i] = false
       :: rooted[i] = true
       fi;
       if
       :: length_of[i] = brief
       :: length_of[i] = in_parts
       :: length_of[i] = lengthy
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
