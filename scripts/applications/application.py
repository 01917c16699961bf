# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What scripts/measure-applications knows of an application: how to run its cases, and what it needs."""

import dataclasses
import re
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Case:
    """An input of an application. In the words of commands, {own} is the folder of programs that are built here, and
    {steps} the number of steps."""

    name: str
    command: tuple[str, ...]  # behind the launcher
    steps: int  # of the program's main loop, or repeats: 4 to 10 s on 16 ranks
    inputs: Callable[[int, int], dict[str, str]]  # of the ranks and the steps: text by file name
    main_loop: Callable[[str], float | None] = lambda _: None  # its seconds, from timed_file's text; None: not said
    timed_file: str = "stdout"
    prepare: tuple[tuple[str, ...], ...] = ()  # commands that one process runs once, before all turns
    results: tuple[str, ...] = ()  # patterns of the files that are compared beside stdout
    changing: tuple[str, ...] = ()  # regular expressions of what no two runs have in common: times, dates, names


@dataclasses.dataclass(frozen=True)
class Application:
    """A code and its cases."""

    name: str
    cases: tuple[Case, ...]
    packages: tuple[str, ...] = ()  # Debian's
    programs: tuple[str, ...] = ()  # installed ones that the cases run
    data: tuple[str, ...] = ()  # absolute patterns of files and folders that the programs read
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    # Puts programs that are built here into a folder: of a build folder and that folder.
    build_own: Callable | None = None


def sum_of(pattern):
    """A main loop's seconds: the sum of the first group over all matches."""
    def seconds(text):
        found = re.findall(pattern, text, re.MULTILINE)
        return sum(map(float, found)) if found else None
    return seconds


def from_first_to_last(pattern):
    """A main loop's seconds: by how much the first group grows from the first match to the last."""
    def seconds(text):
        found = re.findall(pattern, text, re.MULTILINE)
        return float(found[-1]) - float(found[0]) if len(found) > 1 else None
    return seconds
