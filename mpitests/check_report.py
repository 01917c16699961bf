#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Runs an MPI job with AIRAMP_REPORT set and checks the report that it leaves.

Exit status: the job's own if it failed, 1 if the report is missing or not as demanded, else 0.
"""

import argparse
import json
import os
import subprocess
import sys


ACCELERATED_FUNCTIONS = ("MPI_Allreduce", "MPI_Allgather", "MPI_Allgatherv", "MPI_Reduce_scatter_block", "MPI_Bcast")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", required=True, help="where the job writes its report (.json)")
    parser.add_argument("--tally", help="JSON file in which the program wrote its own count of calls: the report's "
                        "functions must be exactly these")
    parser.add_argument("--state", choices=("on", "off"), default="on", help="the state that AIRamp must be in")
    parser.add_argument("--ranks", type=int, metavar="N", help="the ranks that the report must speak of")
    parser.add_argument("--min-accelerated-calls", type=int, default=0, metavar="N")
    parser.add_argument("--accelerated-calls", type=int, metavar="N", help="so many, no more and no fewer")
    parser.add_argument("--no-accelerated-calls", action="store_true")
    parser.add_argument("--accelerated", action="append", default=[], metavar="FUNCTION",
                        help="some call of FUNCTION must have been accelerated; may be repeated")
    parser.add_argument("--accelerated-reduction", action="append", default=[], metavar="FUNCTION:ELEMENT:OPERATION",
                        help="some such call must have been accelerated; may be repeated")
    parser.add_argument("--sizes", action="append", default=[], metavar="FUNCTION:N",
                        help="accelerated calls of FUNCTION must have been decided on by at least so many lengths")
    parser.add_argument("--tuning-calls", nargs=2, type=int, metavar=("LEAST", "MOST"),
                        help="how many calls may have been measured")
    parser.add_argument("--path", action="append", default=[], metavar="NAME",
                        help="the paths that signatures with accelerated calls must have been on: each of those named, "
                        "and no other")
    parser.add_argument("--why", action="append", default=[], metavar="TEXT",
                        help="what some signature's reason must contain")
    parser.add_argument("--no-why", action="append", default=[], metavar="TEXT",
                        help="what no signature's reason may contain")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="-- mpirun ...")
    arguments = parser.parse_args()
    if arguments.command[:1] == ["--"]:
        del arguments.command[0]
    return arguments


def remove(path):
    if path and os.path.exists(path):
        os.remove(path)


def differences(expected, seen):
    """Lines that say where two maps from function to number of calls differ."""
    return [f"{name}: called {expected.get(name, 0)} times, the report says {seen.get(name, 0)}"
            for name in sorted(set(expected) | set(seen)) if expected.get(name, 0) != seen.get(name, 0)]


def unaccounted(report):
    """Lines that say for which functions the signatures' calls are not all calls."""
    known = {}
    for signature in report["signatures"]:
        known[signature["function"]] = known.get(signature["function"], 0) + signature["calls"]
    seen = {name: 0 for name in known if name in ACCELERATED_FUNCTIONS}
    for name, calls in report["functions"].items():
        plain = name.removesuffix("_c")
        if plain in ACCELERATED_FUNCTIONS:
            seen[plain] = seen.get(plain, 0) + calls
    return differences(seen, {name: calls for name, calls in known.items() if name in ACCELERATED_FUNCTIONS})


def check(report, arguments):
    """Lines that say what is wrong with a report."""
    wrong = []
    state = report["airamp"]["state"]
    if state != arguments.state:
        wrong.append(f"AIRamp is {state}, not {arguments.state}: {report['airamp'].get('why_off')}")
    if arguments.ranks is not None and report["airamp"]["ranks"] != arguments.ranks:
        wrong.append(f"the report speaks of {report['airamp']['ranks']} ranks, not of {arguments.ranks}")
    if arguments.tally:
        with open(arguments.tally, encoding="utf-8") as file:
            wrong += differences(json.load(file), report["functions"])
    accelerated = {}
    for signature in report["signatures"]:
        calls = accelerated.get(signature["function"], 0)
        accelerated[signature["function"]] = calls + signature["accelerated_calls"]
    print("accelerated calls:", accelerated, "of", report["functions"])
    total = sum(accelerated.values())
    if total < arguments.min_accelerated_calls:
        wrong.append(f"{total} calls were accelerated, at least {arguments.min_accelerated_calls} should have been")
    if arguments.accelerated_calls is not None and total != arguments.accelerated_calls:
        wrong.append(f"{total} calls were accelerated, {arguments.accelerated_calls} should have been")
    if arguments.no_accelerated_calls and total:
        wrong.append(f"{total} calls were accelerated, none should have been")
    wrong += unaccounted(report)
    if arguments.tuning_calls:
        least, most = arguments.tuning_calls
        measured = report["tuning"]["calls"]
        if not least <= measured <= most:
            wrong.append(f"{measured} calls were measured, not {least} to {most}")
    if arguments.path:
        paths = sorted({signature["path"] for signature in report["signatures"] if signature["accelerated_calls"]})
        if paths != sorted(arguments.path):
            wrong.append(f"the paths were {paths}, not {sorted(arguments.path)}")
    wrong += [f"no signature says why: {text}" for text in arguments.why
              if not any(text in signature["why"] for signature in report["signatures"])]
    wrong += [f"{signature['function']} of {signature['size']} bytes says why: {signature['why']}"
              for text in arguments.no_why for signature in report["signatures"] if text in signature["why"]]
    wrong += [f"no call of {name} was accelerated" for name in arguments.accelerated if not accelerated.get(name)]
    for name, least in (sizes.split(":") for sizes in arguments.sizes):
        lengths = {signature["size"] for signature in report["signatures"]
                   if signature["function"] == name and signature["accelerated_calls"]}
        if len(lengths) < int(least):
            wrong.append(f"accelerated calls of {name} were decided on by {len(lengths)} lengths, not {least}")
    reductions = {":".join((signature["function"], signature["element"], signature["op"]))
                  for signature in report["signatures"] if signature["accelerated_calls"]}
    wrong += [f"no call of {name} was accelerated" for name in arguments.accelerated_reduction
              if name not in reductions]
    return wrong


def main():
    arguments = parse_arguments()
    remove(arguments.report)
    remove(arguments.tally)
    status = subprocess.run(arguments.command, env=dict(os.environ, AIRAMP_REPORT=arguments.report),
                            check=False).returncode
    if status != 0:
        print(f"the job ended with status {status}", file=sys.stderr)
        return status if 0 < status < 256 else 1
    if not os.path.exists(arguments.report):
        print(f"the job left no report at {arguments.report}", file=sys.stderr)
        return 1
    with open(arguments.report, encoding="utf-8") as file:
        wrong = check(json.load(file), arguments)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
