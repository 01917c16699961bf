# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What airampd serves and what monitoring/ holds, judged by Prometheus' own programs and by an OpenMetrics parser.
Arguments: airampd, segment_generator, the source folder."""

import contextlib
import http.client
import importlib.util
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

from sidecar import Airampd, generated_job

AIRAMPD = str(pathlib.Path(sys.argv.pop(1)).resolve())
GENERATOR = str(pathlib.Path(sys.argv.pop(1)).resolve())
SOURCE = pathlib.Path(sys.argv.pop(1))
MONITORING = SOURCE / "monitoring"
# Of the made-up job, whose ranks have waited for no message.
NOT_WITH_DETAIL = {"airamp_message_seconds_total"}
ONLY_WITH_DETAIL = {"airamp_status", "airamp_rank_alive", "airamp_rank_finalized"}

if not shutil.which("prometheus") or not shutil.which("promtool"):
    print("skipped: no prometheus and promtool (Debian package prometheus)")
    sys.exit(77)


def documented_metrics():
    """Name of the samples and type of every metric in docs/metrics.md."""
    rows = re.findall(r"^\| `(airamp_\w+)` \| (\w+) \|", (SOURCE / "docs/metrics.md").read_text(), re.MULTILINE)
    return dict(rows)


def dashboard_queries():
    dashboard = json.loads((MONITORING / "grafana/dashboards/airamp.json").read_text())
    return [(panel["title"], target["expr"]) for panel in dashboard["panels"] for target in panel.get("targets", [])]


class Files(unittest.TestCase):
    def test_rules_and_configuration(self):
        rules = [str(MONITORING / "rules" / name) for name in ("airamp_recording.yml", "airamp_alerts.yml")]
        for command in (["check", "rules", *rules], ["test", "rules", str(MONITORING / "rules/airamp_rules_test.yml")],
                        ["check", "config", str(MONITORING / "prometheus.yml")]):
            result = subprocess.run(["promtool", *command], capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_queries_name_metrics_that_exist(self):
        known = {f"{name}{suffix}" for name, kind in documented_metrics().items()
                 for suffix in (("_bucket", "_sum", "_count") if kind == "histogram" else ("",))}
        text = "\n".join([query for _, query in dashboard_queries()] +
                         [path.read_text() for path in (MONITORING / "rules").glob("airamp_[ar]*s.yml")])
        text = re.sub(r"\w+:airamp_\w+:\w+", "", text)  # what recording rules make
        text = re.sub(r"airamp_pola_state=|- name: \w+|group airamp_\w+", "", text)  # a label, and groups of rules
        used = set(re.findall(r"\bairamp_\w+", text))
        self.assertGreater(len(used), 20)
        self.assertEqual(used - known, set())


class Scrapes(unittest.TestCase):
    def setUp(self):
        context = contextlib.ExitStack()
        self.addCleanup(context.close)
        self.folder = context.enter_context(tempfile.TemporaryDirectory(prefix="airampd-"))
        context.enter_context(generated_job(GENERATOR, self.folder + "/segments", "--job", 'odd "job"', "--ranks", "4",
                                            "--straggler", "2"))
        self.airampd = context.enter_context(Airampd(AIRAMPD, "--folder", self.folder + "/segments"))
        self.detailed = context.enter_context(Airampd(AIRAMPD, "--folder", self.folder + "/segments", "--detail"))

    def test_promtool_finds_nothing_wrong(self):
        for airampd in (self.airampd, self.detailed):
            result = subprocess.run(["promtool", "check", "metrics"], input=airampd.get("/metrics")[2],
                                    capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))

    @unittest.skipUnless(importlib.util.find_spec("prometheus_client"), "no python3-prometheus-client")
    def test_parsers_read_the_same_from_both_formats(self):
        from prometheus_client import openmetrics, parser  # pylint: disable=import-outside-toplevel
        import prometheus_client.openmetrics.parser  # pylint: disable=import-outside-toplevel

        def samples(families):
            # Not the exporter's own figures, which differ from answer to answer.
            own = ("airamp_http_", "airamp_read_")
            return {(sample.name, tuple(sorted(sample.labels.items())), sample.value)
                    for family in families if not family.name.startswith(own) for sample in family.samples}

        strict = {"Accept": "application/openmetrics-text;version=1.0.0"}
        for airampd, missing in ((self.airampd, ONLY_WITH_DETAIL), (self.detailed, NOT_WITH_DETAIL)):
            airampd.get_until("/metrics", "airamp_http_requests_total")
            families = list(openmetrics.parser.text_string_to_metric_families(airampd.get("/metrics", strict)[2]))
            plain = samples(parser.text_string_to_metric_families(airampd.get("/metrics")[2]))
            self.assertEqual(samples(families) ^ plain, set())
            found = {family.name + {"counter": "_total", "info": "_info"}.get(family.type, ""): family.type
                     for family in families}
            self.assertEqual(found, {name: kind for name, kind in documented_metrics().items() if name not in missing})

    def test_prometheus_answers_for_every_metric(self):
        self.ask_prometheus(self.airampd, ONLY_WITH_DETAIL)

    def test_prometheus_answers_for_every_rank(self):
        self.ask_prometheus(self.detailed, NOT_WITH_DETAIL)

    def ask_prometheus(self, airampd, missing):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        configuration = f"{self.folder}/prometheus.yml"
        pathlib.Path(configuration).write_text(json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(MONITORING / "rules/airamp_recording.yml"), str(MONITORING / "rules/airamp_alerts.yml")],
            "scrape_configs": [{"job_name": "airamp",
                                "static_configs": [{"targets": [f"127.0.0.1:{airampd.port}"]}]}]}))
        log = open(f"{self.folder}/log", "w+", encoding="utf-8")
        self.addCleanup(log.close)
        prometheus = subprocess.Popen(["prometheus", f"--config.file={configuration}",
                                       f"--storage.tsdb.path={self.folder}/data", "--log.level=warn",
                                       f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)
        self.addCleanup(prometheus.wait)
        self.addCleanup(prometheus.terminate)

        def ask(path, **parameters):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            with contextlib.closing(connection):
                connection.request("GET", f"/api/v1/{path}?{urllib.parse.urlencode(parameters)}")
                answer = connection.getresponse()
                if answer.status == http.HTTPStatus.SERVICE_UNAVAILABLE:  # as long as it starts
                    raise ConnectionError(answer.read())
                return json.load(answer)["data"]

        def value(query):
            return [float(sample["value"][1]) for sample in ask("query", query=query)["result"]]

        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError):
                if value('count_over_time(up{job="airamp"}[1m])') >= [3]:
                    break
            log.seek(0)
            self.assertLess(time.monotonic(), deadline, log.read())
            self.assertIsNone(prometheus.poll(), log.read())
            time.sleep(0.25)

        self.assertEqual(value('min_over_time(up{job="airamp"}[1m])'), [1])
        for name, kind in documented_metrics().items():
            if name in missing:
                continue
            samples = value(f"{name}_count" if kind == "histogram" else name)
            self.assertGreater(len(samples), 0, name)
        self.assertEqual(value('sum(airamp_ranks{mpi_job=~"odd.*",state="running"})'), [4])
        # Units come through OpenMetrics alone: this is what Prometheus has asked for and got.
        for name, unit in (("airamp_collective_duration_seconds", "seconds"), ("airamp_wire_bytes", "bytes")):
            self.assertEqual(ask("metadata", metric=name)[name][0]["unit"], unit)
        for group in ask("rules")["groups"]:
            for rule in group["rules"]:
                self.assertEqual((rule["health"], rule.get("lastError", "")), ("ok", ""), rule["name"])
        for title, query in dashboard_queries():
            query = query.replace("$mpi_job", ".*").replace("$user", ".*").replace("$__rate_interval", "10s")
            samples = ask("query", query=query)["result"]
            # The generated job makes no call while it is watched, so shares of its calls have no value.
            self.assertGreater(len(samples) if "/" not in query else 1, 0, f"{title}: {query}")


if __name__ == "__main__":
    unittest.main()
