# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The tests of mpi4py, a file of them at a time, on two ranks: collectives of numbers and of Python's objects,
blocking, nonblocking, persistent and on neighbours, communicators, requests, operations, messages, threads."""

import os
import re
import subprocess
import sys

from bounded_job import run_job
import built_for

VERSION = "4.1.1"
GROUPS = ("mpi4py",)
RANKS = 2
PATIENCE_S = 300
# What AIRamp has no part in, or what asks for more than a host: spawned programs, one-sided communication (and what
# waits by it, with MPICH for ever), files, the package itself.
OTHERS = re.compile(r"test_(dynproc|spawn|rma.*|win|file|io|util_pool|util_sync|mpiapi|toplevel|package|doc)\.py")
RAN = re.compile(r"Ran [1-9]\d* tests? in")  # behind what another rank prints, as it comes


def has_passed(status, output):
    """Whether a file's tests have passed on all ranks; there must have been some."""
    return status == 0 and len(RAN.findall(output)) == RANKS


def unpacked(folder):
    """Downloads and unpacks the sources. The archive, and the folder of the tests."""
    archive = folder / f"mpi4py-{VERSION}.tar.gz"
    tests = folder / f"mpi4py-{VERSION}/test"
    if not tests.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--no-binary", ":all:", "--dest", folder, f"mpi4py=={VERSION}"], check=True)
        subprocess.run(["tar", "-xf", archive, "-C", folder, f"mpi4py-{VERSION}/test"], check=True)
    return archive, tests


class Suite:
    """The tests, for a build."""

    def __init__(self, build, folder):
        self.build = build
        archive, self.tests = unpacked(folder / "sources")
        self.python = folder / build.name / "mpi4py"
        if not (self.python / "complete").exists():
            self.install(archive)

    def install(self, archive):
        """Into a virtual environment, compiled for the build's MPI library."""
        subprocess.run([sys.executable, "-m", "venv", "--clear", self.python], check=True)
        compiler = built_for.cached(self.build, "MPI_C_COMPILER")
        subprocess.run([self.python / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir",
                        archive, "numpy"], env=dict(os.environ, MPICC=compiler), check=True)
        (self.python / "complete").touch()

    def run(self, _, wrapper, variables, only=None):
        """The outcomes of the files, or of some of them: whether each passes."""
        files = sorted(path.name for path in self.tests.glob("test_*.py") if not OTHERS.fullmatch(path.name))
        return {file: self.passes(file, wrapper, variables) for file in files if only is None or file in only}

    def passes(self, file, wrapper, variables):
        command = [*built_for.mpirun(self.build, RANKS), *wrapper, self.python / "bin/python3", self.tests / "main.py",
                   "-i", f"^{re.escape(file)}$"]
        return has_passed(*run_job(list(map(str, command)), PATIENCE_S, dict(os.environ, **variables)))
