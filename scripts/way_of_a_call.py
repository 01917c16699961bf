# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The way of a call through pmpi/, as the sources have it: which step calls which function of which file.

`scripts/rooms` draws it. Read are the bodies of a few functions by their names; what they call is found where it is
defined, at the beginning of a line, as clang-format leaves it.
"""

import html
import re

CALL = re.compile(r"(?<![.>:\w])([a-z][a-z_]+)\(")  # no member functions
EXECUTE = re.compile(r"^int (\w+)::execute\(", re.MULTILINE)
STEP = re.compile(r"^  // ([A-Z][a-z]+): (.*)$")
DEFINITION = re.compile(r"^[A-Za-z\[][^;={}()]*?\b([a-z][a-z_]+)\((?!.*;$)")
ASKED_EVERYWHERE = {"native"}  # the table of the MPI library's functions


def bodies(path):
    """Each function that is defined at the beginning of a line: its name and the lines of its body."""
    name, lines = None, []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line == "}" and name:
            yield name, lines
            name, lines = None, []
            continue
        found = DEFINITION.match(line)
        if found and line.endswith("}"):
            yield found[1], [line]
        elif found:
            name, lines = found[1], []
        elif name:
            lines.append(line)


class Sources:
    """The functions of pmpi/, by name."""

    def __init__(self, tree):
        self.bodies = {}
        for path in sorted((tree / "pmpi").rglob("*.[ch]pp")):
            for name, lines in bodies(path):
                self.bodies.setdefault(name, []).append((path.relative_to(tree / "pmpi").as_posix(), lines))

    def only(self, name, file):
        """The body of the function of that file."""
        return next(lines for where, lines in self.bodies[name] if where == file)

    def calls(self, lines, home):
        """Functions of other files that the lines call, directly or through functions of their own file."""
        seen, result = set(), []

        def visit(some_lines):
            for line in some_lines:
                for name in CALL.findall(line.split("//")[0]):
                    if name in seen | ASKED_EVERYWHERE or name not in self.bodies:
                        continue
                    seen.add(name)
                    places = self.bodies[name]
                    inner = [body for where, body in places if where == home]
                    if inner:
                        visit(inner[0])
                        continue
                    files = [where for where, _ in places]
                    near = [where for where in files if where.split("/")[0] == home.split("/")[0]]
                    if near or len(files) == 1:
                        result.append((name, (near or files)[0]))

        visit(lines)
        return result


def steps(tree):
    """(title, what it is for, its calls) of each step."""
    sources = Sources(tree)
    home = "entry/run_collective.cpp"
    yield "entry", "the call is counted", sources.calls(
        [*sources.only("run_collective", "entry/run_collective.hpp"), *sources.only("run_by_root", home)], home)
    yield "admission", "what is the same on all ranks without a question", \
        sources.calls(sources.only("admit", "decide/admission.cpp"), "decide/admission.cpp")
    title, purpose, lines = None, "", []
    home = "decide/decide.cpp"
    for line in sources.only("decide", home):
        found = STEP.match(line)
        if found and title:
            yield title, purpose, sources.calls(lines, home)
        if found:
            title, purpose, lines = found[1].lower(), found[2].rstrip("."), []
        lines.append(line)
    yield title, purpose, sources.calls(lines, home)
    yield "carrying out", "what was decided is done", \
        sources.calls(sources.only("carry_out", "decide/carry_out.cpp"), "decide/carry_out.cpp")
    yield "algorithm", "execute() of the one that was agreed on", \
        [(found, path.relative_to(tree / "pmpi").as_posix())
         for path in sorted((tree / "pmpi/algorithm").rglob("*.cpp"))
         for found in EXECUTE.findall(path.read_text(encoding="utf-8"))]


def picture(tree):
    """An SVG: a box for each step, with the functions that it calls and the files that define them."""
    width, left, line_height = 640, 40, 18
    lines, top = [], 60
    for title, purpose, calls in steps(tree):
        height = 50 + line_height * len(calls)
        if lines:
            lines.append(f'<path d="M{left + width / 2} {top - 20} v14" stroke="#5b7fa6" stroke-width="2" '
                         'marker-end="url(#tip)"/>')
        lines.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="6" fill="#eef3f8" '
                     'stroke="#5b7fa6"/>')
        lines.append(f'<text x="{left + 12}" y="{top + 20}"><tspan font-weight="bold">{html.escape(title)}</tspan>'
                     f'<tspan dx="10" fill="#333333">{html.escape(purpose)}</tspan></text>')
        for i, (name, file) in enumerate(calls):
            y = top + 42 + i * line_height
            lines.append(f'<text x="{left + 28}" y="{y}" font-family="monospace">{html.escape(name)}</text>')
            lines.append(f'<text x="{left + width - 12}" y="{y}" text-anchor="end" fill="#555555">'
                         f'{html.escape(file)}</text>')
        top += height + 24
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {top + 10}" font-family="sans-serif" font-size="13">',
        "<title>The way of a call</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="4" markerHeight="4" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="#5b7fa6"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{left}" y="34" font-size="16" font-weight="bold">The way of a call: what each step asks, and where '
        "that lies in pmpi/</text>",
        *lines, "</svg>"]) + "\n"
