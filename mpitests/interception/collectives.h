/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef MPITESTS_INTERCEPTION_COLLECTIVES_H_
#define MPITESTS_INTERCEPTION_COLLECTIVES_H_

#include <mpi.h>
#ifdef AIRAMP_MPI_HAS_PERSISTENT_EXTENSION
#include <mpi-ext.h>
#endif

enum { elements = 5, max_ranks = 16 };

/* What the ranks put in and must get out: rank r contributes fill_value(r, i) at element i. */
int fill_value(int rank, int i);
void fill(int* data, int rank);

/* Compares a reduced or gathered vector with the truth; notes under `what` if it is wrong. Gathered blocks lie
   `stride` elements apart. */
void expect_sum(const int* data, int ranks, const char* what);
void expect_gathered(const int* data, int ranks, int stride, const char* what);

/* Starts a persistent request twice and frees it. */
void start_and_free(MPI_Request* request);

/* Each calls its functions on MPI_COMM_WORLD and counts them with tally_add. */
void call_allreduce_forms(int rank, int ranks);
void call_gather_forms(int rank, int ranks);
void call_large_count_forms(int rank, int ranks);
void call_persistent_forms(int rank, int ranks);
void call_other_collectives(int rank, int ranks);
void call_point_to_point_forms(int rank, int ranks);

#endif
