# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The command line `airamp`, run as a user runs it. The first argument is the program under test."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

AIRAMP = str(pathlib.Path(sys.argv.pop(1)).resolve())
# Only its name matters: what is run with it preloaded is a program that says its environment.
REAL_LIBRARY = next(p for p in ("/lib/x86_64-linux-gnu/libm.so.6", "/usr/lib64/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6")
                    if os.path.exists(p))


class AirampTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.library = self.folder / "libairamp.so"
        shutil.copy(REAL_LIBRARY, self.library)

    def run_airamp(self, *arguments, environment=None, program=AIRAMP):
        clean = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), **(environment or {})}
        return subprocess.run([program, *arguments], env=clean, cwd=self.folder, capture_output=True, text=True,
                              timeout=30, check=False)

    def environment_of_program(self, *options, environment=None):
        result = self.run_airamp("exec", "--library", str(self.library), *options, "--", "/usr/bin/env",
                                 environment=environment)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return dict(line.split("=", 1) for line in result.stdout.splitlines())

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)


class Exec(AirampTest):
    def test_sets_the_variables_of_the_options_and_no_others(self):
        environment = self.environment_of_program("--min-bytes", "2M", "--codec=mxint8", "--enable-fp8-allreduce",
                                                  "--disable=no")
        self.assertEqual({k: v for k, v in environment.items() if k.startswith(("AIRAMP", "LD_"))},
                         {"AIRAMP_MIN_BYTES": "2M", "AIRAMP_CODEC": "mxint8", "AIRAMP_ENABLE_FP8_ALLREDUCE": "true",
                          "AIRAMP_DISABLE": "no", "LD_PRELOAD": str(self.library)})

    def test_options_override_the_environment(self):
        environment = self.environment_of_program("--min-bytes", "2M", environment={"AIRAMP_MIN_BYTES": "8M",
                                                                                    "AIRAMP_FORCE": "native"})
        self.assertEqual((environment["AIRAMP_MIN_BYTES"], environment["AIRAMP_FORCE"]), ("2M", "native"))

    def test_existing_preload_stays_first(self):
        environment = self.environment_of_program(environment={"LD_PRELOAD": REAL_LIBRARY})
        self.assertEqual(environment["LD_PRELOAD"], f"{REAL_LIBRARY}:{self.library}")

    def test_library_is_not_preloaded_twice(self):
        before = f"{self.folder}/./libairamp.so:{REAL_LIBRARY}"
        self.assertEqual(self.environment_of_program(environment={"LD_PRELOAD": before})["LD_PRELOAD"], before)

    def test_relative_files_become_absolute(self):
        self.write("job.conf", "min_bytes: 4M\n")
        result = self.run_airamp("exec", "--library", "libairamp.so", "--config", "job.conf", "--", "env")
        self.assertIn(f"AIRAMP_CONFIG={self.folder}/job.conf\n", result.stdout)
        self.assertIn(f"LD_PRELOAD={self.library}\n", result.stdout)

    def test_program_gets_its_arguments_untouched(self):
        show = ("/bin/sh", "-c", 'printf "<%s>" "$@"', "sh")
        odd = ("--min-bytes", "x", "--", "a b", "--help", "")
        expected = "".join(f"<{argument}>" for argument in odd)
        for dashes in (("--",), ()):
            result = self.run_airamp("exec", "--library", str(self.library), *dashes, *show, *odd)
            self.assertEqual((result.returncode, result.stdout), (0, expected), dashes)

    def test_exit_code_is_that_of_the_program(self):
        result = self.run_airamp("exec", "--library", str(self.library), "--", "/bin/sh", "-c", "exit 42")
        self.assertEqual(result.returncode, 42)

    def test_program_not_found(self):
        for program in ("no-such-program", "./no-such-program"):
            result = self.run_airamp("exec", "--library", str(self.library), "--", program)
            self.assertEqual(result.returncode, 127)
            self.assertIn(f"airamp exec: {program}: program not found", result.stderr)

    def test_program_without_interpreter(self):
        script = self.write("script", "#!/no/such/interpreter\n")
        os.chmod(script, 0o755)
        result = self.run_airamp("exec", "--library", str(self.library), "--", script)
        self.assertEqual(result.returncode, 127)
        self.assertIn("interpreter was not found", result.stderr)

    def test_program_not_executable(self):
        result = self.run_airamp("exec", "--library", str(self.library), "--", self.write("plain.txt", "text\n"))
        self.assertEqual(result.returncode, 126)
        self.assertIn("plain.txt: cannot be executed: Permission denied", result.stderr)

    def test_invalid_values_are_all_reported_and_nothing_runs(self):
        result = self.run_airamp("exec", "--library", str(self.library), "--min-bytes", "5X", "--disable=maybe", "--",
                                 "/bin/echo", "ran")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("airamp exec: --min-bytes: '5X' is not a number of bytes; allowed: 0 to 1024G", result.stderr)
        self.assertIn("airamp exec: --disable: 'maybe' is neither true nor false", result.stderr)

    def test_invalid_file_is_reported(self):
        path = self.write("bad.conf", "min_byte: 1M\n")
        result = self.run_airamp("exec", "--library", str(self.library), "--config", path, "--", "/bin/echo", "ran")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(f"--config: {path}:1: unknown key 'min_byte'; did you mean 'min_bytes'?", result.stderr)

    def test_wrong_usage(self):
        for arguments, message in ((("--min-byts", "2M", "--", "env"), "unknown option --min-byts"),
                                   (("--min-byts", "2M", "env"), "unknown option --min-byts"),
                                   (("--min-bytes", "--", "env"), "--min-bytes"), ((), "no program given"),
                                   (("--",), "no program given"), (("--declared-types", "x", "env"), "unknown option")):
            result = self.run_airamp("exec", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn(message, result.stderr)

    def test_print_shows_and_does_not_run(self):
        for program in ((), ("--", "/bin/echo", "ran")):
            result = self.run_airamp("exec", "--library", str(self.library), "--print", "--min-bytes", "2M", *program)
            self.assertEqual((result.returncode, result.stdout),
                             (0, f"AIRAMP_MIN_BYTES=2M\nLD_PRELOAD={self.library}\n"))

    def test_missing_library_says_where_it_looked(self):
        result = self.run_airamp("exec", "--library", "nowhere/libairamp.so", "--", "env")
        self.assertEqual(result.returncode, 3)
        self.assertIn(f"{self.folder}/nowhere/libairamp.so", result.stderr)

    def test_library_that_cannot_be_preloaded(self):
        path = self.write("a folder/libairamp.so", "")
        result = self.run_airamp("exec", "--library", path, "--", "env")
        self.assertEqual(result.returncode, 3)
        self.assertIn("LD_PRELOAD cannot hold a path with a space or colon", result.stderr)

    def test_library_is_found_beside_an_installed_program(self):
        program = self.folder / "prefix/bin/airamp"
        program.parent.mkdir(parents=True)
        shutil.copy(AIRAMP, program)
        missing = self.run_airamp("exec", "--", "env", program=str(program))
        self.assertEqual(missing.returncode, 3)
        self.assertIn(f"{self.folder}/prefix/lib/libairamp.so", missing.stderr)
        self.assertIn("name it with --library FILE", missing.stderr)
        library = self.folder / "prefix/lib/libairamp.so"
        library.parent.mkdir()
        shutil.copy(REAL_LIBRARY, library)
        link = self.folder / "airamp-link"
        link.symlink_to(program)
        found = self.run_airamp("exec", "--", "env", program=str(link))
        self.assertIn(f"LD_PRELOAD={library}\n", found.stdout)

    def test_library_is_found_in_the_build_tree(self):
        program = self.folder / "build/apps/airamp/airamp"
        library = self.folder / "build/pmpi/libairamp.so"
        for path in (program, library):
            path.parent.mkdir(parents=True)
        shutil.copy(AIRAMP, program)
        shutil.copy(REAL_LIBRARY, library)
        self.assertIn(f"LD_PRELOAD={library}\n", self.run_airamp("exec", "--", "env", program=str(program)).stdout)

    def test_is_not_touched_by_a_preload_itself(self):
        headers = subprocess.run(["readelf", "--program-headers", AIRAMP], capture_output=True, check=True).stdout
        if b"INTERP" in headers:
            self.skipTest("this build of airamp is dynamic")
        result = self.run_airamp("--version", environment={"LD_PRELOAD": "/no/such/library.so"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class Config(AirampTest):
    def test_check_accepts(self):
        path = self.write("good.conf", "min_bytes: 4M\n")
        result = self.run_airamp("config", "check", path)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{path}: ok\n", ""))

    def test_check_of_a_file_does_not_look_at_the_environment(self):
        path = self.write("good.conf", "min_bytes: 4M\n")
        result = self.run_airamp("config", "check", path, environment={"AIRAMP_MIN_BYTES": "x"})
        self.assertEqual(result.returncode, 0)

    def test_check_lists_all_mistakes(self):
        path = self.write("bad.conf", "min_byte: 1M\nmin_speedup: 0\n")
        result = self.run_airamp("config", "check", path)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn(f"{path}:1: unknown key 'min_byte'; did you mean 'min_bytes'?\n", result.stderr)
        self.assertIn(f"{path}:2: min_speedup: '0' is out of range; allowed: a number from 1 to 100\n", result.stderr)

    def test_check_of_a_missing_file(self):
        result = self.run_airamp("config", "check", "missing.conf")
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing.conf", result.stderr)

    def test_check_of_what_is_in_effect(self):
        path = self.write(".config/airamp/airamp.conf", "min_bytes: 4M\n")
        self.assertEqual(self.run_airamp("config", "check").stdout, f"{path}: ok\n")
        wrong = self.run_airamp("config", "check", environment={"AIRAMP_FORCES": "native"})
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("unknown environment variable 'AIRAMP_FORCES'; did you mean 'AIRAMP_FORCE'?", wrong.stderr)

    def test_info_names_the_algorithms_that_can_be_imposed(self):
        result = self.run_airamp("info", "--algorithms")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        heading, *rows = result.stdout.splitlines()
        self.assertEqual(heading.split()[:2], ["ALGORITHM", "RESULTS"])
        results = {row.split()[0]: row.split()[1] for row in rows}
        self.assertEqual((results["mpi-two-shot"], results["peer-two-shot"]), ("lossy", "exact"))
        for name in results:
            self.assertEqual(self.run_airamp("config", "check", environment={"AIRAMP_FORCE": name}).returncode, 0, name)

    def test_info_wants_to_know_what(self):
        result = self.run_airamp("info")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("--algorithms", result.stderr)

    def test_show_names_origins(self):
        path = self.write("job.conf", "\nmin_bytes: 4M\ndeclared_types: {my_half: float16}\n")
        result = self.run_airamp("config", "show", environment={"AIRAMP_CONFIG": path, "AIRAMP_FORCE": "native"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in result.stdout.splitlines()}
        self.assertEqual(rows["SETTING"].split(), ["VALUE", "FROM"])
        self.assertEqual(rows["min_bytes"].split(), ["4M", f"{path}:2"])
        self.assertEqual(rows["force"].split(), ["native", "environment", "variable", "AIRAMP_FORCE"])
        self.assertEqual(rows["codec"].split(), ["mxfp8-e4m3", "default"])
        self.assertEqual(rows["declared_types"].split(), ['{"my_half":', "float16}", f"{path}:3"])
        self.assertEqual(len(rows), 33)

    def test_dashes_end_the_options_and_drop_nothing(self):
        path = self.write("bad.conf", "min_byte: 1M\n")
        for arguments in (("--", path), (path, "--")):
            result = self.run_airamp("config", "check", *arguments)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn(f"{path}:1: unknown key 'min_byte'", result.stderr)

    def test_show_with_mistakes(self):
        result = self.run_airamp("config", "show", environment={"AIRAMP_FORCE": "x"})
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("environment variable AIRAMP_FORCE: 'x' is not known", result.stderr)


class Help(AirampTest):
    def test_version(self):
        self.assertRegex(self.run_airamp("--version").stdout, r"^airamp \d+\.\d+\.\d+\n$")

    def test_help_names_every_option(self):
        shown = self.run_airamp("config", "show").stdout.splitlines()[1:]
        result = self.run_airamp("exec", "--help")
        self.assertEqual(result.returncode, 0)
        for key in (line.split()[0] for line in shown):
            if key != "declared_types":
                self.assertIn("--" + key.replace("_", "-"), result.stdout)

    def test_no_command_is_wrong_usage(self):
        self.assertEqual(self.run_airamp().returncode, 2)
        self.assertEqual(self.run_airamp("config").returncode, 2)

    def test_unknown_command_is_named(self):
        for arguments in (("statsu",), ("config", "statsu"), ("statsu", "--", "exec"), ("--", "statsu")):
            result = self.run_airamp(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn("statsu", result.stderr)

    def test_what_is_missing_is_named(self):
        for arguments in (("report",), ("report", "--")):
            self.assertIn("RUN.json is required", self.run_airamp(*arguments).stderr)
        result = self.run_airamp("report", "--", "no-such-file.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no-such-file.json", result.stderr)


if __name__ == "__main__":
    unittest.main()
