# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What the scripts here that look at a job from outside have in common."""

import argparse
import os
import signal
import subprocess
import tempfile


def arguments_of(description, cases=None, extra=()):
    """--airamp, --program, --preload, one of the cases, if there are any, `extra`, and last mpirun with its flags."""
    parser = argparse.ArgumentParser(description=description)
    if cases:
        parser.add_argument("case", choices=cases)
    for option in ("--airamp", "--program", "--preload", *extra):
        parser.add_argument(option, required=True)
    parser.add_argument("mpirun", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if arguments.mpirun[:1] == ["--"]:
        del arguments.mpirun[0]
    return arguments


def segment_folder(prefix):
    """A new folder for a job's segments, where they would be by default if it is there."""
    return tempfile.mkdtemp(prefix=prefix, dir="/dev/shm" if os.path.isdir("/dev/shm") else None)


def fields_of(process):
    """The fields of a process in proc(5) behind its name, which is in parentheses and may hold anything."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()


def parent_of(process):
    """The process that started a rank and looks after it: the launcher, or its helper on the rank's host."""
    return int(fields_of(process)[1])


def has_ended(process):
    """Whether a process is no more, or waits for its parent to take note of its end."""
    try:
        return fields_of(process)[0] in "XZ"
    except (FileNotFoundError, ProcessLookupError):
        return True


def end_launcher(launcher, patience_s=30):
    """Waits for a launcher whose ranks were killed: it removes what they left in /dev/shm. Kills it if it stays."""
    try:
        launcher.wait(patience_s)
    except subprocess.TimeoutExpired:
        # Its session is the job's own.
        os.killpg(launcher.pid, signal.SIGKILL)
        launcher.wait()
