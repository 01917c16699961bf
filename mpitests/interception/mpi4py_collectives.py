# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Collectives through mpi4py, which loads the MPI library with RTLD_LOCAL: mpi4py_collectives.py TALLY.json

Counts the C functions that mpi4py calls: the large-count ones if it is version 4 over an MPI 4 library. Large sums of
FP16 (a type and an operation of our own) must be right to 8 bits, whether they were compressed or not.
"""

import array
import json
import math
import struct
import sys

from mpi4py import MPI

ELEMENTS = 100_000
LARGE_COUNT = MPI.VERSION >= 4 and hasattr(MPI.Datatype, "Get_value_index")


class Tally:
    """Calls by the name of the C function."""

    def __init__(self):
        self.calls = {}

    def add(self, name, has_large_count=True):
        name += "_c" if LARGE_COUNT and has_large_count else ""
        self.calls[name] = self.calls.get(name, 0) + 1


def overflow(value):
    """struct.pack refuses finite numbers that FP16 rounds to infinity."""
    return math.copysign(math.inf, value) if abs(value) >= 65520 else value


def add_halves(received, result, _datatype):
    """The operation: adds FP16 vectors."""
    count = len(result) // 2
    form = f"={count}e"
    sums = map(sum, zip(struct.unpack(form, received), struct.unpack(form, result)))
    result[:] = struct.pack(form, *map(overflow, sums))


def expect(right, what):
    if not right:
        print("wrong:", what, file=sys.stderr)
        MPI.COMM_WORLD.Abort(1)


def call_with_integers(world, tally):
    ranks = world.size
    send = array.array("i", [world.rank + 1] * 5)
    receive = array.array("i", [0] * 5)
    tally.add("MPI_Allreduce")
    world.Allreduce(send, receive)
    expect(list(receive) == [ranks * (ranks + 1) // 2] * 5, "Allreduce")
    tally.add("MPI_Allreduce")
    world.Allreduce(MPI.IN_PLACE, send)
    expect(send == receive, "Allreduce in place")
    gathered = array.array("i", [0] * ranks)
    tally.add("MPI_Allgather")
    world.Allgather(array.array("i", [world.rank]), gathered)
    expect(list(gathered) == list(range(ranks)), "Allgather")
    tally.add("MPI_Bcast")
    world.Bcast(gathered, root=0)
    tally.add("MPI_Barrier", has_large_count=False)
    world.Barrier()


def call_point_to_point(world, tally):
    left, right = (world.rank - 1) % world.size, (world.rank + 1) % world.size
    receive = array.array("i", [-1])
    tally.add("MPI_Sendrecv")
    world.Sendrecv(array.array("i", [world.rank]), right, recvbuf=receive, source=left)
    expect(receive[0] == left, "Sendrecv")
    request = world.Isend(array.array("i", [world.rank]), right)
    tally.add("MPI_Recv")
    world.Recv(receive, left)
    expect(receive[0] == left, "Recv")
    tally.add("MPI_Wait", has_large_count=False)
    request.Wait()


def call_with_halves(world, tally):
    half = MPI.BYTE.Create_contiguous(2).Commit()
    tally.add("MPI_Op_create")
    add = MPI.Op.Create(add_halves, commute=True)
    values = [math.sin(0.37 * i + world.rank) for i in range(ELEMENTS)]
    send = bytearray(struct.pack(f"={ELEMENTS}e", *values))
    for _ in range(3):
        receive = bytearray(2 * ELEMENTS)
        tally.add("MPI_Allreduce")
        world.Allreduce([send, ELEMENTS, half], [receive, ELEMENTS, half], op=add)
        sums = struct.unpack(f"={ELEMENTS}e", receive)
        truth = [sum(math.sin(0.37 * i + r) for r in range(world.size)) for i in range(ELEMENTS)]
        error = math.sqrt(sum((a - b) ** 2 for a, b in zip(sums, truth)) / sum(b * b for b in truth))
        expect(error < 0.05, f"sum of FP16, relative error {error}")
    tally.add("MPI_Op_free", has_large_count=False)
    add.Free()
    half.Free()


def main():
    tally = Tally()
    tally.add("MPI_Init_thread", has_large_count=False)
    call_with_integers(MPI.COMM_WORLD, tally)
    call_point_to_point(MPI.COMM_WORLD, tally)
    call_with_halves(MPI.COMM_WORLD, tally)
    tally.add("MPI_Finalize", has_large_count=False)
    if MPI.COMM_WORLD.rank == 0:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            json.dump(tally.calls, file)


main()
