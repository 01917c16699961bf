#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What AIRamp must leave alone, seen from outside of the job: outputs, exit statuses, warnings.

law.py --library libairamp.so --program PROGRAM --preload "WORDS" CASE -- MPIRUN [flags]

PRELOAD are the words that start a program with AIRamp ("airamp exec --"); PROGRAM is mpitests/laws/sums, for the cases
"killed", "other_lengths", "out_of_the_way", "info_keys" and "persistent_measured" the programs of these names, for
"pattern" and "leaks" mpitests/laws/pattern, for "broken_promise" mpitests/laws/shared_memory/reduce.
Exit status 0 if the law holds.
"""

import argparse
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

FORCED = {"AIRAMP_FORCE": "mpi-two-shot", "AIRAMP_MIN_BYTES": "4K", "AIRAMP_ENABLE_FP8_ALLREDUCE": "1",
          "AIRAMP_ENABLE_FP8_ALLGATHER": "1"}
LEARNING = dict(FORCED, AIRAMP_POLA_POST_RECEIVES="1")
OPEN_MPIS_LOSS = "ompi_attr_set_c"  # 5.0.7 never frees what it keeps an attribute of MPI_COMM_WORLD in
PATIENCE_S = 60
SURVIVAL_S = 5  # that a rank may outlive another one that was killed


class Broken(Exception):
    """A law does not hold."""


def require(holds, what, result=None):
    if not holds:
        outputs = f"\nstatus {result.returncode}\n{result.stdout}\n{result.stderr}" if result else ""
        raise Broken(what + outputs)


class Job:
    """The words of a job on two ranks and how to run it."""

    def __init__(self, arguments):
        self.mpirun = arguments.mpirun
        self.preload = shlex.split(arguments.preload)
        self.program = arguments.program
        self.library = arguments.library

    def native(self, *words):
        return self.mpirun + ["-n", "2", self.program, *words]

    def preloaded(self, *words):
        return self.mpirun + ["-n", "2"] + self.preload + [self.program, *words]

    @functools.cached_property
    def launcher_version(self):
        return subprocess.run([self.mpirun[0], "--version"], capture_output=True, text=True, check=False).stdout

    @property
    def status_tells_of_deaths(self):
        """MPICH 4.2's launcher ends some jobs of which a rank was killed with status 0."""
        return re.search(r"HYDRA.*Version: +4\.2\.", self.launcher_version, re.DOTALL) is None

    def rank_by_rank(self, environments, *words):
        """Each rank with variables of its own. Not as several programs: mpirun of Open MPI 5.0.7 crashes over those."""
        cases = " ".join(f"{rank}) exec env {shlex.join(f'{name}={value}' for name, value in environment.items())} \"$@\" ;;"
                         for rank, environment in enumerate(environments))
        shell = ["sh", "-c", f"case ${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} in {cases} esac", "sh"]
        return self.mpirun + ["-n", str(len(environments))] + shell + self.preload + [self.program, *words]


