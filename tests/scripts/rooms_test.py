#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""scripts/rooms check, on trees that keep the order and on trees that break it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ["mpi", "job", "types", "device", "call", "group", "algorithm", "state", "decide", "entry"]


class RoomsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for room in ROOMS:
            self.write(f"pmpi/{room}/{room}_file.hpp", "")

    def write(self, name, *included):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f'#include "{target}"\n' for target in included if target), encoding="utf-8")

    def check(self):
        result = subprocess.run([sys.executable, PROJECT / "scripts" / "rooms", "check", self.tree],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 1 if result.stderr else 0)
        return result.stderr

    def test_an_order_that_is_kept(self):
        self.write("pmpi/entry/upper.cpp", "pmpi/mpi/mpi_file.hpp", "config/settings.hpp")
        self.assertEqual(self.check(), "")

    def test_an_include_from_a_lower_room_goes_up(self):
        self.write("pmpi/mpi/lower.cpp", "pmpi/mpi/mpi_file.hpp", "pmpi/entry/entry_file.hpp")
        self.assertEqual(self.check(), "pmpi/mpi/lower.cpp:2: includes pmpi/entry/entry_file.hpp, but pmpi/mpi/ stands "
                                       "below pmpi/entry/\n")

    def test_an_include_from_a_lower_folder_goes_up(self):
        self.write("pola/stream.cpp", "tuner/gate.hpp")
        self.assertIn("pola/stream.cpp:1: includes tuner/gate.hpp", self.check())

    def test_headers_in_a_circle(self):
        self.write("config/one.hpp", "config/two.hpp")
        self.write("config/two.hpp", "config/one.hpp")
        self.assertEqual(self.check(), "a circle: config/one.hpp -> config/two.hpp -> config/one.hpp\n")

    def test_a_room_that_is_too_full(self):
        for i in range(25):
            self.write(f"pmpi/job/file{i}.cpp", "")
        self.assertEqual(self.check(), "pmpi/job: 26 files, more than 25\n")

    def test_a_room_that_nobody_knows(self):
        self.write("pmpi/attic/old.cpp", "pmpi/mpi/mpi_file.hpp")
        self.assertIn("does not know the room", self.check())


if __name__ == "__main__":
    unittest.main()
