#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Which tests scripts/packed-tests takes along, and which it runs."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
from launched_test import LaunchedTest, chosen, test_of

BUILD = pathlib.Path("/build")
LAUNCHER = ["/usr/bin/mpirun.openmpi", "--bind-to", "none", "-n", "3"]
PROGRAM = ["/build/apps/airamp/airamp", "exec", "--", "/build/mpitests/laws/laws_a", "--calls", "2"]


def entry(words, environment=()):
    """As ctest lists a test."""
    properties = [{"name": "ENVIRONMENT", "value": list(environment)}] if environment else []
    return {"name": "mpi.laws.a", "command": words, "properties": properties}


class LaunchedTestTest(unittest.TestCase):
    def test_a_program_under_mpirun_is_taken(self):
        checked = ["python3", "/source/mpitests/check_report.py", "--state", "on", "--"]
        expected = LaunchedTest("mpi.laws.a", 3, {"AIRAMP_FORCE": "shared-memory"}, ["laws_a", "--calls", "2"])
        for before in ([], checked):
            test, program = test_of(entry([*before, *LAUNCHER, *PROGRAM], ["AIRAMP_FORCE=shared-memory"]), BUILD)
            self.assertEqual(test, expected)
            self.assertEqual(program, "/build/mpitests/laws/laws_a")

    def test_what_needs_more_than_its_program_is_not(self):
        with_script = ["/source/with_dev_shm.sh", *LAUNCHER, *PROGRAM]
        with_file = [*LAUNCHER, *PROGRAM, "/build/mpitests/laws/settings.yaml"]
        of_another_room = [*LAUNCHER, *PROGRAM[:3], "/build/mpitests/fake_device/device_a"]
        without_airamp = [*LAUNCHER, PROGRAM[3]]
        two_programs = [*LAUNCHER, *PROGRAM, ":", "-n", "1", *PROGRAM]
        for words in (with_script, with_file, of_another_room, without_airamp, two_programs):
            self.assertIsNone(test_of(entry(words), BUILD))
        self.assertIsNone(test_of(entry([*LAUNCHER, *PROGRAM], ["LD_LIBRARY_PATH=/build/mpitests/fake_gpu"]), BUILD))
        self.assertIsNone(test_of({"name": "not built", "properties": []}, BUILD))

    def test_own_numbers_of_ranks(self):
        tests = [LaunchedTest(f"law.{ranks}", ranks, {}, ["law"]) for ranks in (2, 5, 3, 8)]
        self.assertEqual([test.ranks for test in chosen(tests, "", None, 5)], [5, 3, 2])
        self.assertEqual([test.name for test in chosen(tests, "[.]3", None, 5)], ["law.3"])

    def test_other_numbers_of_ranks_run_each_setting_once(self):
        forced = {"AIRAMP_FORCE": "shared-memory"}
        tests = [LaunchedTest(f"law.{number}.{ranks}", ranks, environment, ["law"])
                 for number, environment in enumerate(({}, forced)) for ranks in (2, 3)]
        found = chosen(tests, "", [7, 16, 64], 16)
        self.assertEqual([(test.ranks, test.environment) for test in found],
                         [(16, {}), (16, forced), (7, {}), (7, forced)])
        self.assertTrue(found[0].name.endswith(" on 16"))


if __name__ == "__main__":
    unittest.main()
