#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Runs an application without AIRamp and with it and compares what it computed.

The selected lines of both standard outputs must be equal, and the report of the second run must have seen both ranks
and the demanded functions.

  compare_runs.py [options] -- LAUNCHER... ++ PRELOAD... ++ PROGRAM...
"""

import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True, help="scratch folder; each run gets a folder of its own in it")
    parser.add_argument("--select", required=True, help="regular expression of the lines to compare")
    parser.add_argument("--min-lines", type=int, required=True, help="at least so many lines must be selected")
    parser.add_argument("--seen", action="append", required=True, metavar="FUNCTION",
                        help="a function that the report must have seen called; may be repeated")
    parser.add_argument("--ranks", type=int, required=True, help="the ranks that the report must have seen")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="-- LAUNCHER... ++ PRELOAD... ++ PROGRAM...")
    arguments = parser.parse_args()
    if arguments.command[:1] == ["--"]:
        del arguments.command[0]
    parts = [[]]
    for word in arguments.command:
        if word == "++":
            parts.append([])
        else:
            parts[-1].append(word)
    if len(parts) != 3:
        parser.error("the command must be: -- LAUNCHER... ++ PRELOAD... ++ PROGRAM...")
    arguments.launcher, arguments.preload, arguments.program = parts
    return arguments


def run(folder, command, environment):
    """Runs a command in a fresh folder and returns its standard output's lines."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    result = subprocess.run(command, cwd=folder, env=dict(os.environ, **environment), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        print(result.stdout)
        sys.exit(f"{' '.join(command)}\nended with status {result.returncode}")
    return result.stdout.splitlines()


def report_mistakes(path, arguments):
    """Lines that say what is wrong with a report."""
    if not os.path.exists(path):
        return [f"AIRamp left no report at {path}"]
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    print("seen:", report["functions"])
    mistakes = []
    if report["airamp"]["ranks"] != arguments.ranks:
        mistakes.append(f"the report is of {report['airamp']['ranks']} ranks, not {arguments.ranks}")
    mistakes += [f"no call of {name} was seen" for name in arguments.seen if report["functions"].get(name, 0) == 0]
    return mistakes


def main():
    arguments = parse_arguments()
    report = os.path.join(arguments.folder, "preloaded", "report.json")
    outputs = {
        "native": run(os.path.join(arguments.folder, "native"), arguments.launcher + arguments.program, {}),
        "preloaded": run(os.path.join(arguments.folder, "preloaded"),
                         arguments.launcher + arguments.preload + arguments.program, {"AIRAMP_REPORT": report}),
    }
    select = re.compile(arguments.select)
    lines = {name: [line for line in output if select.search(line)] for name, output in outputs.items()}
    mistakes = list(difflib.unified_diff(lines["native"], lines["preloaded"], "native", "preloaded", lineterm=""))
    print(f"{len(lines['native'])} lines compared, the last: {lines['native'][-1:]}")
    if len(lines["native"]) < arguments.min_lines:
        mistakes.append(f"{len(lines['native'])} lines are too few, {arguments.min_lines} at least were expected")
    mistakes += report_mistakes(report, arguments)
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
