# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Starts airampd and made-up jobs for tests, and speaks HTTP to it without regard to proxies."""

import contextlib
import http.client
import os
import re
import signal
import subprocess
import time


class Airampd:
    """A running airampd on a free port of the loopback interface, unless options say otherwise."""

    def __init__(self, program, *options, environment=None, before=()):
        clean = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **(environment or {})}
        # A port of the environment's shall not be hidden by an option.
        port = () if "AIRAMP_METRICS_PORT" in clean or "--port" in options else ("--port", "0")
        self.process = subprocess.Popen([*before, program, *port, *options], env=clean, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.messages = []
        self.url = None
        for line in self.process.stderr:
            self.messages.append(line)
            if match := re.search(r"serving (https?)://(.*):(\d+)/metrics$", line):
                self.url, self.address, self.port = match[1], match[2].strip("[]"), int(match[3])
                break

    def get(self, path, headers=None, method="GET"):
        """Status, headers and text of one answer."""
        connection = http.client.HTTPConnection(self.address, self.port, timeout=10)
        with contextlib.closing(connection):
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()

    def get_until(self, path, expected):
        """The first text in which a regular expression is found; the same answer is served for a while."""
        deadline = time.monotonic() + 30
        while True:
            text = self.get(path)[2]
            if re.search(expected, text):
                return text
            if time.monotonic() > deadline:
                raise AssertionError(f"{expected} did not show up in:\n{text}")
            time.sleep(0.05)

    def stop(self, number=signal.SIGTERM):
        """Exit status, what it wrote on stdout, and on stderr."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)
        out, err = self.process.communicate(timeout=10)
        return self.process.returncode, out, "".join(self.messages) + err

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@contextlib.contextmanager
def generated_job(generator, folder, *options, user=None):
    """The segments of a made-up job in a folder, for the time of the block; of another user, by number, for root."""
    os.makedirs(folder, exist_ok=True)
    process = subprocess.Popen([generator, "--folder", folder, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True, user=user)
    try:
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the generator of segments failed")
        yield
    finally:
        process.communicate(timeout=30)
