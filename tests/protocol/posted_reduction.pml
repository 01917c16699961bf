// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Reduces to which all but the root leave their contributions and go on. All ranks know of a call that it is posted. A
// rank uses a place again when the root of the call for which it was used before is done with that; where it has no room,
// it says so and sends a message. The program may have the root of its first call wait for a message that another rank
// sends behind some of the calls.
// Proven: the root finds each rank's contribution to its call, and no rank but the root waits.
//
// CHECK RANKS=2 CALLS=4
// CHECK RANKS=3 CALLS=2 PLACES=1
// MORE RANKS=3 CALLS=3 PLACES=1
// MORE RANKS=2 CALLS=6
// MORE RANKS=3 CALLS=4
// BROKEN PLACES_ARE_REUSED_TOO_EARLY: nobody looks whether the root is done with a place
// BROKEN OTHERS_WAIT_FOR_ROOM: however long it takes
// BROKEN NO_SECOND_LOOK: a message is taken for that of this call, though it may be of a later one
#include "ranks.pmlh"

#ifndef PLACES
#define PLACES 2
#endif

mtype = { posted };

byte root[CALLS];               // the same on all ranks
byte lead;                      // the last rank sends its message behind so many calls; 0: there is none
bool sent;                      // the message

byte number_in[RANKS * PLACES]; // of the contribution in a place
byte data_in[RANKS * PLACES];
byte finished[RANKS];           // the latest call that a rank was the root of and is done with
byte elsewhere[RANKS];          // the latest call to which a rank's contribution is a message
chan message[RANKS * RANKS] = [CALLS] of { byte };

#define number (call + 1)
#define place_of(rank) ((rank) * PLACES + number % PLACES)
#define root_before root[call - PLACES]
#ifdef PLACES_ARE_REUSED_TOO_EARLY
#define has_room true
#else
#define has_room (number <= PLACES || finished[root_before] + PLACES >= number)
#endif

inline leave() {
  if
  :: has_room ->
     data_in[place_of(me)] = number;
     number_in[place_of(me)] = number
#ifndef OTHERS_WAIT_FOR_ROOM
  :: !has_room ->
     elsewhere[me] = number;
     message[me * RANKS + root[call]] ! number
#endif
  fi
}

inline look(other) {
  do
  :: number_in[place_of(other)] == number -> got = data_in[place_of(other)]; break
  :: number_in[place_of(other)] != number ->
     elsewhere[other] >= number || number_in[place_of(other)] == number;
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
     :: else
     fi
  od
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
  byte call, got, other;
  do
  :: call < CALLS ->
     if
     :: call == 0 && me == root[0] && lead > 0 -> sent
     :: else
     fi;
     take_path(call, posted);
     if
     :: root[call] == me -> take()
     :: else -> leave()
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
  byte i;
  atomic {
    select(lead : 0 .. CALLS);
    do
    :: i < CALLS ->
       if
       :: root[i] = 0
       :: i >= lead -> root[i] = RANKS - 1
       :: RANKS > 2 && i >= lead -> root[i] = 1
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
