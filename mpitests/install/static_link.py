# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Programs that are linked with a static MPI library and libairamp.a, before and behind it:
static_link.py CMAKE BUILD MPICC MPIFORT SWE_ENSEMBLE MPIRUN [flags...]

The MPI library's archives stand beside its shared libraries; what they need in turn says pkg-config."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/install"))
import prefix  # pylint: disable=wrong-import-position

CMAKE, BUILD, MPICC, MPIFORT, SWE_ENSEMBLE, *MPIRUN = sys.argv[1:]
del sys.argv[1:]
SOURCES = pathlib.Path(__file__).resolve().parents[2]


def words_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


class StaticLink(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = prefix.Prefix(CMAKE, BUILD)
        cls.airamp = words_of(cls.prefix.program("airamp-config"), "--static-libs")
        cls.private = [word for word in words_of("pkg-config", "--libs", "mpich") if word != "-lmpich"]

    @classmethod
    def tearDownClass(cls):
        cls.prefix.remove()

    def link(self, compiler, objects, mpi, *, airamp):
        """The program with the static MPI library, and AIRamp "before" or "behind" it or in no place."""
        compiler, *_ = words_of(compiler, "-show")
        mpi = ["-Wl,-Bstatic", *mpi, "-Wl,-Bdynamic", *self.private, "-lm"]
        order = {"before": [*self.airamp, *mpi], "behind": [*mpi, *self.airamp], None: mpi}[airamp]
        program = self.prefix.scratch / f"program-{airamp}"
        subprocess.run([compiler, *objects, *order, "-o", program], check=True)
        dynamic = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout
        self.assertNotIn("libmpi", dynamic)
        return program

    def run_ranks(self, program, **variables):
        result = subprocess.run([*MPIRUN, "-n", "2", program], check=False, capture_output=True, text=True,
                                timeout=100, env=prefix.environment(**variables))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def report_of(self, program):
        report = self.prefix.scratch / "report.json"
        output = self.run_ranks(program, AIRAMP_REPORT=str(report))
        return output, json.loads(report.read_text())

    def test_program_in_c(self):
        source = SOURCES / "packaging/examples/allreduce.c"
        program = self.prefix.scratch / "allreduce.o"
        subprocess.run([MPICC, "-c", source, "-o", program], check=True)
        for place in "before", "behind":
            output, report = self.report_of(self.link(MPICC, [program], ["-lmpich"], airamp=place))
            self.assertEqual(output, "2 ranks, 4000 sums, 0 wrong\n")
            self.assertEqual((report["airamp"]["state"], report["functions"]["MPI_Allreduce"]), ("on", 1000))

    def test_program_in_fortran(self):
        objects = list(pathlib.Path(SWE_ENSEMBLE).parent.rglob("*.o"))
        libraries = ["-lmpichfort", "-lmpich"]

        def checksum(output):
            return [line for line in output.splitlines() if line.startswith("checksum")]

        native = self.run_ranks(self.link(MPIFORT, objects, libraries, airamp=None))
        self.assertEqual(len(checksum(native)), 1)
        preloaded = self.prefix.scratch / "preloaded.json"
        airamp = [self.prefix.program("airamp"), "exec", "--report", preloaded, "--"]
        subprocess.run([*MPIRUN, "-n", "2", *airamp, SWE_ENSEMBLE], check=True, capture_output=True, timeout=100,
                       env=prefix.environment())
        calls = json.loads(preloaded.read_text())["functions"]
        for place in "before", "behind":
            output, report = self.report_of(self.link(MPIFORT, objects, libraries, airamp=place))
            self.assertEqual(checksum(output), checksum(native))
            # Every call once, as in the preloaded library.
            self.assertEqual(report["functions"], calls)


if __name__ == "__main__":
    unittest.main()
