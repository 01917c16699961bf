# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""GROMACS: water at constant temperature and pressure with long-ranged forces (PME)."""

import pathlib

from applications.application import Application, Case, sum_of

TRACED = pathlib.Path(__file__).resolve().parent.parent / "traces"


def water(_ranks, steps):
    """11664 atoms, whole copies of the box of 216 molecules; the input of scripts/traces."""
    parameters = (TRACED / "water.mdp").read_text(encoding="utf-8")
    if "nsteps = 4000\n" not in parameters:
        raise ValueError("scripts/traces/water.mdp does not have 4000 steps")
    return {"water.mdp": parameters.replace("nsteps = 4000\n", f"nsteps = {steps}\n"),
            "water.top": (TRACED / "water.top").read_text(encoding="utf-8")}


APPLICATION = Application(
    name="gromacs", packages=("gromacs", "gromacs-data", "libopenblas0-serial"), programs=("gmx_mpi",),
    data=("/usr/share/gromacs/top/oplsaa.ff", "/usr/share/gromacs/top/*.dat", "/usr/share/gromacs/top/spc216.gro"),
    cases=(Case(
        name="gromacs-water",
        # Else GROMACS balances its load, and plans transforms, by what it measures: no two runs are the same.
        command=("gmx_mpi", "-quiet", "mdrun", "-ntomp", "1", "-reprod", "-dlb", "no", "-notunepme", "-s", "water.tpr",
                 "-deffnm", "water"),
        steps=10000, inputs=water,
        prepare=(("gmx_mpi", "-quiet", "solvate", "-cs", "spc216", "-box", "5.58618", "5.58618", "3.72412", "-o",
                  "water.gro", "-p", "water.top"),
                 ("gmx_mpi", "-quiet", "grompp", "-f", "water.mdp", "-c", "water.gro", "-p", "water.top", "-o",
                  "water.tpr")),
        main_loop=sum_of(r"^ +Time: +[\d.]+ +([\d.]+)"), timed_file="water.log", results=("water.trr", "water.gro")),))
