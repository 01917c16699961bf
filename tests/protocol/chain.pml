// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Vectors that the ranks hand on in pieces, each to the next one: long scans. Two of them, behind an agreement each,
// between scatters, which are laid out before their agreement, by rank 0, in the places of all. A meeting is what
// host_meeting.pmlh proves of it: behind it all have come.
// Proven: a piece that a rank reads is the one that it is to be, until it has read all of it; and nobody waits for ever.
//
// CHECK RANKS=2 PIECES=4
// CHECK RANKS=3 PIECES=3
// MORE RANKS=4 PIECES=3
// BROKEN DONE_TOO_EARLY: a rank says that a piece is there before it has written it
// BROKEN PLACES_REUSED_TOO_EARLY: nobody waits for the rank behind
// BROKEN WAITS_FOR_A_PLACE_TOO_MANY: a rank waits until the one behind is done with the present piece
// BROKEN BEGINS_WITH_THE_NEXT_TURN: the place of a chain is that of the next call
#include "ranks.pmlh"

#define PLACES 2
#ifndef PIECES
#define PIECES 3
#endif
#ifdef BEGINS_WITH_THE_NEXT_TURN
#define TURNS_AHEAD 1
#else
#define TURNS_AHEAD 2
#endif

byte arrived[RANKS];
byte done[RANKS];  // pieces, of all calls

// By turn, the rank whose place it is, and the piece's place in that.
byte memory[3 * RANKS * PLACES];
#define place(turn, rank, at) memory[(((turn) % 3) * RANKS + (rank)) * PLACES + (at)]

#define scattered(turn) (128 + (turn))

inline meet() {
  meetings++;
  arrived[me] = meetings;
  peer = 0;
  do
  :: peer < RANKS -> arrived[peer] >= meetings; peer++
  :: else -> break
  od;
  peer = 0
}

inline scatter() {
  if
  :: me == 0 ->
     do
     :: peer < RANKS -> place(meetings + 1, peer, 0) = scattered(meetings + 1); peer++
     :: else -> break
     od;
     peer = 0
  :: else
  fi;
  meet();
  assert(place(meetings, me, 0) == scattered(meetings))
}

#if defined(PLACES_REUSED_TOO_EARLY)
#define has_room true
#elif defined(WAITS_FOR_A_PLACE_TOO_MANY)
#define has_room (me == RANKS - 1 || done[me + 1] >= piece)
#else
#define has_room (me == RANKS - 1 || done[me + 1] + PLACES >= piece)
#endif

inline chain() {
  meet();
  k = 0;
  do
  :: k < PIECES ->
     piece++;
     if
     :: me > 0 ->
        done[me - 1] >= piece;
        assert(place(meetings + TURNS_AHEAD, me - 1, k % PLACES) == piece)
     :: else
     fi;
     has_room;
#ifdef DONE_TOO_EARLY
     done[me] = piece;
#endif
     place(meetings + TURNS_AHEAD, me, k % PLACES) = piece;
     assert(me == 0 || place(meetings + TURNS_AHEAD, me - 1, k % PLACES) == piece);
     done[me] = piece;
     k++
  :: else -> break
  od;
  k = 0
}

proctype rank(byte me) {
  byte meetings, peer, k, piece;
  scatter();
  chain();
  chain();
  scatter();
  take_path(0, 1)
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
