#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""comm.Allreduce(a, b) of mpi4py on CuPy arrays: right results, and what a call takes next to the C benchmark's.

mpirun -n 2 airamp exec -- python3 python_device.py [--bytes LIST] [--calls N] [--benchmark FILE]

FILE: what `airamp_bench --memory device --type float32 --bytes-list LIST --json FILE` wrote. Exit status 77 where
mpi4py, CuPy or a GPU is missing.
"""

import argparse
import json
import os
import statistics
import sys

SKIPPED = 77


def skip(why):
    if os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", "0")) == "0":
        print(f"skipped: {why}")
    sys.exit(SKIPPED)


try:
    import numpy
    from mpi4py import MPI
    import cupy
    if cupy.cuda.runtime.getDeviceCount() == 0:
        skip("there is no GPU")
except ImportError as error:
    skip(str(error))
except Exception as error:  # CuPy's own error where there is no driver
    skip(f"CuPy finds no GPU ({error})")


def add_halves(addend, total, _type):
    """An operation on two-byte floats, as Python codes write it."""
    result = numpy.frombuffer(total, dtype=numpy.float16)
    result += numpy.frombuffer(addend, dtype=numpy.float16)


class Halves:
    """MPI's view of float16: two bytes and an operation of our own."""

    def __init__(self):
        self.type = MPI.BYTE.Create_contiguous(2).Commit()
        self.sum = MPI.Op.Create(add_halves, commute=True)

    def free(self):
        self.sum.Free()
        self.type.Free()


def values(rank, count, dtype):
    return numpy.random.default_rng(1000 + rank).standard_normal(count).astype(dtype)


def allreduce(communicator, halves, send, receive):
    if send.dtype == numpy.float16:
        communicator.Allreduce([send, send.size, halves.type], [receive, receive.size, halves.type], op=halves.sum)
    else:
        communicator.Allreduce(send, receive)


def synchronize():
    cupy.cuda.get_current_stream().synchronize()


def check(communicator, halves, dtype, count):
    """The number of elements that are further from the exact sum than any order of adding brings them."""
    ranks = communicator.Get_size()
    send = cupy.asarray(values(communicator.Get_rank(), count, dtype))
    receive = cupy.full(count, numpy.nan, dtype=dtype)
    synchronize()
    allreduce(communicator, halves, send, receive)
    inputs = [values(rank, count, dtype).astype(numpy.longdouble) for rank in range(ranks)]
    format_of = numpy.finfo(dtype)
    bound = ranks * (format_of.eps / 2 * sum(numpy.abs(one) for one in inputs) + format_of.smallest_subnormal)
    wrong = int(numpy.sum(~(numpy.abs(receive.get().astype(numpy.longdouble) - sum(inputs)) <= bound)))
    return communicator.allreduce(wrong)


def median_time(communicator, halves, dtype, size, calls):
    """The median of the slowest rank's time of a call, in seconds."""
    count = max(1, size // numpy.dtype(dtype).itemsize)
    send, receive = cupy.ones(count, dtype=dtype), cupy.empty(count, dtype=dtype)
    synchronize()
    for _ in range(12):
        allreduce(communicator, halves, send, receive)
    times = []
    for _ in range(calls):
        communicator.Barrier()
        begin = MPI.Wtime()
        allreduce(communicator, halves, send, receive)
        times.append(MPI.Wtime() - begin)
    return statistics.median(communicator.allreduce(time, op=MPI.MAX) for time in times)


def benchmark_times(path):
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        return {row["bytes"]: row["airamp"]["seconds"] for row in json.load(file)["rows"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", default="8,65536,1048576,16777216", help="sizes to time, separated by commas")
    parser.add_argument("--calls", type=int, default=51)
    parser.add_argument("--benchmark", help="JSON file of airamp_bench to print beside")
    arguments = parser.parse_args()
    communicator = MPI.COMM_WORLD
    local = communicator.Split_type(MPI.COMM_TYPE_SHARED)
    cupy.cuda.Device(local.Get_rank() % cupy.cuda.runtime.getDeviceCount()).use()
    local.Free()
    speaks = communicator.Get_rank() == 0
    halves = Halves()
    wrong_total = 0
    for dtype in ("float16", "float32", "float64"):
        for count in (1, 1001, 1 << 20, (1 << 22) + 1):
            wrong = check(communicator, halves, dtype, count)
            wrong_total += wrong
            if speaks and wrong:
                print(f"wrong: {dtype}, {count} elements: {wrong} of them")
    reference = benchmark_times(arguments.benchmark)
    if speaks:
        library = MPI.Get_library_version().splitlines()[0].split(",")[0]
        print(f"# Allreduce of mpi4py over {library}, CuPy {cupy.__version__}, "
              f"{communicator.Get_size()} ranks; median us of the slowest rank")
        print(f"# {'bytes':>10} {'float16':>10} {'float32':>10} {'float64':>10} {'C float32':>10}")
    for size in map(int, arguments.bytes.split(",")):
        times = [median_time(communicator, halves, dtype, size, arguments.calls)
                 for dtype in ("float16", "float32", "float64")]
        if speaks:
            c_time = f"{reference[size] * 1e6:10.1f}" if size in reference else f"{'-':>10}"
            print(f"  {size:>10} " + " ".join(f"{time * 1e6:10.1f}" for time in times) + f" {c_time}", flush=True)
    halves.free()
    if speaks:
        print(f"python_device: {wrong_total} wrong elements")
    return 1 if wrong_total else 0


if __name__ == "__main__":
    sys.exit(main())
