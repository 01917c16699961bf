# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What CMake says of features and libraries that are missing: configure_test.py CMAKE SOURCES VERSION MPICC MPICXX"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import prefix

CMAKE, SOURCES, VERSION, MPICC, MPICXX = (sys.argv.pop(1) for _ in range(5))
# Installed libraries or none: the test needs no network.
OPTIONS = (f"-DMPI_C_COMPILER={MPICC}", f"-DMPI_CXX_COMPILER={MPICXX}", "-DAIRAMP_THIRD_PARTY=SYSTEM",
           "-DAIRAMP_ENABLE_CUDA=OFF", "-DAIRAMP_ENABLE_HIP=OFF", "-DAIRAMP_ENABLE_FORTRAN=OFF")


def configure(*options):
    with tempfile.TemporaryDirectory(prefix="airamp-configure-") as build:
        return subprocess.run([CMAKE, "-S", SOURCES, "-B", build, *OPTIONS, *options], check=False, capture_output=True,
                              text=True, env=prefix.environment())


def without(package):
    return f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON"


class Configure(unittest.TestCase):
    def test_each_missing_feature_has_a_line(self):
        result = configure(without("Boost"), "-DAIRAMP_HIGHWAY_INCLUDE_DIR=", "-DAIRAMP_HWLOC_INCLUDE_DIR=")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, rf"AIRamp {re.escape(VERSION)} for \S*{re.escape(pathlib.Path(MPICC).name)} ")
        features = dict(re.findall(r"^--   (\w.*?)  +(yes|no: .+)$", result.stdout, re.MULTILINE))
        self.assertEqual(set(features), {"NVIDIA GPUs", "AMD GPUs", "SIMD compression", "static libstdc++", "airampd",
                                         "GPU affinity", "Fortran mini-app", "tests", "benchmarks"})
        self.assertIn("AIRAMP_ENABLE_CUDA=OFF", features["NVIDIA GPUs"])
        self.assertIn("AIRAMP_ENABLE_HIP=OFF", features["AMD GPUs"])
        self.assertIn("no Highway", features["SIMD compression"])
        self.assertIn("no Boost", features["airampd"])
        self.assertIn("no hwloc.h", features["GPU affinity"])
        # What a user did not ask for.
        self.assertIn("AIRAMP_BUILD_TESTS=OFF", features["tests"])
        self.assertIn("AIRAMP_BUILD_BENCHMARKS=OFF", features["benchmarks"])

    def test_missing_library_is_named_with_its_package(self):
        for library, package in (("fmt", "libfmt-dev"), ("nlohmann_json", "nlohmann-json3-dev"),
                                 ("CLI11", "libcli11-dev"), ("LibYaml", "libyaml-dev")):
            result = configure(without(library))
            self.assertNotEqual(result.returncode, 0, library)
            self.assertIn(f"(Debian: {package})", " ".join(result.stderr.split()))
            self.assertIn("AIRAMP_THIRD_PARTY=AUTO", result.stderr)

    def test_unknown_mpi_library(self):
        result = configure("-DAIRAMP_MPI_FAMILY=lam")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("AIRAMP_MPI_FAMILY to openmpi or mpich", " ".join(result.stderr.split()))


if __name__ == "__main__":
    unittest.main()
