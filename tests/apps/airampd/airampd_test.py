# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The sidecar `airampd`, run as a user runs it. Arguments: airampd, segment_generator."""

import base64
import contextlib
import os
import pathlib
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest

from sidecar import Airampd, generated_job

AIRAMPD = str(pathlib.Path(sys.argv.pop(1)).resolve())
GENERATOR = str(pathlib.Path(sys.argv.pop(1)).resolve())


class AirampdTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="airampd-")
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *options, **arguments):
        airampd = Airampd(AIRAMPD, "--folder", self.folder, *options, **arguments)
        self.addCleanup(airampd.__exit__)
        self.assertIsNotNone(airampd.url, "".join(airampd.messages))
        return airampd

    def failure(self, *options, **arguments):
        airampd = Airampd(AIRAMPD, *options, **arguments)
        self.assertIsNone(airampd.url)
        status, out, err = airampd.stop()
        self.assertEqual(out, "")
        return status, err


class Serving(AirampdTest):
    def test_a_job_can_be_seen(self):
        airampd = self.start("--detail")
        self.assertNotIn("mpi_job=", airampd.get("/metrics")[2])
        with generated_job(GENERATOR, self.folder, "--job", "demo", "--ranks", "4"):
            metrics = airampd.get_until("/metrics", 'mpi_job="demo"')
            page = airampd.get("/")[2]
        for rank in range(4):
            self.assertIn(f'airamp_status{{mpi_job="demo",rank="{rank}",', metrics)
        self.assertIn("<h2>demo</h2>", page)

    def test_one_job_alone(self):
        with generated_job(GENERATOR, self.folder, "--job", "first", "--ranks", "1"), \
             generated_job(GENERATOR, self.folder, "--job", "second", "--ranks", "1"):
            self.assertIn('mpi_job="first"', self.start().get("/metrics")[2])
            metrics = self.start("--job", "second").get("/metrics")[2]
        self.assertIn('mpi_job="second"', metrics)
        self.assertNotIn('mpi_job="first"', metrics)

    def test_a_damaged_segment_is_counted_and_skipped(self):
        with generated_job(GENERATOR, self.folder, "--job", "demo", "--ranks", "3"):
            damaged = sorted(pathlib.Path(self.folder).rglob("rank-1*"))[0]
            os.truncate(damaged, 100)
            airampd = self.start("--detail")
            metrics = airampd.get("/metrics")[2]
            self.assertIn("\nairamp_segment_errors_total 1\n", metrics)
            self.assertIn('airamp_status{mpi_job="demo",rank="2"', metrics)
            self.assertNotIn('airamp_status{mpi_job="demo",rank="1"', metrics)
            self.assertIn("rank-1", airampd.stop()[2])

    def test_segments_are_not_written_to(self):
        with generated_job(GENERATOR, self.folder, "--ranks", "2"):
            files = [path for path in pathlib.Path(self.folder).rglob("*") if path.is_file()]
            before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}
            self.assertEqual(self.start().get("/metrics")[0], 200)
            self.assertEqual({path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}, before)

    def test_paths_and_methods(self):
        airampd = self.start()
        for path, status in (("/metrics", 200), ("/", 200), ("/healthz", 200), ("/x", 404), ("/metrics/../x", 404)):
            self.assertEqual(airampd.get(path)[0], status, path)
        self.assertEqual(airampd.get("/metrics", method="POST")[0], 405)
        status, headers, body = airampd.get("/metrics", method="HEAD")
        self.assertEqual((status, body), (200, ""))
        self.assertGreater(int(headers["Content-Length"]), 100)

    def test_formats(self):
        airampd = self.start()
        text = "text/plain; version=0.0.4; charset=utf-8"
        openmetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8"
        for accept, expected in ((None, text), ("text/plain", text), ("text/html,*/*;q=0.5", text),
                                 ("application/openmetrics-text;version=1.0.0,text/plain;q=0.5", openmetrics)):
            status, headers, body = airampd.get("/metrics", {"Accept": accept} if accept else None)
            self.assertEqual((status, headers["Content-Type"]), (200, expected))
            self.assertEqual(body.endswith("\n# EOF\n"), expected == openmetrics)


    def test_a_job_has_few_series_unless_told_otherwise(self):
        with generated_job(GENERATOR, self.folder, "--ranks", "128", "--straggler", "3"):
            counts = [self.start(*options).get("/metrics")[2].count("{mpi_job=") for options in ((), ("--detail",))]
        self.assertLessEqual(counts[0], 150)
        self.assertGreater(counts[1], 1500)


