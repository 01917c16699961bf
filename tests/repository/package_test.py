# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What is installed can be found, linked and preloaded under its version: package_test.py CMAKE BUILD VERSION MPICC"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, VERSION, MPICC = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
MAJOR, MINOR = VERSION.split(".")[:2]

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(client LANGUAGES C)
find_package(airamp {wanted} CONFIG REQUIRED)
message(STATUS "found ${{airamp_VERSION}}")
add_executable(client main.c)
target_link_libraries(client PRIVATE airamp::airamp_preload)
"""
PROGRAM = """#include <airamp/airamp.h>
#include <stdio.h>
int main(void) { return printf("%s\\n", airamp_version()) < 0; }
"""


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.prefix = cls.folder / "prefix"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def configure(self, wanted):
        source = self.folder / f"client-{wanted}"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(PROJECT.format(wanted=wanted))
        (source / "main.c").write_text(PROGRAM)
        return source / "build", subprocess.run(
            [CMAKE, "-G", "Ninja", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
             f"-DCMAKE_C_COMPILER={MPICC}"], check=False, capture_output=True, text=True)

    def test_library_has_its_three_names(self):
        (library,) = self.prefix.rglob("libairamp.so")
        self.assertEqual(library.resolve().name, f"libairamp.so.{VERSION}")
        self.assertEqual((library.parent / f"libairamp.so.{MAJOR}").resolve(), library.resolve())

    def test_program_is_linked_with_it(self):
        build, result = self.configure(f"{MAJOR}.{MINOR}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"found {VERSION}", result.stdout)
        subprocess.run([CMAKE, "--build", build], check=True, stdout=subprocess.DEVNULL)
        needed = subprocess.run(["readelf", "-d", build / "client"], check=True, capture_output=True, text=True).stdout
        self.assertIn(f"[libairamp.so.{MAJOR}]", needed)
        output = subprocess.run([build / "client"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(output, VERSION + "\n")

    def test_other_versions_are_not_found(self):
        for wanted in f"{MAJOR}.{int(MINOR) + 1}", str(int(MAJOR) + 1):
            _, result = self.configure(wanted)
            self.assertNotEqual(result.returncode, 0, wanted)
            self.assertIn(f"version: {VERSION}", result.stderr)


if __name__ == "__main__":
    unittest.main()
