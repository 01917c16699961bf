// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Broadcasts whose root decides alone, and says to all others in a ring of places whether the data are there: posted, or
// as any other call. Where some rank is too far behind, the root writes down that it says nothing, once and for all, and
// for a while nobody looks. In measured calls one more message follows behind a meeting. The program may have rank 0
// lead: the others begin when they have a message that it sends behind some of its broadcasts.
// Proven: all ranks carry a call alike, each finds in a place what was left there for it, and the root waits for nobody.
//
// CHECK RANKS=2 CALLS=4
// CHECK RANKS=3 CALLS=2 PLACES=1
// MORE RANKS=3 CALLS=3 PLACES=1
// MORE RANKS=2 CALLS=6
// MORE RANKS=3 CALLS=4
// BROKEN PLACES_ARE_REUSED_TOO_EARLY: the root does not look whether all are done with a place
// BROKEN ROOT_WAITS_FOR_ROOM: however long it takes
// BROKEN ABSENCES_ARE_OVERWRITTEN RANKS=2 CALLS=7: there is one place for what was not left
// BROKEN OWN_LENGTH_DECIDES: who has room for more than what is posted does not look
#include "ranks.pmlh"

#ifndef PLACES
#define PLACES 2
#endif
#define PAUSE 1     // so many calls pass after the first absence; after the last one all
#define ABSENCES 3

mtype = { posted, as_any_other, absent, not_looked_for };
mtype = { bcast, measured, all };

mtype kind[CALLS];        // what the program calls: the same on all ranks
byte root[CALLS];
byte lead;                // rank 0 sends its message behind so many calls; 0: there is none

byte calls_of[RANKS];     // so many a rank has come to: what a native call waits for
byte met[CALLS];          // ranks that have come to the meeting of a measured call
bool sent;                // the message

byte number_in[PLACES];   // of the message in a place
byte data_in[PLACES];     // 0: the call is as any other
byte absence[ABSENCES];   // the number of a message that was not left
byte done[RANKS];         // the latest message that a rank is done with

#define place (number % PLACES)
#define has_come(rank) (calls_of[rank] > call)
#define is_done(rank) (rank == me || done[rank] + PLACES >= number)
#ifdef ABSENCES_ARE_OVERWRITTEN
#define next_absence 0
#else
#define next_absence absences
#endif
#define is_absent (absences < ABSENCES && absence[next_absence] == number)

// Natively nobody waits for longer than the data take.
inline run_native() {
  if
  :: kind[call] == all -> all_ranks(has_come)
  :: else -> has_come(root[call])
  fi
}

inline look_away() {
  d_step {
    done[me] = number;
    absences++;
    looks_again_at = (absences < ABSENCES -> number + 1 + (PAUSE << (absences - 1)) : 255)
  }
}

// Others see the number when they may see the data.
inline put(data) {
  data_in[place] = data;
  d_step { number_in[place] = number; done[me] = number }
}

inline leave() {
  if
#ifdef PLACES_ARE_REUSED_TOO_EARLY
  :: true ->
#else
  :: all_ranks(is_done) ->
#endif
     if
     :: kind[call] == bcast -> take_path(call, posted); put(call + 1)
     :: take_path(call, as_any_other); put(0); run_native()
     fi
#ifndef ROOT_WAITS_FOR_ROOM
  :: !(all_ranks(is_done)) ->
     absence[next_absence] = number;
     take_path(call, absent);
     look_away();
     run_native()
#endif
  fi
}

inline take() {
  number_in[place] == number || is_absent;
  if
  :: number_in[place] == number ->
     got = data_in[place];
     d_step {
       assert(got == 0 || got == call + 1);  // what was left for this call
       assert(data_in[place] == got);        // and still is while it is read
       done[me] = number
     }
     if
     :: got > 0 -> take_path(call, posted)
     :: got == 0 -> take_path(call, as_any_other); run_native()
     fi
  :: else ->
     look_away();
     take_path(call, absent);
     run_native()
  fi;
  got = 0
}

inline measure() {
  met[call]++;
  met[call] == RANKS;
  number++;
  if
  :: root[call] == me -> put(call + 1)
  :: else ->
     number_in[place] == number;
     d_step { assert(data_in[place] == call + 1); done[me] = number }
  fi
}

proctype rank(byte me) {
  byte call, number, absences, looks_again_at, got;
  do
  :: call < CALLS ->
     if
     :: call == 0 && me != 0 && lead > 0 -> sent
     :: else
     fi;
     calls_of[me]++;
     if
     :: kind[call] == all -> run_native()
     :: else ->
        number++;
        if
        :: number < looks_again_at ->
           done[me] = number;
           take_path(call, not_looked_for);
           run_native()
#ifdef OWN_LENGTH_DECIDES
        :: number >= looks_again_at && me != root[call] ->
           done[me] = number;
           take_path(call, not_looked_for);
           run_native()
#endif
        :: number >= looks_again_at && me == root[call] -> leave()
        :: number >= looks_again_at && me != root[call] -> take()
        fi;
        if
        :: kind[call] == measured -> measure()
        :: else
        fi
     fi;
     if
     :: me == 0 && lead == call + 1 -> sent = true
     :: else
     fi;
     call++
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    select(lead : 0 .. CALLS);
    do
    :: i < CALLS ->
       if
       :: kind[i] = bcast; root[i] = 0
       :: i >= lead -> kind[i] = bcast; root[i] = RANKS - 1
       :: i >= lead -> kind[i] = measured; root[i] = RANKS - 1
       :: i >= lead -> kind[i] = all
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
