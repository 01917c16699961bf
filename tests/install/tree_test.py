# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What lies where after an installation, and works from there: tree_test.py CMAKE BUILD VERSION FAMILY"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import prefix

CMAKE, BUILD, VERSION, FAMILY = (sys.argv.pop(1) for _ in range(4))
MAJOR = VERSION.split(".", maxsplit=1)[0]
OTHER = {"openmpi": "mpich", "mpich": "openmpi"}[FAMILY]


class Tree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = prefix.Prefix(CMAKE, BUILD)
        cls.folder = cls.prefix.folder

    @classmethod
    def tearDownClass(cls):
        cls.prefix.remove()

    def run_program(self, *command, **variables):
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60,
                              env=prefix.environment(**variables))

    def test_only_commands_for_people_are_in_bin(self):
        names = {path.name for path in (self.folder / "bin").iterdir()}
        self.assertEqual(names - {"airampd"}, {"airamp", "airamp-config", "airamp_bench", f"airamp_bench.{FAMILY}"})

    def test_mini_apps_are_apart(self):
        names = {path.name for path in (self.folder / "libexec/airamp" / FAMILY).iterdir()}
        self.assertIn("rtm_stack", names)
        self.assertLessEqual(names, {"rtm_stack", "swe_ensemble"})

    def test_library_has_its_three_names(self):
        library = self.prefix.library_folder / "airamp" / FAMILY / "libairamp.so"
        self.assertEqual(library.resolve().name, f"libairamp.so.{VERSION}")
        self.assertEqual((library.parent / f"libairamp.so.{MAJOR}").resolve(), library.resolve())

    def test_names_without_family_are_links(self):
        library = self.prefix.library_folder / "airamp" / FAMILY / "libairamp.so"
        for name in ("libairamp.so", f"libairamp.so.{MAJOR}"):
            self.assertEqual((self.prefix.library_folder / name).resolve(), library.resolve())
        for plugin in library.parent.glob("libairamp-*.so"):
            self.assertEqual((self.prefix.library_folder / plugin.name).resolve(), plugin.resolve())

    def test_second_family_leaves_the_links_of_the_first(self):
        both = self.prefix.scratch / "both"
        library = pathlib.Path("airamp", OTHER, "libairamp.so")
        folder = both / self.prefix.library_folder.relative_to(self.folder)
        (folder / library).parent.mkdir(parents=True)
        (folder / library).touch()
        (folder / "libairamp.so").symlink_to(library)
        prefix.Prefix.install(CMAKE, BUILD, both)
        self.assertEqual((folder / "libairamp.so").readlink(), library)
        self.assertTrue((folder / "airamp" / FAMILY / "libairamp.so").is_file())
        # A link to nowhere, or a file of an older version, is no reason to do without.
        (folder / library).unlink()
        prefix.Prefix.install(CMAKE, BUILD, both)
        self.assertEqual((folder / "libairamp.so").readlink(), pathlib.Path("airamp", FAMILY, "libairamp.so"))

    def test_airamp_finds_the_library(self):
        result = self.run_program(self.prefix.program("airamp"), "exec", "--print")
        expected = (self.prefix.library_folder / "airamp" / FAMILY / "libairamp.so").resolve().parent / "libairamp.so"
        self.assertEqual((result.returncode, result.stdout), (0, f"LD_PRELOAD={expected}\n"))

    def test_doctor_finds_the_library_and_its_helper(self):
        result = self.run_program(self.prefix.program("airamp"), "doctor", "--json")
        self.assertIn(result.returncode, (0, 1), result.stderr)
        self.assertNotIn("airamp-probe", result.stdout)
        library = next(finding for finding in json.loads(result.stdout) if finding["check"] == "AIRamp's library")
        self.assertIn(f"airamp/{FAMILY}/libairamp.so", library["found"])

    def test_config_names_what_is_there(self):
        def words(*options):
            result = self.run_program(self.prefix.program("airamp-config"), *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout.split()

        self.assertEqual(words("--version", "--prefix"), [VERSION, str(self.folder.resolve())])
        (include,) = words("--cflags")
        self.assertTrue(pathlib.Path(include.removeprefix("-I"), "airamp/airamp.h").is_file())
        folder = next(word for word in words("--libs") if word.startswith("-L")).removeprefix("-L")
        self.assertTrue(pathlib.Path(folder, "libairamp.so").is_file())
        if (self.prefix.library_folder / "airamp" / FAMILY / "libairamp.a").exists():  # not in every build
            archives = [word for word in words("--static-libs") if word.endswith(".a")]
            self.assertEqual([pathlib.Path(archive).is_file() for archive in archives], [True])

    def test_config_says_what_is_missing(self):
        for options, message in ((["--mpi", OTHER, "--libs"], f"airamp/{OTHER}/libairamp.so"),
                                 (["--mpi", "openmpi", "--static-libs"], "libairamp.a"),
                                 (["--lib"], "unknown option --lib"), ([], "nothing was asked for")):
            result = self.run_program(self.prefix.program("airamp-config"), *options)
            self.assertEqual((result.returncode, result.stdout), (1, ""), options)
            self.assertIn(message, result.stderr)

    def test_documentation(self):
        documents = self.folder / "share/doc/airamp"
        for name in ("README.md", "CHANGELOG.md", "LICENSE", "airamp.conf.example", "docs/configuration.md"):
            self.assertTrue((documents / name).is_file(), name)
        text = (documents / "README.md").read_text("utf-8")
        for linked in re.findall(r"\]\((docs/[^)#]+)", text):
            self.assertTrue((documents / linked).is_file(), linked)

    def test_example_configuration_is_in_order(self):
        example = self.folder / "share/doc/airamp/airamp.conf.example"
        result = self.run_program(self.prefix.program("airamp"), "config", "check", example)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_what_other_tools_read(self):
        share = self.folder / "share/airamp"
        for name in ("monitoring/prometheus.yml", "monitoring/rules/airamp_alerts.yml", "examples/allreduce.c",
                     "systemd/airampd.service", "systemd/user/airampd.service", "slurm/airamp.sbatch", "slurm/epilog.sh", "slurm/prolog.sh",
                     "pbs/airamp.pbs", "kubernetes/airampd-sidecar.yaml", "kubernetes/pod-monitor.yaml"):
            self.assertTrue((share / name).is_file(), name)
        subprocess.run(["bash", "-n", share / "slurm/airamp.sbatch"], check=True)

    def test_service_names_the_program_where_it_was_installed(self):
        for service, options in (("airampd.service", " --all-users"), ("user/airampd.service", "")):
            text = (self.folder / "share/airamp/systemd" / service).read_text()
            self.assertIn(f'\nExecStart="{self.prefix.scratch}/first/bin/airampd"{options}\n', text)

    @unittest.skipUnless(shutil.which("man"), "no man")
    def test_pages_of_the_manual_are_found(self):
        pages = self.folder / "share/man/man1"
        for page in pages.iterdir():
            result = self.run_program("man", "-w", page.stem, MANPATH=str(self.folder / "share/man"))
            self.assertEqual(result.stdout.strip(), str(page), result.stderr)
        self.assertIn(pages / "airamp-exec.1", list(pages.iterdir()))

    def test_bash_completes_from_there(self):
        completions = self.folder / "share/bash-completion/completions"
        self.assertLessEqual({"airamp", "airamp_bench"}, {path.name for path in completions.iterdir()})


if __name__ == "__main__":
    unittest.main()