class Addresses(AirampdTest):
    def test_loopback_unless_told_otherwise(self):
        self.assertEqual(self.start().address, "127.0.0.1")

    def test_environment_and_options(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        airampd = self.start(environment={"AIRAMP_METRICS_ADDR": "127.0.0.3", "AIRAMP_METRICS_PORT": str(port)})
        self.assertEqual((airampd.address, airampd.port), ("127.0.0.3", port))
        self.assertEqual(airampd.get("/healthz")[0], 200)
        settings = pathlib.Path(self.folder) / "airamp.conf"
        settings.write_text(f"metrics_addr: 127.0.0.5\nmetrics_port: {port}\n")
        configured = self.start(environment={"AIRAMP_CONFIG": str(settings), "AIRAMP_METRICS_PORT": "0"})
        self.assertEqual(configured.address, "127.0.0.5")
        overridden = self.start("--address", "127.0.0.4", environment={"AIRAMP_METRICS_ADDR": "127.0.0.3"})
        self.assertEqual(overridden.address, "127.0.0.4")

    @unittest.skipUnless(os.path.exists("/proc/net/if_inet6") and "lo" in open("/proc/net/if_inet6").read(), "no IPv6")
    def test_ipv6(self):
        airampd = self.start("--address", "::1")
        self.assertEqual(airampd.address, "::1")
        self.assertEqual(airampd.get("/healthz")[0], 200)

    def test_a_port_in_use_is_named_with_its_setting(self):
        with socket.create_server(("127.0.0.1", 0)) as used:
            port = used.getsockname()[1]
            status, err = self.failure("--port", str(port))
        self.assertEqual(status, 1)
        self.assertEqual(err, f"airampd: cannot listen on 127.0.0.1:{port}: Address already in use "
                              "(set AIRAMP_METRICS_PORT)\n")

    def test_wrong_settings(self):
        for options, status, message in ((["--address", "nowhere"], 1, "AIRAMP_METRICS_ADDR"),
                                         (["--address", "192.0.2.1"], 1, "AIRAMP_METRICS_ADDR"),
                                         (["--port", "70000"], 2, "--port"), (["--prot", "1"], 2, "--prot"),
                                         (["--token-file", "/nonexistent"], 1, "--token-file"),
                                         (["--basic-auth-file", "/nonexistent"], 1, "--basic-auth-file"),
                                         (["--all-users", "--job", "x"], 2, "--job"),
                                         (["--once"], 2, "--textfile"),
                                         (["--textfile", "x.prom"], 2, "--port"),
                                         (["--textfile", "x.prom", "--interval", "0"], 2, "--interval"),
                                         (["--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"], 1,
                                          "/nonexistent: No such file or directory (set --tls-cert)"),
                                         (["--tls-cert", "/nonexistent"], 2, "--tls-key")):
            found, err = self.failure(*options)
            self.assertEqual(found, status, options)
            self.assertIn(message, err)
        found, err = self.failure(environment={"AIRAMP_METRICS_PROT": "1"})
        self.assertEqual((found, "AIRAMP_METRICS_PORT" in err), (2, True), err)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("ip"), "network namespaces need root and ip")
    def test_other_hosts_cannot_connect_unless_told_otherwise(self):
        here, there = f"airampd{os.getpid()}a", f"airampd{os.getpid()}b"
        for name in (here, there):
            subprocess.run(["ip", "netns", "add", name], check=True)
            self.addCleanup(subprocess.run, ["ip", "netns", "delete", name], check=True)
        subprocess.run(["ip", "-n", here, "link", "add", "v0", "type", "veth", "peer", "v0", "netns", there],
                       check=True)
        for name, address in ((here, "10.79.0.1/24"), (there, "10.79.0.2/24")):
            subprocess.run(["ip", "-n", name, "address", "add", address, "dev", "v0"], check=True)
            for interface in ("lo", "v0"):
                subprocess.run(["ip", "-n", name, "link", "set", interface, "up"], check=True)

        def reached_from(name, port):
            program = f"import socket; socket.create_connection(('10.79.0.1', {port}), timeout=2)"
            return subprocess.run(["ip", "netns", "exec", name, sys.executable, "-c", program], check=False,
                                  stderr=subprocess.DEVNULL).returncode == 0

        inside = ("ip", "netns", "exec", here)
        self.assertFalse(reached_from(there, self.start(before=inside).port))
        reachable = self.start("--address", "10.79.0.1", before=inside)
        self.assertTrue(reached_from(there, reachable.port))
        self.assertIn("--token-file", "".join(reachable.messages), "no warning that anybody can read")


