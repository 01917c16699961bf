#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""scripts/hip-kernels, on kernels with and without scratch. Skipped where there is no HIP compiler."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "hip-kernels"
KERNELS = """
#include <hip/hip_runtime.h>
__global__ void without_scratch(int* numbers) { numbers[threadIdx.x] = 1; }
"""
WITH_SCRATCH = """
__global__ void with_scratch(int* numbers) {
  volatile int own[100];
  for (int i = 0; i < 100; ++i) own[i] = numbers[i];
  numbers[0] = own[numbers[1]];
}
"""


class HipKernelsTest(unittest.TestCase):
    def listing(self, text):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "kernels.hip")
            source.write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, SCRIPT, source], capture_output=True, text=True, check=False)

    def test_a_kernel_without_scratch(self):
        result = self.listing(KERNELS)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"gfx90a +without_scratch +[1-9]")

    def test_a_kernel_with_scratch_is_named(self):
        result = self.listing(KERNELS + WITH_SCRATCH)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"gfx90a: with_scratch has [1-9][0-9]* bytes of scratch")
        self.assertNotIn("without_scratch", result.stderr)

    def test_a_build_without_hip_is_skipped(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, SCRIPT, "--built", folder], capture_output=True, text=True,
                                    check=False)
        self.assertEqual(result.returncode, 77)
        self.assertIn("no HIP kernels", result.stdout)


if __name__ == "__main__":
    if shutil.which("hipcc", path=os.environ["PATH"] + ":/opt/rocm/bin") is None:
        print("there is no hipcc")
        sys.exit(77)
    unittest.main()
