// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// PoLA looks at each call of a communicator and says whether it was expected: then the ranks are asked along with the
// data, else by a reduction. A sequence of calls of two kinds, any; a predictor that remembers what came last behind
// each; locks and breaks. An error handler may jump away from a call on one rank, which PoLA then has not learned.
// Proven: all ranks ask in the same way.
//
// CHECK RANKS=2 CALLS=6
// CHECK RANKS=3 CALLS=4
// MORE RANKS=2 CALLS=8
// MORE RANKS=3 CALLS=5
// BROKEN LOCKS_BY_TIME: a rank locks when it has waited for long enough
// BROKEN FORGETS_WHERE_A_HANDLER_JUMPS: a call from which an error handler jumped away is never learned
#define OPERATIONS 10
#include "mpi.pmlh"

mtype = { asked_along, vetoed, asked };

#define hits_to_lock 2
#define misses_to_break 1

byte kind[CALLS];        // 1 or 2: the same on all ranks
byte jumps;              // in the whole run
byte vetoes;

// Stream::observe, Stream::judge
inline look_at_pattern() {
  d_step {
    if
    :: waiting > 0 ->
       if
       :: after[last] == waiting -> hits++; misses = 0
       :: else -> hits = 0; misses++
       fi;
       if
       :: locked && misses >= misses_to_break -> locked = false
       :: !locked && hits >= hits_to_lock -> locked = true
       :: else
       fi;
       if :: hits > hits_to_lock -> hits = hits_to_lock :: else fi;
       if :: misses > misses_to_break -> misses = misses_to_break :: else fi;
       after[last] = waiting;
       last = waiting;
       waiting = 0
    :: else
    fi
  }
}

proctype rank(byte me) {
  byte call, at, peer, least, most, own, waiting, last, hits, misses;
  byte after[3];
  bool locked, expected, left;
  do
  :: call < CALLS ->
     look_at_pattern();                       // expects(): of a call from which its error handler jumped away
     expected = locked && after[last] == kind[call];
#ifdef LOCKS_BY_TIME
     if :: skip :: expected = false fi;
#endif
     waiting = kind[call];
     if
     :: expected && left == 0 ->              // AgreementGate: not right behind a veto
        atomic { if :: own = 1 :: vetoes == 0 -> own = 0; vetoes++ fi };
        look_at_pattern();                    // learn(): before the data, of which PoLA may be asked
        exchange(0, algorithm, own, least, most);
        if
        :: least == 1 -> take_path(call, asked_along)
        :: else -> take_path(call, vetoed); left = 1; allreduce(0, own, least, most)
        fi
     :: else ->
        if :: expected -> left = 0 :: else fi;
        take_path(call, asked);
        allreduce(0, 1, least, most)
     fi;
     if
     :: look_at_pattern()                     // accelerate(): learn
     :: jumps < 2 -> jumps++                  // an error handler jumps away
#ifdef FORGETS_WHERE_A_HANDLER_JUMPS
        ; waiting = 0
#endif
     fi;
     atomic { call++; own = 0; least = 0; most = 0; at = 0; expected = false }
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    do
    :: i < CALLS -> if :: kind[i] = 1 :: kind[i] = 2 fi; i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < RANKS -> run rank(i); i++
    :: else -> break
    od
  }
}
