// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What AIRamp knows of a communicator hangs on it. Communicators are made and freed, and their handles come again, on
// each rank as it happens. When one is freed, the program's attribute callbacks may call collectives on it, in an order
// of each rank's own with AIRamp's. In MPI_Finalize the ranks free communicators of AIRamp's own, which waits for all.
// Proven: what a rank finds is of the communicator that it asked for, all ranks carry a call alike, and none waits for
// ever.
//
// CHECK RANKS=2
// CHECK RANKS=3
// BROKEN LATEST_BY_ITS_HANDLE_ALONE: what was looked up last is taken for that of a new communicator of the same handle
// BROKEN ENDS_AMONG_THE_CALLBACKS: what is known of a communicator goes when its attribute does, not before
// BROKEN RELEASES_IN_ITS_OWN_ORDER: a rank frees AIRamp's communicators in the order in which it made their states
#define COMMUNICATORS 4        // two of the program's, and one of AIRamp's own beside each
#define CALLS 8                // of a communicator and its use: below
#define OPERATIONS 6
#include "mpi.pmlh"

mtype = { asked, native, of_callback };

#define none 255
// AIRamp's own beside a communicator of the program's.
#define own(c) ((c) + 2)

// A call of the program's on communicator `c`, whose handle on this rank is `handle`: what was looked up last, or the
// attribute, or a new state. The first call on a state asks, the second passes: as the gate has it.
inline call_on(c, use) {
  d_step {
    if
#ifdef LATEST_BY_ITS_HANDLE_ALONE
    :: latest_handle == handle[c] -> state = latest_state
#else
    :: latest_handle == handle[c] && latest_freed == freed -> state = latest_state
#endif
    :: else -> state = c; latest_handle = handle[c]; latest_freed = freed; latest_state = c
    fi;
    assert(state == c);  // what hangs on this communicator
    calls_of[state]++
  }
  if
  :: calls_of[state] == 1 -> take_path((c) * 4 + use, asked); allreduce(c, 1, least, most)
  :: else -> take_path((c) * 4 + use, native)
  fi;
  synchronize(c, native_call)
}

// The program's attribute callback calls a collective on the communicator that is being freed.
inline callback(c) {
  if
  :: is_known[c] && !being_freed -> take_path((c) * 4 + 3, asked); allreduce(c, 1, least, most)
  :: else -> take_path((c) * 4 + 3, of_callback)
  fi;
  synchronize(c, native_call)
}

inline end_state(c) { d_step { freed++; is_known[c] = false; calls_of[c] = 0 } }

// MPI_Comm_free
inline free_communicator(c) {
#ifdef ENDS_AMONG_THE_CALLBACKS
  if
  :: end_state(c); callback(c)
  :: callback(c); end_state(c)
  fi;
#else
  end_state(c);
  being_freed = true;
  callback(c);
  being_freed = false;
#endif
  synchronize(c, mpi_comm_free)
}

proctype rank(byte me) {
  byte at, peer, least, most, state, freed, first;
  byte handle[2], calls_of[2];
  bool is_known[2];
  bool being_freed;
  byte latest_handle = none, latest_freed, latest_state;

  handle[0] = 1;
  is_known[0] = true;
  call_on(0, 0);
  free_communicator(0);
  // a new one, with the same handle or with another
  if :: handle[1] = 1 :: handle[1] = 2 fi;
  is_known[1] = true;
  call_on(1, 0);
  call_on(1, 1);

  // MPI_Finalize, with two of AIRamp's own: their numbers are drawn on the first rank of each, and told
#ifdef RELEASES_IN_ITS_OWN_ORDER
  if :: first = 0 :: first = 1 fi;
#endif
  synchronize(own(first), mpi_comm_free);
  synchronize(own(1 - first), mpi_comm_free)
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
