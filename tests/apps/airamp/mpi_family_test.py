# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Which libairamp.so `airamp exec` takes where there are two: mpi_family_test.py AIRAMP CC"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from compiled import compiled

AIRAMP, CC = (sys.argv.pop(1) for _ in range(2))
# What programs ask their loader for.
OPENMPI, MPICH, DEBIAN_MPICH = "libmpi.so.40", "libmpi.so.12", "libmpich.so.12"
FAMILY = {OPENMPI: "openmpi", MPICH: "mpich", DEBIAN_MPICH: "mpich"}


class MpiFamily(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-family-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.airamp = self.folder / "prefix/bin/airamp"
        self.airamp.parent.mkdir(parents=True)
        shutil.copy(AIRAMP, self.airamp)
        self.libraries = {}
        for family in "openmpi", "mpich":
            self.libraries[family] = self.folder / "prefix/lib/airamp" / family / "libairamp.so"
            self.libraries[family].parent.mkdir(parents=True)
            self.libraries[family].touch()

    def compile(self, name, *libraries, shared=False):
        return compiled(CC, self.folder, name, *libraries, shared=shared)

    def script(self, first_line):
        path = self.folder / "script"
        path.write_text(first_line + "\n")
        path.chmod(0o755)
        return str(path)

    def exec(self, *arguments, **variables):
        clean = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), **variables}
        return subprocess.run([self.airamp, "exec", "--print", *arguments], env=clean, check=False, capture_output=True,
                              text=True, timeout=30)

    def assert_family(self, family, *arguments, **variables):
        result = self.exec(*arguments, **variables)
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (0, f"LD_PRELOAD={self.libraries[family]}\n", ""))

    def test_linked_program(self):
        for library, family in FAMILY.items():
            self.compile(library, shared=True)
            self.assert_family(family, "--", self.compile("program", library))

    def test_program_on_the_path(self):
        self.compile(MPICH, shared=True)
        self.compile("program", MPICH)
        self.assert_family("mpich", "--", "program", PATH=f"/usr/bin:{self.folder}")

    def test_program_that_is_linked_through_another_library(self):
        for library, family in FAMILY.items():
            self.compile(library, shared=True)
            self.compile("libsolver.so.1", library, shared=True)
            self.assert_family(family, "--", self.compile("program", "libsolver.so.1"))

    def test_script_of_a_linked_interpreter(self):
        self.compile(OPENMPI, shared=True)
        interpreter = self.compile("interpreter", OPENMPI)
        for first_line in f"#!{interpreter}", f"#! {interpreter} -x", "#!/usr/bin/env interpreter", \
                "#!/usr/bin/env -S A=b interpreter -x":
            self.assert_family("openmpi", "--", self.script(first_line), PATH=f"/usr/bin:{self.folder}")

    def test_launcher_decides_where_the_program_does_not(self):
        python = self.script("#!/usr/bin/env python3")
        for program in python, "python3", "/bin/sh":
            self.assert_family("openmpi", "--", program, OMPI_COMM_WORLD_SIZE="2")
            self.assert_family("mpich", "--", program, HYDI_CONTROL_FD="7", PMI_RANK="0")

    def test_program_is_stronger_than_the_launcher(self):
        self.compile(MPICH, shared=True)
        self.assert_family("mpich", "--", self.compile("program", MPICH), OMPI_COMM_WORLD_SIZE="2")

    def test_option_is_stronger_than_both(self):
        self.compile(MPICH, shared=True)
        self.assert_family("openmpi", "--mpi", "openmpi", "--", self.compile("program", MPICH), HYDI_CONTROL_FD="7")

    def test_who_cannot_tell_says_so(self):
        for program in "python3", "/bin/sh", self.compile("program"), "no-such-program":
            result = self.exec("--", program, PMIX_RANK="0", PMI_RANK="0")
            self.assertEqual((result.returncode, result.stdout), (3, ""), program)
            self.assertIn(f"cannot tell which MPI library {program} will use", result.stderr)
            self.assertIn("give --mpi openmpi or --mpi mpich", result.stderr)

    def test_file_that_is_cut_off_is_no_reason_to_fail(self):
        whole = pathlib.Path(self.compile("program")).read_bytes()
        for size in 0, 2, 20, 64, 100, len(whole) // 2:
            cut = self.folder / "cut"
            cut.write_bytes(whole[:size])
            self.assert_family("openmpi", "--", str(cut), OMPI_COMM_WORLD_SIZE="2")

    def test_one_family_alone_is_taken_for_all(self):
        shutil.rmtree(self.libraries["mpich"].parent)
        self.assert_family("openmpi", "--", "/bin/sh", HYDI_CONTROL_FD="7")

    def test_family_that_is_not_installed(self):
        shutil.rmtree(self.libraries["mpich"].parent)
        result = self.exec("--mpi", "mpich", "--", "/bin/sh")
        self.assertEqual(result.returncode, 3)
        self.assertIn(str(self.libraries["mpich"]), result.stderr)

    def test_unknown_family(self):
        result = self.exec("--mpi", "lam", "--", "/bin/sh")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--mpi", result.stderr)

    def test_a_library_without_version_says_nothing(self):
        self.compile("libmpi.so", shared=True)
        result = self.exec("--", self.compile("program", "libmpi.so"))
        self.assertEqual(result.returncode, 3)


if __name__ == "__main__":
    unittest.main()
