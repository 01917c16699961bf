# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""`airamp doctor` as a user runs it: doctor_command_test.py AIRAMP SEGMENT_GENERATOR CC"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

AIRAMP, GENERATOR, CC = (str(pathlib.Path(sys.argv.pop(1)).resolve()) if i < 2 else sys.argv.pop(1) for i in range(3))


class Doctor(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-doctor-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.library = self.compile("libairamp.so", "int nothing;", "-shared", "-fPIC")

    def compile(self, name, text, *options):
        source = self.folder / "source.c"
        source.write_text(text)
        subprocess.run([CC, source, "-o", self.folder / name, *options], check=True)
        return self.folder / name

    def launcher(self, text):
        """An mpirun that only says what it is; the folder that it lies in."""
        path = self.folder / "bin/mpirun"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path.parent

    def doctor(self, *options, path="/usr/bin:/bin", **variables):
        environment = {"PATH": path, "HOME": str(self.folder), **variables}
        return subprocess.run([AIRAMP, "doctor", *options], env=environment, cwd=self.folder, check=False,
                              capture_output=True, text=True, timeout=120)

    def findings(self, *options, **variables):
        result = self.doctor("--library", str(self.library), "--json", *options, **variables)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        findings = json.loads(result.stdout)
        wrong = any(finding["verdict"] == "wrong" for finding in findings)
        self.assertEqual((result.returncode, result.stderr), (1 if wrong else 0, ""))
        return findings

    def finding(self, check, *options, **variables):
        (finding,) = [each for each in self.findings(*options, **variables) if each["check"] == check]
        return finding

    def test_table_alone_on_stdout(self):
        result = self.doctor("--library", str(self.library))
        self.assertEqual(result.stderr, "")
        self.assertRegex(result.stdout, r"^VERDICT +CHECK +FOUND +WHAT TO DO\n")
        self.assertRegex(result.stdout, rf"\ngood +AIRamp's library +{self.library}")

    def test_verdicts_are_those_of_the_documentation(self):
        verdicts = {finding["verdict"] for finding in self.findings()}
        self.assertLessEqual(verdicts, {"wrong", "worth knowing", "not known here", "good"})

    def test_wrong_setting(self):
        finding = self.finding("settings", AIRAMP_FORCES="native")
        self.assertEqual(finding["verdict"], "wrong")
        self.assertIn("did you mean 'AIRAMP_FORCE'?", finding["found"])

    def test_exported_preload(self):
        # airamp itself is a static program, or is not hindered by a library without functions.
        finding = self.finding("LD_PRELOAD", LD_PRELOAD=str(self.library))
        self.assertEqual(finding["verdict"], "wrong")
        self.assertIn(str(self.library), finding["found"])

    def test_more_ranks_than_processors(self):
        finding = self.finding("processors", "--ranks", "4096")
        self.assertEqual(finding["verdict"], "wrong")
        self.assertIn("4096 ranks on ", finding["found"])

    def test_library_that_cannot_be_loaded(self):
        self.library.write_text("no library")
        finding = self.finding("AIRamp's library")
        self.assertEqual(finding["verdict"], "wrong")
        self.assertIn("cannot be loaded", finding["found"])

    def test_program_names_the_mpi_library(self):
        text = ('#include <stdio.h>\nint MPI_Get_library_version(char* text, int* length) {'
                ' *length = sprintf(text, "MPICH Version: 4.9"); return 0; }')
        # A name that no system has, so that the loader does not find another one.
        library = self.compile("libmpich-of-a-test.so", text, "-shared", "-fPIC", "-Wl,-soname,libmpich-of-a-test.so")
        program = self.compile("program", "int main(void) { return 0; }", "-Wl,--no-as-needed", library,
                               "-Wl,-rpath,$ORIGIN")
        path = f"{self.launcher('echo HYDRA build details:')}:/usr/bin:/bin"
        finding = self.finding("MPI library", str(program), path=path)
        self.assertEqual((finding["verdict"], finding["found"]), ("good", f"MPICH Version: 4.9, of {program}"))
        library.unlink()
        finding = self.finding("MPI library", str(program), path=path)
        self.assertEqual(finding["verdict"], "wrong")
        self.assertIn("does not find", finding["found"])

    def test_launcher_of_another_mpi_library(self):
        library = self.compile("libmpich-of-a-test.so", "int nothing;", "-shared", "-fPIC",
                               "-Wl,-soname,libmpich-of-a-test.so")
        program = self.compile("program", "int main(void) { return 0; }", "-Wl,--no-as-needed", library,
                               "-Wl,-rpath,$ORIGIN")
        folder = self.launcher("echo 'mpirun (Open MPI) 4.1.4'")
        finding = self.finding("MPI library", str(program), path=f"{folder}:/usr/bin:/bin")
        self.assertEqual(finding["verdict"], "wrong")
        self.assertIn("each rank would run alone", finding["found"])

    def test_library_of_the_other_family(self):
        other = self.folder / "lib/airamp/mpich/libairamp.so"
        other.parent.mkdir(parents=True)
        shutil.copy(self.library, other)
        self.library = other
        folder = self.launcher("echo 'mpirun (Open MPI) 4.1.4'")
        finding = self.finding("AIRamp's library", path=f"{folder}:/usr/bin:/bin")
        self.assertEqual(finding["verdict"], "wrong")
        self.assertIn("mpirun uses Open MPI", finding["found"])

    def test_no_launcher(self):
        finding = self.finding("MPI library", path=str(self.folder))
        self.assertEqual(finding["verdict"], "not known here")
        self.assertIn("no mpirun", finding["found"])

    def test_launcher_that_says_nothing(self):
        folder = self.launcher("exit 1")
        finding = self.finding("MPI library", path=f"{folder}:/usr/bin:/bin")
        self.assertEqual(finding["verdict"], "not known here")

    def test_job(self):
        job = subprocess.Popen([GENERATOR, "--folder", self.folder, "--ranks", "2"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
        self.addCleanup(job.wait)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.stdin.close)
        self.assertEqual(job.stdout.readline(), "ready\n")
        processor = min(os.sched_getaffinity(0))
        os.sched_setaffinity(job.pid, {processor})
        selection = ("--job", "generated", "--folder", str(self.folder))
        finding = self.finding("processors", *selection)
        self.assertEqual(finding["verdict"], "wrong")
        self.assertIn(f"2 ranks on 1 processor ({processor})", finding["found"])

    def test_wrong_usage(self):
        for options, message in ((("--job", "none", "--folder", str(self.folder)), "no job none of yours"),
                                 (("./no-such-program",), "./no-such-program: program not found"),
                                 (("--ranks", "0"), "--ranks")):
            result = self.doctor(*options)
            self.assertEqual((result.returncode, result.stdout), (2, ""), options)
            self.assertIn(message, result.stderr)


if __name__ == "__main__":
    unittest.main()
