// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A repeated call may take a shortcut, on each rank for itself: whether the rank has one and finds it depends on what
// it looked up last. The ranks agree in shared memory, here at once. Between calls that are asked about whatever comes
// before, the program makes another one that is asked about only from some number of calls on (`calls_before_sharing`).
// Proven: a rank with a shortcut and one without say the same and carry the call alike.
//
// CHECK RANKS=2 CALLS=6
// CHECK RANKS=3 CALLS=2
// MORE RANKS=3 CALLS=3
// MORE RANKS=2 CALLS=8
// MORE RANKS=3 CALLS=5
// BROKEN LOOKS_ARE_NOT_COUNTED: looked_at stays as it is where a call is looked at
// BROKEN SKIPPED_CALLS_ARE_NOT_TAKEN_OFF: a shortcut that finds the gate shut leaves it as it is
// BROKEN SHORTCUTS_BEFORE_SHARING: shortcuts are kept while calls are still counted, which those that take them are not
// BROKEN SAYS_WHAT_IT_SAID_WHATEVER_IS_WANTED: MPI_Pcontrol(0) is not heeded by a shortcut
#define OPERATIONS 32
#include "mpi.pmlh"

mtype = { pass_through, refuse, stay_native, measure, finish_staged, accelerate, not_admitted };
mtype = { nothing, native_one, carried_one };  // what a shortcut knows of a call

#define calls_before_sharing 2
#define window 2         // calls until the tuner looks again
#define longest_pause 2

byte other = CALLS;      // which of the program's calls is of the other kind
// What a rank says of its call. Who finds it not eligible comes with other arguments, for which it has no shortcut.
#define suspended 0      // by MPI_Pcontrol(0)
#define eligible 1
#define ineligible 2
byte odd_ones;           // ranks that say something else than `eligible`, in the whole run
#define most_odd_ones 2

#define choice_is_due (decided && since < window)
#define is_carried (known == carried_one && agreed_before && choice_is_due && chosen)

#ifdef SHORTCUTS_BEFORE_SHARING
#define may_remember true
#else
#define may_remember (counted > calls_before_sharing)
#endif

#define all_eligible (least == eligible && most == eligible)

// A meeting: all hear what all say.
inline meet(word) { allreduce(0, word, least, most) }

// What the agreement of a call says that was looked at, or that was staged by a shortcut.
inline decide() {
  if
  :: least == suspended || most == ineligible ->
     d_step {
       agreed_before = false;
       pause = (least == suspended -> 0 : (pause == 0 -> 1 : longest_pause));
       left = pause;
       if :: may_remember && said != ineligible -> known = native_one :: else fi
     }
     take_path(call, refuse);
     synchronize(0, native_call)
  :: all_eligible && staged -> keep_on(); if :: may_remember -> known = carried_one :: else fi
  :: all_eligible && !staged ->
     agreed_before = true;
     if
     :: !decided || since >= window ->
        take_path(call, measure);
        atomic { if :: time = 0 :: time = 1 fi };  // slower than native, or not
        meet(time);
        d_step { decided = true; since = 0; chosen = most == 0; pause = 0; time = 0 }
     :: decided && since < window && !chosen ->
        d_step {
          pause = (pause == 0 -> 1 : longest_pause);
          left = pause;
          since++;
          if :: may_remember -> known = native_one :: else fi
        }
        take_path(call, stay_native);
        synchronize(0, native_call)
     :: decided && since < window && chosen ->
        d_step { pause = 0; since++ }
        take_path(call, accelerate);
        synchronize(0, algorithm)
     fi
  fi
}

// The agreement was the exchange.
inline keep_on() {
  assert(said == eligible);
  d_step { pause = 0; left = 0; since++ }
  take_path(call, finish_staged)
}

proctype rank(byte me) {
  byte call, at, peer, least, most, said, time;
  byte left, pause, since, counted;
  bool agreed_before, decided, chosen, staged, has_arrived;
  byte looked_at = 1;
  byte checked_at;
  mtype known = nothing;
  do
  :: call < CALLS ->
     atomic {
       if
       :: said = eligible
       :: odd_ones < most_odd_ones -> said = suspended; odd_ones++
       :: odd_ones < most_odd_ones -> said = ineligible; odd_ones++
       fi
     }
     if
     :: other == call ->  // may_share_memory
        if :: counted <= calls_before_sharing -> counted++ :: else fi;
        if
        :: counted > calls_before_sharing -> meet(eligible); take_path(call, accelerate)
        :: else -> take_path(call, not_admitted); synchronize(0, native_call)
        fi;
        goto next
     :: other != call && known != nothing && said != ineligible ->  // repeat
        if
        :: checked_at != looked_at ->
           if
           :: left > 0 ->
#ifndef SKIPPED_CALLS_ARE_NOT_TAKEN_OFF
              left--;
              since++;
#endif
              take_path(call, pass_through);
              synchronize(0, native_call);
              goto next
           :: else
           fi;
           if :: !is_carried -> goto look :: else fi
        :: else -> if :: !choice_is_due -> goto look :: else fi
        fi;
#ifndef SAYS_WHAT_IT_SAID_WHATEVER_IS_WANTED
        if :: said == suspended -> goto look :: else fi;
#endif
        staged = true;
        meet(eligible);
        if
        :: all_eligible -> checked_at = looked_at; keep_on(); goto next
        :: else -> has_arrived = true
        fi
     :: other != call  // no shortcut, or it is not found: another communicator was looked up last
     fi;
look:
     if :: counted <= calls_before_sharing -> counted++ :: else fi;  // admit: may_share_memory
     if
     :: left > 0 && !has_arrived ->
        left--;
        since++;
        take_path(call, pass_through);
        synchronize(0, native_call);
        goto next
     :: else
     fi;
#ifndef LOOKS_ARE_NOT_COUNTED
     looked_at++;
#endif
     if
     :: !has_arrived ->
        staged = said == eligible && agreed_before && choice_is_due && chosen;
        meet(said)
     :: else
     fi;
     decide();
next:
     atomic { call++; staged = false; has_arrived = false; said = 0; least = 0; most = 0; at = 0 }
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    do
    :: other > 0 -> other--
    :: break
    od;
    do
    :: i < RANKS -> run rank(i); i++
    :: else -> break
    od
  }
}
