# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The tests "neighbours" of gpu-test: what applications do with their GPUs beside MPI."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
# mpirun's option with which the others go on when a rank is killed.
RECOVERY = ["--enable-recovery"]
ONE_SHOT, TWO_SHOT = {"AIRAMP_FORCE": "peer-one-shot"}, {"AIRAMP_FORCE": "peer-two-shot"}
SHARED_MEMORY = {"AIRAMP_FORCE": "shared-memory"}
# Sub-tests of bin/neighbours, the settings they are run with, and whether AIRamp must have had calls of theirs.
NEIGHBOURS = (
    ("sums", {}, False),
    ("sums", TWO_SHOT, True),
    ("sums", dict(TWO_SHOT, CUDA_LAUNCH_BLOCKING="1"), True),
    ("sums", dict(TWO_SHOT, CUDA_DEVICE_MAX_CONNECTIONS="1"), True),
    ("reset-before-finalize", TWO_SHOT, True),
    ("reset-before-comm-free", TWO_SHOT, True),
    ("reset-midway", TWO_SHOT, True),
    ("reset-midway", {}, False),
    ("persistent-kernel", ONE_SHOT, True),
    ("persistent-kernel", TWO_SHOT, True),
    ("persistent-kernel", {}, False),
    ("long-kernel", {}, False),
    ("waves", {}, False),
    ("late-peer", TWO_SHOT, True),
    ("capture", TWO_SHOT, True),
    ("capture-first-call", TWO_SHOT, False),
    ("bcast-lengths", TWO_SHOT, False),
    ("kinds-of-memory", TWO_SHOT, True),
    ("imported-memory", TWO_SHOT, False),
    ("mapped-memory", TWO_SHOT, False),
    ("other-device", TWO_SHOT, False),
    ("several-devices", TWO_SHOT, True),
    ("peer-access", TWO_SHOT, True),
    ("default-stream", TWO_SHOT, True),
    ("default-stream-of-thread", TWO_SHOT, True),
    ("started-beside-kernel", {}, False),
    ("started-beside-kernel", SHARED_MEMORY, True),
    ("fork", TWO_SHOT, True),
    ("device-limits", TWO_SHOT, True),
)


class Mps:
    """NVIDIA's MPS on the first GPU, in folders of its own: the ranks' kernels run at once there."""

    def __init__(self, scratch):
        folder = tempfile.mkdtemp(prefix="mps", dir=scratch)
        self.pid_file = os.path.join(folder, "nvidia-cuda-mps-control.pid")
        # Beside the driver, where that is not on the PATH.
        path = f"{os.environ.get('PATH', '')}:/usr/local/nvidia/bin"
        self.program = shutil.which("nvidia-cuda-mps-control", path=path)
        self.environment = {"CUDA_MPS_PIPE_DIRECTORY": folder, "CUDA_MPS_LOG_DIRECTORY": folder,
                            "CUDA_VISIBLE_DEVICES": "0", "PATH": path}

    def control(self, *words, text=None):
        """What nvidia-cuda-mps-control prints; None if it cannot be run or does not answer."""
        try:
            with tempfile.TemporaryFile("w+") as output:  # no pipe: the daemon would keep it open
                job = subprocess.run([self.program, *words], input=text, text=True, stdout=output,
                                     stderr=subprocess.STDOUT, timeout=20, check=False,
                                     env=dict(os.environ, **self.environment))
                output.seek(0)
                return output.read() if job.returncode == 0 else None
        except (OSError, subprocess.TimeoutExpired):
            return None

    def __enter__(self):
        if self.program is None:
            raise OSError("there is no nvidia-cuda-mps-control here")
        if self.control("-d") is None or self.control(text="get_server_list\n") is None:
            self.__exit__()
            raise OSError("nvidia-cuda-mps-control cannot be started here")
        return self

    def served(self):
        return bool((self.control(text="get_server_list\n") or "").strip())

    def __exit__(self, *_exception):
        self.control(text="quit -t 5\n")
        for _ in range(50):
            if not os.path.exists(self.pid_file):
                return
            time.sleep(0.1)
        with contextlib.suppress(OSError, ValueError), open(self.pid_file, encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGKILL)


def accelerated_calls(report):
    """How many calls AIRamp took over, from the report of a run; 0 if it left none."""
    try:
        with open(report, encoding="utf-8") as file:
            return sum(signature.get("accelerated_calls") or 0 for signature in json.load(file)["signatures"])
    except (OSError, ValueError):
        return 0


