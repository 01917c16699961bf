// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A reduction in parts, of which each rank makes one: an allreduce in chunks, whose results have places of their own,
// and a scan of one chunk, which is laid out before its agreement, and whose results lie in the places for
// contributions, of another turn. Behind it comes a call that is laid out before its agreement, as a scatter is: by
// rank 0, in the places of all. A meeting is what host_meeting.pmlh proves of it: behind it all have come.
// Proven: what a rank reads is the chunk that it is to be, until it has read all of it.
//
// CHECK RANKS=2 CHUNKS=5 SCAN=0
// CHECK RANKS=2 CHUNKS=1 SCAN=1
// CHECK RANKS=3 CHUNKS=4 SCAN=0
// CHECK RANKS=3 CHUNKS=1 SCAN=1
// MORE RANKS=4 CHUNKS=4 SCAN=0
// MORE RANKS=4 CHUNKS=1 SCAN=1
// BROKEN RESULTS_REUSED_TOO_EARLY: places for results take turns in two
// BROKEN CONTRIBUTIONS_REUSED_TOO_EARLY: places for contributions take turns in two
// BROKEN READS_TOO_EARLY: a result is read before all have said that their parts of it are there
// BROKEN BEGINS_WITH_THE_NEXT_TURN RANKS=2 CHUNKS=1 SCAN=1: the place of a scan's results is that of the next call
#include "ranks.pmlh"

#ifdef CONTRIBUTIONS_REUSED_TOO_EARLY
#define PLACES 2
#else
#define PLACES 3
#endif
#ifdef RESULTS_REUSED_TOO_EARLY
#define RESULTS 2
#else
#define RESULTS 3
#endif
#ifdef BEGINS_WITH_THE_NEXT_TURN
#define TURNS_AHEAD 2
#else
#define TURNS_AHEAD 1
#endif
#define SCATTER 255

byte arrived[RANKS];

// By turn, the rank whose place it is, and the part of the vector.
byte contributed[PLACES * RANKS * RANKS];
#define contribution(turn, rank, part) contributed[(((turn) % PLACES) * RANKS + (rank)) * RANKS + (part)]
byte results[RESULTS * RANKS];
#define result(turn, part) results[((turn) % RESULTS) * RANKS + (part)]

#define reduced(chunk) (128 + (chunk))

inline arrive() {
  meetings++;
  arrived[me] = meetings
}

inline hear() {
  peer = 0;
  do
  :: peer < RANKS -> arrived[peer] >= meetings; peer++
  :: else -> break
  od;
  peer = 0
}

inline contribute(chunk) {
  d_step {
    part = 0;
    do
    :: part < RANKS -> contribution(first + (chunk), me, part) = (chunk) + 1; part++
    :: else -> break
    od;
    part = 0
  }
}

// This rank's part of all contributions.
inline reduce(chunk) {
  d_step {
    part = 0;
    do
    :: part < RANKS ->
       assert(contribution(first + (chunk), part, me) == (chunk) + 1);
#if SCAN
       contribution(first + TURNS_AHEAD, part, me) = reduced(chunk);
#endif
       part++
    :: else -> break
    od;
    part = 0;
#if !SCAN
    result(chunk, me) = reduced(chunk)
#endif
  }
}

inline read_result(chunk) {
  d_step {
    part = 0;
    do
    :: part < RANKS ->
#if SCAN
       assert(contribution(first + TURNS_AHEAD, me, part) == reduced(chunk));
#else
       assert(result(chunk, part) == reduced(chunk));
#endif
       part++
    :: else -> break
    od;
    part = 0
  }
}

inline scatter() {
  d_step {
    peer = 0;
    do
    :: me == 0 && peer < RANKS -> contribution(meetings + 1, peer, 0) = SCATTER; peer++
    :: else -> break
    od;
    peer = 0
  }
}

proctype rank(byte me) {
  byte meetings, peer, part, chunk;
  byte first = SCAN;  // a scan's agreement is meeting 1, before which it is laid out
#if SCAN
  contribute(0);
  arrive();
  hear();
#else
  arrive();
  hear();
  contribute(0);
  arrive();
  contribute(1);
  hear();
#endif
  do
  :: chunk < CHUNKS ->
     reduce(chunk);
     arrive();
#ifdef READS_TOO_EARLY
     read_result(chunk);
#else
     if
     :: chunk > 0 -> read_result(chunk - 1)
     :: else
     fi;
#endif
     if
     :: chunk + 2 < CHUNKS -> contribute(chunk + 2)
     :: else
     fi;
     hear();
     chunk++
  :: else -> break
  od;
  read_result(CHUNKS - 1);
  scatter();
  arrive();
  hear();
  assert(contribution(meetings, me, 0) == SCATTER);
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
