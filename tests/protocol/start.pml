// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Collectives that one call starts and another completes. Each rank leaves its vector for all others and goes on. Whether
// a start goes this way decides who comes to it first, for all, by a compare-and-exchange of one word; if not, that start
// and some behind it are the MPI library's, which is written down where nothing that counts is ever overwritten. The
// program may have all other ranks wait, before their first start, for a message that rank 0 sends behind some of its own.
// Proven: all ranks do the same with a start, each finds the vectors of its own, and no start waits.
//
// CHECK RANKS=2 CALLS=4
// CHECK RANKS=3 CALLS=2 PLACES=1
// MORE RANKS=2 CALLS=6
// MORE RANKS=3 CALLS=3 PLACES=1
// BROKEN PLACES_ARE_REUSED_TOO_EARLY: nobody looks whether all are done with a place
// BROKEN OWN_ROOM_DECIDES: each rank decides by what room it sees
// BROKEN START_WAITS_FOR_ROOM: however long it takes
// BROKEN LATE_PROPOSALS_COUNT: who comes late writes down an earlier start
#include "ranks.pmlh"

#ifndef PLACES
#define PLACES 2
#endif

mtype = { left_here, native_start };

byte lead;                       // rank 0 sends its message behind so many starts; 0: there is none
bool sent;                       // the message

byte decided;                    // the word: so many starts are decided on,
byte absences;                   // and so many of them are not left here
byte absent[CALLS + 1];          // which, counted from 1
byte number_in[RANKS * PLACES];  // of the vector in a place
byte data_in[RANKS * PLACES];
byte finished[RANKS];            // the latest start that a rank is done with

#define place_of(rank, n) ((rank) * PLACES + (n) % PLACES)
#define is_there(rank) (number_in[place_of(rank, oldest)] == oldest)
#define has_done(rank) (finished[rank] + PLACES >= number + 1)
#ifdef PLACES_ARE_REUSED_TOO_EARLY
#define has_room true
#else
#define has_room (number + 1 <= PLACES || all_ranks(has_done))
#endif

// Whether there is to be no vector: nobody need want it.
inline look_for_room() {
  if
#ifdef START_WAITS_FOR_ROOM
  :: has_room -> is_absent = false
#else
  :: has_room -> is_absent = false
  :: is_absent = true
#endif
  fi
}

inline propose() {
  look_for_room();
  if
  :: is_absent ->
     atomic {
       if
#ifdef LATE_PROPOSALS_COUNT
       :: absent[k] = starts
#else
       :: absent[k] < starts -> absent[k] = starts
       :: else
#endif
       fi
     }
  :: else
  fi;
  atomic {
    if
    :: decided == w && absences == k ->
       decided = starts;
       if :: is_absent -> absences++ :: else fi
    :: else
    fi;
    k = absences
  }
}

inline decide() {
  starts++;
#ifdef OWN_ROOM_DECIDES
  look_for_room();
#else
  atomic { w = decided; k = absences };
  if
  :: w < starts -> propose()
  :: else
  fi;
  is_absent = (seen < k && absent[seen] == starts);
#endif
  if
  :: is_absent ->
     seen++;
     skipped = seen  // ever more
  :: else
  fi
}

inline start() {
  if
  :: skipped == 0 -> decide()
  :: else
  fi;
  if
  :: skipped > 0 ->
     skipped--;
     take_path(call, native_start)
  :: else ->
     take_path(call, left_here);
     number++;
     call_of[number] = call;
     data_in[place_of(me, number)] = call + 1;
     number_in[place_of(me, number)] = number
  fi
}

inline complete() {
  other = 0;
  do
  :: other < RANKS ->
     assert(data_in[place_of(other, oldest)] == call_of[oldest] + 1);
     other++
  :: else -> break
  od;
  other = 0;
  finished[me] = oldest;
  oldest++
}

proctype rank(byte me) {
  byte call, starts, seen, skipped, number, w, k, other;
  byte oldest = 1;
  byte call_of[CALLS + 1];
  bool is_absent;
  do
  :: call < CALLS ->
     if
     :: call == 0 && me != 0 && lead > 0 -> sent
     :: else
     fi;
     start();
     if
     :: me == 0 && lead == call + 1 -> sent = true
     :: else
     fi;
     call++
  :: oldest <= number && all_ranks(is_there) -> complete()
  :: call == CALLS && oldest > number -> break
  od
}

init {
  byte i;
  atomic {
    select(lead : 0 .. CALLS);
    do
    :: i < RANKS -> run rank(i); i++
    :: else -> break
    od
  }
}
