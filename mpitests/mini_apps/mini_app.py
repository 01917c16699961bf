# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Runs a mini-app under mpirun and reads the lines "name value" that it prints."""

import json
import os
import shlex
import subprocess
import sys
import tempfile

TIMEOUT_SECONDS = 100


class JobFailed(Exception):
    """The job did not end well, or what it printed is no result."""


def add_launch_arguments(parser):
    """The command line options that every test of a mini-app has."""
    parser.add_argument("--launch", type=shlex.split, required=True, metavar="WORDS",
                        help="the mpirun command with its options, without -n")
    parser.add_argument("program", help="the mini-app")


def run(launch, ranks, command, preload=(), settings=None):
    """Runs `command` on `ranks` ranks; returns (values, report).

    launch: words of the mpirun command; preload: words put before the command (e.g. airamp exec --), none for a
    native run; settings: AIRAMP_* variables. values: the printed lines as a dict of strings. report: AIRamp's report as
    a dict, None for a native run. Raises JobFailed.
    """
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("AIRAMP_") and not (name == "LD_PRELOAD" and "libairamp" in value)}
    with tempfile.TemporaryDirectory() as folder:
        report_file = os.path.join(folder, "report.json")
        if preload:
            environment |= {"AIRAMP_REPORT": report_file, **(settings or {})}
        words = [*launch, "-n", str(ranks), *preload, *command]
        print("+", shlex.join(words), flush=True)
        try:
            done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, text=True, timeout=TIMEOUT_SECONDS,
                                  check=False)
        except subprocess.TimeoutExpired as error:
            raise JobFailed(f"the job did not end within {TIMEOUT_SECONDS} s") from error
        sys.stdout.write(done.stdout)
        if done.returncode != 0:
            raise JobFailed(f"the job ended with status {done.returncode}")
        report = read_report(report_file) if preload else None
    return dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if len(line.split()) > 1), report


def read_report(file):
    """AIRamp's report; a job that left none did not run under AIRamp, whatever it printed."""
    if not os.path.exists(file):
        raise JobFailed("AIRamp left no report: it was not loaded")
    with open(file, encoding="utf-8") as stream:
        report = json.load(stream)
    if report["airamp"]["state"] != "on":
        raise JobFailed(f"AIRamp was {report['airamp']['state']}: {report['airamp'].get('why_off')}")
    return report


def accelerated_calls(report):
    """How many calls took another path than the MPI library's."""
    return sum(signature["accelerated_calls"] for signature in report["signatures"])


def finish(wrong):
    """Prints what is wrong and gives the exit status."""
    for line in wrong:
        print("FAILED:", line, file=sys.stderr)
    return 1 if wrong else 0
