// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Reduces to which all but the root leave their contributions and go on. All ranks know of a call that it is posted. A
// rank uses a place again when the root of the call for which it was used before is done with that; where it has no room,
// it says so and sends a message. The program may have the root of its first call wait for a message that another rank
// sends behind some of the calls. By other calls all ranks pass, and say by which. In a wrong program the root is about
// to pass by a call that the others have posted; it looks ahead, and takes part. Or it posts a call by which the others
// pass, and passes by when it has seen that.
// Proven: the root finds each rank's contribution to its call, and takes nobody for a rank that passes by; no rank but
// the root waits. Who looks finds that others pass by if they do, and that they have posted the call if they have, but
// where they have made so many since that they no longer tell, and had no room.
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
// BROKEN A_LATER_CALL_IS_TOLD RANKS=2 CALLS=4: the bit of a call may be of a later one, of which nothing is told yet
#include "ranks.pmlh"

#ifndef PLACES
#define PLACES 2
#endif

#ifndef TOLD
#define TOLD 3                  // of so many of its latest calls a rank tells whether it has passed
#endif

// shorter: posted by all but the root, which would pass by; longer: posted by the root alone
mtype = { posted, passed, shorter, longer };
mtype = { here, away };         // where a contribution is, if a rank has not passed

byte root[CALLS];               // the same on all ranks
mtype kind[CALLS];
byte before[CALLS + 1];         // by number, which is counted from 1: the call for which its place was used before
byte lead;                      // the last rank sends its message behind so many calls; 0: there is none
bool sent;                      // the message

byte number_in[RANKS * PLACES]; // of the contribution in a place
byte data_in[RANKS * PLACES];
byte finished[RANKS];           // the latest call that a rank was the root of and is done with
byte elsewhere[RANKS];          // the latest call to which a rank's contribution is a message
byte latest_pass[RANKS];        // the latest call by which a rank has passed
byte noted[RANKS];              // the latest call whose bit a rank has begun to write
bool passes[RANKS * TOLD];      // of calls at which nothing was left in a place
chan message[RANKS * RANKS] = [CALLS] of { byte };

#define place_of(rank) ((rank) * PLACES + number % PLACES)
#define pass_of(rank) ((rank) * TOLD + number % TOLD)
#ifdef PLACES_ARE_REUSED_TOO_EARLY
#define has_room true
#else
#define has_room (before[number] == 0 || finished[root[before[number] - 1]] >= before[number])
#endif
// The bit of a call is written before the rank tells of it, and calls between may have been left in places.
#ifdef A_LATER_CALL_IS_TOLD
#define first_untold (number + TOLD - 1)
#define is_unknown(rank) (elsewhere[rank] >= first_untold || latest_pass[rank] >= first_untold)
#else
#define is_unknown(rank) (noted[rank] >= number + TOLD)
#endif

inline leave() {
  if
  :: has_room ->
     data_in[place_of(me)] = number;
     number_in[place_of(me)] = number
#ifndef OTHERS_WAIT_FOR_ROOM
  :: !has_room ->
     noted[me] = number;
     passes[pass_of(me)] = false;
     elsewhere[me] = number;
     message[me * RANKS + root[call]] ! number
#endif
  fi
}

inline pass_by() {
  noted[me] = number;
  passes[pass_of(me)] = true;
  latest_pass[me] = number
}

// What another rank does in this call.
inline look(other, if_unknown) {
  do
  :: number_in[place_of(other)] == number -> found = here; break
  :: number_in[place_of(other)] != number ->
     if
     :: elsewhere[other] >= number || latest_pass[other] >= number ->
        if
#ifdef NO_LOOK_BEHIND_A_PASS
        :: latest_pass[other] >= number -> found = passed
#endif
#ifndef NO_SECOND_LOOK
        :: number_in[place_of(other)] == number -> found = here
        :: number_in[place_of(other)] != number ->
#else
        :: true ->
#endif
           has_passed = passes[pass_of(other)];
           if
           :: is_unknown(other) -> found = if_unknown
           :: !is_unknown(other) && has_passed -> found = passed
           :: !is_unknown(other) && !has_passed -> found = away
           fi
        fi;
        break
     :: else -> number_in[place_of(other)] == number || elsewhere[other] >= number || latest_pass[other] >= number
     fi
  od
}

inline take() {
  other = 0;
  do
  :: other < RANKS && other != me ->
     look(other, away);
     if
     :: found == here -> got = data_in[place_of(other)]
     :: found == away -> message[other * RANKS + me] ? got
     fi;
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
  finished[me] = number
}

inline take_nothing() {
  other = 0;
  do
  :: other < RANKS && other != me ->
     look(other, away);
     assert(found == passed || is_unknown(other));
     other++
  :: other == me -> other++
  :: other == RANKS -> break
  od
}

proctype rank(byte me) {
  byte call, number, got, other;
  mtype found;
  bool has_passed;
  do
  :: call < CALLS ->
     if
     :: call == 0 && me == root[0] && lead > 0 -> sent
     :: else
     fi;
     take_path(call, kind[call]);
     number = call + 1;
     if
     :: root[call] == me && (kind[call] == passed || kind[call] == shorter) ->
        other = (me + 1) % RANKS;
        look(other, passed);
        assert((found == passed) == (kind[call] == passed) || is_unknown(other))
     :: root[call] == me && kind[call] == longer -> take_nothing()
     :: else
     fi;
     if
     :: kind[call] == passed || kind[call] == longer -> pass_by()
     :: else ->
        if
        :: root[call] == me -> take()
        :: else -> leave()
        fi
     fi;
     found = 0;
     has_passed = false;
     other = 0;
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
       if
       :: kind[i] = posted
#ifndef ALL_POSTED
       :: kind[i] = passed
       :: kind[i] = shorter
       :: kind[i] = longer
#endif
       fi;
       if
       :: i < PLACES -> skip
       :: i >= PLACES && (kind[i - PLACES] == posted || kind[i - PLACES] == shorter) -> before[i + 1] = i + 1 - PLACES
       :: else -> before[i + 1] = before[i + 1 - PLACES]
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