def run(command, environment):
    """Ends the launcher after PATIENCE_S, and it its ranks, if it hears of that: Open MPI's does not get over each job
    that aborts."""
    with subprocess.Popen(command, env=dict(os.environ, **environment), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as launcher:
        try:
            stdout, stderr = launcher.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            launcher.terminate()
            try:
                launcher.communicate(timeout=SURVIVAL_S)
            except subprocess.TimeoutExpired:
                launcher.kill()
            raise
    return subprocess.CompletedProcess(command, launcher.returncode, stdout, stderr)


def lines_about_airamp(text):
    return [line for line in text.splitlines() if "airamp" in line.lower()]


def check_like_native(job, result):
    native = run(job.native(), {})
    require(native.returncode == 0, "the program runs natively", native)
    require(result.returncode == 0, "the job ends well", result)
    require(result.stdout == native.stdout, f"stdout is as natively: {native.stdout!r}", result)


def mixed_settings(job):
    """Rank 0's settings are the job's; one warning."""
    eager = FORCED
    reluctant = dict(FORCED, AIRAMP_MIN_BYTES="1G")
    for environments, demand in (((eager, reluctant), "compressed"), ((reluctant, eager), "exact")):
        result = run(job.rank_by_rank(environments, demand), {})
        check_like_native(job, result)
        require(len(lines_about_airamp(result.stderr)) == 1, "one warning on stderr", result)


def bad_config(job):
    """A mistake in the configuration file: its place on stderr, the job runs on without AIRamp."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "airamp.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write("force: mpi-two-shot\nmin_byte: 4K\n")
        result = run(job.preloaded("exact"), {"AIRAMP_CONFIG": path, "AIRAMP_ENABLE_FP8_ALLREDUCE": "1"})
        check_like_native(job, result)
        require(f"{path}:2" in result.stderr and "min_byte" in result.stderr, "file, line and key on stderr", result)


def bad_variable_on_one_rank(job):
    """A mistake that only rank 1 can see switches AIRamp off on all ranks."""
    result = run(job.rank_by_rank((FORCED, dict(FORCED, AIRAMP_MIN_BYTES="many")), "exact"), {})
    check_like_native(job, result)
    require("AIRAMP_MIN_BYTES" in result.stderr, "the variable on stderr", result)


def disabled(job):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        result = run(job.preloaded("exact"), dict(FORCED, AIRAMP_DISABLE="1", AIRAMP_REPORT=report))
        check_like_native(job, result)
        require(not lines_about_airamp(result.stderr), "nothing on stderr", result)
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                require(json.load(file)["airamp"]["state"] == "off", "the report says that AIRamp is off")


def out_of_the_way(job):
    """What is off is not on the way of any call, but to count it for a report."""
    past, through = "past AIRamp\n", "through AIRamp\n"
    with tempfile.TemporaryDirectory() as folder:
        report = {"AIRAMP_REPORT": os.path.join(folder, "report.json")}
        for settings, way in (({}, through), ({"AIRAMP_DISABLE": "1"}, past),
                              ({"AIRAMP_DISABLE": "1", **report}, through), ({"AIRAMP_MIN_BYTES": "many"}, past)):
            result = run(job.preloaded(), settings)
            require((result.returncode, result.stdout) == (0, way), f"with {settings}: {way}", result)


def shell(job):
    """A process that never calls MPI_Init: nothing happens, whatever the settings."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        environment = {"LD_PRELOAD": job.library, "AIRAMP_MIN_BYTES": "nonsense", "AIRAMP_REPORT": report,
                       "AIRAMP_LOG_LEVEL": "debug"}
        result = run(["sh", "-c", "echo hi; sh -c 'exit 3'"], environment)
        require(result.returncode == 3 and result.stdout == "hi\n" and result.stderr == "", "a shell as ever", result)
        require(os.listdir(folder) == [], "no report without MPI")


def launcher(job):
    """mpirun itself and all that it starts preloaded."""
    result = run(job.native("compressed"), dict(FORCED, LD_PRELOAD=job.library))
    check_like_native(job, result)
    require(not lines_about_airamp(result.stderr), "nothing on stderr", result)
    native = run(job.mpirun + ["--version"], {})
    result = run(job.mpirun + ["--version"], {"LD_PRELOAD": job.library})
    require((result.returncode, result.stdout, result.stderr) == (native.returncode, native.stdout, native.stderr),
            "mpirun --version as ever", result)


def running_ranks(program, mark):
    """The processes of a program that have these words in their environment, but for those that have ended."""
    ranks = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                if mark.encode() in file.read() and os.readlink(f"/proc/{process}/exe") == os.path.realpath(program):
                    ranks.append(int(process))
        except OSError:
            pass  # of another user, or ended meanwhile
    return ranks


