#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""where_native_works.py N NATIVE... COMMAND...: runs the N words NATIVE, then COMMAND.

Exit status: 77 ("skipped") if NATIVE fails, for then nobody can ask more of COMMAND, else COMMAND's own.
"""

import os
import subprocess
import sys

SKIPPED = 77


def main():
    words = int(sys.argv[1])
    native, command = sys.argv[2:2 + words], sys.argv[2 + words:]
    result = subprocess.run(native, capture_output=True, text=True, errors="replace", check=False)
    if result.returncode != 0:
        print(f"skipped: natively it ends with status {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
        return SKIPPED
    return os.execvp(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
