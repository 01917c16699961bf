#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""`airamp pola replay` as a user runs it: usage: pola_replay_command_test.py AIRAMP TRACE_FOLDER"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

AIRAMP, TRACES = sys.argv[1], pathlib.Path(sys.argv[2])
ONE = str(TRACES / "rtm_stack.airtrace")


def replay(*arguments):
    return subprocess.run([AIRAMP, "pola", "replay", *arguments], capture_output=True, text=True, timeout=50)


class PolaReplay(unittest.TestCase):
    def test_one_trace_names_its_lock_points(self):
        result = replay(ONE)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"communicator \d+: locked after call \d+")
        self.assertRegex(result.stdout, r"(?m)^all +404 ")

    def test_a_folder_is_one_table(self):
        result = replay(str(TRACES))
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(sum(line.split(" ")[0].endswith(".airtrace") for line in lines),
                         len(list(TRACES.glob("*.airtrace"))))
        self.assertTrue(any(line.startswith("average ") for line in lines))

    def test_json_and_lock_events(self):
        calls = {}
        for lock_events in ("20", "50"):
            result = replay("--json", "--lock-events", lock_events, ONE)
            self.assertEqual(result.returncode, 0, result.stderr)
            changes = json.loads(result.stdout)[0]["communicators"][0]["changes"]
            calls[lock_events] = changes[0]["call"]
        self.assertLess(calls["20"], calls["50"])
        self.assertGreaterEqual(calls["50"], 50)

    def test_the_picture_is_xml_without_references(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder) / "line.svg"
            result = replay("--svg", str(picture), ONE)
            self.assertEqual(result.returncode, 0, result.stderr)
            tree = xml.etree.ElementTree.parse(picture)
        self.assertTrue(tree.getroot().tag.endswith("svg"))
        for element in tree.iter():
            self.assertFalse([name for name in element.attrib if name.endswith("href")])

    def test_a_communicator_that_the_trace_lacks(self):
        communicators = json.loads(replay("--json", ONE).stdout)[0]["communicators"]
        self.assertEqual(replay("--communicator", "0", ONE).returncode, 0)
        result = replay("--communicator", "99", ONE)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(f"{ONE}: has no communicator 99; it has {len(communicators)} communicator", result.stderr)

    def test_a_bad_trace_is_a_usage_error_with_file_and_offset(self):
        with tempfile.TemporaryDirectory() as folder:
            cut = pathlib.Path(folder) / "cut.airtrace"
            cut.write_bytes(pathlib.Path(ONE).read_bytes()[:200])
            result = replay(str(cut))
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"{cut}: byte 200: ", result.stderr)
            self.assertEqual(result.stdout, "")
            self.assertEqual(replay(f"{folder}/missing").returncode, 2)
            cut.unlink()
            self.assertEqual(replay(folder).returncode, 2)
        self.assertEqual(replay("--lock-events", "1000", ONE).returncode, 2)
        self.assertEqual(replay("--svg", "/tmp/x.svg", ONE, ONE).returncode, 2)
        self.assertEqual(replay("--svg", "/nowhere/x.svg", ONE).returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
