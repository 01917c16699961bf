/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * AIRamp's public functions. No program needs them: they are for codes that want to tell AIRamp more than it can find
 * out. Declare them weak, or look them up with dlsym, if the program is to run without AIRamp as well.
 */
#ifndef AIRAMP_H
#define AIRAMP_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Tells the library's version.
 *
 * @return three numbers with dots between them; the text is never freed
 */
const char* airamp_version(void);

/**
 * Tells what one element of a derived two-byte datatype holds. Call it with the same answer on every rank, between
 * MPI_Init and MPI_Finalize.
 *
 * @param datatype the datatype
 * @param format "float16" or "bfloat16"
 * @return MPI_SUCCESS, MPI_ERR_ARG for another format, MPI_ERR_TYPE for a datatype of another size
 */
int airamp_declare_type(MPI_Datatype datatype, const char* format);

/**
 * Tells what a user-defined operation does. AIRamp then does not try the operation out. Call it with the same answer on
 * every rank, between MPI_Init and MPI_Finalize.
 *
 * @param operation the operation
 * @param format "float16" or "bfloat16"
 * @param op "sum", "max" or "min"
 * @return MPI_SUCCESS or MPI_ERR_ARG
 */
int airamp_declare_op(MPI_Op operation, const char* format, const char* op);

#ifdef __cplusplus
}
#endif

#endif /* AIRAMP_H */
