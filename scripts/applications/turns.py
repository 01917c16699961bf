# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Runs a case natively and with AIRamp in turns."""

import dataclasses
import json
import pathlib
import shutil
import statistics
import time

from applications.answer import answer_of, first_difference
from applications.place import cores, open_mpi_variables
from bounded_job import run_job

TIMED_OUT = (124, 137)
MOST_SAID = 16000
NATIVE, AIRAMP = "native", "AIRamp"


class Failure(Exception):
    """Why a case has no figures."""


@dataclasses.dataclass
class Run:
    """Seconds of one run, and in what its answer differs from that of the first."""

    side: str
    whole: float
    loop: float | None
    difference: str
    report: dict | None = None


@dataclasses.dataclass
class Figures:
    """Of all counted runs of a case."""

    case: str
    ranks: int
    answer_lines: int  # of the first run, with which all others are compared
    watched: dict[str, Run]  # with AIRamp and reports, not counted; natively: without shared memory
    runs: dict[str, list[Run]] = dataclasses.field(default_factory=lambda: {NATIVE: [], AIRAMP: []})

    def differences(self):
        """Of the counted and the watched runs' answers: by whose run it was, a sentence."""
        runs = [*self.watched.values(), *self.runs[NATIVE], *self.runs[AIRAMP]]
        return [(run.side, run.difference) for run in runs if run.difference]

    def median(self, side, what):
        """Of `whole` or `loop`; None if the program does not say it."""
        values = [getattr(run, what) for run in self.runs[side]]
        return statistics.median(values) if values and None not in values else None

    def spread(self, side):
        """Between the fastest and the slowest run, by the median."""
        values = [run.whole if run.loop is None else run.loop for run in self.runs[side]]
        return (max(values) - min(values)) / statistics.median(values)


def excerpt(text):
    """The beginning and the end of a long text: a stack trace may stand in either."""
    half = MOST_SAID // 2
    return text if len(text) <= MOST_SAID else f"{text[:half]}\n[...]\n{text[-half:]}"


def launcher(ranks, bind_to):
    """The words that start ranks."""
    on_cores, on_processors = cores()
    # Nothing is started on other hosts: no ssh is asked for.
    words = ["mpirun.openmpi", "--allow-run-as-root", "--mca", "plm", "isolated", "-n", str(ranks)]
    if ranks > on_processors:
        return [*words, "--oversubscribe", "--bind-to", "none"]
    if ranks > on_cores:
        return [*words, "--use-hwthread-cpus", "--bind-to", "hwthread" if bind_to == "core" else bind_to]
    return [*words, "--bind-to", bind_to]


class Turns:
    """The runs of one case in one place."""

    def __init__(self, application, case, place, arguments):
        self.case, self.place, self.arguments = case, place, arguments
        self.steps = max(1, round(case.steps * arguments.length))
        self.environment = dict(
            self.place.environment(), OMP_NUM_THREADS="1", LC_ALL="C.UTF-8", TMPDIR="/tmp", **application.environment,
            **open_mpi_variables())
        self.prepared = place.work / case.name
        self.number = 0
        self.reference = None  # the answer of the first run

    def words(self, words):
        return [word.format(own=self.place.own, steps=self.steps) for word in words]

    def job(self, folder, words, environment):
        """Runs words in a folder; its seconds. Raises Failure unless it ends well in time."""
        begin = time.monotonic()
        status, output = run_job(self.place.command(folder, words), self.arguments.timeout,
                                 dict(self.environment, **environment))
        seconds = time.monotonic() - begin
        if status == 0:
            return seconds
        said = output + "".join(excerpt((folder / name).read_text(encoding="utf-8", errors="replace"))
                                for name in ("stdout", "stderr") if (folder / name).exists())
        what = f"ended because it took longer than {self.arguments.timeout} s" if status in TIMED_OUT \
            else f"ended with status {status}"
        raise Failure(f"{what}: {' '.join(words)}\n{said}")

    def prepare(self):
        """Writes the inputs, and has one process do what comes before all runs."""
        for name, text in self.case.inputs(self.arguments.ranks, self.steps).items():
            path = self.prepared / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.prepared.mkdir(exist_ok=True)
        for words in self.case.prepare:
            self.job(self.prepared, [*launcher(1, "none"), *self.words(words)], {})

    def run(self, side, settings=None):
        """One run in a copy of the prepared folder. `settings` of AIRamp has it write a report."""
        self.number += 1
        folder = self.place.work / f"{self.case.name}.{self.number}"
        shutil.copytree(self.prepared, folder, symlinks=True)
        report = folder / "report.json"
        words, environment = launcher(self.arguments.ranks, self.arguments.bind_to), {}
        if side == AIRAMP:
            words += [self.place.airamp, "exec", "--"]
            environment = dict(self.arguments.settings)
            if settings is not None:
                environment.update(settings, AIRAMP_REPORT=self.place.inside(report))
        try:
            whole = self.job(folder, [*words, *self.words(self.case.command)], environment)
            timed = folder / self.case.timed_file
            answer = answer_of(folder, self.case)
            self.reference = self.reference or answer
            return Run(side, whole, self.case.main_loop(timed.read_text(encoding="utf-8", errors="replace")),
                       first_difference(self.reference, answer),
                       json.loads(report.read_text(encoding="utf-8")) if report.exists() else None)
        except (Failure, FileNotFoundError) as failure:
            raise Failure(f"{side}: {failure}") from None
        finally:
            if self.arguments.keep:
                kept = pathlib.Path(self.arguments.keep) / f"{folder.name}.{side}"
                shutil.copytree(folder, kept, symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(folder)

    def all(self, say):
        """All runs, in figures. `say` is told of each run."""
        self.prepare()
        self.run(NATIVE)
        watched = {NATIVE: self.run(AIRAMP, {"AIRAMP_ENABLE_SHARED_MEMORY": "0"}), AIRAMP: self.run(AIRAMP, {})}
        figures = Figures(self.case.name, self.arguments.ranks, len(self.reference), watched)
        for turn in range(self.arguments.turns):
            for side in (NATIVE, AIRAMP) if turn % 2 == 0 else (AIRAMP, NATIVE):
                run = self.run(side)
                figures.runs[side].append(run)
                say(f"{self.case.name}, turn {turn + 1}, {side}: {run.whole:.2f} s"
                    + ("" if run.loop is None else f", main loop {run.loop:.3f} s"))
        return figures
