// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The kernels of a collective over peer memory start together or not at all: gpu/device/start_gate.hpp, its host's side
// gpu/runtime/call_off.cpp, and how the ranks leave together, pmpi/group/peer_group.cpp. A block may find room on its
// GPU at once, or only after the program has got its result. Behind a call that was called off comes another.
// Proven: a call's results are written by the kernels of all ranks or natively on all, never both; votes of a launch
// that was called off are not taken for those of the next; and no rank waits for ever.
//
// CHECK RANKS=2 CALLS=1
// MORE RANKS=2 CALLS=2
// MORE RANKS=3 CALLS=1
// BROKEN WRITES_WITHOUT_VOTES: a block writes results as soon as it runs
// BROKEN CALLED_OFF_BY_A_LOOK: the host looks at the count of blocks, and stores nothing that a block would find
// BROKEN LEAVES_ALONE: who calls a launch off does not tell the others
// BROKEN VOTES_ARE_NOT_ERASED RANKS=2 CALLS=2: the next launch finds the votes of one that was called off
#define OPERATIONS 12
#include "mpi.pmlh"

mtype = { by_kernel, natively };
mtype = { launch_runs, launch_done, launch_left };

// Two of a launch on rank 0, one on the others: each has to be counted, or told.
#define blocks (me == 0 -> 2 : 1)

// LaunchState of each rank's GPU: `begun` and `is_called_off` are one word.
typedef Launch {
  byte begun, accepted, refused, ended;
  bool is_called_off, leave;
  mtype flag;              // in host memory
}
Launch launch[RANKS];
bool vote[RANKS * RANKS];  // in the first rank's region, of the second
#define vote_of(region, rank) vote[(region) * RANKS + (rank)]
#define votes_here(rank) vote_of(me, rank)

bool is_over[(CALLS + 1) * RANKS];  // the program has the result of the call
byte writers[CALLS];              // blocks that have written results
byte natives[CALLS];              // ranks whose call was native
byte called_off;                  // HostMeeting::call_off: a number of a call, from 1 on
byte waiting_blocks[RANKS];       // launched, and not begun or not ended

proctype block(byte me; byte call) {
  byte before, peer;
  bool off;
  // room: now, or when the program has its result
  if
  :: true
  :: is_over[call * RANKS + me]
  fi;
  atomic {  // StartGate::begin: one addition to the word
    before = launch[me].begun;
    off = launch[me].is_called_off;
    launch[me].begun++
  }
  if  // StartGate::pushed
  :: off -> launch[me].refused++; goto end
  :: else -> launch[me].accepted++
  fi;
#ifdef WRITES_WITHOUT_VOTES
  writers[call]++;
#endif
  if
  :: before + 1 == blocks ->  // StartGate::vote
     d_step {
       peer = 0;
       do
       :: peer < RANKS -> vote_of(peer, me) = true; peer++
       :: else -> break
       od;
       peer = 0
     }
  :: else
  fi;
  if  // StartGate::all_started
  :: all_ranks(votes_here) ->
     assert(natives[call] == 0);
#ifndef WRITES_WITHOUT_VOTES
     writers[call]++;
#endif
     atomic {  // StartGate::end
       launch[me].ended++;
       if
       :: launch[me].ended == blocks ->
          peer = 0;
          do
          :: peer < RANKS -> vote_of(me, peer) = false; peer++
          :: else -> break
          od;
          launch[me].begun = 0;
          launch[me].accepted = 0;
          launch[me].ended = 0;
          launch[me].flag = launch_done
       :: else
       fi
     }
  :: launch[me].leave ->
     atomic {
       launch[me].ended++;
       if :: launch[me].ended == blocks -> launch[me].flag = launch_left :: else fi
     }
  fi;
end:
  waiting_blocks[me]--
}

// Waits until every block that was counted has said whether it was before the call-off: call_off.cpp, settle.
inline settle() {
  (launch[me].begun == launch[me].accepted + launch[me].refused) || launch[me].flag == launch_done;
  runs = launch[me].accepted == blocks || launch[me].flag == launch_done;
  began = launch[me].accepted
}

// peer_group.cpp, has_left: this rank's launch has been told to leave, and has.
inline dismiss() {
  launch[me].is_called_off = true;
  launch[me].leave = true;
  settle();
  (launch[me].flag == launch_left || began == 0 || launch[me].ended == began)
}

proctype host(byte me) {
  byte call, at, peer, least, most, began, ready;
  bool runs, spoilt;
  do
  :: call < CALLS ->
     if
     :: call > 0 -> allreduce(0, 1, least, most)  // the agreement, a meeting
     :: else
     fi;
     if
     :: spoilt ->  // is_ready: nothing is left of the launch before on any rank, and no vote
        atomic {
          ready = waiting_blocks[me] == 0;
          if
          :: ready == 1 ->
             launch[me].begun = 0;
             launch[me].accepted = 0;
             launch[me].refused = 0;
             launch[me].ended = 0;
             launch[me].is_called_off = false;
             launch[me].leave = false
          :: else
          fi
        };
        allreduce(0, ready, least, most);
        if
        :: least == 1 ->
#ifndef VOTES_ARE_NOT_ERASED
           d_step {
             peer = 0;
             do
             :: peer < RANKS -> vote_of(me, peer) = false; peer++
             :: else -> break
             od;
             peer = 0
           }
#endif
           allreduce(0, 1, least, most);
           spoilt = false
        :: else -> goto native_call_of_all
        fi
     :: else
     fi;
     atomic {
       launch[me].flag = launch_runs;
       waiting_blocks[me] = waiting_blocks[me] + blocks;
       run block(me, call);
       if :: me == 0 -> run block(me, call) :: else fi
     }
     runs = false;
     do  // wait_for_launch
     :: launch[me].flag == launch_done -> take_path(call, by_kernel); goto ended  // the next one finds all as it was
     :: called_off == call + 1 -> break
     :: !runs && launch[me].flag != launch_done ->  // patience is over
#ifdef CALLED_OFF_BY_A_LOOK
        runs = launch[me].begun == blocks;
#else
        runs = launch[me].begun == blocks || launch[me].flag == launch_done;
        if
        :: !runs -> launch[me].is_called_off = true; settle()
        :: else
        fi;
#endif
        if
        :: !runs ->
#ifndef LEAVES_ALONE
           called_off = call + 1;
#endif
           break
        :: else
        fi
     od;
#ifndef CALLED_OFF_BY_A_LOOK
     dismiss();  // leave_together
#endif
#ifndef LEAVES_ALONE
     allreduce(0, 1, least, most);
#endif
     spoilt = true;
native_call_of_all:
     take_path(call, natively);
     natives[call]++;
     assert(writers[call] == 0);
     synchronize(0, native_call);
     is_over[call * RANKS + me] = true;
     atomic { call++; least = 0; most = 0; at = 0; began = 0; ready = 0 }
  :: else -> break
  od;
ended:
  is_over[call * RANKS + me] = true
}

init {
  byte i;
  atomic {
    do
    :: i < RANKS -> run host(i); i++
    :: else -> break
    od
  }
}
