# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What became of a job: its status, its output and the verdicts of its ranks (mpitests/faults/verdict.hpp)."""

import dataclasses
import re
import signal

# From the best to the worst.
RIGHT, ERROR, ENDED, CRASHED, LOST, WRONG, HANG = KINDS = (
    "right", "error", "ended", "crashed", "lost", "wrong", "hang")
# As the launchers of Open MPI and of MPICH tell it.
SIGNAL = re.compile(r"(?:exited on signal|\(signal) (\d+)")
# What launchers end processes by, and MPI libraries themselves when they have said why.
USUAL_SIGNALS = {signal.SIGKILL, signal.SIGTERM, signal.SIGABRT}
OWN_STATUSES = {"ended, 3", "ended, 5"}  # that the programs of mpitests/faults end with by themselves
UNCAUGHT = "terminate called"  # an exception of C++
# MPICH's launcher may tell of a rank that it has ended itself in place of the one that died.
TOLD_OF_ANOTHER = f"ended, {signal.SIGTERM.value}"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """`kind` is one of KINDS, `text` says it for people, `output` is what the job printed."""

    kind: str
    text: str
    output: str

    def is_worse_than(self, native, launcher_decides=False):
        """Whether a user who had the other one would complain. `launcher_decides`: whether the ranks that are left come
        to their end before they are ended, and what status it then ends with, is a matter of time."""
        if launcher_decides and {self.kind, native.kind} <= {RIGHT, ERROR, ENDED, LOST}:
            return False
        if self.kind == CRASHED and native.text == TOLD_OF_ANOTHER:
            return False
        return KINDS.index(self.kind) > KINDS.index(native.kind) or (self.is_silent() and not native.is_silent())

    def is_silent(self):
        """Whether the job fails without a word, and without the status of one of its ranks."""
        return self.kind in (ENDED, CRASHED) and not self.output.strip() and self.text not in OWN_STATUSES


def crash(output):
    """What a rank died of unexpectedly, or nothing."""
    if UNCAUGHT in output:
        return "an exception"
    for number in SIGNAL.findall(output):
        if int(number) not in USUAL_SIGNALS:
            return signal.Signals(int(number)).name
    return None


def of_ended_job(status, output, verdicts, ranks):
    """The outcome of a job that has ended; `verdicts`: by rank."""
    found = sorted(set(verdicts.values()))
    if "wrong" in found:
        return Outcome(WRONG, "wrong", output)
    died_of = crash(output)
    if died_of is not None:
        return Outcome(CRASHED, died_of, output)
    errors = [verdict for verdict in found if verdict.startswith("error-")]
    if status != 0 and not errors:
        return Outcome(ENDED, f"ended, {status}", output)
    if errors:
        return Outcome(ERROR, ", ".join(errors), output)
    if len(verdicts) < ranks:
        return Outcome(LOST, f"{ranks - len(verdicts)} of {ranks} without results", output)
    return Outcome(RIGHT, "right", output)
