// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Communicators of the same ranks follow each other, on which no call waits for all (UnhurriedMeeting). On each, rank 0
// sends a letter that nobody waits for: to join memory that it has made, or to go on in memory that was kept when an
// earlier communicator was freed. Who finds the letter joins, by counting itself; who does not find it in time, or has
// not kept that memory, stays out. A rank frees a communicator whenever it likes, and keeps the memory, the latest of
// two first, which need not be the same on all ranks: communicators may live at the same time, and be freed in another
// order. Any rank may have let go of memory meanwhile. Ranks may be several communicators apart.
// Proven: if a rank finds that all have joined, all are in the same memory, and have left the communicator before; and
// what the vote of an earlier communicator has left there are smaller numbers.
//
// CHECK RANKS=2 COMMUNICATORS=4
// CHECK RANKS=3 COMMUNICATORS=2
// MORE RANKS=2 COMMUNICATORS=5
// MORE RANKS=3 COMMUNICATORS=3
// BROKEN COUNTS_ALL: all are in once as many as there are ranks have ever joined
// BROKEN NOBODY_LOOKS: who has kept memory goes on in the latest, whichever the letter names
// BROKEN NUMBERS_BEGIN_ANEW: the calls of each communicator are numbered from 1 on
#ifndef COMMUNICATORS
#define COMMUNICATORS 2
#endif
#include "ranks.pmlh"

// By memory, which has the number of the communicator that it was made for; 0 is none.
byte joined[COMMUNICATORS + 1];
byte vote[COMMUNICATORS + 1];     // the call of the latest one
byte vote_of[COMMUNICATORS + 1];  // for which communicator

// By communicator.
byte letter[COMMUNICATORS];      // the memory
byte place[COMMUNICATORS];       // how many communicators have met there before this one
byte in[COMMUNICATORS * RANKS];  // the memory that a rank has joined

#ifdef COUNTS_ALL
#define all_have_joined (joined[memory] >= RANKS)
#else
#define all_have_joined (joined[memory] >= lives * RANKS)
#endif

#ifdef NUMBERS_BEGIN_ANEW
#define number call
#else
#define number (CALLS_LOOKED_AT * lives + call)
#endif
#define CALLS_LOOKED_AT 2

// In a call. Once all are in the ranks vote.
inline look(call) {
  d_step {
    if
    :: memory > 0 && all_have_joined ->
       do
       :: peer < RANKS -> assert(in[comm * RANKS + peer] == memory); peer++
       :: else -> break
       od;
       peer = 0;
       assert(vote_of[memory] == comm || vote[memory] < number);
       vote[memory] = number;
       vote_of[memory] = comm
    :: else
    fi
  }
}

inline take(from, lives_of_it) {
  d_step {
    memory = from; lives = lives_of_it;
    from = 0; lives_of_it = 0
  }
}

// The latest that is kept, if all had joined, or new memory: what is kept may be in use by another communicator at that
// time.
inline send_letter() {
  atomic {
    if
    :: kept > 0 && joined[kept] >= kept_lives * RANKS -> take(kept, kept_lives)
    :: memory = comm + 1; lives = 0
    fi;
    place[comm] = lives;
    letter[comm] = memory
  }
}

inline find_letter() {
  atomic {
    if
    :: place[comm] == 0 -> memory = letter[comm]; lives = 0
#ifdef NOBODY_LOOKS
    :: place[comm] > 0 && kept > 0 -> take(kept, kept_lives)
    :: place[comm] > 0 && kept == 0
#else
    :: place[comm] > 0 && kept == letter[comm] && kept_lives == place[comm] -> take(kept, kept_lives)
    :: place[comm] > 0 && older == letter[comm] && older_lives == place[comm] -> take(older, older_lives)
    :: else
#endif
    fi
  }
}

inline join() {
  d_step {
    lives++;
    joined[memory]++;
    in[comm * RANKS + me] = memory
  }
}

inline keep() {
  d_step {
    if
    :: memory > 0 && kept == 0 -> kept = memory; kept_lives = lives
    :: memory > 0 && kept > 0 -> older = kept; older_lives = kept_lives; kept = memory; kept_lives = lives
    :: else
    fi;
    memory = 0; lives = 0
  }
}

inline change_places() {
  d_step {
    kept = kept ^ older; older = kept ^ older; kept = kept ^ older;
    kept_lives = kept_lives ^ older_lives; older_lives = kept_lives ^ older_lives; kept_lives = kept_lives ^ older_lives
  }
}

proctype rank(byte me) {
  byte comm, memory, lives, kept, kept_lives, older, older_lives, peer;
  do
  :: comm < COMMUNICATORS ->
     if
     :: me == 0 -> send_letter()
     :: else
     fi;
     if
     :: letter[comm] > 0 ->
        if
        :: me == 0 -> join()
        :: else ->
           find_letter();
           if
           :: memory > 0 -> join()
           :: else
           fi
        fi
     :: memory = 0  // the letter does not come in any of the calls
     fi;
     look(0);
     look(1);
     // MPI_Comm_free, in which nobody need wait
     keep();
     if
     :: kept > 0 -> d_step { kept = 0; kept_lives = 0 }
     :: older > 0 -> change_places()
     :: true
     fi;
     comm++
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
