// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Solves Poisson's equation on a cube by PETSc, several times.
//
//   poisson -points N -repeats N [PETSc's options: -ksp_type cg|gmres, -pc_type, -ksp_rtol, ...]
//
// Prints the solver's iterations, residual and a sum over the solution in all their digits, and its seconds.
#include <petscdmda.h>
#include <petscksp.h>

// -h^2 times the Laplacian, with zeros on the boundary.
static PetscErrorCode fill_matrix(DM grid, Mat matrix, PetscInt points) {
  PetscInt begin[3], count[3];
  PetscCall(DMDAGetCorners(grid, &begin[0], &begin[1], &begin[2], &count[0], &count[1], &count[2]));
  for (PetscInt k = begin[2]; k < begin[2] + count[2]; ++k) {
    for (PetscInt j = begin[1]; j < begin[1] + count[1]; ++j) {
      for (PetscInt i = begin[0]; i < begin[0] + count[0]; ++i) {
        const MatStencil row = {.i = i, .j = j, .k = k};
        MatStencil columns[7] = {row};
        PetscScalar values[7] = {6.0};
        PetscInt entries = 1;
        for (int axis = 0; axis < 3; ++axis) {
          for (int step = -1; step <= 1; step += 2) {
            const PetscInt place[3] = {i + (axis == 0 ? step : 0), j + (axis == 1 ? step : 0),
                                       k + (axis == 2 ? step : 0)};
            if (place[axis] < 0 || place[axis] >= points) continue;
            columns[entries] = (MatStencil){.i = place[0], .j = place[1], .k = place[2]};
            values[entries++] = -1.0;
          }
        }
        PetscCall(MatSetValuesStencil(matrix, 1, &row, entries, columns, values, INSERT_VALUES));
      }
    }
  }
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  return 0;
}

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscInt points = 32, repeats = 1, iterations = 0;
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-points", &points, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-repeats", &repeats, NULL));
  DM grid;
  PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR,
                         points, points, points, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, NULL,
                         &grid));
  PetscCall(DMSetUp(grid));
  Mat matrix;
  PetscCall(DMCreateMatrix(grid, &matrix));
  PetscCall(fill_matrix(grid, matrix, points));
  Vec solution, right;
  PetscCall(MatCreateVecs(matrix, &solution, &right));
  PetscCall(VecSet(right, 1.0 / ((PetscReal)points * points)));
  KSP solver;
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetOperators(solver, matrix, matrix));
  PetscCall(KSPSetFromOptions(solver));
  PetscCall(KSPSetUp(solver));
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  const double begin = MPI_Wtime();
  for (PetscInt repeat = 0; repeat < repeats; ++repeat) PetscCall(KSPSolve(solver, right, solution));
  const double seconds = MPI_Wtime() - begin;
  PetscReal residual = 0.0;
  PetscScalar sum = 0.0;
  PetscCall(KSPGetIterationNumber(solver, &iterations));
  PetscCall(KSPGetResidualNorm(solver, &residual));
  PetscCall(VecDot(solution, right, &sum));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "points %ld\niterations %ld\nresidual %.17g\nsum %.17g\nseconds %.6f\n",
                        (long)points, (long)iterations, (double)residual, (double)PetscRealPart(sum), seconds));
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&solution));
  PetscCall(VecDestroy(&right));
  PetscCall(MatDestroy(&matrix));
  PetscCall(DMDestroy(&grid));
  PetscCall(PetscFinalize());
  return 0;
}
