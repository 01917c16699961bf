# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The modulefile as Lmod loads it, from an installed and moved folder: modulefile_test.py CMAKE BUILD VERSION LMOD"""

import subprocess
import sys
import unittest

import prefix

CMAKE, BUILD, VERSION, LMOD = (sys.argv.pop(1) for _ in range(4))


class Modulefile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = prefix.Prefix(CMAKE, BUILD)

    @classmethod
    def tearDownClass(cls):
        cls.prefix.remove()

    def environment_of_a_shell(self, *commands):
        """What a shell has after these commands of module(1)."""
        modules = self.prefix.folder / "share/modulefiles"
        script = "".join(f'eval "$({LMOD} bash {command})"\n' for command in commands) + "env -0\n"
        result = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True,
                                env=prefix.environment(MODULEPATH=str(modules), LMOD_PAGER="none"))
        self.assertEqual(result.stderr, "")
        return dict(entry.split("=", 1) for entry in result.stdout.split("\0") if "=" in entry)

    def test_load(self):
        loaded = self.environment_of_a_shell("load airamp")
        folder = str(self.prefix.folder)
        self.assertEqual(loaded["AIRAMP_HOME"], folder)
        self.assertEqual(loaded["PATH"].split(":")[0], f"{folder}/bin")
        self.assertEqual(loaded["MANPATH"].split(":")[0], f"{folder}/share/man")
        self.assertEqual(loaded["CMAKE_PREFIX_PATH"].split(":")[0], folder)
        self.assertEqual(loaded["PKG_CONFIG_PATH"].split(":")[0], str(self.prefix.library_folder / "pkgconfig"))
        self.assertIn(f"airamp/{VERSION}", loaded["LOADEDMODULES"].split(":"))

    def test_loads_nothing_into_programs_and_changes_no_setting(self):
        loaded = self.environment_of_a_shell("load airamp")
        self.assertNotIn("LD_PRELOAD", loaded)
        self.assertNotIn("LD_LIBRARY_PATH", set(loaded) - set(prefix.environment()))
        result = subprocess.run([self.prefix.program("airamp"), "config", "check"], env=loaded, check=False,
                                capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_unload_leaves_nothing(self):
        unloaded = self.environment_of_a_shell("load airamp", "unload airamp")
        self.assertNotIn("AIRAMP_HOME", unloaded)
        self.assertNotIn(str(self.prefix.folder), unloaded["PATH"])


if __name__ == "__main__":
    unittest.main()
