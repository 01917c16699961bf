#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""A trace that cannot be written is a warning, and the job runs on.

trace_trouble.py CASE -- MPIRUN [flags] -n 2 PROGRAM...
"""

import os
import pathlib
import subprocess
import sys
import tempfile


def warnings(command, folder):
    """AIRamp's lines on stderr of a job that writes its traces to `folder`; the job must succeed."""
    job = subprocess.run(command, env=dict(os.environ, AIRAMP_TRACE=str(folder)), capture_output=True, text=True,
                         timeout=60, check=False)
    if job.returncode != 0:
        sys.exit(f"status {job.returncode}\n{job.stdout}\n{job.stderr}")
    return sorted(line for line in job.stderr.splitlines() if line.startswith("airamp:"))


def no_folder(command, scratch):
    """The folder cannot be made: each rank says so once."""
    (scratch / "file").touch()
    found = warnings(command, scratch / "file" / "traces")
    return len(found) == 2 and all("no trace" in line and "Not a directory" in line for line in found), found


def no_file(command, scratch):
    """Rank 1 cannot open its file: it says so, rank 0 records."""
    (scratch / "rank-1.airtrace").mkdir()
    found = warnings(command, scratch)
    right = len(found) == 1 and "[rank 1] warn: no trace" in found[0] and "Is a directory" in found[0]
    return right and (scratch / "rank-0.airtrace").stat().st_size > 0, found


def full(command, scratch):
    """Rank 0's disk is full: it says so once."""
    (scratch / "rank-0.airtrace").symlink_to("/dev/full")
    found = warnings(command, scratch)
    right = len(found) == 1 and "[rank 0] warn: the trace is not complete" in found[0]
    return right and "No space left on device" in found[0] and (scratch / "rank-1.airtrace").stat().st_size > 0, found


def main():
    case, command = sys.argv[1], sys.argv[3:]
    with tempfile.TemporaryDirectory() as scratch:
        right, found = {"no_folder": no_folder, "no_file": no_file, "full": full}[case](command, pathlib.Path(scratch))
    if not right:
        sys.exit(f"{case}: other warnings than expected, or no trace:\n" + "\n".join(found))


if __name__ == "__main__":
    main()
