# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""airamp-probe as airamp doctor starts it: probe_test.py PROBE CC"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROBE, CC = (sys.argv.pop(1) for _ in range(2))

OPEN_MPI = """#include <stdio.h>
int MPI_Get_library_version(char* text, int* length) {
  puts("a library that talks");
  *length = sprintf(text, "Open MPI v4.1.9, package: a test");
  return 0;
}
int MPIX_Query_cuda_support(void) { return 1; }
int MPIX_Query_rocm_support(void) { return 0; }
"""
MPICH = """#include <stdio.h>
#include <stdlib.h>
int MPI_Get_library_version(char* text, int* length) {
  *length = sprintf(text, "MPICH Version:\\t4.9\\nMPICH configure:\\t--with-cuda\\n");
  return 0;
}
int MPIX_Query_cuda_support(void) { exit(1); }
"""


class Probe(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-probe-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def library(self, text):
        source = self.folder / "library.c"
        source.write_text(text)
        subprocess.run([CC, "-shared", "-fPIC", "-o", self.folder / "library.so", source], check=True)
        return str(self.folder / "library.so")

    def run_probe(self, *words):
        return subprocess.run([PROBE, *words], check=False, capture_output=True, text=True, timeout=60)

    def ask(self, *words):
        result = self.run_probe(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_unknown_questions(self):
        for words in ((), ("weather",)):
            result = self.run_probe(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("airamp doctor", result.stderr)

    def test_loading(self):
        self.assertEqual(self.ask("loading", self.library("int nothing;")), {"trouble": ""})
        missing = str(self.folder / "none.so")
        self.assertIn(missing, self.ask("loading", missing)["trouble"])
        needy = self.library("void somewhere(void); void* pointer = somewhere;")
        self.assertIn("somewhere", self.ask("loading", needy)["trouble"])

    def test_open_mpi_is_asked_for_gpus(self):
        answer = self.ask("mpi-library", self.library(OPEN_MPI))
        self.assertEqual(answer["version"], "Open MPI v4.1.9, package: a test")
        self.assertEqual(answer["gpu_queries"], ["MPIX_Query_cuda_support", "MPIX_Query_rocm_support"])
        self.assertEqual(answer["gpu_consents"], ["MPIX_Query_cuda_support"])

    def test_mpich_is_not_for_it_would_end_the_process(self):
        answer = self.ask("mpi-library", self.library(MPICH))
        self.assertEqual((answer["version"], answer["gpu_queries"]), ("MPICH Version: 4.9", []))
        self.assertIn("--with-cuda", answer["details"])

    def test_library_that_is_no_mpi_library(self):
        self.assertIn("MPI_Get_library_version", self.ask("mpi-library", self.library("int nothing;"))["trouble"])

    def test_topology_of_this_host(self):
        answer = self.ask("topology")
        self.assertTrue(answer["trouble"] or answer["numa_nodes"] >= 1, answer)

    def test_gpus_are_listed_or_the_reason_is_said(self):
        answer = self.ask("gpus")
        self.assertTrue(answer["trouble"] or answer["driver"], answer)

    def test_measurements_are_positive(self):
        memory = self.ask("memory-bandwidth")
        self.assertGreater(memory["one_processor"], 0)
        self.assertGreater(memory["all_processors"], 0)
        flags = self.ask("flag-latency")
        self.assertTrue(flags["trouble"] or all(pair["seconds"] > 0 for pair in flags["pairs"]), flags)


if __name__ == "__main__":
    unittest.main()
