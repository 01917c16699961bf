// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A persistent request of the MPI library's own is bound to the program's buffers. Each call comes with any buffers on
// each rank; making a request is a collective, for which a rank may lack memory.
// Proven: all ranks make, run, leave and give up the request in the same calls, and it runs on the call's own buffers.
//
// CHECK RANKS=2 CALLS=5
// CHECK RANKS=3 CALLS=4
// MORE RANKS=2 CALLS=8
// MORE RANKS=3 CALLS=5
// BROKEN HEEDS_ITS_OWN_BUFFERS: a rank whose buffers are those of the request runs it
// BROKEN DOES_NOT_HEED_ITS_BUFFERS: the request runs whatever the buffers are
// BROKEN MAKES_WITHOUT_ASKING: a rank that lacks memory for a request does not tell the others
#define OPERATIONS 40
#include "mpi.pmlh"

mtype = { bind, run_bound, native, give_up };

#define free_rebindings 1     // 8 in BufferBinding
#define runs_worth_binding 2  // likewise
#define most_odd_ones 3
byte odd_ones;                // changes of buffers and wants of memory, in the whole run

// NativePersistent::make
inline make() {
  atomic { if :: has = 1 :: odd_ones < most_odd_ones -> has = 0; odd_ones++ fi };
#ifdef MAKES_WITHOUT_ASKING
  if
  :: has == 0 -> least = 0
  :: else -> synchronize(0, algorithm); least = 1
  fi
#else
  allreduce(0, has, least, most);
  if
  :: least == 1 ->
     synchronize(0, algorithm);
     allreduce(0, 1, least, most)
  :: else
  fi
#endif
}

inline run_request() {
  assert(bound_buffer == buffer);
  synchronize(0, algorithm)
}

proctype rank(byte me) {
  byte call, at, peer, least, most, has, own;
  byte buffer = 1;
  byte bound_buffer, bindings, runs, others;
  bool given_up;
  mtype step;
  do
  :: call < CALLS ->
     atomic { if :: skip :: odd_ones < most_odd_ones -> buffer = 3 - buffer; odd_ones++ fi };
     own = bindings > 0 && bound_buffer == buffer;
     allreduce(0, own, least, most);  // along with the facts
#ifdef HEEDS_ITS_OWN_BUFFERS
     least = own;
#endif
#ifdef DOES_NOT_HEED_ITS_BUFFERS
     least = bindings > 0;
#endif
     d_step {                         // BufferBinding::next
       if
       :: given_up -> step = give_up
       :: !given_up && bindings == 0 -> step = bind
       :: !given_up && bindings > 0 && least == 1 -> others = 0; runs++; step = run_bound
       :: !given_up && bindings > 0 && least == 0 ->
          others++;
          if
          :: others < 2 -> step = native
          :: else ->
             given_up = bindings > free_rebindings && runs < runs_worth_binding * bindings;
             step = (given_up -> give_up : bind)
          fi
       fi;
       if :: step == bind -> others = 0; bindings++; runs++ :: else fi
     }
     take_path(call, step);
     if
     :: step == bind ->
        make();
        if
        :: least == 1 -> bound_buffer = buffer; run_request()
        :: else -> given_up = true; synchronize(0, native_call)
        fi
     :: step == run_bound -> run_request()
     :: else -> synchronize(0, native_call)
     fi;
     atomic { call++; step = 0; least = 0; most = 0; at = 0; own = 0; has = 0 }
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
