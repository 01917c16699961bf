#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""`airamp_bench --host`: a row for every collective and size, with the bits of the MPI library's results.

host_table.py --bench AIRAMP_BENCH --preload "WORDS" -- MPIRUN [flags]
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

RANKS = 3
BYTES = (8, 1024)
WITH_DATA = ("allreduce", "reduce", "bcast", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw",
             "reduce_scatter_block", "reduce_scatter", "gather", "gatherv", "scatter", "scatterv", "scan", "exscan",
             "iallreduce")
WITHOUT = ("barrier", "ibarrier")
MOVING = ("bcast", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "gather", "gatherv", "scatter", "scatterv")
EVERY_WAY = ("back_to_back", "hot", "cold")
TIMEOUT_S = 150

# What is asked for, and the option that the message names.
MISTAKES = ((["--host", "--collective", "iallgather"], "--collective"),
            (["--collective", "iallreduce"], "--collective"),
            (["--collective", "bcast,reduce"], "--collective"),
            (["--host", "--bytes-list", "12"], "--bytes-list"),
            (["--host", "--memory", "device"], "--memory"),
            (["--host", "--holes", "--collective", "bcast,reduce"], "--holes"),
            (["--holes"], "--holes"),
            (["--uneven", "40"], "--uneven"))


def mistakes_of(bench):
    for words, option in MISTAKES:
        run = subprocess.run([bench, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_S,
                             check=False)
        if run.returncode == 0 or option not in run.stderr or run.stdout:
            yield f"{' '.join(words)}: status {run.returncode}, {run.stderr!r}"


def wrong_rows(rows, with_data, without, timed):
    expected = [(name, size) for name in with_data for size in BYTES] + [(name, 0) for name in without]
    if sorted((row["collective"], row["bytes"]) for row in rows) != sorted(expected):
        yield f"the rows are not the expected ones: {rows}"
    for row in rows:
        times = [row[kind][side] for kind in timed for side in ("native_seconds", "airamp_seconds")]
        if not row["same_bits"] or min(times) <= 0:
            yield f"{row}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--preload", required=True)
    parser.add_argument("mpirun", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    mpirun = arguments.mpirun[arguments.mpirun[:1] == ["--"]:]
    wrong = list(mistakes_of(arguments.bench))
    for words, with_data, without, timed in (([], WITH_DATA, WITHOUT, EVERY_WAY), (["--holes"], MOVING, (), EVERY_WAY),
                                             (["--uneven", "1"], WITH_DATA, WITHOUT, ("steps",))):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "rows.json")
            subprocess.run([*mpirun, "-n", str(RANKS), *shlex.split(arguments.preload), arguments.bench, "--host", *words,
                            "--bytes-list", ",".join(map(str, BYTES)), "--iterations", "1", "--calls", "3", "--json", file],
                           check=True, timeout=TIMEOUT_S)
            with open(file, encoding="utf-8") as text:
                wrong += wrong_rows(json.load(text)["rows"], with_data, without, timed)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
