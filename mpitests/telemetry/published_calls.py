#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""How many calls of a job are published, and on what path.

published_calls.py --airamp AIRAMP --program PROGRAM --preload "WORDS" CASE -- MPIRUN [flags]

paths: calls that took a path of AIRamp's, not those that it left to the MPI library. PROGRAM is mpitests/laws/persistent;
its case "alternating", run twice, has 5 of 10 calls on the path native-persistent.
communicators: all calls, on more communicators than have entries. PROGRAM is many_communicators.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from typing import NamedTuple

import watched_job

RANKS = 2
TIMEOUT_S = 60


class Case(NamedTuple):
    words: list  # of the program
    settings: dict
    figure: str  # of `airamp status --json`
    expected: int


CASES = {
    "paths": Case(["alternating"], {"AIRAMP_FORCE": "native-persistent", "AIRAMP_MIN_BYTES": "4K",
                                    "AIRAMP_ENABLE_FP8_ALLREDUCE": "1"}, "accelerated_calls", 2 * 5),
    # a barrier and a sum on each of 2 times 150 communicators of one rank and 40 of both, and a barrier of all ranks
    "communicators": Case([], {}, "calls", 2 * (150 + 150 + 40) + 1),
}


def main():
    arguments = watched_job.arguments_of(__doc__, CASES)
    case = CASES[arguments.case]
    folder = watched_job.segment_folder("airamp-calls-")
    try:
        command = arguments.mpirun + ["-n", str(RANKS)] + shlex.split(arguments.preload)
        subprocess.run(command + [arguments.program, *case.words], check=True, timeout=TIMEOUT_S,
                       env=dict(os.environ, AIRAMP_TELEMETRY_FOLDER=folder, **case.settings))
        status = subprocess.run([arguments.airamp, "status", "--folder", folder, "--json"], check=True,
                                timeout=TIMEOUT_S, stdout=subprocess.PIPE, text=True)
    finally:
        shutil.rmtree(folder)
    published = [rank[case.figure] for rank in json.loads(status.stdout)[0]["ranks"]]
    print(f"{case.figure} published, by rank: {published}, expected {case.expected}")
    return 0 if published == [case.expected] * RANKS else 1


if __name__ == "__main__":
    sys.exit(main())
