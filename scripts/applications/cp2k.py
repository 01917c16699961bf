# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""CP2K: molecular dynamics of liquid water with density functional theory (Quickstep)."""

import re

from applications.application import Application, Case

MOLECULES_A_SIDE = 3
SPACING = 3.1


def water(_ranks, steps):
    """27 molecules on a lattice, those beside each other turned."""
    lines = []
    for number in range(MOLECULES_A_SIDE**3):
        x, y, z = (SPACING * (number // MOLECULES_A_SIDE**axis % MOLECULES_A_SIDE) for axis in range(3))
        lines.append(f"O {x:.6f} {y:.6f} {z:.6f}")
        for side in (-1, 1):
            shift = [0.586088, 0.757136 * side]
            first, second = number % 3, (number + 1) % 3
            place = [x, y, z]
            place[first] += shift[0]
            place[second] += shift[1]
            lines.append("H {:.6f} {:.6f} {:.6f}".format(*place))
    edge = SPACING * MOLECULES_A_SIDE
    atoms = "\n".join(lines)
    return {"water.cp2k": f"""&GLOBAL
  PROJECT water
  RUN_TYPE MD
  PRINT_LEVEL LOW
&END GLOBAL
&MOTION
  &MD
    ENSEMBLE NVE
    STEPS {steps}
    TIMESTEP 0.5
    TEMPERATURE 300
  &END MD
&END MOTION
&FORCE_EVAL
  METHOD Quickstep
  &DFT
    BASIS_SET_FILE_NAME GTH_BASIS_SETS
    POTENTIAL_FILE_NAME GTH_POTENTIALS
    &MGRID
      CUTOFF 200
    &END MGRID
    &QS
      EXTRAPOLATION ASPC
    &END QS
    &SCF
      EPS_SCF 1.0E-5
      SCF_GUESS ATOMIC
      MAX_SCF 40
      &OT
        MINIMIZER DIIS
        PRECONDITIONER FULL_SINGLE_INVERSE
      &END OT
    &END SCF
    &XC
      &XC_FUNCTIONAL PADE
      &END XC_FUNCTIONAL
    &END XC
  &END DFT
  &SUBSYS
    &CELL
      ABC {edge} {edge} {edge}
    &END CELL
    &COORD
{atoms}
    &END COORD
    &KIND H
      BASIS_SET SZV-GTH
      POTENTIAL GTH-PADE-q1
    &END KIND
    &KIND O
      BASIS_SET DZVP-GTH
      POTENTIAL GTH-PADE-q6
    &END KIND
  &END SUBSYS
&END FORCE_EVAL
"""}


def whole_run(text):
    """The longest time of all ranks in the row CP2K of the table of times."""
    found = re.search(r"^ CP2K +\d+(?: +[\d.]+){4} +([\d.]+)$", text, re.MULTILINE)
    return float(found[1]) if found else None


APPLICATION = Application(
    name="cp2k", packages=("cp2k", "cp2k-data", "libopenblas0-serial"), programs=("cp2k.psmp",),
    data=("/usr/share/cp2k/GTH_BASIS_SETS", "/usr/share/cp2k/GTH_POTENTIALS"),
    environment={"CP2K_DATA_DIR": "/usr/share/cp2k"},
    cases=(Case(name="cp2k-water", command=("cp2k.psmp", "water.cp2k"), steps=4, inputs=water, main_loop=whole_run,
                results=("water-pos-1.xyz",),
                # From the third: a row of the table of times, the seconds of a step of the orbital transformation, and a
                # mean volume that differs from run to run without AIRamp too.
                changing=(r".*PROGRAM (STARTED|RAN|PROCESS|STOPPED|ENDED).*", r".*(CPU time|MEMORY\||memory|flops).*",
                          r"^ \w+( +[\d.]+){6}$", r"(?<=E[-+]\d\d) +\d+\.\d(?= )",
                          r"^ MP_Alltoall .*")),))
