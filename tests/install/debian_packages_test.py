# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Debian packages of this build: debian_packages_test.py CMAKE BUILD VERSION FAMILY"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, VERSION, FAMILY = (sys.argv.pop(1) for _ in range(4))


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class DebianPackages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-packages-"))
        subprocess.run([pathlib.Path(CMAKE).parent / "cpack", "-G", "DEB", "-B", cls.folder, "--config",
                        pathlib.Path(BUILD, "CPackConfig.cmake")], check=True, capture_output=True)
        packages = list(cls.folder.glob("*.deb"))
        cls.packages = {output_of("dpkg-deb", "-f", path, "Package").strip(): path for path in packages}
        cls.files = {name: [line.split(maxsplit=5)[5].removeprefix(".") for line in
                            output_of("dpkg-deb", "-c", path).splitlines()] for name, path in cls.packages.items()}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def fields(self, package):
        """Of the package's description."""
        lines = output_of("dpkg-deb", "-f", self.packages[package]).splitlines()
        return dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith(" "))

    def test_one_for_both_families_and_one_for_this(self):
        self.assertEqual(set(self.packages) - {f"airamp-{FAMILY}-hip"}, {"airamp", f"airamp-{FAMILY}"})
        for package in self.packages:
            self.assertEqual(self.fields(package)["Version"], VERSION)

    def test_no_file_would_be_in_the_packages_of_both_families(self):
        # The common package is the same of both; what is in the other names its family.
        for name, files in self.files.items():
            if name != "airamp":
                for file in files:
                    self.assertTrue(FAMILY in file or file.endswith("/"), file)

    def test_library_needs_no_mpi_library_at_run_time(self):
        folder = self.folder / "unpacked"
        subprocess.run(["dpkg-deb", "-x", self.packages[f"airamp-{FAMILY}"], folder], check=True)
        (library,) = folder.rglob(f"libairamp.so.{VERSION}")
        needed = output_of("readelf", "-d", library)
        self.assertNotIn("libmpi", needed)
        self.assertNotIn("libstdc++", needed)

    def test_each_depends_on_what_it_is_linked_with(self):
        common = self.fields("airamp")["Depends"]
        self.assertIn("libc6", common)
        self.assertNotIn("mpi", common)
        family = self.fields(f"airamp-{FAMILY}")["Depends"]
        self.assertIn(f"airamp (= {VERSION})", family)
        self.assertIn("libmpich12" if FAMILY == "mpich" else "libopenmpi", family)
        self.assertNotIn("hip", family)

    def test_service_starts_what_is_installed(self):
        folder = self.folder / "common"
        subprocess.run(["dpkg-deb", "-x", self.packages["airamp"], folder], check=True)
        services = list(folder.rglob("airampd.service"))
        self.assertEqual(len(services), 2)
        for service in services:
            command = service.read_text().partition('\nExecStart="')[2].partition('"')[0]
            self.assertTrue(command.startswith("/usr/"), command)
            self.assertTrue((folder / command.removeprefix("/")).is_file(), command)


if __name__ == "__main__":
    unittest.main()
