# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Programs that are compiled for another binary interface of MPI than AIRamp: they run as if it were not there, and it
says why. other_interface.py AIRAMP INCLUDE EXAMPLES MPICC MPIRUN [flags...]

MPICC and MPIRUN are of the programs' MPI library."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/install"))
import prefix  # pylint: disable=wrong-import-position

AIRAMP, INCLUDE, EXAMPLES, MPICC, *MPIRUN = sys.argv[1:]
del sys.argv[1:]


class OtherInterface(unittest.TestCase):
    def check(self, example, expected):
        with tempfile.TemporaryDirectory(prefix="airamp-interface-") as folder:
            program = pathlib.Path(folder, example)
            subprocess.run([MPICC, "-I", INCLUDE, pathlib.Path(EXAMPLES, f"{example}.c"), "-o", program], check=True)
            result = subprocess.run([*MPIRUN, "-n", "2", AIRAMP, "exec", "--", program], check=False, timeout=100,
                                    capture_output=True, text=True, env=prefix.environment())
        self.assertEqual((result.returncode, result.stdout), (0, expected), result.stderr)
        self.assertIn("AIRamp is off: this libairamp.so was built for", result.stderr)

    def test_predefined_handles(self):
        self.check("allreduce", "2 ranks, 4000 sums, 0 wrong\n")

    def test_handles_that_the_program_makes(self):
        self.check("declared_type", "2 ranks, with AIRamp, 0 wrong\n")


if __name__ == "__main__":
    unittest.main()
