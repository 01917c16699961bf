# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""`airampd --all-users`, with users who have put there what they should not. Arguments: airampd, segment_generator."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from sidecar import Airampd, generated_job

AIRAMPD = str(pathlib.Path(sys.argv.pop(1)).resolve())
GENERATOR = str(pathlib.Path(sys.argv.pop(1)).resolve())

# Numbers without names.
ALICE, MALLORY, NOBODY = 54321, 54322, 54323

if os.geteuid() != 0:
    print("skipped: only root can be several users")
    sys.exit(77)


class AllUsers(unittest.TestCase):
    def setUp(self):
        self.context = contextlib.ExitStack()
        self.addCleanup(self.context.close)
        # As /dev/shm is: everybody may make folders, and nobody may touch those of others.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airampd-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.folder.chmod(0o1777)
        self.run_job(ALICE, "job", ranks=4)

    def run_job(self, user, name, ranks=2):
        self.context.enter_context(generated_job(GENERATOR, str(self.folder), "--job", name, "--ranks", str(ranks),
                                                 user=user))

    def place(self, user, *names):
        return self.folder.joinpath(f"airamp-{user}", *names)

    def make_folder(self, user, *names):
        path = self.place(user, *names)
        path.mkdir(mode=0o700)
        os.chown(path, user, user)
        return path

    def scrape(self, *options, **arguments):
        with Airampd(AIRAMPD, "--folder", str(self.folder), "--all-users", *options, **arguments) as airampd:
            text, page = airampd.get("/metrics")[2], airampd.get("/")[2]
            status, _, self.messages = airampd.stop()
        self.assertEqual(status, 0)
        self.page = page
        return text

    def errors(self, text):
        return int(text.partition("\nairamp_segment_errors_total ")[2].partition("\n")[0])


class Labels(AllUsers):
    def test_each_job_says_whose_it_is(self):
        self.run_job(MALLORY, "job")
        self.run_job(0, "job", ranks=1)
        text = self.scrape()
        for user, ranks in ((ALICE, 4), (MALLORY, 2), ("root", 1)):
            self.assertIn(f'\nairamp_job_ranks{{mpi_job="job",user="{user}"}} {ranks}\n', text)
            self.assertIn(f"<span class=faint>{user}</span>", self.page)
        for line in text.splitlines():
            self.assertEqual("mpi_job=" in line, "user=" in line, line)
        self.assertEqual(self.errors(text), 0)

    def test_there_is_no_such_label_otherwise(self):
        self.run_job(0, "job")
        with Airampd(AIRAMPD, "--folder", str(self.folder)) as airampd:
            text = airampd.get("/metrics")[2]
        self.assertIn('\nairamp_job_ranks{mpi_job="job"} 2\n', text)
        self.assertNotIn("user=", text)
        self.assertNotIn(str(ALICE), text)

    def test_nothing_is_written_or_removed(self):
        def state():
            return {path: path.lstat().st_mtime_ns for path in self.folder.rglob("*")}
        before = state()
        self.scrape()
        self.assertEqual(state(), before)


class Rights(AllUsers):
    @unittest.skipUnless(shutil.which("setpriv"), "no setpriv")
    def test_the_right_to_read_is_enough(self):
        before = ("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups",
                  "--inh-caps", "-all,+dac_read_search", "--ambient-caps", "-all,+dac_read_search",
                  "--bounding-set", "-all,+dac_read_search", "--no-new-privs")
        text = self.scrape(before=before)
        self.assertIn(f'\nairamp_ranks{{mpi_job="job",user="{ALICE}",state="running"}} 4\n', text)
        self.assertEqual(self.errors(text), 0)
        self.assertNotIn("CAP_DAC_READ_SEARCH", self.messages)

    @unittest.skipUnless(shutil.which("setpriv"), "no setpriv")
    def test_without_it_others_are_counted_and_named(self):
        before = ("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups")
        text = self.scrape(before=before)
        self.assertNotIn("mpi_job=", text)
        self.assertEqual(self.errors(text), 1)
        self.assertIn("--all-users needs root or CAP_DAC_READ_SEARCH", self.messages)
        self.assertIn(f"airamp-{ALICE}: cannot be opened: Permission denied", self.messages)


