#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Non-linear heat conduction with PETSc: adaptive implicit time steps, Newton's method, restarted GMRES."""

import numpy as np
from petsc4py import PETSc

POINTS = 48
STEPS = 250


def conductivity(temperature):
    return 1.0 + temperature * temperature


class Heat:
    """du/dt = div(k(u) grad u) on the unit square, u = 0 on its edge."""

    def __init__(self, grid):
        self.grid = grid
        self.ghosted = grid.createLocalVec()

    def rate(self, _ts, _time, state, rate):
        self.grid.globalToLocal(state, self.ghosted)
        (x0, x1), (y0, y1) = self.grid.getRanges()
        u = np.zeros((x1 - x0 + 2, y1 - y0 + 2))  # with a frame: the edge of the square has no ghosts
        (a0, a1), (b0, b1) = self.grid.getGhostRanges()
        ghosted = self.ghosted.getArray(readonly=True).reshape((a1 - a0, b1 - b0), order="F")
        u[a0 - x0 + 1:a1 - x0 + 1, b0 - y0 + 1:b1 - y0 + 1] = ghosted
        centre = u[1:-1, 1:-1]
        change = np.zeros_like(centre)
        for other in (u[:-2, 1:-1], u[2:, 1:-1], u[1:-1, :-2], u[1:-1, 2:]):
            change += conductivity(0.5 * (centre + other)) * (other - centre)
        x, y = np.arange(x0, x1), np.arange(y0, y1)
        inside = np.outer((x > 0) & (x < POINTS - 1), (y > 0) & (y < POINTS - 1))
        rate.setArray(((POINTS - 1) ** 2 * np.where(inside, change, -centre)).ravel(order="F"))


def main():
    grid = PETSc.DMDA().create([POINTS, POINTS], dof=1, stencil_width=1)
    heat = Heat(grid)
    state = grid.createGlobalVec()
    u = grid.getVecArray(state)
    (x0, x1), (y0, y1) = grid.getRanges()
    for i in range(x0, x1):
        for j in range(y0, y1):
            u[i, j] = 4.0 if POINTS // 4 < i < POINTS // 2 and POINTS // 4 < j < POINTS // 2 else 0.0

    stepper = PETSc.TS().create()
    stepper.setDM(grid)
    stepper.setType(PETSc.TS.Type.BDF)
    stepper.setRHSFunction(heat.rate, grid.createGlobalVec())
    stepper.setTimeStep(1e-5)
    stepper.setMaxSteps(STEPS)
    stepper.setMaxTime(1.0)
    stepper.setExactFinalTime(PETSc.TS.ExactFinalTime.STEPOVER)
    options = PETSc.Options()
    options["snes_mf"] = None
    options["ksp_type"] = "gmres"
    options["ksp_rtol"] = 1e-3
    options["pc_type"] = "none"
    stepper.setFromOptions()
    stepper.solve(state)
    PETSc.Sys.Print(f"steps {stepper.getStepNumber()}, linear iterations {stepper.getKSPIterations()}, "
                    f"norm {state.norm():.6e}")


if __name__ == "__main__":
    main()