class Secrets(AirampdTest):
    def test_token(self):
        token = pathlib.Path(self.folder) / "token"
        token.write_text("s3cret\n")
        airampd = self.start("--token-file", str(token))
        self.assertEqual(airampd.get("/metrics")[0], 401)
        self.assertEqual(airampd.get("/metrics", {"Authorization": "Bearer s3cret"})[0], 200)
        self.assertEqual(airampd.get("/healthz")[0], 200)

    def test_login(self):
        logins = pathlib.Path(self.folder) / "logins"
        logins.write_text("alice:hunter2\n")
        airampd = self.start("--basic-auth-file", str(logins))
        for path in ("/", "/metrics"):
            status, headers, _ = airampd.get(path)
            self.assertEqual((status, headers["WWW-Authenticate"]), (401, 'Basic realm="airampd", charset="UTF-8"'))
            login = base64.b64encode(b"alice:hunter2").decode()
            self.assertEqual(airampd.get(path, {"Authorization": f"Basic {login}"})[0], 200)
        self.assertEqual(airampd.get("/healthz")[0], 200)
        self.assertNotIn(b"hunter2", pathlib.Path(f"/proc/{airampd.process.pid}/cmdline").read_bytes())
        self.assertNotIn("hunter2", airampd.stop()[2])

    @unittest.skipUnless(shutil.which("curl"), "no curl")
    def test_clients_are_told_what_to_show(self):
        """curl --anyauth answers the challenge as a browser does."""
        token, logins = pathlib.Path(self.folder) / "token", pathlib.Path(self.folder) / "logins"
        token.write_text("s3cret\n")
        logins.write_text("alice:hunter2\n")
        airampd = self.start("--basic-auth-file", str(logins), "--token-file", str(token))
        for login, status in (("alice:hunter2", "200"), ("alice:wrong", "401")):
            result = subprocess.run(["curl", "--silent", "--noproxy", "*", "--anyauth", "--user", login, "--output",
                                     "/dev/null", "--write-out", "%{http_code}", f"http://127.0.0.1:{airampd.port}/"],
                                    capture_output=True, text=True, timeout=30, check=True)
            self.assertEqual(result.stdout, status)

    @unittest.skipUnless(shutil.which("openssl"), "no openssl to make a certificate")
    def test_tls(self):
        key, certificate = f"{self.folder}/key.pem", f"{self.folder}/certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                        "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
                        "-keyout", key, "-out", certificate], check=True, capture_output=True)
        airampd = self.start("--tls-cert", certificate, "--tls-key", key)
        self.assertEqual(airampd.url, "https")
        context = ssl.create_default_context(cafile=certificate)
        for minimum in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context.minimum_version = context.maximum_version = minimum
            with socket.create_connection(("127.0.0.1", airampd.port)) as plain:
                with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
                    secure.sendall(b"GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n")
                    answer = b"".join(iter(lambda: secure.recv(65536), b""))
            self.assertTrue(answer.startswith(b"HTTP/1.1 200 OK\r\n"), answer[:100])
            self.assertIn(b"\nairamp_up 1\n", answer)
        with socket.create_connection(("127.0.0.1", airampd.port)) as plain:
            plain.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
            with contextlib.suppress(ConnectionResetError):
                self.assertNotIn(b"HTTP/1.1 200", plain.recv(65536))
        self.assertEqual(airampd.stop()[0], 0)