def await_ranks(job, mark, holds, patience):
    """Whether so many ranks run as `holds` says, before long."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if holds(len(running_ranks(job.program, mark))):
            return True
        time.sleep(0.01)
    return False


def killed(job):
    """A rank dies, or gives up: the job ends as it does natively, and no other rank goes on for long."""
    for command in (job.native(), job.preloaded(), job.native("abort"), job.preloaded("abort")):
        begin = time.monotonic()
        result = run(command, LEARNING)
        require(result.returncode != 0 or not job.status_tells_of_deaths, "the job fails", result)
        print(f"ended with status {result.returncode} after {time.monotonic() - begin:.1f} s")
    killed_inside(job, "shared_memory", {"AIRAMP_FORCE": "shared-memory"})
    killed_inside(job, "started", {"AIRAMP_FORCE": "shared-memory"})
    killed_inside(job, "shared_memory", {"AIRAMP_FORCE": "host-two-level", "AIRAMP_RANKS_PER_HOST": "2"}, ranks=4)
    killed_inside(job, "ordered_messages", {"AIRAMP_REDUCTION_ORDER": "fixed", "AIRAMP_RANKS_PER_HOST": "1"})


def outcome_of(command, function):
    """How a job of other_lengths ends: what its ranks write of their errors, and whether it fails. One whose launcher
    does not get over a rank's error fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "errors")
        try:
            fails = run([*command, function, path], {}).returncode != 0
        except subprocess.TimeoutExpired:
            if not os.path.exists(path):
                raise
            fails = True
        if not os.path.exists(path):
            return "", fails
        with open(path, encoding="utf-8") as file:
            return file.read(), fails


def other_lengths(job):
    """The ranks of a wrong program give other lengths to one call: it ends as natively, mostly by an error of MPI's."""
    reduces = () if "HYDRA" in job.launcher_version else ("reduce", "survived_reduce")  # MPICH's would not end
    for function in ("allreduce", *reduces):
        native = outcome_of(job.native(), function)
        preloaded = outcome_of(job.preloaded(), function)
        require(preloaded == native, f"{function} ends as natively, by {native!r}, not by {preloaded!r}")


def killed_inside(job, way, settings, ranks=2):
    """A rank dies wherever it is in collectives that go that way: the others end before long, and the job fails."""
    mark = f"AIRAMP_LAW_RUN={os.getpid()}-{time.monotonic_ns()}"
    environment = dict(os.environ, **settings, **dict([mark.split("=")]))
    command = job.mpirun + ["-n", str(ranks)] + job.preload + [job.program, way]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as mpirun:
        try:
            require(await_ranks(job, mark, lambda running: running == ranks, PATIENCE_S), "all ranks run")
            require(await_ranks(job, mark, lambda running: running < ranks, PATIENCE_S), "one is killed")
            require(await_ranks(job, mark, lambda running: running == 0, SURVIVAL_S), "the others end, too")
            require(mpirun.wait(PATIENCE_S) != 0 or not job.status_tells_of_deaths, "the job fails")
        finally:
            mpirun.kill()


def pattern(job):
    """Late ranks, other buffers and vetoes: the ranks learn, lose and learn again at the same calls."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        result = run(job.mpirun + ["-n", "3"] + job.preload + [job.program],
                     dict(LEARNING, AIRAMP_LOG_LEVEL="debug", AIRAMP_REPORT=path))
        require(result.returncode == 0, "the job ends well", result)
        changes = {rank: [] for rank in range(3)}
        for line in lines_about_airamp(result.stderr):
            said = re.search(r"\[rank (\d+)\] debug: the pattern of a communicator .* is (.*)", line)
            if said:
                changes[int(said[1])].append(said[2])
        require(changes[0] == changes[1] == changes[2], "all ranks lock and break at the same calls", result)
        states = [change.split()[0] for change in changes[0]]
        # on MPI_COMM_WORLD, and on the communicator after it
        require(states[:3] == ["locked", "broken", "locked"] and states[-1] == "locked",
                f"locked, broken and locked again: {changes[0]}", result)
        with open(path, encoding="utf-8") as file:
            signatures = json.load(file)["signatures"]
        asked = sum(signature["asked_along_calls"] for signature in signatures)
        vetoed = sum(signature["vetoed_calls"] for signature in signatures)
        require(asked > 50, f"expected calls ran without an agreement before them: {asked}", result)
        require(vetoed > 0, "vetoes met expected calls", result)
        print(changes[0], asked, "asked along,", vetoed, "vetoed")


def persistent_measured(job):
    """The tuner measures persistent requests; meanwhile, and where they are not worth it, results are native's."""
    result = run(job.preloaded("measured"), {"AIRAMP_ENABLE_FP8_ALLREDUCE": "1", "AIRAMP_WARMUP_ITERATIONS": "1",
                                             "AIRAMP_MIN_SPEEDUP": "100", "AIRAMP_LOG_LEVEL": "debug"})
    require(result.returncode == 0, "the job ends well, with exact results", result)
    measured = r"native-persistent ([0-9.]+) us with relative error 0, mpi-two-shot .* relative error (.*);"
    said = [re.search(measured, line) for line in lines_about_airamp(result.stderr)]
    numbers = [(float(found[1]), float(found[2])) for found in said if found]
    require(len(numbers) == 1, "native-persistent was measured once: the second communicator goes on from there", result)
    for seconds, error_of_compressed in numbers:
        require(seconds > 0 and error_of_compressed > 0, "with its own time, beside a compressed result", result)


