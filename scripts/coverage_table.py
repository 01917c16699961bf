#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Asks gcov which lines of pmpi/ and tuner/ were executed, and prints it by room; the line of all of them comes last.

    coverage_table.py BUILD [FILE...]     with the lines of these files that were not executed
"""

import argparse
import collections
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("pmpi", "tuner")


def executed_lines(build):
    """By source file and line: how often it was executed, in all objects that have it."""
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    notes = list(build.rglob("*.gcno"))
    for begin in range(0, len(notes), 50):
        output = subprocess.run(["gcov", "--json-format", "--stdout", *map(str, notes[begin:begin + 50])],
                                cwd=build, capture_output=True, text=True, check=True).stdout
        for document in output.splitlines():
            if not document.startswith("{"):
                continue
            for source in json.loads(document)["files"]:
                path = (build / source["file"]).resolve()
                if not path.is_relative_to(ROOT) or path.is_relative_to(build):
                    continue
                if not path.exists():  # moved since that object was compiled
                    continue
                name = str(path.relative_to(ROOT))
                if name.split("/")[0] not in FOLDERS:
                    continue
                for line in source["lines"]:
                    lines[name][line["line_number"]] += line["count"]
    return lines


def share(counted):
    executed, total = counted
    return f"{executed:6} of {total:6}  {100 * executed / total if total else 100:5.1f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("files", nargs="*", metavar="FILE")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    lines = executed_lines(build)
    # What is in no program has no counters: its lines count as not executed.
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.cpp"):
            name = str(path.relative_to(ROOT))
            if name not in lines:
                code = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip().endswith(";")]
                lines[name].update({number: 0 for number, _ in enumerate(code)})
    files = {name: (sum(count > 0 for count in found.values()), len(found)) for name, found in lines.items()}
    rooms = collections.defaultdict(lambda: [0, 0])
    for name, (executed, total) in files.items():
        for room in {str(pathlib.Path(name).parent), "in all"}:
            rooms[room][0] += executed
            rooms[room][1] += total
    for name in arguments.files:
        print(f"{name}: not executed")
        source = (ROOT / name).read_text(encoding="utf-8").splitlines()
        for number, count in sorted(lines[name].items()):
            if count == 0:
                print(f"  {number:4} {source[number - 1]}")
    in_all = rooms.pop("in all")
    print("Files of which the tests execute less than half of the lines")
    for name, counted in sorted(files.items()):
        if 2 * counted[0] < counted[1]:
            print(f"  {name:50} {share(counted)}")
    print("Lines that the tests execute")
    for room, counted in sorted(rooms.items()):
        print(f"  {room:50} {share(counted)}")
    print(f"  {'in all':50} {share(in_all)}")


if __name__ == "__main__":
    main()
