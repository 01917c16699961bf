# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Two ranks, from an installed and moved folder: installed_run.py CMAKE BUILD FAMILY MPICC MPIFORT MPIRUN [flags...]

MPIFORT is empty where the MPI library has no Fortran bindings."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/install"))
import prefix  # pylint: disable=wrong-import-position

CMAKE, BUILD, FAMILY, MPICC, MPIFORT, *MPIRUN = sys.argv[1:]
del sys.argv[1:]


class InstalledRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = prefix.Prefix(CMAKE, BUILD)
        other = cls.prefix.library_folder / "airamp" / {"openmpi": "mpich", "mpich": "openmpi"}[FAMILY] / "libairamp.so"
        other.parent.mkdir()
        other.touch()  # loading this one would be noticed: the loader complains on stderr

    @classmethod
    def tearDownClass(cls):
        cls.prefix.remove()

    def run_ranks(self, *command, **variables):
        result = subprocess.run([*MPIRUN, "-n", "2", *command], check=False, capture_output=True, text=True,
                                timeout=100, env=prefix.environment(**variables))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertNotIn("ld.so", result.stderr)
        return result.stdout

    def report_of(self, *command, options=()):
        report = self.prefix.scratch / "report.json"
        output = self.run_ranks(self.prefix.program("airamp"), "exec", "--report", report, *options, "--", *command)
        return output, json.loads(report.read_text())

    def linked_example(self, compiler, source, *, mpi=()):
        """An example that is linked with AIRamp, which stands behind these options. Its output, and its report if any."""
        program = self.prefix.scratch / "linked"
        airamp = subprocess.run([self.prefix.program("airamp-config"), "--mpi", FAMILY, "--libs"], check=True,
                                capture_output=True, text=True).stdout.split()
        subprocess.run([compiler, self.prefix.folder / "share/airamp/examples" / source, "-o", program, *mpi, *airamp],
                       check=True)
        report = self.prefix.scratch / "linked.json"
        report.unlink(missing_ok=True)
        output = self.run_ranks(program, AIRAMP_REPORT=str(report))
        return output, json.loads(report.read_text()) if report.exists() else None

    def compiled_example(self, name):
        program = self.prefix.scratch / name
        source = self.prefix.folder / "share/airamp/examples" / f"{name}.c"
        flags = ["-Wall", "-Wextra", "-Werror", "-I", self.prefix.folder / "include"]
        subprocess.run([MPICC, *flags, source, "-o", program], check=True)
        return program

    def test_example_linked_before_the_mpi_library(self):
        for compiler, source in (MPICC, "allreduce.c"), (MPIFORT, "allreduce.f90"):
            if compiler:
                output, report = self.linked_example(compiler, source)
                self.assertEqual(output, "2 ranks, 4000 sums, 0 wrong\n")
                self.assertEqual((report["airamp"]["state"], report["functions"]["MPI_Allreduce"]), ("on", 1000), source)

    def test_example_linked_behind_the_mpi_library(self):
        # Which calls AIRamp then sees is a matter of how the MPI library is cut up: none in C, some or all in Fortran.
        for compiler, source in (MPICC, "allreduce.c"), (MPIFORT, "allreduce.f90"):
            if compiler:
                shown = subprocess.run([compiler, "-show"], check=True, capture_output=True, text=True).stdout.split()
                mpi = [word for word in shown if word.startswith(("-l", "-L"))]
                output, _ = self.linked_example(compiler, source, mpi=mpi)
                self.assertEqual(output, "2 ranks, 4000 sums, 0 wrong\n", source)

    def test_preloaded_example(self):
        output, report = self.report_of(self.compiled_example("allreduce"))
        self.assertEqual(output, "2 ranks, 4000 sums, 0 wrong\n")
        self.assertEqual((report["airamp"]["state"], report["functions"]["MPI_Allreduce"]), ("on", 1000))

    @unittest.skipUnless(MPIFORT, "no Fortran bindings")
    def test_example_in_fortran(self):
        program = self.prefix.scratch / "allreduce_f08"
        source = self.prefix.folder / "share/airamp/examples/allreduce.f90"
        subprocess.run([MPIFORT, "-Wall", "-Wextra", "-Werror", source, "-o", program], check=True)
        output, report = self.report_of(program)
        self.assertEqual(output, "2 ranks, 4000 sums, 0 wrong\n")
        self.assertEqual(report["functions"]["MPI_Allreduce"], 1000)

    def test_example_that_declares_its_type(self):
        program = self.compiled_example("declared_type")
        self.assertEqual(self.run_ranks(program), "2 ranks, without AIRamp, 0 wrong\n")
        output, report = self.report_of(program, options=("--enable-fp8-allgather",))
        self.assertEqual(output, "2 ranks, with AIRamp, 0 wrong\n")
        self.assertIn("float16", {signature["element"] for signature in report["signatures"]})

    def test_script_is_told_by_the_launcher(self):
        # A shell links no MPI library: only mpirun's environment says which is meant.
        _, report = self.report_of("/bin/sh", "-c", f"exec {self.compiled_example('allreduce')}")
        self.assertEqual(report["airamp"]["state"], "on")

    def test_benchmark(self):
        output, report = self.report_of(self.prefix.program("airamp_bench"), "--min-bytes", "1K", "--max-bytes", "1K",
                                        "--iterations", "2")
        self.assertIn("1024", output)
        self.assertEqual(report["airamp"]["state"], "on")


if __name__ == "__main__":
    unittest.main()
