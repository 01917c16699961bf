# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What a run computed, to the last digit that it printed or wrote, without times, dates and names of the machine."""

import hashlib
import re


def answer_of(folder, case):
    """The lines of stdout without what matches one of the case's `changing`, and those of its result files. A file that
    is no text counts as one line, its digest. Raises FileNotFoundError if there are no results."""
    changing = re.compile("|".join(f"(?:{pattern})" for pattern in case.changing) or r"(?!)")
    lines = [changing.sub("", line)
             for line in (folder / "stdout").read_text(encoding="utf-8", errors="replace").splitlines()]
    lines = [line for line in lines if line.strip()]
    for pattern in case.results:
        found = sorted(path for path in folder.glob(pattern) if path.is_file())
        if not found:
            raise FileNotFoundError(f"there is no {pattern}")
        for path in found:
            content = path.read_bytes()
            lines.append(f"file {path.relative_to(folder)}")
            try:
                lines += content.decode("ascii").splitlines()
            except UnicodeDecodeError:
                lines.append(f"{len(content)} bytes, {hashlib.sha256(content).hexdigest()}")
    return lines


def first_difference(answer, other):
    """A sentence about the first line in which two answers differ; nothing if they are the same."""
    for number, (line, other_line) in enumerate(zip(answer, other)):
        if line != other_line:
            return f"line {number + 1}: {line.strip()!r} against {other_line.strip()!r}"
    return "" if len(answer) == len(other) else f"{len(answer)} lines against {len(other)}"
