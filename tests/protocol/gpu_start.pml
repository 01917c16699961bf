// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The kernels of a collective over peer memory start together or not at all: gpu/device/start_gate.hpp, its host's side
// gpu/runtime/call_off.cpp, what a kernel does that has waited for long, gpu/device/call_off_peers.hpp, and how the
// ranks leave together, pmpi/group/peer_group.cpp. A block may find room on its GPU at once, or only after the program
// has got its result, or after the kernels of other ranks have gone. A rank's driver may let its host do nothing as long
// as a kernel of the rank has not ended. Behind a call that was called off comes another.
// Proven: a call's results are written by the kernels of all ranks or natively on all, never both; votes of a launch
// that was called off are not taken for those of the next; and no rank waits for ever.
//
// CHECK RANKS=2 CALLS=1 BLOCKS=1
// MORE RANKS=2 CALLS=1 BLOCKS=2
// MORE RANKS=2 CALLS=2 BLOCKS=1
// MORE RANKS=3 CALLS=1 BLOCKS=1
// BROKEN WRITES_WITHOUT_VOTES: a block writes results as soon as it runs
// BROKEN CALLED_OFF_BY_A_LOOK RANKS=2 CALLS=1 BLOCKS=2: the host looks at the count of blocks, and stores nothing that a block would find
// BROKEN VOTES_ARE_NOT_ERASED RANKS=2 CALLS=2 BLOCKS=2: the next launch finds the votes of one that was called off
// BROKEN WAITS_FOR_PEERS: a kernel waits for the others' as long as it takes
// BROKEN LEAVES_WITHOUT_A_WORD: a kernel that has waited for long leaves, and does not call the others off
// BROKEN FORGETS_ITS_OWN_BLOCKS RANKS=2 CALLS=1 BLOCKS=2: a kernel that has waited for long looks after the other ranks' alone
// BROKEN FORGETS_THE_FINISHED: a launch that is done is taken for one that has not begun
#define OPERATIONS 12
#include "mpi.pmlh"

mtype = { by_kernel, natively };
mtype = { launch_runs, launch_done, launch_left };

// Blocks of a launch on rank 0, one on the others: each has to be counted, or told.
#ifndef BLOCKS
#define BLOCKS 2
#endif
#define blocks_of(rank) (rank == 0 -> BLOCKS : 1)
#define blocks blocks_of(me)

// LaunchState of each rank's GPU: `begun` and `called_off` are one word.
typedef Launch {
  byte begun, accepted, refused, ended;
  byte called_off;         // the number of a launch; 0: none
  byte finished;           // the number of the last one that was done
  bool leave;
  mtype flag;              // in host memory
}
Launch launch[RANKS];
bool vote[RANKS * RANKS];  // in the first rank's region, of the second
#define vote_of(region, rank) vote[(region) * RANKS + (rank)]
#define votes_here(rank) vote_of(me, rank)
#define number(rank) (launch[rank].finished + 1)
#define is_called_off(rank) (launch[rank].called_off == number(rank))

bool is_over[(CALLS + 1) * RANKS];  // the program has the result of the call
byte writers[CALLS];              // blocks that have written results
byte natives[CALLS];              // ranks whose call was native
byte called_off;                  // HostMeeting::call_off: a number of a call, from 1 on
byte waiting_blocks[RANKS];       // launched, and not ended
bool holds_up[RANKS];             // the driver, its host, as long as a kernel of its process has not ended
#define runs_nothing(rank) (rank == me || launch[rank].begun == launch[rank].refused + launch[rank].ended)
#define driver_answers (!holds_up[me] || waiting_blocks[me] == 0)

// call_off_peers.hpp, never_begins: whether the launch of this number never begins on `other` as a whole. It is not
// `known` as long as blocks that were counted have not answered. In the code each of these is read by itself, and
// whether a launch is done last: then it is found to be done at least as often.
inline never_begins() {
  launch[other].called_off = own_number;
  d_step { accepted = launch[other].accepted; answered = accepted + launch[other].refused };
  atomic {
    known = launch[other].begun == answered;
    hopeless = known && accepted != blocks_of(other);
#ifndef FORGETS_THE_FINISHED
    if :: number(other) != own_number -> known = true; hopeless = false :: else fi
#endif
  }
}

