# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""`airamp report`, run as a user runs it. The first argument is the program under test."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

AIRAMP = str(pathlib.Path(sys.argv.pop(1)).resolve())
REAL_RUN = pathlib.Path(__file__).with_name("real_run.json")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
VOID_ELEMENTS = {"br", "meta"}
BAD_TEXT = "<script>alert('x')</script>\" onload=\"a()\" & 🚀 \u202e\u0000\u0007 ]]> " + "c" * 300


class Page(html.parser.HTMLParser):
    """Checks that elements are balanced, and collects what the tests ask for."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.text = [], [], ""
        stray = re.search(r"<[^a-zA-Z/!]", text)
        assert not stray, f"markup that is none: {text[stray.start() - 40:stray.end() + 40]}"
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"
        self.pictures = [xml.etree.ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> inside of {self.open}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text += data


def all_numbers_are_finite(picture):
    for element in picture.iter():
        for name in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "points", "viewBox"):
            for number in re.split(r"[ ,]+", element.get(name, "").strip()):
                if number and not re.fullmatch(r"-?\d+(\.\d+)?", number):
                    return False
    return True


def hostile_report():
    """Every text is markup, every number is as odd as JSON allows."""
    numbers = [None, 0, 5e-324, 1.7e308, -1, 1e-9, 3]
    def row(texts, counts, quantities, i):
        odd = numbers[i % len(numbers)]
        return {**{key: BAD_TEXT for key in texts}, **{key: (0, 1, 2**64 - 1)[i % 3] for key in counts},
                **{key: odd for key in quantities}}
    signature = (("function", "communicator", "element", "op", "path", "state", "why"),
                 ("size", "calls", "accelerated_calls", "asked_along_calls", "bytes"),
                 ("native_median_seconds", "airamp_median_seconds", "speedup", "relative_error", "maximum_error"))
    traffic = (("function", "communicator", "path"), ("size", "calls", "bytes"), ("seconds", "p50_seconds", "p99_seconds"))
    pattern = (("communicator", "state"), ("period", "calls", "hits", "misses", "locks", "breaks"), ())
    rank = (("host",), ("rank",), ("collective_seconds", "waiting_seconds", "lateness_seconds"))
    rows = range(2 * len(numbers))
    return {"airamp": {"version": BAD_TEXT, "mpi": BAD_TEXT, "ranks": 2**64 - 1, "state": "on", "why_off": BAD_TEXT},
            "run": {"seconds": 1.7e308, "program": BAD_TEXT, "started": BAD_TEXT},
            "verdict": {"kind": BAD_TEXT, "text": BAD_TEXT},
            "advice": [row(("kind", "action", "why", "effect", "cost"), (), ("share",), i) for i in rows],
            "findings": [row(("kind", "text"), (), ("share",), i) for i in rows],
            "settings": {BAD_TEXT: BAD_TEXT, "min_speedup": "1e-320", "max_relative_error": "1e300"},
            "functions": {BAD_TEXT: 2**64 - 1},
            "signatures": [row(*signature, i) for i in rows],
            "patterns": [{**row(*pattern, i), "changes": [row(("state",), ("call",), ("seconds",), j) for j in rows]}
                         for i in rows],
            "traffic": [row(*traffic, i) for i in rows],
            "ranks": [row(*rank, i) for i in rows],
            "tuning": {"calls": 1, "seconds": 1.7e308}}


def large_report():
    """As many of everything as a large job may have."""
    return {"airamp": {"version": "1", "mpi": "MPI", "ranks": 2000, "state": "on"},
            "run": {"seconds": 3600, "program": "large"},
            "signatures": [{"function": "MPI_Allreduce", "communicator": f"comm {i}", "size": 2**(i % 40), "path": "ccl",
                            "state": "decided", "calls": 10, "accelerated_calls": 8, "bytes": i, "speedup": 1 + i / 1000,
                            "relative_error": i / 1e5} for i in range(1000)],
            "patterns": [{"communicator": f"comm {i}", "state": "locked", "period": 3, "calls": i, "hits": i, "locks": 32,
                          "breaks": 32, "changes": [{"state": ("locked", "broken")[j % 2], "call": j, "seconds": j}
                                                    for j in range(64)]} for i in range(1000)],
            "traffic": [{"function": "MPI_Bcast", "path": "native", "calls": 1, "bytes": 1, "seconds": i} for i in range(1000)],
            "ranks": [{"rank": i, "host": f"node{i // 8}", "collective_seconds": 9, "waiting_seconds": i % 97,
                       "lateness_seconds": 1000 if i == 1234 else i % 7} for i in range(2000)]}


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-report-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def airamp(self, *arguments):
        return subprocess.run([AIRAMP, "report", *arguments], cwd=self.folder, capture_output=True, timeout=60, check=False)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def page(self, report):
        result = self.airamp(self.write("run.json", report), "-o", "-")
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        page = Page(result.stdout.decode())
        for picture in page.pictures:
            self.assertTrue(all_numbers_are_finite(picture))
            self.assertTrue(picture.get("aria-label"))
            self.assertEqual(picture.get("role"), "img")
        for tag, attributes in page.elements:
            self.assertNotIn(tag, ("script", "link", "img", "iframe", "object"))
            self.assertFalse([name for name in attributes if name.startswith("on") or name in ("src", "href")])
            if tag == "th":
                self.assertIn(attributes.get("scope"), ("col", "row"))
        return page


class Pages(ReportTest):
    def test_real_run(self):
        page = self.page(json.loads(REAL_RUN.read_text(encoding="utf-8")))
        self.assertEqual(len(page.pictures), 5)  # time, speed-up, error, patterns, ranks
        self.assertIn("MPI_Allreduce", page.text)
        self.assertIn("mpi-two-shot", page.text)

    def test_empty_report(self):
        page = self.page({"airamp": {}})
        self.assertEqual(page.pictures, [])
        self.assertIn("The file has no times of collectives", page.text)

    def test_hostile_report(self):
        page = self.page(hostile_report())
        self.assertEqual(len(page.pictures), 5)
        shown = BAD_TEXT.replace("\u202e", "\ufffd").replace("\u0000", "\ufffd").replace("\u0007", "\ufffd")
        self.assertGreater(page.text.count(shown), 30)

    def test_large_report(self):
        page = self.page(large_report())
        self.assertEqual(len(page.pictures), 5)
        self.assertIn("The 10 latest ranks", page.text)
        self.assertIn("node154", page.text)  # of rank 1234, the latest
        self.assertIn("700 more rows are in the JSON file", page.text)
        self.assertLess(len(page.elements), 20000)


class CommandLine(ReportTest):
    def test_page_lies_beside_the_report(self):
        (self.folder / "runs").mkdir()
        path = self.write("runs/my.run.json", {"airamp": {}})
        result = self.airamp(path)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))
        self.assertIn("AIRamp report", (self.folder / "runs/my.run.html").read_text(encoding="utf-8"))

    def test_page_in_a_named_file(self):
        self.assertEqual(self.airamp(self.write("run.json", {"airamp": {}}), "-o", "page.htm").returncode, 0)
        self.assertTrue((self.folder / "page.htm").exists())

    def assert_error(self, message, *arguments):
        result = self.airamp(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertIn(message, result.stderr.decode())

    def test_files_that_are_no_reports(self):
        self.assert_error("airamp report: missing.json: cannot be opened: No such file", "missing.json")
        self.assert_error(f"airamp report: {self.folder}: cannot be read: Is a directory", str(self.folder))
        broken = self.write("broken.json", '{\n"airamp": {},\n}')
        self.assert_error(f"airamp report: {broken}: not valid JSON at line 3, column 1", broken)
        self.assert_error("not valid JSON at line 1, column 1", self.write("empty.json", ""))
        self.assert_error("not a report of AIRamp", self.write("other.json", {"name": "x"}))
        self.assert_error("run.seconds is not a number", self.write("typo.json", {"airamp": {}, "run": {"seconds": "1"}}))
        self.assertEqual(sorted(self.folder.glob("*.html")), [])

    def test_report_is_not_overwritten(self):
        path = self.write("run.html", {"airamp": {}})
        self.assert_error("is the report itself; name another file with -o", path)
        self.assertEqual(json.loads((self.folder / "run.html").read_text(encoding="utf-8")), {"airamp": {}})

    def test_page_that_cannot_be_written(self):
        path = self.write("run.json", {"airamp": {}})
        self.assert_error("airamp report: no/such/folder.html: cannot be written: No such file", path, "-o",
                          "no/such/folder.html")
        if os.path.exists("/dev/full"):
            self.assert_error("/dev/full: cannot be written: No space left", path, "-o", "/dev/full")


class Comparisons(ReportTest):
    def setUp(self):
        super().setUp()
        self.a = json.loads(REAL_RUN.read_text(encoding="utf-8"))
        self.b = json.loads(REAL_RUN.read_text(encoding="utf-8"))
        self.a["run"]["seconds"], self.b["run"]["seconds"] = 50, 40
        self.b["settings"]["pola"] = "false"

    def compare(self, a, b, *options):
        result = self.airamp(self.write("a.json", a), self.write("b.json", b), *options)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return result.stdout.decode()

    def test_text_on_standard_output(self):
        text = self.compare(self.a, self.b)
        self.assertTrue(text.startswith("B took 40.0 s, 10.0 s less than A (-20.0 %).\n"), text)
        self.assertRegex(text, r"(?m)^Settings that differ:\nSetting +A +B\npola +true +false$")
        self.assertEqual(sorted(self.folder.glob("*.html")), [])

    def test_page(self):
        self.assertEqual(self.compare(self.a, self.b, "-o", "both.html"), "")
        page = Page((self.folder / "both.html").read_text(encoding="utf-8"))
        self.assertIn("10.0 s less than A", page.text)
        self.assertIn("Settings that differ", page.text)

    def test_reports_that_say_nothing(self):
        self.assertIn("How long the runs took is not known", self.compare({"airamp": {}}, {"airamp": {}}))

    def test_hostile_reports(self):
        text = self.compare(hostile_report(), self.a)
        self.assertFalse([c for c in text if c != "\n" and (ord(c) < 32 or ord(c) == 127)])
        self.compare(hostile_report(), self.a, "-o", "both.html")
        Page((self.folder / "both.html").read_text(encoding="utf-8"))

    def test_names_the_report_that_is_none(self):
        result = self.airamp(self.write("a.json", self.a), self.write("broken.json", "{"))
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertIn("broken.json: not valid JSON", result.stderr.decode())


@unittest.skipUnless(CHROMIUM, "no Chromium here")
class Browser(ReportTest):
    def chromium(self, page, *options):
        result = subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1000,1200",
                                 f"--user-data-dir={self.folder}/profile", *options, f"file://{page}"],
                                capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)

    def screenshot(self, page):
        picture = self.folder / "picture.png"
        self.chromium(page, f"--screenshot={picture}")
        return picture.read_bytes()

    def test_screenshot(self):
        self.assertEqual(self.airamp(str(REAL_RUN), "-o", "run.html").returncode, 0)
        picture = self.screenshot(self.folder / "run.html")
        self.assertEqual(struct.unpack(">II", picture[16:24]), (1000, 1200))
        blank = self.screenshot(self.write("blank.html", "<!DOCTYPE html><title>blank</title>"))
        self.assertGreater(len(picture), 5 * len(blank))

    @unittest.skipUnless(shutil.which("pdftotext"), "no pdftotext here")
    def test_print(self):
        self.assertEqual(self.airamp(str(REAL_RUN), "-o", "run.html").returncode, 0)
        self.chromium(self.folder / "run.html", f"--print-to-pdf={self.folder}/run.pdf", "--no-pdf-header-footer")
        text = subprocess.run(["pdftotext", f"{self.folder}/run.pdf", "-"], capture_output=True, text=True, check=True).stdout
        for heading in ("In short", "Where the time went", "Speed-up of each kind of call", "Measured error",
                        "Pattern of life", "Waits per rank", "All kinds of calls", "What was called", "Settings of the job"):
            self.assertIn(heading, text)


if __name__ == "__main__":
    unittest.main()
