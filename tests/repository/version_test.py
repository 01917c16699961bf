# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The version stands in one place, and the change log has an entry for it: version_test.py VERSION"""

import os
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = sys.argv.pop(1) if len(sys.argv) > 1 else ""
# What is compiled, configured or run. Pages show the version of their day, and tests make up theirs.
BUILT = (".c", ".cmake", ".cpp", ".cu", ".h", ".hpp", ".in", ".inc", ".json", ".py", ".sh", ".txt", ".yml")
NOT_BUILT = {"build", "docs", "mpitests", "tests"}


def built_files():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in NOT_BUILT]
        for name in names:
            if name.endswith(BUILT) or "." not in name:
                yield pathlib.Path(folder) / name


class Version(unittest.TestCase):
    def test_stands_in_one_place(self):
        pattern = re.compile(rf"(?<![\d.]){re.escape(VERSION)}(?![\d.])")
        found = [(str(path.relative_to(ROOT)), len(pattern.findall(path.read_text("utf-8", "replace"))))
                 for path in built_files()]
        self.assertEqual([entry for entry in found if entry[1]], [("CMakeLists.txt", 1)])

    def test_has_an_entry_in_the_change_log(self):
        headings = re.findall(r"^## \[([^]]+)\] - (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
        self.assertIn(VERSION, [version for version, _ in headings])
        for version, date in headings:
            self.assertRegex(date, r"^(\d{4}-\d\d-\d\d|not yet released)$", version)


if __name__ == "__main__":
    unittest.main()
