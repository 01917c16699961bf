#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""From where calls came, as the report says it, and the lines of these places, as `airamp report` finds them.

call_sites.py --airamp AIRAMP --program PROGRAM --preload "WORDS" -- MPIRUN [flags]
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import watched_job

TIMEOUT_S = 60
# Of calls from these functions, called by these: how many there are.
EXPECTED = {
    ("MPI_Allreduce", "add_up", "first_phase"): 30,
    ("MPI_Allreduce", "add_up", "second_phase"): 12,
    ("MPI_Sendrecv_replace", "send_around", "main"): 1,
}


def run(arguments, report, frames):
    command = arguments.mpirun + ["-n", "2"] + shlex.split(arguments.preload) + [arguments.program]
    subprocess.run(command, check=True, timeout=TIMEOUT_S,
                   env=dict(os.environ, AIRAMP_REPORT=report, AIRAMP_CALL_SITES=str(frames)))
    with open(report, encoding="utf-8") as file:
        return json.load(file)["call_sites"]


def page(arguments, report):
    return subprocess.run([arguments.airamp, "report", report, "-o", "-"], check=True, timeout=TIMEOUT_S,
                          stdout=subprocess.PIPE, text=True).stdout


def main():
    arguments = watched_job.arguments_of(__doc__)
    mistakes = []
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        if run(arguments, report, 0):
            mistakes.append("call sites that nobody asked for")
        sites = run(arguments, report, 2)
        for (function, _, _), calls in EXPECTED.items():
            if not any(s["function"] == function and s["calls"] == calls and len(s["stack"]) == 2 and
                       all(f["object"] == os.path.realpath(arguments.program) for f in s["stack"]) for s in sites):
                mistakes.append(f"no {calls} calls of {function} from the program's file")
        if shutil.which("addr2line") is None:
            print("there is no addr2line here: lines are not looked at")
        else:
            rows = re.findall(r"<tr.*?</tr>", page(arguments, report), re.DOTALL)
            for (function, place, caller), calls in EXPECTED.items():
                pattern = rf"{place}\b.*call_sites\.cpp:\d+.*{caller}\b.*call_sites\.cpp:\d+.*{function}.*>{calls}<"
                if not any(re.search(pattern, row, re.DOTALL) for row in rows):
                    mistakes.append(f"the page has no {calls} calls of {function} at {place}, called by {caller}")
        one_frame = run(arguments, report, 1)
        if not any(s["function"] == "MPI_Allreduce" and s["calls"] == 42 for s in one_frame):
            mistakes.append("with one frame the calls of add_up are not together")
        if mistakes:
            print(json.dumps(sites, indent=1))
    print("\n".join(mistakes) or "all calls came from where they were made")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
