/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef MPITESTS_INTERCEPTION_TALLY_H_
#define MPITESTS_INTERCEPTION_TALLY_H_

/* A program's own count of the MPI calls that it makes, to be compared with what AIRamp has seen. The names are those
   of the C functions, whatever the language of the caller. */

/* Adds one call of `function`. */
void tally_add(const char* function);

/* Notes a wrong result; `what` goes to stderr. */
void tally_expect(int right, const char* what);

/* Calls of `function` so far. */
int tally_calls(const char* function);

/* Writes the counts to `path` as a JSON object on rank 0. Returns the number of wrong results noted on this rank. */
int tally_write(const char* path, int rank);

/* Calls an MPI function, counts the call, expects success. `function` may be a macro for the name. */
#define COUNTED(function, ...) COUNTED_BY_NAME(function, __VA_ARGS__)
#define COUNTED_BY_NAME(function, ...) \
  (tally_add(#function), tally_expect((function)(__VA_ARGS__) == MPI_SUCCESS, #function))

#endif
