// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Reduces to which all but the root leave their contributions and go on. All ranks know of a call that it is posted. A
// rank uses a place again when the root of the call for which it was used before is done with that; where it has no room,
// it says so and sends a message. The program may have the root of its first call wait for a message that another rank
// sends behind some of the calls. By other calls all ranks pass, and say how often they have. In a wrong program the root
// is about to pass by a call that the others have posted; it looks ahead, and takes part.
// Proven: the root finds each rank's contribution to its call, and takes nobody for a rank that passes by; no rank but
// the root waits. Who looks ahead finds that others pass by if they do, and that they have posted the call if they have,
// but where they had no room for it nor for a later one.
//
// CHECK RANKS=2 CALLS=3
// CHECK RANKS=3 CALLS=2 PLACES=1
// MORE RANKS=2 CALLS=4
// MORE RANKS=3 CALLS=3 PLACES=1 ALL_POSTED=1
// MORE RANKS=2 CALLS=6 ALL_POSTED=1
// MORE RANKS=3 CALLS=4 ALL_POSTED=1
// BROKEN PLACES_ARE_REUSED_TOO_EARLY: nobody looks whether the root is done with a place
// BROKEN OTHERS_WAIT_FOR_ROOM: however long it takes
// BROKEN NO_SECOND_LOOK: a message is taken for that of this call, though it may be of a later one
// BROKEN NO_LOOK_BEHIND_A_PASS: a rank that has passed by since is taken for one that gives nothing
// BROKEN PASSES_ARE_READ_LAST: by who looks ahead
// BROKEN PLACES_DO_NOT_TELL_OF_PASSES: whether what is found was left in this call, or in a later one
#include "ranks.pmlh"

#ifndef PLACES
#define PLACES 2
#endif

mtype = { posted, passed, shorter };  // shorter: posted by all but the root, which would pass by

byte root[CALLS];               // the same on all ranks
mtype kind[CALLS];
byte root_of[CALLS + 2];        // by the number of a call that is not passed
byte lead;                      // the last rank sends its message behind so many calls; 0: there is none
bool sent;                      // the message

byte number_in[RANKS * PLACES]; // of the contribution in a place
byte data_in[RANKS * PLACES];
byte finished[RANKS];           // the latest call that a rank was the root of and is done with
byte elsewhere[RANKS];          // the latest call to which a rank's contribution is a message
byte passes[RANKS];             // how often a rank has passed by: by now,
byte passes_in[RANKS * PLACES]; // when it left what is in a place,
byte passes_at[RANKS];          // and when it sent its latest message
chan message[RANKS * RANKS] = [CALLS] of { byte };

#define place_of(rank) ((rank) * PLACES + number % PLACES)
#define next_place_of(rank) ((rank) * PLACES + (number + 1) % PLACES)
#define root_before root_of[number - PLACES]
#ifdef PLACES_ARE_REUSED_TOO_EARLY
#define has_room true
#else
#define has_room (number <= PLACES || finished[root_before] + PLACES >= number)
#endif

inline leave() {
  if
  :: has_room ->
     data_in[place_of(me)] = number;
     passes_in[place_of(me)] = passes[me];
     number_in[place_of(me)] = number
#ifndef OTHERS_WAIT_FOR_ROOM
  :: !has_room ->
     passes_at[me] = passes[me];
     elsewhere[me] = number;
     message[me * RANKS + root[call]] ! number
#endif
  fi
}

inline look(other) {
  do
  :: number_in[place_of(other)] == number -> got = data_in[place_of(other)]; break
  :: number_in[place_of(other)] != number ->
     if
     :: elsewhere[other] >= number ->
        if
#ifndef NO_SECOND_LOOK
        :: number_in[place_of(other)] == number -> got = data_in[place_of(other)]
        :: number_in[place_of(other)] != number -> message[other * RANKS + me] ? got
#else
        :: message[other * RANKS + me] ? got
#endif
        fi;
        break
     :: elsewhere[other] < number ->
        number_in[place_of(other)] == number || elsewhere[other] >= number || passes[other] > passes[me];
#ifdef NO_LOOK_BEHIND_A_PASS
        assert(passes[other] == passes[me])
#else
        assert(number_in[place_of(other)] == number || elsewhere[other] >= number)
#endif
     fi
  od
}

// What another rank does in the call that this one is about to pass by.
inline look_ahead(other) {
  do
  :: true ->
#ifndef PASSES_ARE_READ_LAST
     has_gone_on = passes[other] > passes[me];
#endif
     found = 0;
     if
     :: number_in[next_place_of(other)] == number + 1 -> found = posted
     :: number_in[next_place_of(other)] != number + 1 ->
        if
        :: elsewhere[other] > number && passes_at[other] == passes[me] -> found = posted
        :: else
        fi
     fi;
#ifndef PLACES_DO_NOT_TELL_OF_PASSES
     if
     :: number_in[next_place_of(other)] == number + 1 && passes_in[next_place_of(other)] != passes[me] -> found = 0
     :: else
     fi;
#endif
#ifdef PASSES_ARE_READ_LAST
     has_gone_on = passes[other] > passes[me];
#endif
     if
     :: found == posted -> break
     :: found == 0 && has_gone_on -> found = passed; break
     :: else ->
        number_in[next_place_of(other)] == number + 1 || elsewhere[other] > number || passes[other] > passes[me]
     fi
  od;
  has_gone_on = false
}

inline take() {
  other = 0;
  do
  :: other < RANKS && other != me ->
     look(other);
     assert(got == number);
     other++
  :: other == me -> other++
  :: other == RANKS -> break
  od;
  // it reads them once more when all have come
  other = 0;
  do
  :: other < RANKS ->
     assert(other == me || number_in[place_of(other)] != number || data_in[place_of(other)] == number);
     other++
  :: else -> break
  od;
  got = 0;
  other = 0;
  finished[me] = number
}

proctype rank(byte me) {
  byte call, number, got, other;
  mtype found;
  bool has_gone_on;
  do
  :: call < CALLS ->
     if
     :: call == 0 && me == root[0] && lead > 0 -> sent
     :: else
     fi;
     take_path(call, kind[call]);
     if
     :: root[call] == me && kind[call] != posted ->
        other = (me + 1) % RANKS;
        look_ahead(other);
        assert(found == (kind[call] == passed -> passed : posted) || passes_at[other] > passes[me]);
        found = 0;
        other = 0
     :: else
     fi;
     if
     :: kind[call] == passed -> passes[me]++
     :: else ->
        number++;
        if
        :: root[call] == me -> take()
        :: else -> leave()
        fi
     fi;
     if
     :: me == RANKS - 1 && lead == call + 1 -> sent = true
     :: else
     fi;
     call++
  :: else -> break
  od
}

init {
  byte i, number;
  atomic {
    select(lead : 0 .. CALLS);
    do
    :: i < CALLS ->
       if
       :: root[i] = 0
       :: i >= lead -> root[i] = RANKS - 1
       :: RANKS > 2 && i >= lead -> root[i] = 1
       fi;
       if
       :: kind[i] = posted
#ifndef ALL_POSTED
       :: kind[i] = passed
       :: kind[i] = shorter
#endif
       fi;
       if
       :: kind[i] != passed -> number++; root_of[number] = root[i]
       :: else
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
