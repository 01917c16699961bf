# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""`airamp exec` of programs that are linked with AddressSanitizer: sanitizer_runtime_test.py AIRAMP CC"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from compiled import STATUS, compiled

AIRAMP, CC = (sys.argv.pop(1) for _ in range(2))


class SanitizerRuntime(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-sanitizer-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.library = self.compile("libairamp.so", shared=True)

    def compile(self, name, *libraries, **how):
        return compiled(CC, self.folder, name, *libraries, **how)

    def exec(self, *arguments, **variables):
        clean = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), **variables}
        return subprocess.run([AIRAMP, "exec", "--library", self.library, *arguments], env=clean, check=False,
                              capture_output=True, text=True, timeout=30)

    def preload_of(self, program, **variables):
        result = self.exec("--print", "--", program, **variables)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.removeprefix("LD_PRELOAD=").rstrip("\n")

    def test_runtime_comes_first(self):
        for name in "libasan.so.8", "libclang_rt.asan-x86_64.so":
            runtime = self.compile(name, shared=True)
            program = self.compile("program", name)
            self.assertEqual(self.preload_of(program), f"{runtime}:{self.library}")
            tool = self.compile("libtool.so", shared=True)
            self.assertEqual(self.preload_of(program, LD_PRELOAD=tool), f"{runtime}:{tool}:{self.library}")

    def test_runtime_is_not_preloaded_twice(self):
        runtime = self.compile("libasan.so.8", shared=True)
        program = self.compile("program", "libasan.so.8")
        for before in runtime, "libasan.so.8":
            self.assertEqual(self.preload_of(program, LD_PRELOAD=before), f"{before}:{self.library}")

    def test_other_programs_get_none(self):
        self.compile("libasan.so.8", shared=True)
        self.compile("libtsan.so.2", shared=True)
        self.compile("libsolver.so", "libasan.so.8", shared=True)
        for libraries in (), ("libtsan.so.2",), ("libsolver.so",):
            self.assertEqual(self.preload_of(self.compile("program", *libraries)), self.library, libraries)

    def test_runtime_that_is_not_there_is_left_to_the_loader(self):
        runtime = self.compile("libasan.so.999", shared=True)
        program = self.compile("program", "libasan.so.999")
        pathlib.Path(runtime).unlink()
        self.assertEqual(self.preload_of(program), self.library)

    def test_program_of_this_compiler_runs(self):
        try:
            program = self.compile("program", options=("-fsanitize=address",))
        except subprocess.CalledProcessError:
            self.skipTest("this compiler has no AddressSanitizer")
        result = self.exec("--", program, ASAN_OPTIONS="detect_leaks=0")
        self.assertEqual((result.returncode, result.stderr), (STATUS, ""))


if __name__ == "__main__":
    unittest.main()
