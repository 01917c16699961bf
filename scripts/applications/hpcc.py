# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""HPC Challenge: Linpack, a transposition, random updates, Fourier transforms, and what each rank does alone."""

import math

from applications.application import Application, Case, sum_of

# Linpack's input, whose lines go by their number: of the values in braces, and else as Debian's example has it.
INPUT = """HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out
8 device out
1 problem size
{size}
1 block size
80
0 row-major
1 grid
{rows}
{columns}
16.0 threshold
1 panel factorisation
2
1 stopping criterion
4
1 panels in a recursion
2
1 recursive factorisation
1
1 broadcast
1
1 depth
1
2 swap
64 swapping threshold
0 L1 transposed
0 U transposed
1 equilibration
8 alignment
##### ignored
0 further problem sizes of the transposition
0
0 further block sizes of the transposition
0
"""

# The program writes its only file at many places: it is to be stdout.
TO_STDOUT = ("ln", "-s", "/dev/stdout", "hpccoutf.txt")
# Times, what is worked out of them, and how much is done for that. The matrices of a rank's own multiplication, and
# which rank does something alone, depend on the time of day. Some random updates are lost, natively too: up to 16
# of 2^18 on 16 ranks of 2 processors. The program allows for 1 %.
CHANGING = (r".*([Tt]ime|[Ss]econd|sec\b|GUP|GB|flop|MB/s|MByte|STREAM|clock|atency|Bandwidth|ping|pong).*",
            r".*(MPI_Wtick|EXECUTED|ExeUpdates|Node selected|errors in \d+ locations \(passed\)|Access\w*_Errors).*",
            r"^ ?(WALL|CPU|WR\w+|Copy|Scale|Add|Triad|Tuning|Computing|Inverse FFT|Generation|Scaled residual)\b.*")


def linpack(ranks, steps):
    """The grid is as square as may be; `steps` is the problem's size."""
    rows = max(rows for rows in range(1, math.isqrt(ranks) + 1) if ranks % rows == 0)
    return {"hpccinf.txt": INPUT.format(size=steps, rows=rows, columns=ranks // rows)}


APPLICATION = Application(
    name="hpcc", packages=("hpcc", "libopenblas0-serial"), programs=("hpcc", "ln"),
    cases=(Case(name="hpcc", command=("hpcc",), steps=4000, inputs=linpack, prepare=(TO_STDOUT,), changing=CHANGING,
                main_loop=sum_of(r"^(?:HPL|PTRANS|MPIRandomAccess|MPIRandomAccess_LCG|MPIFFT)_time\d?=(\S+)")),))
