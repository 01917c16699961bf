# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Runs a job of a build with AIRamp, and reads the report that it leaves."""

import json
import os
import subprocess
import sys
import tempfile

import built_for

PATIENCE_S = 900


def waiting_yields(build):
    """Variables by which ranks that wait leave their processor to others."""
    if built_for.cached(build, "AIRAMP_MPI_FLAVOUR") == "mpich":
        return {"LD_PRELOAD": f"{build}/mpitests/libyield_when_idle.so"}
    return {"OMPI_MCA_mpi_yield_when_idle": "1"}


def with_airamp(build, program):
    """The words that start a program with AIRamp, behind a launcher's own."""
    return [f"{build}/apps/airamp/airamp", "exec", "--", *program]


def run_here(build, ranks, program, variables):
    """Runs a job on this host. Its result, and its report."""
    flags = [] if built_for.cached(build, "AIRAMP_MPI_FLAVOUR") == "mpich" else ["--bind-to", "none"]
    words = [*built_for.mpirun(build, ranks), *flags]
    return run(lambda _: words + with_airamp(build, program), {**waiting_yields(build), **variables})


def run(command_of, variables):
    """Runs a job whose words follow from the name of the report that it is to leave. Its result, and its report."""
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/report.json"
        command = command_of(report)
        result = subprocess.run(command, env=dict(os.environ, AIRAMP_REPORT=report, **variables), capture_output=True,
                                text=True, timeout=PATIENCE_S, check=False)
        if not os.path.exists(report):
            sys.exit(f"{' '.join(command)} left no report:\n{result.stdout}{result.stderr}")
        with open(report, encoding="utf-8") as file:
            return result, json.load(file)
