#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Every script that somebody starts says what it does when it is asked to, and that alone."""

import os
import pathlib
import subprocess
import sys
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
# Takes the output of other scripts, and words of theirs.
OF_SCRIPTS = {"progress"}
# To programs that they start when all else is done.
HAND_OPTIONS_ON = {"demo", "test"}


def started():
    return [path for path in sorted([*SCRIPTS.iterdir(), SCRIPTS / "spack" / "try"])
            if path.is_file() and os.access(path, os.X_OK) and path.name not in OF_SCRIPTS]


class UsageTest(unittest.TestCase):
    def run_script(self, path, word):
        return subprocess.run([path, word], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"), check=False)

    def test_help_is_on_stdout(self):
        self.assertGreater(len(started()), 30)
        for path in started():
            with self.subTest(path.name):
                result = self.run_script(path, "--help")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn(path.name, result.stdout)

    def test_a_wrong_option_is_a_mistake(self):
        for path in started():
            if path.name in HAND_OPTIONS_ON:
                continue
            with self.subTest(path.name):
                result = self.run_script(path, "--no-such-option")
                self.assertNotEqual(result.returncode, 0)
                self.assertEqual(result.stdout, "")
                self.assertNotEqual(result.stderr, "")


if __name__ == "__main__":
    sys.exit(unittest.main())