class HostileUsers(AllUsers):
    """Whatever MALLORY does, ALICE's job is seen as it is, and there is no second one that says it is hers."""

    def check(self, errors, *options):
        text = self.scrape(*options)
        self.assertIn(f'\nairamp_ranks{{mpi_job="job",user="{ALICE}",state="running"}} 4\n', text)
        self.assertEqual(text.count(f'airamp_job_ranks{{mpi_job="job",user="{ALICE}"}}'), 1)
        self.assertEqual(self.errors(text), errors, self.messages)
        return text

    def test_links_are_not_followed(self):
        theirs = self.make_folder(MALLORY)
        (theirs / "job").symlink_to(self.place(ALICE, "job"))
        self.make_folder(MALLORY, "files")
        for rank, target in enumerate((self.place(ALICE, "job", "rank-0.segment"), "/etc/shadow", "/dev/zero")):
            (theirs / "files" / f"rank-{rank}.segment").symlink_to(target)
        text = self.check(3)
        self.assertNotIn(f'user="{MALLORY}"', text)
        self.assertNotIn("shadow", self.messages + self.page)

    def test_files_of_others_are_not_read(self):
        self.make_folder(MALLORY)
        self.make_folder(MALLORY, "job")
        # Root can make what no user can, were fs.protected_hardlinks off.
        os.link(self.place(ALICE, "job", "rank-0.segment"), self.place(MALLORY, "job", "rank-0.segment"))
        self.assertNotIn(f'user="{MALLORY}"', self.check(1))
        self.assertIn(f"rank-0.segment: belongs to user {ALICE}", self.messages)

    def test_a_folder_bears_its_owners_number(self):
        for name in (f"airamp-{NOBODY}", f"airamp-0{ALICE}", "airamp-", "airamp-x", f"airamp--{ALICE}",
                     f"airamp-{2**32 + ALICE}", f"airamp- {ALICE}"):
            (self.folder / name).mkdir(mode=0o700)
            os.chown(self.folder / name, MALLORY, MALLORY)
        (self.folder / "airamp-54324").symlink_to(self.place(ALICE))
        self.check(2)
        self.assertIn(f"airamp-{NOBODY}: belongs to user {MALLORY}", self.messages)

    def test_what_a_segment_says_of_its_user_is_not_believed(self):
        source = self.place(ALICE, "job", "rank-0.segment").read_bytes()
        self.make_folder(MALLORY)
        self.make_folder(MALLORY, "job")
        copy = self.place(MALLORY, "job", "rank-0.segment")
        copy.write_bytes(source)
        copy.chmod(0o600)
        os.chown(copy, MALLORY, MALLORY)
        text = self.check(0)
        self.assertIn(f'\nairamp_job_ranks{{mpi_job="job",user="{MALLORY}"}} 4\n', text)

    def test_other_kinds_and_sizes_of_files(self):
        self.make_folder(MALLORY)
        job = self.make_folder(MALLORY, "files")
        os.mkfifo(job / "rank-0.segment")
        (job / "rank-1.segment").mkdir()
        (job / "rank-2.segment").touch()
        (job / "rank-3.segment").write_bytes(os.urandom(204992))
        with open(job / "rank-4.segment", "wb") as huge:
            huge.truncate(1 << 40)
        with open(job / "rank-5.segment", "wb") as huge:
            huge.write(self.place(ALICE, "job", "rank-0.segment").read_bytes())
            huge.truncate(1 << 40)
        (job / "rank-99999999999.segment").touch()
        for path in job.iterdir():
            os.chown(path, MALLORY, MALLORY)
        (job / "rank-6.segment").touch(mode=0o666)
        os.chown(job / "rank-6.segment", MALLORY, MALLORY)
        (job / "rank-6.segment").chmod(0o666)
        self.check(7)

    @unittest.skipUnless(shutil.which("mount"), "no mount")
    def test_mounts_are_not_followed(self):
        theirs = self.make_folder(MALLORY)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size=64k,mode=700,uid={MALLORY}", "tmpfs", theirs],
                                 check=False, stderr=subprocess.DEVNULL)
        if mounted.returncode:
            self.skipTest("cannot mount a tmpfs")
        try:
            self.check(1)
        finally:
            subprocess.run(["umount", theirs], check=True)
        self.assertIn("is not in its folder's file system", self.messages)

    def test_many_jobs_keep_nobody_out(self):
        source = self.place(ALICE, "job", "rank-0.segment").read_bytes()
        self.make_folder(MALLORY)
        for number in range(100):
            job = self.make_folder(MALLORY, f"job-{number:03}")
            # Names of a job are what the segment says: each its own.
            (job / "rank-0.segment").write_bytes(source.replace(b"job\0\0\0\0\0", b"j%03d\0\0\0\0" % number, 1))
            (job / "rank-0.segment").chmod(0o600)
            os.chown(job / "rank-0.segment", MALLORY, MALLORY)
        text = self.check(1)
        self.assertEqual(text.count("airamp_job_ranks{"), 1 + 64)
        self.assertIn(f"jobs of {MALLORY} above 64", self.messages)

    def test_many_files_keep_nobody_out(self):
        self.make_folder(MALLORY)
        job = self.make_folder(MALLORY, "files")
        for number in range(20000):
            (job / f"rank-{number}.segment").touch(mode=0o600)
        for number in range(3000):
            # Numbers of users below and above ALICE's.
            (self.folder / f"airamp-{number * 30}").mkdir()
        begin = time.monotonic()
        text = self.check(16384 - 1 + 1 + 16)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertNotIn(f'user="{MALLORY}"', text)
        self.assertLess(len(self.messages.splitlines()), 110)


if __name__ == "__main__":
    unittest.main()