class Ending(AirampdTest):
    def test_signals_end_it_cleanly(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            airampd = self.start()
            self.assertEqual(airampd.get("/healthz")[0], 200)
            status, out, err = airampd.stop(number)
            self.assertEqual((status, out), (0, ""))
            self.assertEqual(err, f"airampd: serving http://127.0.0.1:{airampd.port}/metrics\n")

    def test_idle_clients_do_not_keep_it(self):
        airampd = self.start()
        with socket.create_connection(("127.0.0.1", airampd.port)):
            self.assertEqual(airampd.stop()[0], 0)


class BadClients(AirampdTest):
    def memory(self, airampd):
        status = pathlib.Path(f"/proc/{airampd.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) << 10

    def connect(self, airampd, data=b""):
        client = socket.create_connection(("127.0.0.1", airampd.port), timeout=10)
        self.addCleanup(client.close)
        if data:
            client.sendall(data)
        return client

    def test_thousands_of_idle_and_slow_clients_keep_nobody_waiting(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 5000:
            self.skipTest(f"at most {hard} open files")
        resource.setrlimit(resource.RLIMIT_NOFILE, (5000, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        airampd = self.start()
        airampd.get("/metrics")
        before = self.memory(airampd)
        for number in range(2000):
            self.connect(airampd, b"GET /metrics HTTP/1.1\r\nX: " if number % 2 else b"")
        airampd.get_until("/metrics", r"\nairamp_http_connections [12]\d\d\d\n")
        self.assertLess(self.memory(airampd) - before, 32 << 20)

    def test_with_few_files_the_longest_waiting_give_way(self):
        airampd = self.start(before=("/bin/sh", "-c", 'ulimit -n 256; exec "$0" "$@"'))
        for _ in range(600):
            self.connect(airampd)
        self.assertEqual(airampd.get("/metrics")[0], 200)

    def test_clients_that_take_no_answer_are_bounded(self):
        with generated_job(GENERATOR, self.folder, "--ranks", "200"):
            airampd = self.start("--detail")
            size = len(airampd.get("/metrics")[2])
            clients = 600
            self.assertGreater(size * clients, 120 << 20, "no more than what airampd may keep")
            before = self.memory(airampd)
            for _ in range(clients):
                client = socket.socket()
                self.addCleanup(client.close)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.connect(("127.0.0.1", airampd.port))
                client.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
            self.assertEqual(airampd.get("/metrics")[0], 200)
            self.assertLess(self.memory(airampd) - before, 90 << 20)

    def test_garbage_is_answered_and_survived(self):
        airampd = self.start()
        for data in (b"\r\n\r\n", b"\x00" * 100 + b"\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"y" * 20000,
                     b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n",
                     b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                     b"GET / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n"):
            answer = self.connect(airampd, data).recv(100)
            self.assertRegex(answer, rb"^HTTP/1\.1 4\d\d ", data[:40])
        self.assertEqual(airampd.get("/metrics")[0], 200)


if __name__ == "__main__":
    unittest.main()