def info_keys(job):
    """Keys steer their communicator alone; what cannot be meant is named, with what is allowed."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        result = run(job.preloaded(), {"AIRAMP_MIN_BYTES": "4K", "AIRAMP_REPORT": path})
        require(result.returncode == 0, "the job ends well", result)
        for said in ('airamp_force: "fastest" is ignored; allowed: none, mpi-two-shot',
                     'airamp_max_relative_error: "2" is ignored; allowed: 0 to 1',
                     "the ranks gave different airamp_ keys"):
            require(said in result.stderr, f"on stderr: {said}", result)
        with open(path, encoding="utf-8") as file:
            signatures = json.load(file)["signatures"]
        paths = [signature["path"] for signature in signatures if signature["accelerated_calls"]]
        require(sorted(paths) == ["mpi-two-shot", "native"], f"the imposed path, and what came after it: {paths}")


def broken_promise(job):
    """An order of sums that cannot be kept, in calls of many kinds: one warning."""
    for order in ("fixed", "exact"):
        result = run(job.preloaded(), {"AIRAMP_REDUCTION_ORDER": order, "AIRAMP_RANKS_PER_HOST": "1",
                                       "AIRAMP_HOST_SCRATCH": "0"})
        check_like_native(job, result)
        lines = lines_about_airamp(result.stderr)
        require(len(lines) == 1 and f"reduction_order={order} does not hold" in lines[0], "one warning", result)


def leaks(job):
    """Under valgrind: no wrong access, and nothing lost, that has a function of AIRamp's own on its stack."""
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--leak-check=full", "--show-leak-kinds=definite", "--xml=yes",
                    f"--xml-file={folder}/%p.xml"]
        result = run(job.mpirun + ["-n", "2"] + job.preload + valgrind + [job.program], LEARNING)
        require(result.returncode == 0, "the job ends well", result)
        logs = [os.path.join(folder, name) for name in os.listdir(folder)]
        require(len(logs) == 2, f"a log of each rank: {logs}", result)
        for log in logs:
            for error in xml.etree.ElementTree.parse(log).getroot().iter("error"):
                functions = [frame.findtext("fn", "") for frame in error.iter("frame")]
                if error.findtext("kind", "").startswith("Leak") and OPEN_MPIS_LOSS in functions:
                    continue
                # what MPI_Init and MPI_Finalize do to themselves is below these two
                ours = [name for name in functions if name.startswith("airamp::pmpi::")
                        and not name.startswith(("airamp::pmpi::on_MPI_Init", "airamp::pmpi::on_MPI_Finalize"))]
                require(not ours, f"{error.findtext('kind')} in {functions}")
        print("2 ranks: nothing of AIRamp's")


CASES = {function.__name__: function
         for function in (mixed_settings, bad_config, bad_variable_on_one_rank, disabled, out_of_the_way, shell, launcher,
                          killed, other_lengths, pattern, info_keys, broken_promise, leaks, persistent_measured)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--library", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--preload", required=True)
    parser.add_argument("mpirun", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if arguments.mpirun[:1] == ["--"]:
        del arguments.mpirun[0]
    try:
        CASES[arguments.case](Job(arguments))
    except (Broken, subprocess.TimeoutExpired) as error:
        print(f"{arguments.case}: does not hold: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
