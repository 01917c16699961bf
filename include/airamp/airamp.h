/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * AIRamp's public functions. No program needs them: they are for codes that want to tell AIRamp more than it can find
 * out. Declare them weak, or look them up with dlsym, if the program is to run without AIRamp as well.
 */
#ifndef AIRAMP_H
#define AIRAMP_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's version, e.g. "0.1.0". */
const char* airamp_version(void);

/*
 * Tells what one element of a derived two-byte datatype holds: "float16" or "bfloat16". Call it with the same answer on
 * every rank, between MPI_Init and MPI_Finalize. Returns MPI_SUCCESS, or MPI_ERR_ARG for another format and MPI_ERR_TYPE
 * for a datatype of another size.
 */
int airamp_declare_type(MPI_Datatype datatype, const char* format);

/*
 * Tells what a user-defined operation does: `format` as above, `op` one of "sum", "max", "min". AIRamp then does not try
 * the operation out. Call it with the same answer on every rank. Returns MPI_SUCCESS or MPI_ERR_ARG.
 */
int airamp_declare_op(MPI_Op operation, const char* format, const char* op);

#ifdef __cplusplus
}
#endif

#endif /* AIRAMP_H */
