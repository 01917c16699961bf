# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""`airampd --textfile`, for node_exporter. Arguments: airampd, segment_generator."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

from sidecar import generated_job

AIRAMPD = str(pathlib.Path(sys.argv.pop(1)).resolve())
GENERATOR = str(pathlib.Path(sys.argv.pop(1)).resolve())
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
PATIENCE_S = 30


class Textfile(unittest.TestCase):
    def setUp(self):
        context = contextlib.ExitStack()
        self.addCleanup(context.close)
        self.folder = pathlib.Path(context.enter_context(tempfile.TemporaryDirectory(prefix="airampd-")))
        self.folder.chmod(0o755)
        self.segments = str(self.folder / "segments")
        context.enter_context(generated_job(GENERATOR, self.segments, "--job", "demo", "--ranks", "4"))
        self.output = self.folder / "output"
        self.output.mkdir()
        self.file = self.output / "airamp.prom"
        self.command = [AIRAMPD, "--folder", self.segments, "--textfile", str(self.file)]

    def once(self):
        return subprocess.run([*self.command, "--once"], env=ENVIRONMENT, capture_output=True, text=True, check=False,
                              timeout=PATIENCE_S)

    def start(self):
        process = subprocess.Popen([*self.command, "--interval", "1"], env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stderr.readline(), f"airampd: writing {self.file} every 1 s\n")
        return process

    def wait_until(self, condition):
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def test_once(self):
        result = self.once()
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        text = self.file.read_text()
        self.assertIn('\nairamp_ranks{mpi_job="demo",state="running"} 4\n', text)
        self.assertNotIn("airamp_http", text)
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o644)
        self.assertEqual(os.listdir(self.output), ["airamp.prom"])

    @unittest.skipUnless(shutil.which("promtool"), "no promtool")
    def test_promtool_finds_nothing_wrong(self):
        self.once()
        result = subprocess.run(["promtool", "check", "metrics"], input=self.file.read_text(), capture_output=True,
                                text=True, check=False)
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))

    def test_a_link_is_replaced(self):
        victim = self.folder / "victim"
        victim.write_text("untouched")
        self.file.symlink_to(victim)
        self.assertEqual(self.once().returncode, 0)
        self.assertFalse(self.file.is_symlink())
        self.assertEqual(victim.read_text(), "untouched")

    def test_readers_find_all_of_it_or_nothing_new(self):
        process = self.start()
        seen = set()

        def three_were_read():
            text = self.file.read_text()
            # The first and the last of the families.
            self.assertRegex(text, r"^# TYPE airamp_up gauge\n")
            self.assertRegex(text, r"\nairamp_read_duration_seconds [\de.-]+\n$")
            seen.add(self.file.stat().st_ino)
            return len(seen) >= 3

        self.wait_until(three_were_read)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_S), 0)
        self.assertEqual(os.listdir(self.output), [], "what is left would be taken for true for ever")

    def test_it_goes_on_after_a_failure(self):
        process = self.start()
        shutil.rmtree(self.output)
        self.assertRegex(process.stderr.readline(), f"cannot write {re.escape(str(self.file))}: No such file")
        self.output.mkdir()
        self.wait_until(self.file.exists)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE_S), 0)
        self.assertEqual(process.stderr.read(), "", "a failure that lasts is named once")

    @unittest.skipUnless(shutil.which("prometheus-node-exporter"), "no node_exporter")
    def test_node_exporter_serves_it(self):
        self.once()
        with socket.create_server(("127.0.0.1", 0)) as free:
            address = f"127.0.0.1:{free.getsockname()[1]}"
        exporter = subprocess.Popen(["prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
                                     f"--collector.textfile.directory={self.output}", f"--web.listen-address={address}"],
                                    stderr=subprocess.DEVNULL)
        self.addCleanup(exporter.wait)
        self.addCleanup(exporter.kill)
        found = []

        def answers():
            with contextlib.suppress(OSError):
                with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"http://{address}/metrics") as page:
                    found.append(page.read().decode())
            return found

        self.wait_until(answers)
        self.assertIn('\nairamp_ranks{mpi_job="demo",state="running"} 4\n', found[0])
        self.assertIn("\nnode_textfile_scrape_error 0\n", found[0])
        self.assertIn(f'\nnode_textfile_mtime_seconds{{file="{self.file}"}}', found[0])

    def test_a_file_that_cannot_be_written_is_named(self):
        result = subprocess.run([AIRAMPD, "--folder", self.segments, "--textfile", "/nonexistent/airamp.prom"],
                                capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write /nonexistent/airamp.prom: No such file or directory", result.stderr)


if __name__ == "__main__":
    unittest.main()
