# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Starts the jobs of measure-gpus and gpu-test."""

import contextlib
import glob
import os
import pathlib
import signal
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def gpus():
    """How many GPUs nvidia-smi lists."""
    try:
        listing = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return 0
    return sum(line.startswith("GPU ") for line in listing.splitlines())


def processes_of_session(session):
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
            # Behind the name in parentheses: state, parent, process group, session.
            if int(file.read().rpartition(")")[2].split()[3]) == session:
                yield int(path.split("/")[2])


def run_job(command, timeout, environment=None):
    """Runs a command for at most `timeout` seconds; its status and what it printed. Ends what it leaves behind: a rank
    that hangs would keep its GPU."""
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


class Launcher:
    """Starts jobs with the system's mpirun or the packaged one."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.prefix = None

    def packaged(self):
        """The folder of the packaged MPI library, unpacked on the first call; None if there is none."""
        if self.prefix is None and (HERE / "openmpi.tar.gz").exists():
            subprocess.run(["tar", "xzf", HERE / "openmpi.tar.gz", "-C", self.scratch], check=True)
            self.prefix = next(pathlib.Path(self.scratch).glob("*/bin/mpirun")).parent.parent
        return self.prefix

    def command(self, mpi, ranks):
        mpirun = str(self.packaged() / "bin" / "mpirun") if mpi == "packaged" else "mpirun"
        return [mpirun, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]

    def environment(self, mpi, additions, libraries=(str(HERE / "lib"),)):
        """This process's environment and `additions`, with the folders `libraries` before others."""
        environment = dict(os.environ, **additions)
        # Multicast changes the state of a switch that other programs share; who wants NCCL to use it says so.
        environment.setdefault("NCCL_NVLS_ENABLE", "0")
        folders = [folder for folder in libraries if os.path.exists(folder)]
        if mpi == "packaged":
            prefix = str(self.packaged())
            environment.update(OPAL_PREFIX=prefix, PRTE_PREFIX=prefix, PMIX_PREFIX=prefix)
            environment["PATH"] = f"{prefix}/bin:{environment.get('PATH', '')}"
            folders.append(f"{prefix}/lib")
        environment["LD_LIBRARY_PATH"] = ":".join(filter(None, (*folders, environment.get("LD_LIBRARY_PATH"))))
        return environment
