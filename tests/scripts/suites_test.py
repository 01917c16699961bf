#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""How scripts/others-suites knows whether a program of others' tests has passed."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
from suites import mpi4py, scalapack

# As the programs print them.
SOLVER = """
TIME     M     N  MB  NB     P     Q LU Time Sol Time   MFLOPS  CHECK
---- ----- ----- --- --- ----- ----- -------- -------- -------- ------
WALL    13    13   3     1    1    4    1     0.06     0.03     0.02 PASSED

Finished    240 tests, with the following results:
  240 tests completed and passed residual checks.
    0 tests completed and failed residual checks.

END OF TESTS.
"""
PBLAS = """
     ***** Computational check: PDSWAP         PASSED  *****

     SUBROUTINE  TOTAL TESTS  PASSED   FAILED  SKIPPED
     ----------  -----------  ------   ------  -------
  |  PDSWAP           16        10        0       6

  End of Tests.
"""
BLACS = """
INTEGER SUM TESTS: 1152 TESTS;  864 PASSED,  288 SKIPPED,    0 FAILED.
 The final auxiliary test is for BLACS_ABORT.
MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD
"""

MPI4PY = """
[0@host] mpi4py 4.1.1 (site-packages/mpi4py)
..s
----------------------------------------------------------------------
Ran 3 tests in 2.897s

OK (skipped=1)
"""


class Mpi4py(unittest.TestCase):
    """Verdicts of its files, which each rank prints for itself."""

    def test_all_ranks_must_have_run_some_tests(self):
        self.assertTrue(mpi4py.has_passed(0, 2 * MPI4PY))
        self.assertFalse(mpi4py.has_passed(0, MPI4PY))
        self.assertFalse(mpi4py.has_passed(0, 2 * MPI4PY.replace("Ran 3", "Ran 0")))

    def test_ranks_print_as_they_come(self):
        self.assertTrue(mpi4py.has_passed(0, MPI4PY + MPI4PY.replace("Ran 3", "...Ran 3")))

    def test_a_failure_is_told_by_the_status(self):
        self.assertFalse(mpi4py.has_passed(1, 2 * MPI4PY))


class ScaLapack(unittest.TestCase):
    """Verdicts of its programs."""

    def test_what_ran_to_its_end_without_a_failure_has_passed(self):
        for output in (SOLVER, PBLAS, BLACS):
            self.assertTrue(scalapack.has_passed(output), output)

    def test_one_failure_is_enough(self):
        for output, passed, failed in (
                (SOLVER, "0.02 PASSED", "0.02 FAILED"),
                (SOLVER, "    0 tests completed and failed", "   10 tests completed and failed"),
                (PBLAS, "PDSWAP         PASSED", "PDSWAP         FAILED"),
                (PBLAS, "16        10        0       6", "16         9        1       6"),
                (BLACS, "  0 FAILED", " 20 FAILED")):
            self.assertIn(passed, output)
            self.assertFalse(scalapack.has_passed(output.replace(passed, failed)), failed)

    def test_what_ends_early_has_not_passed(self):
        for output, end in ((SOLVER, "END OF TESTS."), (PBLAS, "End of Tests."), (BLACS, "final auxiliary test")):
            self.assertFalse(scalapack.has_passed(output[:output.index(end)]), end)


if __name__ == "__main__":
    unittest.main()
