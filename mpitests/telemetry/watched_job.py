# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What the scripts here that look at a job from outside have in common."""

import argparse
import os
import tempfile


def arguments_of(description, cases=None):
    """--airamp, --program, --preload, one of the cases, if there are any, and last mpirun with its flags."""
    parser = argparse.ArgumentParser(description=description)
    if cases:
        parser.add_argument("case", choices=cases)
    parser.add_argument("--airamp", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--preload", required=True)
    parser.add_argument("mpirun", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if arguments.mpirun[:1] == ["--"]:
        del arguments.mpirun[0]
    return arguments


def segment_folder(prefix):
    """A new folder for a job's segments, where they would be by default if it is there."""
    return tempfile.mkdtemp(prefix=prefix, dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
