#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What a path is published for: the calls that took it, not those that it left to the MPI library.

published_paths.py --airamp AIRAMP --program PROGRAM --preload "WORDS" -- MPIRUN [flags]

PROGRAM is mpitests/laws/persistent; its case "alternating", run twice, has 5 of 10 calls on the path native-persistent.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys

import watched_job

RANKS = 2
SETTINGS = {"AIRAMP_FORCE": "native-persistent", "AIRAMP_MIN_BYTES": "4K", "AIRAMP_ENABLE_FP8_ALLREDUCE": "1"}
CALLS_ON_THE_PATH = 2 * 5
TIMEOUT_S = 60


def main():
    arguments = watched_job.arguments_of(__doc__)
    folder = watched_job.segment_folder("airamp-paths-")
    try:
        command = arguments.mpirun + ["-n", str(RANKS)] + shlex.split(arguments.preload)
        subprocess.run(command + [arguments.program, "alternating"], check=True, timeout=TIMEOUT_S,
                       env=dict(os.environ, AIRAMP_TELEMETRY_FOLDER=folder, **SETTINGS))
        status = subprocess.run([arguments.airamp, "status", "--folder", folder, "--json"], check=True,
                                timeout=TIMEOUT_S, stdout=subprocess.PIPE, text=True)
    finally:
        shutil.rmtree(folder)
    accelerated = [rank["accelerated_calls"] for rank in json.loads(status.stdout)[0]["ranks"]]
    print(f"calls published on a path of AIRamp's, by rank: {accelerated}")
    return 0 if accelerated == [CALLS_ON_THE_PATH] * RANKS else 1


if __name__ == "__main__":
    sys.exit(main())