def mpi_of(runner):
    return "packaged" if runner.launcher.packaged() else "system"


def beside(runner, name, words, settings, ours, ranks=None, timeout=None, environment=None):
    """A test of what applications do beside MPI: a hang is found soon, and if it is `ours`, AIRamp must have taken over
    calls of it. `settings` are named in its line. What needs an `environment` of its own is not run natively."""
    report = os.path.join(runner.scratch, f"report.{len(runner.lines)}.json")

    def judge(_):
        return "AIRamp took over no call" if ours and not accelerated_calls(report) else ""

    label = ", ".join([f"neighbours, {name}", *(f"{key}={value}" for key, value in settings.items())])
    runner.run(label, words, ranks, dict(settings, AIRAMP_REPORT=report, **(environment or {})),
               timeout=timeout or runner.arguments.hang_after, mpi=mpi_of(runner), judge=judge, twin=not environment)


def neighbours(runner):
    program, limit = HERE / "bin" / "neighbours", str(max(5, runner.arguments.hang_after - 5))
    for ranks in sorted({2, runner.ranks}):
        for name, settings, ours in NEIGHBOURS:
            beside(runner, f"{name}, {ranks} ranks", [program, name, "--limit", limit], settings, ours, ranks=ranks)
        unaligned = [HERE / "bin" / "device_differential", "--unaligned", "--calls", 300]
        for settings in ({}, ONE_SHOT, TWO_SHOT):
            beside(runner, f"unaligned buffers, {ranks} ranks", unaligned, settings, False, ranks=ranks)
        killed_rank(runner, ranks, "the launcher ends the job", [])
        killed_rank(runner, ranks, "the launcher goes on", RECOVERY)
    for ranks in (2, 4, 8):
        under_mps(runner, ranks, f"sums, {ranks} ranks on one GPU", [program, "sums", "--limit", limit], TWO_SHOT)
        stress = [HERE / "bin" / "device_stress", "--calls", "10000"]
        for settings in ({}, TWO_SHOT):
            under_mps(runner, ranks, f"random calls, {ranks} ranks on one GPU", stress, settings, timeout=120)
        under_mps(runner, ranks, f"random calls beside a busy thread, {ranks} ranks on one GPU",
                  [*stress, "--beside"], {}, timeout=240)


def killed_rank(runner, ranks, name, options):
    """A killed rank: the launcher ends the others, or they get an error and save what is on their GPUs. mpirun reports
    a failure in any case; what counts is that all is over in time, and what the ranks say."""
    label = f"neighbours, killed-rank, {ranks} ranks, {name}"
    if not runner.wanted(label):
        return
    hang_after = runner.arguments.hang_after
    words = [HERE / "bin" / "neighbours", "killed-rank", "--limit", hang_after - 5]
    in_time = {}
    for force in ("peer-two-shot", "native"):
        _, output, seconds = runner.job(words, ranks, {"AIRAMP_FORCE": force}, True, hang_after, mpi_of(runner),
                                        options)
        said = [line for line in output.splitlines() if line.startswith(("wrong:", "killed-rank, rank", "skipped:"))]
        wrong = any(line.startswith("wrong:") for line in said)
        begun = "will be killed" in output
        in_time[force] = begun and seconds < hang_after and not wrong
        skipped = any(line.startswith("skipped:") for line in said)
        state = "skipped" if skipped else "passed" if in_time[force] else "FAILED"
        runner.say(state if force != "native" else f"({state})", seconds, f"{label}, {force}",
                   "; ".join(said) or ("the launcher ended the others" if begun else "no rank was killed"))
        if skipped:
            return
    if in_time["native"] and not in_time["peer-two-shot"]:
        runner.failed += 1


def under_mps(runner, ranks, name, words, settings, timeout=None):
    name = f"MPS, {name}"
    if not runner.wanted(f"neighbours, {name}"):
        return
    try:
        with Mps(runner.scratch) as mps:
            beside(runner, name, words, settings, bool(settings), ranks, timeout, mps.environment)
            if not mps.served():
                print("the ranks did not use MPS: its control daemon has started no server")
    except OSError as reason:
        runner.say("skipped", 0, f"neighbours, {name}", f"skipped: {reason}")
