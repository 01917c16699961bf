// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Calls of one signature that are agreed on by MPI_Allreduce: the gate, the question (a second time behind a trial of
// an operation), the acquisition on first sight, and the tuner's warm-up, decisions and looks. What a rank finds of its
// call, what it can acquire and what it measures are its own.
// Proven: all ranks carry a call alike, their collectives match, and none waits for ever.
//
// CHECK RANKS=2 CALLS=6
// CHECK RANKS=3 CALLS=4
// MORE RANKS=3 CALLS=5
// BROKEN FALLS_BACK_ALONE: a rank that finds its call not eligible does not ask
// BROKEN BACKS_OFF_BY_ITSELF: the gate heeds what the rank itself found
// BROKEN DECIDES_BY_ITS_OWN_TIME: the tuner heeds times that no other rank knows
// BROKEN ACQUIRES_ALONE: a rank without memory for an algorithm does not tell the others
// BROKEN MEASURES_ALONE: a rank without memory for a trial leaves out the candidate's run
#define OPERATIONS 40
#include "mpi.pmlh"

mtype = { pass_through, refuse, stay_native, time_native, measure, accelerate };
mtype = { native_alone, measurement, choice };

// What a rank says of its call: pmpi/decide/agreement.cpp.
#define suspended 0
#define ineligible 1
#define undecided 3
#define facts 4

#define warmup 1         // AIRAMP_WARMUP_ITERATIONS
#define window 1         // calls until the tuner looks again
#define longest_pause 2

byte odd_ones;           // ranks that found something else than the others, in the whole run
#define most_odd_ones 2

inline odd(usual, unusual, what) {
  if
  :: what = usual
  :: odd_ones < most_odd_ones -> what = unusual; odd_ones++
  fi
}

// What all have in common: pmpi/decide/agreement.cpp, consent_of.
#define all_consent (least == most && least >= facts)

inline ask() { allreduce(0, said, least, most) }

// acquire: a tag, then scratch. Each is agreed on.
inline acquire() {
  atomic { odd(1, 0, has) };
#ifdef ACQUIRES_ALONE
  if
  :: has == 1 -> allreduce(0, has, least, most); acquired = true; held = true
  :: else -> acquired = true
  fi
#else
  allreduce(0, has, least, most);
  acquired = true;
  held = least == 1
#endif
}

// The ranks tell each other before the run whether all are ready, run the candidate if all are, run natively, and agree
// on the times.
inline measure_call() {
  atomic { odd(1, 0, has) };
#ifdef MEASURES_ALONE
  if
  :: has == 1 -> synchronize(0, algorithm)
  :: else
  fi;
#else
  allreduce(0, has, least, most);
  if
  :: least == 1 -> synchronize(0, algorithm)  // the candidate's messages
  :: else
  fi;
#endif
  synchronize(0, native_call);                   // the native call
  atomic { odd(1, 2, has) };                    // a time: 2 is slower than native
  allreduce(0, has, least, most);
#ifdef DECIDES_BY_ITS_OWN_TIME
  most = has;
#endif
  d_step { measured++; native_calls = 0; calls_since = 0; chosen = most < 2; decided = measured >= warmup }
}

#define wanted_alone (decided -> 1 : 2 * warmup)
#define due (!decided || calls_since >= window)

proctype rank(byte me) {
  byte call, at, peer, said, least, most, has;
  byte left, pause, native_calls, measured, calls_since;
  bool acquired, held, decided, chosen;
  mtype step;
  do
  :: call < CALLS ->
     if
     :: left > 0 -> left--; calls_since++; take_path(call, pass_through); synchronize(0, native_call)
     :: else ->
        atomic {
          if
          :: said = facts
          :: odd_ones < most_odd_ones -> odd_ones++; if :: said = suspended :: said = ineligible :: said = undecided fi
          fi
        }
#ifdef FALLS_BACK_ALONE
        if
        :: said == ineligible -> take_path(call, refuse); synchronize(0, native_call); goto next
        :: else
        fi;
#endif
        ask();
        if
        :: least == undecided ->  // all try the operation, on elements of which they are told
           synchronize(0, mpi_bcast);
           if :: said == undecided -> said = facts :: else fi;
           ask()
        :: else
        fi;
        if
#ifdef BACKS_OFF_BY_ITSELF
        :: !all_consent && said == facts -> take_path(call, refuse); synchronize(0, native_call)
        :: !all_consent && said != facts ->
#else
        :: !all_consent ->
#endif
           d_step {
             pause = (pause == 0 -> 1 : longest_pause);
             left = pause
           }
           take_path(call, refuse);
           synchronize(0, native_call)
        :: else ->
           d_step {
             step = (native_calls < wanted_alone && (decided || measured == 0) -> native_alone : measurement);
             if :: !due -> step = choice :: else fi
           }
           if
           :: !acquired && (step == measurement || (step == choice && chosen)) -> acquire()
           :: else
           fi;
           if
           :: (acquired && !held) || (step == choice && !chosen) ->
              d_step {
                pause = (pause == 0 -> 1 : longest_pause);
                left = pause;
                calls_since++
              }
              take_path(call, stay_native);
              synchronize(0, native_call)
           :: else ->
              pause = 0;
              if
              :: step == native_alone ->
                 take_path(call, time_native);
                 synchronize(0, native_call);
                 allreduce(0, 1, least, most);
                 native_calls++
              :: step == measurement ->
                 take_path(call, measure);
                 measure_call();
                 if :: decided && !chosen -> acquired = false; held = false :: else fi  // given back
              :: step == choice ->
                 calls_since++;
                 take_path(call, accelerate);
                 synchronize(0, algorithm)  // the algorithm's messages
              fi
           fi
        fi
     fi;
#ifdef FALLS_BACK_ALONE
next:
#endif
     atomic { call++; said = 0; least = 0; most = 0; has = 0; peer = 0; at = 0; step = 0 }
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
