# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""PETSc: Poisson's equation on a cube, by conjugate gradients and by restarted GMRES."""

import pathlib
import subprocess

from applications.application import Application, Case, sum_of

FOLDER = "/usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-real"


def build_own(_build, folder):
    """Compiles poisson.c against Debian's PETSc for real numbers."""
    subprocess.run(["mpicc.openmpi", "-O2", f"-I{FOLDER}/include", pathlib.Path(__file__).parent / "poisson.c", "-o",
                    folder / "poisson", f"-L{FOLDER}/lib", "-lpetsc_real"], check=True)


def options(unknowns_a_rank, solver):
    """The file of PETSc's options: a cube of so many unknowns a rank."""
    def inputs(ranks, steps):
        points = round((unknowns_a_rank * ranks) ** (1 / 3))
        return {"options": f"-points {points}\n-repeats {steps}\n{solver}-ksp_rtol 1e-8\n"}
    return inputs


def case(name, steps, inputs):
    return Case(name="petsc-" + name, command=("{own}/poisson", "-options_file", "options"), steps=steps,
                inputs=inputs, main_loop=sum_of(r"^seconds ([\d.]+)"), changing=(r"^seconds .*",))


CG = "-ksp_type cg\n-pc_type jacobi\n"
GMRES = "-ksp_type gmres\n-pc_type bjacobi\n-sub_pc_type ilu\n"

APPLICATION = Application(
    name="petsc", packages=("libpetsc-real3.18-dev", "libopenblas0-serial"), build_own=build_own,
    cases=(case("cg", 150, options(10000, CG)), case("cg-small", 700, options(2500, CG)),
           case("cg-strong", 1500, options(1000, CG)), case("gmres", 80, options(10000, GMRES))))
