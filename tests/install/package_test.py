# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What is installed can be linked by CMake and pkg-config: package_test.py CMAKE BUILD VERSION FAMILY MPICC"""

import pathlib
import shutil
import subprocess
import sys
import unittest

import prefix

CMAKE, BUILD, VERSION, FAMILY, MPICC = (sys.argv.pop(1) for _ in range(5))
MAJOR, MINOR = VERSION.split(".")[:2]
OTHER = {"openmpi": "mpich", "mpich": "openmpi"}[FAMILY]

PROJECT = """cmake_minimum_required(VERSION 3.20)
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


def dynamic_section(program):
    return subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout


class Package(unittest.TestCase):
    def setUp(self):
        self.prefix = prefix.Prefix(CMAKE, BUILD)
        self.addCleanup(self.prefix.remove)
        self.source = self.prefix.scratch / "client"
        self.source.mkdir()
        (self.source / "main.c").write_text(PROGRAM)

    def configure(self, wanted, *options):
        (self.source / "CMakeLists.txt").write_text(PROJECT.format(wanted=wanted))
        build = self.source / "build"
        shutil.rmtree(build, ignore_errors=True)
        return subprocess.run(
            [CMAKE, "-G", "Ninja", "-S", self.source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix.folder}",
             f"-DCMAKE_C_COMPILER={MPICC}", *options], check=False, capture_output=True, text=True,
            env=prefix.environment())

    def built_client(self):
        subprocess.run([CMAKE, "--build", self.source / "build"], check=True, stdout=subprocess.DEVNULL)
        return self.source / "build/client"

    def check_client(self, client):
        self.assertIn(f"[libairamp.so.{MAJOR}]", dynamic_section(client))
        output = subprocess.run([client], check=True, capture_output=True, text=True, env=prefix.environment()).stdout
        self.assertEqual(output, VERSION + "\n")

    def install_other_family(self):
        """A copy that passes for the package of the other family."""
        package = self.prefix.library_folder / "cmake/airamp"
        for targets in package.glob(f"airamp-{FAMILY}-targets*.cmake"):
            text = targets.read_text()
            for before, after in ("airamp/", "/"), ("airamp-", "-targets"):
                text = text.replace(before + FAMILY + after, before + OTHER + after)
            (package / targets.name.replace(FAMILY, OTHER)).write_text(text)
        families = self.prefix.library_folder / "airamp"
        shutil.copytree(families / FAMILY, families / OTHER, symlinks=True)

    def test_program_is_linked_with_it(self):
        result = self.configure(f"{MAJOR}.{MINOR}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"found {VERSION}", result.stdout)
        self.check_client(self.built_client())

    def test_other_versions_are_not_found(self):
        for wanted in f"{MAJOR}.{int(MINOR) + 1}", str(int(MAJOR) + 1):
            result = self.configure(wanted)
            self.assertNotEqual(result.returncode, 0, wanted)
            self.assertIn(f"version: {VERSION}", result.stderr)

    def test_of_two_families_the_header_decides(self):
        self.install_other_family()
        result = self.configure("")
        self.assertEqual(result.returncode, 0, result.stderr)
        libraries = pathlib.Path(self.prefix.folder).resolve()
        run_path = dynamic_section(self.built_client())
        self.assertIn(str(libraries), run_path)
        self.assertIn(f"airamp/{FAMILY}", run_path)
        self.assertNotIn(f"airamp/{OTHER}", run_path)

    def test_of_two_families_one_can_be_chosen(self):
        self.install_other_family()
        self.assertEqual(self.configure("", f"-DAIRAMP_MPI_FAMILY={OTHER}").returncode, 0)
        run_path = dynamic_section(self.built_client())
        self.assertIn(f"airamp/{OTHER}", run_path)

    def test_family_that_is_not_installed(self):
        result = self.configure("", f"-DAIRAMP_MPI_FAMILY={OTHER}")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"AIRamp is installed for {FAMILY}, not for {OTHER}", " ".join(result.stderr.split()))

    @unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config")
    def test_pkg_config(self):
        for name in ("airamp", f"airamp-{FAMILY}"):
            flags = subprocess.run(
                ["pkg-config", "--cflags", "--libs", f"{name} = {VERSION}"], check=True, capture_output=True, text=True,
                env=prefix.environment(PKG_CONFIG_PATH=str(self.prefix.library_folder / "pkgconfig"))).stdout.split()
            client = self.source / name
            subprocess.run([MPICC, self.source / "main.c", "-o", client, *flags], check=True)
            self.check_client(client)


if __name__ == "__main__":
    unittest.main()
