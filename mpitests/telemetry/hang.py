#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What `airamp hang` and `airamp status` say about a job under a launcher, while it hangs and once it is dead.

hang.py --airamp AIRAMP --program PROGRAM --preload "WORDS" CASE -- MPIRUN [flags]

PROGRAM is mpitests/telemetry/hang; CASE is one of its cases, in which rank 1 is to blame, or "gone": rank 0 of "idle"
is killed and the launcher does not notice.
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
# A call that is measured waits for all ranks: only natively is nobody held up by the one that is behind.
SETTINGS = {"behind": {"AIRAMP_FORCE": "native"}}


class Wrong(Exception):
    """The answer is not what it should be."""


class Job:
    """The hanging job and what is said about it."""

    def __init__(self, arguments, folder):
        self.airamp_program = arguments.airamp
        self.folder = folder
        self.stopped = None
        words = arguments.mpirun + ["-n", str(RANKS)] + shlex.split(arguments.preload)
        case = {"gone": "idle"}.get(arguments.case, arguments.case)
        self.process = subprocess.Popen(words + [arguments.program, case], start_new_session=True,
                                        env=dict(os.environ, AIRAMP_TELEMETRY_FOLDER=folder, TMPDIR=folder,
                                                 **SETTINGS.get(case, {})),
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

    def wait_until_found(self, check):
        """Waits until what is said about the living job passes the check: it is true of a moment, and some ranks may
        still be on their way to where they stay.
        """
        end = time.monotonic() + PATIENCE_S
        while True:
            findings = self.wait_for_hang(dead=False)
            try:
                return check(findings)
            except Wrong:
                if time.monotonic() > end:
                    raise
            time.sleep(0.2)

    def wait_for_calls(self, wanted):
        """The ranks, once all of them have called so many collectives."""
        end = time.monotonic() + PATIENCE_S
        answer = None
        while time.monotonic() < end:
            _, answer, _ = self.airamp("status")
            ranks = answer[0]["ranks"] if answer else []
            if len(ranks) == RANKS and all(rank["calls"] >= wanted for rank in ranks):
                return ranks
            time.sleep(0.2)
        raise Wrong(f"no {wanted} calls of each rank in {PATIENCE_S} s: {answer}")

    def stop_launcher_of(self, process):
        """Who looks after a rank would let others go on, to end them, once it has seen one end."""
        self.stopped = watched_job.parent_of(process)
        os.kill(self.stopped, signal.SIGSTOP)

    def kill_unnoticed(self, process):
        """Kills a rank; the others are left to themselves."""
        self.stop_launcher_of(process)
        os.kill(process, signal.SIGKILL)

    def kill_ranks(self):
        """Kills all ranks where they are; they are stopped first, as a rank that sees another die leaves its call.

        Returns once all have ended: until then some are gone and others are not.
        """
        _, answer, _ = self.airamp("status")
        running = [rank["pid"] for rank in answer[0]["ranks"] if rank["state"] not in ("gone", "finalized")]
        if running:
            self.stop_launcher_of(running[0])
        for deed in (signal.SIGSTOP, signal.SIGKILL):
            for process in running:
                os.kill(process, deed)
        end = time.monotonic() + PATIENCE_S
        while not all(watched_job.has_ended(process) for process in running):
            if time.monotonic() > end:
                raise Wrong(f"the ranks {running} were killed, and have not ended in {PATIENCE_S} s")
            time.sleep(0.01)

    def end(self):
        """Ends what is left of the job, once its ranks are killed: the launcher, if it does not notice that.

        A launcher that is killed leaves files behind, some in TMPDIR, which let the next one of that number fail.
        """
        if self.stopped is not None:
            os.kill(self.stopped, signal.SIGCONT)
        watched_job.end_launcher(self.process)


def require(holds, what, answer):
    if not holds:
        raise Wrong(f"{what}: {json.dumps(answer, indent=1)}")


def culprits_of(finding):
    return [rank["rank"] for rank in finding["culprits"]]


def check_finding(findings, kinds, where):
    first = findings[0]
    require(len(findings) == 1, "one finding", findings)
    require(first["kind"] in kinds, f"its kind is one of {kinds}", findings)
    require(culprits_of(first) == [CULPRIT], "rank 1 is named", findings)
    require((first["communicator"], first["function"]) == ("MPI_COMM_WORLD", "MPI_Allreduce"), "where", findings)
    require(first["waiting"] == [rank for rank in range(RANKS) if rank != CULPRIT], "who waits", findings)
    require(where in first["text"], f"'{where}' in the sentence", findings)
    print(first["text"])


def check_dead(findings, kinds, where):
    """Of a dead job: all ranks are said to be gone, after what they were waiting for."""
    last = findings.pop()
    print(last["text"])
    require(last["kind"] == "not-running", "ranks are gone", last)
    require([(rank["rank"], rank["state"]) for rank in last["culprits"]] == [(rank, "gone") for rank in range(RANKS)],
            "all ranks are gone", last)
    check_finding(findings, kinds, where)


def check_not_running(findings, rank, state):
    require(len(findings) == 1, "one finding", findings)
    finding = findings[0]
    require((finding["kind"], culprits_of(finding)) == ("not-running", [rank]), f"rank {rank} is named", finding)
    require(finding["culprits"][0]["state"] == state, f"it is {state}", finding)
    require((finding["function"], finding["waiting"]) == (None, []), "nobody waits in a collective", finding)
    require("no collective ended for" in finding["text"], "what is known", finding)
    print(finding["text"])


def stopped(job):
    job.wait_until_found(
        lambda findings: check_finding(findings, ["stopped"], "stopped: state T in /proc) has not entered"))
    job.kill_ranks()
    check_dead(job.wait_for_hang(dead=True), ["missing"], "had not entered")


def behind(job):
    job.wait_until_found(
        lambda findings: check_finding(findings, ["stopped"], "stopped: state T in /proc) has not entered"))


def receiving(job):
    job.wait_until_found(lambda findings: check_not_running(findings, CULPRIT, "stopped"))


def elsewhere(job):
    job.wait_until_found(
        lambda findings: check_finding(findings, ["different-communicators"], "is in MPI_Barrier number 21 on 'rest'"))
    job.kill_ranks()
    check_dead(job.wait_for_hang(dead=True), ["different-communicators"], "was in MPI_Barrier number 21 on 'rest'")


def killed(job):
    # The launcher ends the job by itself.
    check_dead(job.wait_for_hang(dead=True), ["missing"], "had not entered")


def gone(job):
    ranks = job.wait_for_calls(40)
    job.kill_unnoticed(ranks[0]["pid"])
    job.wait_until_found(lambda findings: check_not_running(findings, 0, "gone"))


def idle(job):
    job.wait_for_calls(40)
    status, answer, _ = job.airamp("hang", "--patience", "0")
    require((status, answer[0]["findings"]) == (0, []), "ranks that run are not accused", answer)
    require(any("no collective ended for" in note for note in answer[0]["notes"]), "what is known is said", answer)


def endless(job):
    calls = 0
    for _ in range(20):
        calls = job.wait_for_calls(calls + 1)[0]["calls"]
        status, answer, _ = job.airamp("hang", "--patience", str(PATIENCE_S))
        require((status, answer[0]["findings"]) == (0, []), "a job that goes on is not accused", answer)


def well(job):
    require(job.process.wait(PATIENCE_S) == 0, "the job ends well", None)
    status, answer, _ = job.airamp("hang")
    require(status == 0, "no hang", answer)
    status, answer, _ = job.airamp("status")
    require(status == 0 and len(answer[0]["ranks"]) == RANKS, "all ranks are shown", answer)
    for rank in answer[0]["ranks"]:
        require(rank["state"] == "finalized" and rank["inside"] is None, "a rank that has ended", rank)
        require(rank["calls"] >= 41, "all of its calls", rank)


CASES = {function.__name__: function for function in
         (stopped, behind, receiving, elsewhere, killed, gone, idle, endless, well)}


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
        except TypeError:
            pass
        job.end()
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
