#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What `airamp hang` and `airamp status` say about a job under a launcher, while it hangs and once it is dead.

hang.py --airamp AIRAMP --program PROGRAM --preload "WORDS" CASE -- MPIRUN [flags]

PROGRAM is mpitests/telemetry/hang; CASE is one of its cases, in which rank 1 is to blame.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

import watched_job

RANKS = 3
CULPRIT = 1
PATIENCE_S = 60


class Wrong(Exception):
    """The answer is not what it should be."""


class Job:
    """The hanging job and what is said about it."""

    def __init__(self, arguments, folder):
        self.airamp_program = arguments.airamp
        self.folder = folder
        words = arguments.mpirun + ["-n", str(RANKS)] + shlex.split(arguments.preload)
        self.process = subprocess.Popen(words + [arguments.program, arguments.case], start_new_session=True,
                                        env=dict(os.environ, AIRAMP_TELEMETRY_FOLDER=folder, TMPDIR=folder),
                                        stdin=subprocess.DEVNULL)

    def airamp(self, command, *options):
        result = subprocess.run([self.airamp_program, command, "--folder", self.folder, "--json", *options],
                                capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        return result.returncode, json.loads(result.stdout) if result.stdout else None, result.stderr

    def wait_for_hang(self, dead):
        """The findings about the job, once there are any and the job is dead or not as wanted."""
        end = time.monotonic() + PATIENCE_S
        answer = None
        while time.monotonic() < end:
            status, answer, error = self.airamp("hang", "--patience", "2")
            if status == 1 and answer[0]["dead"] == dead:
                return answer[0]["findings"]
            if status == 0 and dead and answer[0]["dead"]:
                raise Wrong(f"no hang is seen in the dead job: {answer} {error}")
            time.sleep(0.2)
        raise Wrong(f"no hang was seen in {PATIENCE_S} s: {answer}")

    def kill_ranks(self):
        _, answer, _ = self.airamp("status")
        for rank in answer[0]["ranks"]:
            if rank["state"] in ("running", "stopped"):
                os.kill(rank["pid"], signal.SIGKILL)

    def end(self):
        """Ends what is left of the job: the launcher's session is the job's own.

        A killed launcher leaves files behind in TMPDIR, which let the next one of that number fail.
        """
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def require(holds, what, answer):
    if not holds:
        raise Wrong(f"{what}: {json.dumps(answer, indent=1)}")


def check_finding(findings, kinds, where):
    first = findings[0]
    print(first["text"])
    require(len(findings) == 1, "one finding", findings)
    require(first["kind"] in kinds, f"its kind is one of {kinds}", findings)
    require([rank["rank"] for rank in first["culprits"]] == [CULPRIT], "rank 1 is named", findings)
    require((first["communicator"], first["function"]) == ("MPI_COMM_WORLD", "MPI_Allreduce"), "where", findings)
    require(first["waiting"] == [rank for rank in range(RANKS) if rank != CULPRIT], "who waits", findings)
    require(where in first["text"], f"'{where}' in the sentence", findings)


def stopped(job):
    check_finding(job.wait_for_hang(dead=False), ["stopped"], "stopped: state T in /proc) has not entered")
    job.kill_ranks()
    check_finding(job.wait_for_hang(dead=True), ["missing"], "had not entered")


def elsewhere(job):
    check_finding(job.wait_for_hang(dead=False), ["different-communicators"], "is in MPI_Barrier number 21 on 'rest'")
    job.kill_ranks()
    check_finding(job.wait_for_hang(dead=True), ["different-communicators"], "was in MPI_Barrier number 21 on 'rest'")


def killed(job):
    # The launcher ends the job by itself.
    check_finding(job.wait_for_hang(dead=True), ["missing"], "had not entered")


def well(job):
    require(job.process.wait(PATIENCE_S) == 0, "the job ends well", None)
    status, answer, _ = job.airamp("hang")
    require(status == 0, "no hang", answer)
    status, answer, _ = job.airamp("status")
    require(status == 0 and len(answer[0]["ranks"]) == RANKS, "all ranks are shown", answer)
    for rank in answer[0]["ranks"]:
        require(rank["state"] == "finalized" and rank["inside"] is None, "a rank that has ended", rank)
        require(rank["calls"] >= 41, "all of its calls", rank)


CASES = {function.__name__: function for function in (stopped, elsewhere, killed, well)}


def main():
    arguments = watched_job.arguments_of(__doc__, CASES)
    folder = watched_job.segment_folder("airamp-hang-")
    job = Job(arguments, folder)
    try:
        CASES[arguments.case](job)
    except (Wrong, subprocess.TimeoutExpired) as error:
        print(f"{arguments.case}: {error}", file=sys.stderr)
        return 1
    finally:
        try:
            job.kill_ranks()
        except (TypeError, ProcessLookupError):
            pass
        job.end()
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
