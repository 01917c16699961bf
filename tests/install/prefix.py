# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""A build, installed into a temporary folder that is then moved: what is in it must not know where it was."""

import os
import pathlib
import shutil
import subprocess
import tempfile

# What would lead to another AIRamp, or change what this one does.
UNWANTED = ("AIRAMP_", "LD_PRELOAD", "CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH", "MANPATH")


def environment(**variables):
    """That of this process without what a developer may have set, and with these variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(UNWANTED)}
    return kept | variables


class Prefix:
    """folder: where it is; library_folder: lib or what the build has in its place."""

    def __init__(self, cmake, build):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="airamp-install-"))
        first = self.scratch / "first"
        self.install(cmake, build, first)
        self.folder = self.scratch / "moved"
        first.rename(self.folder)
        (library,) = (path for path in self.folder.rglob("libairamp.so") if "airamp" not in path.parent.parts[-2:])
        self.library_folder = library.parent

    @staticmethod
    def install(cmake, build, prefix):
        subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL,
                       env=environment())

    def program(self, name):
        return str(self.folder / "bin" / name)

    def remove(self):
        shutil.rmtree(self.scratch)
