#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What airampd serves of a job under a launcher: while it runs, and once all of its ranks are killed, as scancel does.

watched_by_airampd.py --airampd AIRAMPD --airamp AIRAMP --program PROGRAM --preload "WORDS" -- MPIRUN [flags]

PROGRAM is mpitests/telemetry/hang; its case "endless" calls collectives until it is killed. airampd serves all users if
this is root.
"""

import contextlib
import json
import os
import pathlib
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import watched_job

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests/apps/airampd"))
from sidecar import Airampd  # noqa: E402  pylint: disable=wrong-import-position

RANKS = 3
PATIENCE_S = 60
MOST_SERIES = 150
ROOT = os.geteuid() == 0


class Wrong(Exception):
    """What is served is not what it should be."""


def samples_of(text):
    """Labels and values of all series of jobs, by the name of the metric."""
    samples = {}
    for name, labels, value in re.findall(r"^(\w+)\{(mpi_job=.*)\} (\S+)$", text, re.MULTILINE):
        samples.setdefault(name, []).append((dict(re.findall(r'(\w+)="([^"]*)"', labels)), float(value)))
    return samples


def ranks_in(samples, state):
    return sum(value for labels, value in samples.get("airamp_ranks", []) if labels["state"] == state)


def wait_for(airampd, condition):
    end = time.monotonic() + PATIENCE_S
    while True:
        text = airampd.get("/metrics")[2]
        samples = samples_of(text)
        if condition(samples):
            return samples
        if time.monotonic() > end:
            raise Wrong(f"not served in {PATIENCE_S} s:\n{text}")
        time.sleep(0.2)


def check_owner(samples):
    users = {labels.get("user") for found in samples.values() for labels, _ in found}
    expected = {pwd.getpwuid(os.geteuid()).pw_name} if ROOT else {None}
    if users != expected:
        raise Wrong(f"users {users} instead of {expected}")


def kill_ranks(arguments, folder):
    answer = subprocess.run([arguments.airamp, "status", "--folder", folder, "--json"], check=True, timeout=PATIENCE_S,
                            stdout=subprocess.PIPE, text=True)
    processes = [rank["pid"] for rank in json.loads(answer.stdout)[0]["ranks"]]
    # A rank that sees another die might end by itself.
    for deed in (signal.SIGSTOP, signal.SIGKILL):
        for process in processes:
            with contextlib.suppress(ProcessLookupError):  # the launcher ends those that are left
                os.kill(process, deed)


def watch(arguments, folder):
    command = arguments.mpirun + ["-n", str(RANKS)] + shlex.split(arguments.preload)
    job = subprocess.Popen(command + [arguments.program, "endless"], start_new_session=True, stdin=subprocess.DEVNULL,
                           env=dict(os.environ, AIRAMP_TELEMETRY_FOLDER=folder, TMPDIR=folder))
    with Airampd(arguments.airampd, "--folder", folder, *(["--all-users"] if ROOT else [])) as airampd:
        try:
            samples = wait_for(airampd, lambda found: ranks_in(found, "running") == RANKS and
                               "airamp_calls_total" in found)
            check_owner(samples)
            count = sum(map(len, samples.values()))
            print(f"{count} series of {RANKS} ranks")
            if count > MOST_SERIES:
                raise Wrong(f"more than {MOST_SERIES}")
            kill_ranks(arguments, folder)
        finally:
            watched_job.end_launcher(job)
        samples = wait_for(airampd, lambda found: ranks_in(found, "gone") == RANKS)
    # AirampRankGone, AirampOff and AirampHang ask for these.
    left = {"running": ranks_in(samples, "running"), "off": samples["airamp_ranks_off"][0][1],
            "inside": samples.get("airamp_inside_collective_seconds", [])}
    if left != {"running": 0, "off": 0, "inside": []}:
        raise Wrong(f"alerts may fire for a job that was cancelled: {left}")
    print("all ranks are gone, none runs, and nothing else is said of them")


def main():
    arguments = watched_job.arguments_of(__doc__, extra=["--airampd"])
    folder = watched_job.segment_folder("airamp-airampd-")
    try:
        watch(arguments, folder)
    except Wrong as wrong:
        print(wrong)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
