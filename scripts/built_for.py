# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What scripts ask of a build folder: which launcher it was built for, and how to start ranks with it."""

import pathlib
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent


def cached(build, name):
    """An entry of the build's CMake cache, or nothing."""
    for line in (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(name + ":"):
            return line.partition("=")[2].strip()
    return ""


def mpirun(build, ranks):
    """The words that start so many ranks, also as root and on few processors."""
    launcher = cached(build, "MPIEXEC_EXECUTABLE")
    flags = [] if "mpich" in launcher else ["--allow-run-as-root", "--oversubscribe"]
    return [launcher, *flags, "-n", str(ranks)]


def is_for_debians_openmpi(build):
    """Whether Debian's applications, which are linked against its Open MPI, can be preloaded from it."""
    return cached(build, "MPIEXEC_EXECUTABLE") == shutil.which("mpirun.openmpi")


def lennard_jones(steps):
    """Input of LAMMPS: the Lennard-Jones liquid of scripts/traces with other numbers of steps."""
    text = (ROOT / "scripts/traces/lennard_jones.lammps").read_text(encoding="utf-8")
    return "".join(f"run {steps}\n" if line.startswith("run") else line + "\n" for line in text.splitlines())
