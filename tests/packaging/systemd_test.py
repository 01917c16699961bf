# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The services for airampd, looked at by systemd: systemd_test.py PACKAGING"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PACKAGING = pathlib.Path(sys.argv.pop(1))

if not shutil.which("systemd-analyze"):
    print("skipped: no systemd-analyze")
    sys.exit(77)


class Services(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-systemd-"))
        self.addCleanup(shutil.rmtree, self.folder)
        program = self.folder / "airampd"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)

    def installed(self, unit):
        """A service as it is once it is installed, but that it names no manual, which systemd would look for."""
        text = (PACKAGING / "systemd" / f"{unit}.in").read_text().replace("@bin@", str(self.folder))
        path = self.folder / "airampd.service"
        path.write_text(text.replace("Documentation=man:airampd(1)\n", ""))
        return path

    def analyze(self, *words):
        result = subprocess.run(["systemd-analyze", *map(str, words)], capture_output=True, text=True, check=False,
                                env=dict(os.environ, XDG_RUNTIME_DIR=str(self.folder)))
        return result.returncode, result.stdout + result.stderr

    def test_nothing_is_wrong(self):
        self.assertEqual(self.analyze("verify", self.installed("airampd.service")), (0, ""))
        self.assertEqual(self.analyze("verify", "--user", self.installed("user/airampd.service")), (0, ""))

    def test_that_of_a_node_may_do_little(self):
        # In tenths, of 10 for a service that may do everything.
        status, text = self.analyze("security", "--offline=yes", "--threshold=20", self.installed("airampd.service"))
        self.assertEqual(status, 0, text)

    def test_that_of_a_node_has_one_right(self):
        lines = self.installed("airampd.service").read_text().splitlines()
        for setting in ("CapabilityBoundingSet", "AmbientCapabilities"):
            self.assertEqual([line for line in lines if line.startswith(setting)], [f"{setting}=CAP_DAC_READ_SEARCH"])


if __name__ == "__main__":
    unittest.main()
