# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a build that are one program under mpirun and airamp."""

import dataclasses
import json
import pathlib
import re
import subprocess

ROOMS = ("mpitests/laws/", "mpitests/differential/")


@dataclasses.dataclass(frozen=True)
class LaunchedTest:
    """A program under mpirun and `airamp exec`."""

    name: str
    ranks: int
    environment: dict[str, str]
    program: list[str]  # and its arguments; in the folder of programs


def test_of(entry, build):
    """The test that ctest lists so, and its program; nothing if it is more than a program under mpirun."""
    words = entry.get("command", [])
    properties = {item["name"]: item["value"] for item in entry["properties"]}
    environment = dict(word.split("=", 1) for word in properties.get("ENVIRONMENT", []))
    airamp = str(build / "apps/airamp/airamp")
    if words.count("-n") != 1 or airamp not in words or str(build) in " ".join(environment.values()):
        return None
    if any(word.endswith(".sh") for word in words):  # what has the launcher run somewhere of its own
        return None
    at = words.index(airamp)
    if words[at + 1:at + 3] != ["exec", "--"] or words[at - 2] != "-n":
        return None
    program, *arguments = words[at + 3:]
    if not program.startswith(tuple(f"{build}/{room}" for room in ROOMS)) or str(build) in " ".join(arguments):
        return None
    name = pathlib.Path(program).name
    return LaunchedTest(entry["name"], int(words[at - 1]), environment, [name, *arguments]), program


def tests_of(build):
    """The tests of a build folder, and the paths of their programs."""
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L", "^mpi$"], capture_output=True,
                             text=True, check=True).stdout
    found = [test for entry in json.loads(listing)["tests"] if (test := test_of(entry, build))]
    return [test for test, _ in found], sorted({program for _, program in found})


def chosen(tests, only, ranks, processors):
    """Those whose names match, most ranks first, as far as there are processors. `ranks`: each program on these numbers
    of ranks, once for each setting; None: each test on its own."""
    named = [test for test in tests if re.search(only, test.name)]
    if ranks:
        programs = {(tuple(test.program), tuple(test.environment.items())): test for test in named}
        named = [dataclasses.replace(test, name=f"{test.name} on {number}", ranks=number)
                 for number in ranks for test in programs.values()]
    return sorted((test for test in named if test.ranks <= processors), key=lambda test: -test.ranks)
