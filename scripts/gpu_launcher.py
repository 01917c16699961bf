# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Starts the jobs of measure-gpus and gpu-test."""

import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def gpus():
    """How many GPUs nvidia-smi lists."""
    try:
        listing = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return 0
    return sum(line.startswith("GPU ") for line in listing.splitlines())


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
