# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The codes whose collective calls scripts/record-traces records, all of them Debian's but for the mini-apps."""

import dataclasses


@dataclasses.dataclass
class Code:
    name: str
    ranks: int
    command: list  # behind the launcher; {build} is the folder of the build
    package: str = ""  # Debian's; empty: part of the build
    inputs: list = dataclasses.field(default_factory=list)  # of this folder, copied to where the code runs
    prepare: list = dataclasses.field(default_factory=list)  # commands of one process each that run before
    environment: dict = dataclasses.field(default_factory=dict)
    calls: int = 6000  # how many of each trace to keep
    every_rank: bool = False  # keep the traces of all ranks, not only of rank 0


CODES = [
    Code("lammps-liquid", 4, ["lmp", "-log", "none", "-in", "lennard_jones.lammps"], "lammps", ["lennard_jones.lammps"]),
    Code("lammps-salt", 4, ["lmp", "-log", "none", "-in", "molten_salt.lammps"], "lammps", ["molten_salt.lammps"]),
    Code("espresso", 4, ["pw.x", "-ndiag", "1", "-in", "silicon.pwscf"], "quantum-espresso", ["silicon.pwscf"],
         environment={"ESPRESSO_PSEUDO": "/usr/share/espresso/pseudo"}, calls=20000),
    Code("gromacs", 4, ["gmx_mpi", "-quiet", "mdrun", "-ntomp", "1", "-s", "water.tpr", "-deffnm", "water"], "gromacs",
         ["water.mdp", "water.top"],
         prepare=[["gmx", "-quiet", "solvate", "-cs", "spc216", "-box", "3.72412", "1.86206", "1.86206", "-o",
                   "water.gro", "-p", "water.top"],
                  ["gmx", "-quiet", "grompp", "-f", "water.mdp", "-c", "water.gro", "-p", "water.top", "-o",
                   "water.tpr"]]),
    Code("cp2k", 3, ["cp2k.psmp", "water.cp2k"], "cp2k", ["water.cp2k"],
         environment={"CP2K_DATA_DIR": "/usr/share/cp2k"}, calls=20000),
    Code("abinit", 4, ["abinit", "silicon.abinit"], "abinit", ["silicon.abinit", "silicon.hgh"]),
    Code("nwchem", 3, ["nwchem.openmpi", "water.nwchem"], "nwchem-openmpi", ["water.nwchem"], calls=20000),
    Code("openfoam", 4, ["icoFoam", "-parallel"], "openfoam", ["cavity/0", "cavity/constant", "cavity/system"],
         prepare=[["blockMesh"], ["decomposePar"]], environment={"WM_PROJECT_DIR": "/usr/share/openfoam"}),
    Code("petsc", 3, ["/usr/bin/python3", "heat.py"], "python3-petsc4py-real", ["heat.py"],
         environment={"PYTHONPATH": "/usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-real/lib/python3/dist-packages"},
         every_rank=True),
    Code("meep", 3, ["/usr/bin/python3", "resonator.py"], "python3-meep-openmpi python3-scipy python3-matplotlib",
         ["resonator.py"]),
    Code("rtm_stack", 3, ["{build}/apps/rtm_stack/rtm_stack", "--shots", "600", "--shots-per-stack", "1", "--nx", "32",
                          "--nz", "32", "--timesteps", "40"]),
    Code("swe_ensemble", 4, ["{build}/apps/swe_ensemble/swe_ensemble", "--nx", "64", "--ny", "64", "--steps", "2000"],
         every_rank=True),
]
