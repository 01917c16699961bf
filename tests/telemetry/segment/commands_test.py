#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""`airamp status` and `airamp hang` on made-up jobs: commands_test.py AIRAMP SEGMENT_GENERATOR"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

GENERATOR = str(pathlib.Path(sys.argv.pop(2)).resolve())
AIRAMP = str(pathlib.Path(sys.argv.pop(1)).resolve())


class CommandsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="airamp-commands-")
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *options):
        """Starts a job; returns its process, which runs until its input is closed."""
        job = subprocess.Popen([GENERATOR, "--folder", self.folder, *options], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
        self.addCleanup(job.wait)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.stdin.close)
        self.assertEqual(job.stdout.readline(), "ready\n")
        return job

    def airamp(self, *arguments, environment=None):
        return subprocess.run([AIRAMP, *arguments], env={"PATH": "/usr/bin:/bin", **(environment or {})},
                              capture_output=True, text=True, timeout=30, check=False)

    def test_hang_names_the_missing_rank(self):
        self.start("--ranks", "6", "--missing", "4")
        result = self.airamp("hang", "--folder", self.folder, "--patience", "0")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertIn("rank 4 (host node0, pid ", result.stdout)
        self.assertIn(" has not entered MPI_Allreduce number 201 on 'MPI_COMM_WORLD', where ranks 0-3, 5 have been "
                      "waiting for ", result.stdout)

    def test_the_number_of_a_job_of_slurm_is_enough(self):
        self.start("--ranks", "6", "--job", "slurm-4711-1795276810-29477", "--missing", "4")
        self.start("--ranks", "6", "--job", "slurm-47110-1795276810-29477")
        result = self.airamp("hang", "--folder", self.folder, "--patience", "0", "--job", "4711")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertIn("rank 4 (host node0, pid ", result.stdout)
        self.assertEqual(self.airamp("status", "--folder", self.folder, "--job", "471", "--this-host").returncode, 2)

    def test_other_hosts_of_a_job_of_slurm_are_asked(self):
        """Two of its ranks are where only the other host looks; srun stands for two tasks, one of which has none."""
        job = "slurm-4711-1795276810-29477"
        self.start("--ranks", "4", "--job", job)
        here = pathlib.Path(self.folder) / f"airamp-{os.geteuid()}" / job
        there = tempfile.mkdtemp(prefix="airamp-commands-")
        self.addCleanup(shutil.rmtree, there)
        shutil.copytree(here, pathlib.Path(there) / here.parent.name / job)
        os.chmod(pathlib.Path(there) / here.parent.name, 0o700)
        for rank in (2, 3):
            os.remove(here / f"rank-{rank}.segment")
        programs = pathlib.Path(tempfile.mkdtemp(prefix="airamp-commands-"))
        self.addCleanup(shutil.rmtree, programs)
        for name, text in (("squeue", "echo 4711 2"),
                           ("srun", f"{AIRAMP} ranks --job 4711 --folder {there} | sed 's/^/0: /'; echo '1: '")):
            (programs / name).write_text(f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        words = ("status", "--folder", self.folder, "--job", "4711")
        path = {"PATH": f"{programs}:/usr/bin:/bin"}
        result = self.airamp(*words, environment=path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("4 of 4 ranks on all hosts", result.stdout)
        self.assertIn("2 of 4 ranks on this host", self.airamp(*words, "--this-host", environment=path).stdout)
        (programs / "srun").write_text("#!/bin/sh\nexit 1\n")
        result = self.airamp(*words, environment=path)
        self.assertIn("2 of 4 ranks on this host", result.stdout)
        self.assertEqual(result.stderr, "skipped: the ranks of other hosts: srun has not reached them in job 4711\n")

    def test_hang_as_json(self):
        job = self.start("--ranks", "6", "--missing", "4")
        result = self.airamp("hang", "--folder", self.folder, "--patience", "0", "--json")
        self.assertEqual(result.returncode, 1)
        (answer,) = json.loads(result.stdout)
        (finding,) = answer["findings"]
        self.assertEqual((answer["job"], answer["dead"], finding["kind"]), ("generated", False, "missing"))
        self.assertEqual(finding["culprits"], [{"rank": 4, "host": "node0", "pid": job.pid, "state": "running"}])
        self.assertEqual(finding["waiting"], [0, 1, 2, 3, 5])

    def test_no_hang(self):
        self.start("--ranks", "3")
        result = self.airamp("hang", "--folder", self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("no hang suspected", result.stdout)

    def test_hang_names_stopped_ranks_outside_of_collectives(self):
        job = self.start("--ranks", "2")
        job.send_signal(signal.SIGSTOP)
        self.assertTrue(os.WIFSTOPPED(os.waitpid(job.pid, os.WUNTRACED)[1]))
        result = self.airamp("hang", "--folder", self.folder)
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        for rank in (0, 1):
            self.assertIn(f"rank {rank} (host node0, pid {job.pid}, stopped: state T in /proc)", result.stdout)
        (answer,) = json.loads(self.airamp("hang", "--folder", self.folder, "--json").stdout)
        (finding,) = answer["findings"]
        self.assertEqual((finding["kind"], finding["function"], finding["waited_seconds"], finding["waiting"]),
                         ("not-running", None, None, []))
        self.assertEqual([culprit["state"] for culprit in finding["culprits"]], ["stopped", "stopped"])
        self.assertGreaterEqual(finding["quiet_seconds"], 0)
        job.send_signal(signal.SIGCONT)
        self.assertTrue(os.WIFCONTINUED(os.waitpid(job.pid, os.WCONTINUED)[1]))
        self.assertEqual(self.airamp("hang", "--folder", self.folder).returncode, 0)

    def test_a_killed_job_can_still_be_looked_at(self):
        job = self.start("--ranks", "4", "--missing", "2")
        job.kill()
        job.wait()
        result = self.airamp("hang", "--folder", self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("job generated (dead, 4 of 4 ranks known)", result.stdout)
        self.assertIn("rank 2 (host node0, ", result.stdout)
        self.assertIn("where ranks 0, 1, 3 had been waiting since 20", result.stdout)
        self.assertIn("ranks 0-3 are gone and have not called MPI_Finalize", result.stdout)

    def test_running_jobs_come_before_dead_ones(self):
        dead = self.start("--job", "a-dead", "--ranks", "2")
        dead.kill()
        dead.wait()
        self.start("--job", "b-running", "--ranks", "2")
        result = self.airamp("status", "--folder", self.folder)
        self.assertIn("job b-running", result.stdout)
        self.assertNotIn("a-dead", result.stdout)
        self.assertIn("gone", self.airamp("status", "--folder", self.folder, "--job", "a-dead").stdout)

    def hide(self, job):
        """Has a job's segments be those of another pid namespace, as of a container."""
        for path in pathlib.Path(self.folder, f"airamp-{os.geteuid()}", job).glob("rank-*.segment"):
            with path.open("r+b") as segment:
                segment.seek(48)  # layout::Header::process_namespace
                segment.write((1).to_bytes(8, sys.byteorder))

    def test_a_job_that_cannot_be_seen_does_not_pass_for_a_running_one(self):
        self.start("--job", "a-container", "--ranks", "2", "--missing", "1")
        self.hide("a-container")
        shown = self.airamp("status", "--folder", self.folder).stdout
        self.assertRegex(shown, r"NVIDIA H200, last sign after [\d.]+ (ns|us|ms|s)\n")
        self.assertRegex(shown, r"\n +0 +node0 +\d+ +unknown +400 +50 % +[-0-9 %]+ locked, 4 calls +MPI_Allreduce number 201 ")
        answer = json.loads(self.airamp("status", "--folder", self.folder, "--json").stdout)[0]["ranks"][0]
        self.assertEqual((answer["state"], answer["inside"]["seconds"]), ("unknown", None))
        self.assertIn("(not known to run, 2 of 2 ranks known)",
                      self.airamp("hang", "--folder", self.folder, "--patience", "0").stdout)
        crashed = self.start("--job", "b-crashed", "--ranks", "2")
        crashed.kill()
        crashed.wait()
        shown = self.airamp("status", "--folder", self.folder).stdout
        self.assertIn("job b-crashed", shown)
        self.assertNotIn("a-container", shown)

    def test_a_dead_jobs_time_does_not_grow(self):
        job = self.start("--ranks", "2")
        job.kill()
        job.wait()
        first = self.airamp("status", "--folder", self.folder).stdout
        self.assertRegex(first.splitlines()[0], r"AIRamp 0.1.0 on, NVIDIA H200, ran [\d.]+ (ns|us|ms|s)$")
        self.assertEqual(self.airamp("status", "--folder", self.folder).stdout, first)

    def test_status_shows_every_rank(self):
        job = self.start("--ranks", "3", "--missing", "1")
        result = self.airamp("status", environment={"AIRAMP_TELEMETRY_FOLDER": self.folder})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertTrue(lines[0].startswith("job generated: generated, 3 of 3 ranks on this host, Open MPI 4.1.4, "
                                            "AIRamp 0.1.0 on, NVIDIA H200, for "), lines[0])
        for rank in range(3):
            words = lines[2 + rank].split()
            self.assertEqual(words[:7], [str(rank), "node0", str(job.pid), "running", "400", "50", "%"])
            self.assertEqual("MPI_Allreduce number 201 on 'MPI_COMM_WORLD' (exchange)" in lines[2 + rank], rank != 1)

    def test_status_names_the_straggler(self):
        job = self.start("--ranks", "20", "--straggler", "13")
        result = self.airamp("status", "--folder", self.folder, "--stragglers")
        self.assertIn("rank 13 (host node1, pid ", result.stdout)
        self.assertIn("costs the job most: late by 1.90 s in all; it waited 50.0 ms for others", result.stdout)
        answer = json.loads(self.airamp("status", "--folder", self.folder, "--stragglers", "--json").stdout)
        worst = answer[0]["stragglers"][0]
        self.assertEqual(worst["rank"], 13)
        self.assertAlmostEqual(worst["lateness_seconds"], 1.9)
        self.assertAlmostEqual(worst["waiting_seconds"], 0.05)
        status = pathlib.Path(f"/proc/{job.pid}/status").read_text(encoding="utf-8")
        self.assertIn(f"Cpus_allowed_list:\t{worst['cpus']}\n", status)
        for node in worst["numa_nodes"].split(",") if worst["numa_nodes"] else []:
            self.assertTrue(os.path.isdir(f"/sys/devices/system/node/node{node}"))
        self.assertEqual(len(answer[0]["ranks"]), 20)

    def test_a_broken_segment_is_reported_and_skipped(self):
        self.start("--ranks", "3")
        path = pathlib.Path(self.folder, f"airamp-{os.geteuid()}", "generated", "rank-1.segment")
        path.write_bytes(b"nonsense")
        result = self.airamp("status", "--folder", self.folder)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, f"skipped: {path}: ends after 8 bytes\n")
        self.assertIn("2 of 3 ranks", result.stdout)

    def test_no_job(self):
        for command in ("status", "hang"):
            result = self.airamp(command, "--folder", self.folder)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(f"airamp {command}: no job of yours publishes in {self.folder}", result.stderr)
            result = self.airamp(command, "--folder", self.folder, "--uid", "12345", "--job", "x")
            self.assertEqual(result.returncode, 2)
            self.assertIn("no job x of user 12345 in", result.stderr)
            self.assertEqual(self.airamp(command, "--folder", self.folder, "--no-such-option").returncode, 2)


if __name__ == "__main__":
    unittest.main()
