# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Runs a command for so long at most, and leaves nothing of it behind."""

import contextlib
import glob
import os
import signal
import subprocess


def processes_of_session(session):
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
            # Behind the name in parentheses: state, parent, process group, session.
            if int(file.read().rpartition(")")[2].split()[3]) == session:
                yield int(path.split("/")[2])


def run_job(command, timeout, environment=None):
    """Runs a command for at most `timeout` seconds; its status (124 or 137 if it took longer) and what it printed. Ends
    what it leaves behind: a rank that hangs would keep its processor or GPU."""
    with subprocess.Popen(["timeout", "--kill-after=10", str(timeout), *command], env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True) as job:
        try:
            output, _ = job.communicate()
        finally:
            for process in processes_of_session(job.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
    return job.returncode, output
