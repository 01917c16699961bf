# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Where an application runs: on this system, or in the root folder of a packed one."""

import os
import pathlib
import shutil
import socket
import subprocess

import applications.packed_root as packed_root

# In the folder $1, with the output in files there: what is printed on stderr is no part of the answer.
IN_FOLDER = 'cd "$1" && shift && exec "$@" >stdout 2>stderr'
# In the root $1, with this machine's devices, processes and topology. The mounts are gone when the command ends.
IN_ROOT = """for folder in dev proc sys; do mount --rbind "/$folder" "$1/$folder" || exit 125; done
exec chroot "$@"
"""
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


class Host:
    """This system, where the application is installed."""

    def __init__(self, application, build, scratch):
        self.airamp = str(build / "apps" / "airamp" / "airamp")
        self.own = pathlib.Path(scratch) / "own"
        self.root = pathlib.Path("/")
        self.work = pathlib.Path(scratch) / "work"
        self.own.mkdir()
        self.work.mkdir()
        if application.build_own:
            application.build_own(build, self.own)

    def environment(self):
        """That of a command, before the application's own."""
        return {"PATH": f"{PATH}:{os.environ.get('PATH', '')}", "HOME": os.environ.get("HOME", "/")}

    def inside(self, path):
        """A path as a command there sees it."""
        return str(path)

    def command(self, folder, words):
        """What has the words run in a folder below `work`."""
        return ["/bin/sh", "-c", IN_FOLDER, "sh", self.inside(folder), *words]


class Root(Host):
    """A folder below which all lies that the application needs, unpacked from a tarball. Needs root's rights.

    `library`: a libairamp.so in place of that in the tarball, or None."""

    def __init__(self, tarball, scratch, library=None):  # pylint: disable=super-init-not-called
        self.airamp = packed_root.AIRAMP
        self.own = packed_root.PROGRAMS
        self.root = pathlib.Path(scratch) / "root"
        self.work = self.root / "work"
        packed_root.unpack(tarball, self.root)
        if library:
            shutil.copy(library, self.root / packed_root.LIBRARIES[1:] / "libairamp.so")
        self.work.mkdir(exist_ok=True)
        (self.root / "etc" / "hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n", encoding="utf-8")

    def environment(self):
        return {"PATH": PATH, "HOME": "/"}

    def inside(self, path):
        return "/" + str(path.relative_to(self.root))

    def command(self, folder, words):
        return self.in_root(super().command(folder, words))

    def in_root(self, words):
        """What has the words run there."""
        return ["unshare", "--mount", "/bin/sh", "-c", IN_ROOT, "sh", str(self.root), *words]


def open_mpi_variables():
    """What of this process's environment is for Open MPI, for all runs."""
    return {name: value for name, value in os.environ.items() if name.startswith("OMPI_MCA_")}


def cores():
    """The processor cores of this machine, and its processors (two of a core, with hyperthreads)."""
    listing = subprocess.run(["lscpu", "--parse=CORE,SOCKET"], capture_output=True, text=True, check=False).stdout
    rows = [line for line in listing.splitlines() if line and not line.startswith("#")]
    return (len(set(rows)), len(rows)) if rows else (os.cpu_count(), os.cpu_count())
