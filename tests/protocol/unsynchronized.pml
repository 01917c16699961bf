// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A program that natively ends though MPI does not promise it: from MPI_Bcast the root returns before the others have
// come, from MPI_Reduce the others before the root has. Rank 0 and rank 1 each send a message behind the call that the
// other waits for before the call, in any order with calls in which all wait for all.
// Proven: with AIRamp it ends as well, and all ranks carry a call alike.
//
// CHECK RANKS=2 CALLS=3
// CHECK RANKS=3 CALLS=2
// MORE RANKS=3 CALLS=3
// MORE RANKS=4 CALLS=2
// MORE RANKS=2 CALLS=5
// BROKEN ROOT_IS_MADE_TO_WAIT: the root of a broadcast closes no meeting
// BROKEN SENDERS_ARE_MADE_TO_WAIT: who gives to a root closes no meeting
// BROKEN ASKED_ABOUT_BY_MESSAGES: the ranks agree by MPI_Allreduce, as they do in jobs with GPUs
#include "host_meeting.pmlh"

mtype = { native, finish_staged, accelerate, not_together };
mtype = { bcast, reduce, all };

mtype kind[CALLS];     // what the program calls: the same on all ranks
bool message[CALLS];   // one is sent behind the call, and waited for before it

byte calls_of[RANKS];  // so many a rank has come to: what a native call waits for
bool sent[CALLS];      // the message

#ifdef ROOT_IS_MADE_TO_WAIT
#define root_closes false
#else
#define root_closes true
#endif
#ifdef SENDERS_ARE_MADE_TO_WAIT
#define others_close false
#else
#define others_close true
#endif

#define has_come(rank) (calls_of[rank] > call)

// The root is rank 0. Natively nobody waits for longer than the data take.
inline run_native() {
  if
  :: kind[call] == bcast && me != 0 -> has_come(0)
  :: kind[call] == reduce && me == 0 -> all_ranks(has_come)
  :: kind[call] == all -> all_ranks(has_come)
  :: else
  fi
}

// Who natively need not wait may close the meeting; of a broadcast all others wait for the root first.
inline patience_in() {
  d_step {
    first = RANKS;
    if
    :: kind[call] == bcast && me == 0 -> may_close = root_closes
    :: kind[call] == bcast && me != 0 -> may_close = true; first = 0
    :: kind[call] == reduce -> may_close = me != 0 && others_close
    :: else -> may_close = false
    fi
  }
}

proctype rank(byte me) {
  byte call, meetings, peer, laid_out, shift, first;
  bool closed, agreed, may_close;
  do
  :: call < CALLS ->
     if  // of a broadcast rank 1 waits for the root's message, of a reduction the root for rank 1's
     :: message[call] && ((kind[call] == bcast && me == 1) || (kind[call] == reduce && me == 0)) ->
        sent[call]
     :: else
     fi;
     calls_of[me]++;
#ifdef ASKED_ABOUT_BY_MESSAGES
     all_ranks(has_come);
     run_native();
#else
     if
     :: kind[call] != all && closed -> begins_anew()
     :: else
     fi;
     if
     :: kind[call] != all && closed -> take_path(call, native); run_native()
     :: else ->
        laid_out = (closed -> 0 : call + 1);
        patience_in();
        arrive(1, kind[call] != all);
        hear(1, may_close, first);
        if
        :: closed -> take_path(call, not_together); run_native()
        :: agreed && laid_out > 0 -> take_path(call, finish_staged); take(call + 1, meetings)
        :: agreed && laid_out == 0 ->
           take_path(call, accelerate);
           laid_out = call + 1;
           arrive(1, false);
           hear(1, false, RANKS);
           take(call + 1, meetings)
        fi
     fi;
#endif
     if
     :: message[call] && ((kind[call] == bcast && me == 0) || (kind[call] == reduce && me == 1)) -> sent[call] = true
     :: else
     fi;
     d_step { call++; laid_out = 0; agreed = false; may_close = false; first = 0 }
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    do
    :: i < CALLS ->
       if
       :: kind[i] = bcast; message[i] = true
       :: kind[i] = bcast
       :: kind[i] = reduce; message[i] = true
       :: kind[i] = reduce
       :: kind[i] = all
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
