// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Expected calls, about which the ranks are asked along with the data: consents and the first chunks travel together,
// and a veto has them dropped. Behind a veto the next call is asked about by MPI_Allreduce.
// Proven: no chunk is taken for one of another call, nothing is written before all have consented, all ranks carry a
// call alike, and none waits for ever. Sends are taken to be complete when they are received, and not before.
//
// CHECK RANKS=2 CALLS=4
// CHECK RANKS=3 CALLS=2
// MORE RANKS=2 CALLS=6
// MORE RANKS=3 CALLS=3
// BROKEN CHUNKS_ARE_NOT_DROPPED: what others have sent before a veto stays where it is
// BROKEN WRITES_BEFORE_IT_HEARS: a result is written before all have consented
// BROKEN ANOTHER_MEMORY_DOES_NOT_ANSWER: a rank whose buffers lie on a GPU asks by itself and sends no consent
// BROKEN CONSENTS_BY_WHAT_IT_HEARD_FIRST: a rank goes on once one other has consented
#define OPERATIONS 8
#include "mpi.pmlh"

mtype = { asked_along, vetoed, accelerate, refuse };
mtype = { consent, veto, chunk };

#define ahead 1          // chunks that are sent before the others' answers are heard
#define chunks 2

// What one rank has sent another, by tag. No message overtakes another of the same tag.
#define from_to(sender, receiver) ((sender) * RANKS + (receiver))
chan answer[RANKS * RANKS] = [2] of { mtype, byte };
chan data[RANKS * RANKS] = [4] of { mtype, byte };

byte odd_ones;
#define most_odd_ones 2

inline tell() {
  peer = 0;
  do
  :: peer < RANKS && peer != me -> answer[from_to(me, peer)]!own, call; peer++
  :: peer == me -> peer++
  :: peer == RANKS -> break
  od;
  peer = 0
}

inline send_chunks(how_many) {
  peer = 0;
  do
  :: peer < RANKS && peer != me ->
     i = 0;
     do
     :: i < (how_many) -> data[from_to(me, peer)]!chunk, call; i++
     :: else -> break
     od;
     peer++
  :: peer == me -> peer++
  :: peer == RANKS -> break
  od;
  peer = 0;
  i = 0
}

#define is_received(peer) (empty(answer[from_to(me, peer)]) && empty(data[from_to(me, peer)]))
#define answer_is_received(peer) empty(answer[from_to(me, peer)])

// The message that comes next from `peer` is a chunk of this call.
inline receive_chunk() {
  atomic { data[from_to(peer, me)]?heard, number; assert(heard == chunk && number == call); heard = 0; number = 0 }
}

inline receive_chunks(how_many) {
  peer = 0;
  do
  :: peer < RANKS && peer != me ->
     i = 0;
     do
     :: i < (how_many) -> receive_chunk(); i++
     :: else -> break
     od;
     peer++
  :: peer == me -> peer++
  :: peer == RANKS -> break
  od;
  peer = 0;
  i = 0
}

// Consents::hear. `consents`: a bit for each rank that has.
inline hear() {
  peer = 0;
  consents = (own == consent -> 1 << me : 0);
  do
  :: peer < RANKS && peer != me ->
     atomic {
       answer[from_to(peer, me)]?heard, number;
       assert(heard != chunk && number == call);
       if :: heard == consent -> consents = consents | (1 << peer) :: else fi;
       heard = 0;
       number = 0
     }
#ifdef CONSENTS_BY_WHAT_IT_HEARD_FIRST
     if :: consents > 1 << me -> consents = (1 << RANKS) - 1 :: else fi;
#endif
     peer++
  :: peer == me -> peer++
  :: peer == RANKS -> break
  od;
  all_ranks(answer_is_received);
  peer = 0
}
#define all_consent (consents == (1 << RANKS) - 1)

// Of every peer that had consented the chunks that it sent before it heard.
inline drop() {
#ifdef CHUNKS_ARE_NOT_DROPPED
  skip
#else
  peer = 0;
  do
  :: peer < RANKS && peer != me ->
     i = 0;
     do
     :: i < ahead && (consents & (1 << peer)) -> receive_chunk(); i++
     :: else -> break
     od;
     peer++
  :: peer == me -> peer++
  :: peer == RANKS -> break
  od;
  peer = 0;
  i = 0
#endif
}

proctype rank(byte me) {
  byte call, at, peer, least, most, i, number, consents, on_device;
  mtype own, heard;
  bool pause, has_written;
  do
  :: call < CALLS ->
     atomic {
       if
       :: own = consent
       :: odd_ones < most_odd_ones -> own = veto; odd_ones++; if :: on_device = 1 :: on_device = 0 fi
       fi
     }
     if
#ifdef ANOTHER_MEMORY_DOES_NOT_ANSWER
     :: !pause && !on_device ->
#else
     :: !pause ->
#endif
        tell();
        if :: own == consent -> send_chunks(ahead) :: else fi;
#ifdef WRITES_BEFORE_IT_HEARS
        has_written = own == consent;
#endif
        hear();
        if
        :: all_consent ->
           take_path(call, asked_along);
           has_written = true;
           send_chunks(chunks - ahead);
           receive_chunks(chunks);
           all_ranks(is_received);
           goto next
        :: else -> assert(!has_written); drop(); all_ranks(is_received); pause = true
        fi
     :: else -> pause = false
     fi;
     allreduce(0, (own == consent -> 1 : 0), least, most);
     if
     :: least == 1 -> take_path(call, accelerate); send_chunks(chunks); receive_chunks(chunks); all_ranks(is_received)
     :: else -> take_path(call, refuse); synchronize(0, native_call)
     fi;
next:
     atomic { call++; own = 0; consents = 0; on_device = 0; least = 0; most = 0; at = 0; has_written = false }
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
