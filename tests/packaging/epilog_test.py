# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The epilog for Slurm removes what a job has left, and nothing else; the prolog starts one airampd, which the epilog
ends: epilog_test.py PACKAGING"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PACKAGING = pathlib.Path(sys.argv.pop(1))
PROLOG = str(PACKAGING / "slurm/prolog.sh")
EPILOG = str(PACKAGING / "slurm/epilog.sh")
ALICE, MALLORY = 54321, 54322

if os.geteuid() != 0 or not shutil.which("setpriv"):
    print("skipped: an epilog is root's, and this needs setpriv")
    sys.exit(77)
if os.path.isdir("/run/systemd/system"):
    print("skipped: with systemd, it waits for ten minutes")
    sys.exit(77)


class Epilog(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-epilog-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.folder.chmod(0o1777)

    def make_job(self, user, name):
        job = self.folder / f"airamp-{user}" / name
        job.mkdir(parents=True)
        (job / "rank-0.segment").touch()
        for path in (job.parent, job, job / "rank-0.segment"):
            os.chown(path, user, user)
            path.chmod(0o700)
        return job

    def run_script(self, script, **variables):
        result = subprocess.run([script], env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                                               "AIRAMPD_STATE": str(self.folder / "state"),
                                               "AIRAMP_TELEMETRY_FOLDER": str(self.folder), **variables},
                                check=False, capture_output=True, text=True, timeout=30)
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        return result.stderr

    def end(self, **variables):
        return self.run_script(EPILOG, **variables)

    def test_the_job_that_ends_is_tidied_up(self):
        ended = self.make_job(ALICE, "slurm-4711-1795276810-29477")
        others = [self.make_job(ALICE, name) for name in ("slurm-47110-1-1", "slurm-471-1-1", "1795276810-29477")]
        others.append(self.make_job(MALLORY, "slurm-4711-1-1"))
        self.assertEqual(self.end(SLURM_JOB_ID="4711", SLURM_JOB_UID=str(ALICE)), "")
        self.assertFalse(ended.exists())
        for job in others:
            self.assertTrue((job / "rank-0.segment").exists(), job)

    def test_a_job_without_segments_is_no_failure(self):
        self.assertEqual(self.end(SLURM_JOB_ID="4711", SLURM_JOB_UID=str(ALICE)), "")

    def test_no_job_is_no_failure(self):
        job = self.make_job(ALICE, "slurm-4711-1-1")
        self.end()
        self.assertTrue(job.exists())

    def test_a_link_leads_no_further_than_its_user_may_go(self):
        victim = self.make_job(ALICE, "slurm-4711-1-1")
        (self.folder / f"airamp-{MALLORY}").symlink_to(victim.parent)
        self.end(SLURM_JOB_ID="4711", SLURM_JOB_UID=str(MALLORY))
        self.assertTrue((victim / "rank-0.segment").exists())

    def test_airampd_runs_from_the_first_job_to_the_last_one(self):
        airampd = self.folder / "airampd"  # its name and options alone matter
        shutil.copy("/bin/sleep", airampd)
        variables = {"AIRAMPD": str(airampd), "AIRAMPD_OPTIONS": "60", "SLURM_JOB_UID": str(ALICE)}
        pid = self.folder / "state/pid"
        self.run_script(PROLOG, SLURM_JOB_ID="1", **variables)
        process = int(pid.read_text())
        self.addCleanup(lambda: os.path.exists(f"/proc/{process}/exe") and os.kill(process, signal.SIGKILL))
        self.assertTrue(os.path.samefile(f"/proc/{process}/exe", airampd))
        self.assertEqual(os.getsid(process), process, "slurmd ends what is left of a prolog's own session")
        self.run_script(PROLOG, SLURM_JOB_ID="2", **variables)
        self.assertEqual(int(pid.read_text()), process, "it was started again")
        self.assertEqual(self.end(SLURM_JOB_ID="1", **variables), "")
        self.assertTrue(os.path.exists(f"/proc/{process}/exe"), "a job still runs")
        self.assertEqual(self.end(SLURM_JOB_ID="2", **variables), "")
        self.assertFalse(pid.exists())
        end = time.monotonic() + 20
        while os.path.exists(f"/proc/{process}/exe") and time.monotonic() < end:
            time.sleep(0.05)
        self.assertFalse(os.path.exists(f"/proc/{process}/exe"), "it was left")


if __name__ == "__main__":
    unittest.main()
