# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The tests of ScaLAPACK, and of the BLACS and PBLAS below it, as Debian has them compiled for its MPI libraries
(package scalapack-mpi-test): rows and columns of processes by MPI_Comm_split, sums of user-defined operations, derived
types of parts of matrices."""

import concurrent.futures
import glob
import os
import pathlib
import re
import sys
import tempfile

from bounded_job import run_job
import built_for

PACKAGE = "scalapack-mpi-test"
RANKS = {"scalapack": 4, "scalapack/BLACS": 8, "scalapack/PBLAS": 8}  # as many as the grids of their tests take
GROUPS = tuple(RANKS)
PATIENCE_S = 300
# What they say when they are through; the last of the BLACS' tests is to abort.
END = re.compile(r"end of tests|final auxiliary test is for BLACS_ABORT", re.IGNORECASE)
# A verdict, a number of failed tests, or one in PBLAS's table of routines: tests, passed, failed, skipped.
FAILURE = re.compile(r"\bFAILED\b[ *]*$|[1-9]\d* (tests completed and failed|FAILED\b)|^ *\|  P\w+( +\d+){2} +[1-9]",
                     re.MULTILINE)


def has_passed(output):
    """Whether a program of theirs ran to its end, and no test of its failed."""
    return END.search(output) is not None and FAILURE.search(output) is None


class Suite:
    """The tests, for a build."""

    def __init__(self, build, _):
        library = built_for.cached(build, "AIRAMP_MPI_FLAVOUR")
        self.build = build
        found = glob.glob(f"/usr/lib/*/scalapack/{library}-tests")
        if not found or build.name.startswith("pypi"):
            sys.exit(f"ScaLAPACK's tests for {build.name} are not here: they are Debian's ({PACKAGE}), for its "
                     "own Open MPI and MPICH")
        self.folder = pathlib.Path(found[0])

    def run(self, group, wrapper, variables, only=None):
        """The outcomes of the programs of a group, or of some of them: whether each passes."""
        folder = self.folder / pathlib.Path(group).relative_to("scalapack")
        programs = sorted(path for path in folder.iterdir() if path.is_file() and os.access(path, os.X_OK))
        # The BLACS' own lie in both folders; here they would be the wrong number of ranks.
        programs = [path for path in programs if group != "scalapack" or path.name not in ("xCbtest", "xFbtest")]
        programs = [path for path in programs if only is None or f"{group}/{path.name}" in only]
        at_once = max(1, len(os.sched_getaffinity(0)) // RANKS[group])
        with concurrent.futures.ThreadPoolExecutor(at_once) as jobs:
            outcomes = jobs.map(lambda path: self.passes(path, RANKS[group], wrapper, variables), programs)
            return {f"{group}/{path.name}": passed for path, passed in zip(programs, outcomes)}

    def passes(self, program, ranks, wrapper, variables):
        # They read their input from the working folder, and write there.
        with tempfile.TemporaryDirectory() as place:
            for data in program.parent.glob("*.dat"):
                (pathlib.Path(place) / data.name).symlink_to(data)
            command = ["env", "-C", place, *map(str, built_for.mpirun(self.build, ranks)), *map(str, wrapper), program]
            return has_passed(run_job(command, PATIENCE_S, dict(os.environ, **variables))[1])
