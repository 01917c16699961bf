#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Checks what a preloaded library brings into a process: check_symbols.py libairamp.so

It may need the C library and its parts and GCC's unwinder alone, and may define MPI_*, PMPI_* (MPIX_* alike) and
airamp_* alone.
"""

import re
import subprocess
import sys

ALLOWED_LIBRARIES = re.compile(r"(libc|libm|libdl|libpthread|libgcc_s|ld-linux[\w-]*)\.so\.\d+")
ALLOWED_SYMBOLS = re.compile(r"P?MPIX?_\w+|airamp_\w+")
# Without these the library would be no interposer.
EXPECTED_SYMBOLS = {"MPI_Init", "PMPI_Init", "MPI_Allreduce", "PMPI_Allreduce", "MPI_Finalize", "PMPI_Finalize"}


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    library = sys.argv[1]
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", "-W", library))
    defined = {line.split()[-1].split("@")[0] for line in output_of("nm", "-D", "--defined-only", library).splitlines()}
    wrong = [f"needs {name}" for name in needed if not ALLOWED_LIBRARIES.fullmatch(name)]
    wrong += [f"defines {name}" for name in sorted(defined) if not ALLOWED_SYMBOLS.fullmatch(name)]
    wrong += [f"does not define {name}" for name in sorted(EXPECTED_SYMBOLS - defined)]
    print(f"{library} needs {', '.join(needed)} and defines {len(defined)} symbols")
    for line in wrong:
        print("wrong:", line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