// call_off_peers.hpp, for one rank after the other. What a kernel knows it need not ask again. Its own rank is among
// them: another rank may have called off what of the same launch had not begun.
inline call_off_peers() {
  do
  :: other == RANKS -> break
#ifdef FORGETS_ITS_OWN_BLOCKS
  :: other == me -> other++
  :: other < RANKS && other != me ->
#else
  :: other < RANKS ->
#endif
#ifdef LEAVES_WITHOUT_A_WORD
     hopeless = launch[other].begun != blocks_of(other);
     known = true;
#else
     never_begins();
#endif
     atomic {
       if :: hopeless -> launch[me].leave = true :: else fi;
       if
       :: known -> other++
       :: else -> launch[other].begun == launch[other].accepted + launch[other].refused || number(other) != own_number
       fi;
       accepted = 0;
       answered = 0;
       known = false;
       hopeless = false
     }
  od
}

proctype block(byte me; byte call) {
  byte before, peer, other, own_number, accepted, answered;
  bool off, known, hopeless;
  // room: now, or when the program has its result, or when the others' kernels have gone
  if
  :: true
  :: !holds_up[me] -> is_over[call * RANKS + me]
  :: true -> all_ranks(runs_nothing)
  fi;
  atomic {  // StartGate::begin: one addition to the word
    before = launch[me].begun;
    off = is_called_off(me);
    own_number = number(me);
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
wait:
  if  // StartGate::all_started
  :: all_ranks(votes_here) ->
     assert(natives[call] == 0);
#ifndef WRITES_WITHOUT_VOTES
     writers[call]++;
#endif
     atomic {  // StartGate::end
       launch[me].ended++;
       if
       :: launch[me].ended < blocks -> goto end
       :: else
       fi;
       peer = 0;
       do
       :: peer < RANKS -> vote_of(me, peer) = false; peer++
       :: else -> break
       od;
       launch[me].accepted = 0;
       launch[me].ended = 0;
       launch[me].flag = launch_done
     };
     launch[me].finished++;
     launch[me].begun = 0
  :: launch[me].leave ->
     atomic {
       launch[me].ended++;
       if :: launch[me].ended == blocks -> launch[me].flag = launch_left :: else fi
     }
#ifndef WAITS_FOR_PEERS
  :: before == 0 && other < RANKS && !launch[me].leave && !all_ranks(votes_here) -> call_off_peers(); goto wait
#endif
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
  driver_answers;
  launch[me].called_off = own_number;
  launch[me].leave = true;
  settle();
  (launch[me].flag == launch_left || began == 0 || launch[me].ended == began)
}

proctype host(byte me) {
  byte call, at, peer, least, most, began, ready, own_number;
  bool runs, spoilt, was_called_off;
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
             launch[me].called_off = 0;
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
       waiting_blocks[me] == 0;  // the stream's order
       own_number = number(me);
       launch[me].flag = launch_runs;
       waiting_blocks[me] = waiting_blocks[me] + blocks;
       run block(me, call);
       if :: me == 0 && BLOCKS == 2 -> run block(me, call) :: else fi
     }
     runs = false;
     do  // wait_for_launch
     :: launch[me].flag == launch_done ->
        take_path(call, by_kernel);
        if
        :: was_called_off -> waiting_blocks[me] == 0; was_called_off = false  // is_reset
        :: else
        fi;
        goto over
     :: launch[me].flag == launch_left || called_off == call + 1 -> break
     :: !runs && launch[me].flag == launch_runs && driver_answers ->  // patience is over
#ifdef CALLED_OFF_BY_A_LOOK
        runs = launch[me].begun == blocks;
#else
        runs = (launch[me].begun == blocks && !is_called_off(me)) || launch[me].flag == launch_done;
        if
        :: !runs -> launch[me].called_off = own_number; was_called_off = true; settle()
        :: else
        fi;
#endif
        if
        :: !runs -> break
        :: else
        fi
     od;
     called_off = call + 1;
#ifndef CALLED_OFF_BY_A_LOOK
     dismiss();  // leave_together
#endif
     allreduce(0, 1, least, most);
     spoilt = true;
native_call_of_all:
     take_path(call, natively);
     natives[call]++;
     assert(writers[call] == 0);
     synchronize(0, native_call);
over:
     is_over[call * RANKS + me] = true;
     atomic { call++; least = 0; most = 0; at = 0; began = 0; ready = 0; runs = false; own_number = 0; was_called_off = false }
  :: else -> break
  od;
  is_over[call * RANKS + me] = true
}

init {
  byte i;
  bool held_up;
  atomic {
    if :: held_up = true :: true fi;
    do
    :: i < RANKS ->
       holds_up[i] = held_up;
       run host(i);
       i++
    :: else -> break
    od
  }
}
