# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Runs a job to which a fault happens, for so long at most, and leaves nothing of it behind."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import built_for
import reported_job
from faults import outcome
from faults.settings import IMPOSED, ON_FAKE_GPU, SETTINGS

NOT_HERE = 77
SURVIVAL_S = 10  # that a rank may outlive its launcher
MARK = "AIRAMP_TEST_VERDICTS"


def processes_of(folder):
    """Those that have its folder in their environment."""
    mark = f"{MARK}={folder}".encode()
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in path.read_bytes().split(b"\0") and not is_dead(path.parent):
                yield int(path.parent.name)


def is_dead(process):
    return (process / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0] in "ZX"


def kill_all(folder):
    while left := list(processes_of(folder)):
        for process in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.05)


def all_gone(folder, patience):
    end = time.monotonic() + patience
    while any(processes_of(folder)):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


class Jobs:
    """Runs jobs of a build: of its name in build/, or of its path."""

    def __init__(self, build, patience):
        self.build = built_for.ROOT / "build" / build
        if not (self.build / "mpitests/faults/faults").exists():
            sys.exit(f"{self.build} has no mpitests/faults/faults: scripts/build makes it")
        self.flavour = built_for.cached(self.build, "AIRAMP_MPI_FLAVOUR")
        of_debian = built_for.cached(self.build, "MPIEXEC_EXECUTABLE").startswith("/usr/bin/")
        self.library = self.flavour if of_debian else f"pypi-{self.flavour}"
        self.patience = patience

    def run(self, fault, setting, patience_factor=1):
        """The outcome, or nothing if it cannot be had here. `setting`: one of SETTINGS' names, nothing for native."""
        with tempfile.TemporaryDirectory(prefix="airamp-fault-") as folder:
            return self.run_in(pathlib.Path(folder), fault, setting, patience_factor * self.patience)

    def run_in(self, folder, fault, setting, patience):
        verdicts, scratch = folder / "verdicts", folder / "scratch"
        verdicts.mkdir()
        scratch.mkdir()

        def filled(word):
            return word.format(build=self.build, scratch=scratch, root=built_for.ROOT)

        command = [filled(word) for word in self.command(fault, setting, verdicts)]
        # TMPDIR: a launcher that is killed leaves files there, which let the next one of its number fail.
        environment = {**os.environ, **reported_job.waiting_yields(self.build), MARK: str(verdicts),
                       "TMPDIR": str(folder)}
        environment.update({name: filled(value) for name, value in fault.environment.items()})
        environment.update(SETTINGS.get(setting, {}))
        with open(folder / "output", "wb") as output:
            job = subprocess.Popen(command, env=environment, cwd=scratch, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT)
            try:
                status = job.wait(patience)
                well = all_gone(verdicts, SURVIVAL_S)
            except subprocess.TimeoutExpired:
                status, well = None, True
            finally:
                kill_all(verdicts)
                job.wait()
        text = (folder / "output").read_text(encoding="utf-8", errors="replace")
        if status == NOT_HERE and fault.within:
            return None
        if status is None:
            return outcome.Outcome(outcome.HANG, "hang", text)
        if not well:
            return outcome.Outcome(outcome.HANG, "ranks outlive it", text)
        left = {int(path.name.partition(".")[0]): path.name.partition(".")[2] for path in verdicts.iterdir()}
        found = outcome.of_ended_job(status, text, left, 0 if fault.binary else fault.ranks - fault.dead)
        if setting is not None and found.kind == outcome.RIGHT:
            found = check_report(fault, setting, scratch, found)
        return found

    def command(self, fault, setting, verdicts):
        """All words of a job."""
        words = [*fault.within, *built_for.mpirun(self.build, fault.ranks)]
        words[-2:-2] = [*([] if self.flavour == "mpich" else ["--bind-to", "none"]),
                        *fault.launcher.get(self.flavour, ())]
        own = f"{self.build}/mpitests/faults/{'faults_on_device' if setting == ON_FAKE_GPU else 'faults'}"
        program = [f"{self.build}/{fault.binary}"] if fault.binary else [own, str(verdicts)]
        return [*words, *fault.around, "env", f"LD_PRELOAD={':'.join(self.preloaded(fault, setting))}", *program,
                *fault.program]

    def preloaded(self, fault, setting):
        """The libraries, in their order."""
        of_airamp = {None: [], ON_FAKE_GPU: [f"{self.build}/mpitests/fake_gpu/preload/libairamp.so"]}
        libraries = of_airamp.get(setting, [f"{self.build}/pmpi/libairamp.so"])
        others = [[f"{self.build}/mpitests/faults/libfaults_{name}.so" for name in names]
                  for names in (fault.before, fault.behind)]
        yields = [reported_job.waiting_yields(self.build)["LD_PRELOAD"]] if self.flavour == "mpich" else []
        return [*others[0], *libraries, *others[1], *yields]


def check_report(fault, setting, scratch, found):
    """The outcome, unless the report is not there, is no JSON, or says that nothing of AIRamp's was done."""
    if not fault.report:
        return found
    try:
        report = json.loads((scratch / fault.report).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return outcome.Outcome(outcome.LOST, f"{fault.report}: {error}", found.output)
    paths = {signature["path"] for signature in report["signatures"] if signature["accelerated_calls"]}
    taken = setting in paths if setting in IMPOSED else report["tuning"]["calls"] > 0
    if fault.takes_path and not taken:
        return outcome.Outcome(outcome.LOST, "nothing of AIRamp's was done", found.output)
    return found
