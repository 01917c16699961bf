# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The epilog for Slurm removes what a job has left, and nothing else: epilog_test.py PACKAGING"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

EPILOG = str(pathlib.Path(sys.argv.pop(1)) / "slurm/epilog.sh")
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

    def end(self, **variables):
        result = subprocess.run([EPILOG], env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                                               "AIRAMP_TELEMETRY_FOLDER": str(self.folder), **variables},
                                check=False, capture_output=True, text=True, timeout=30)
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        return result.stderr

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


if __name__ == "__main__":
    unittest.main()
