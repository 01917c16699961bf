# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""A root folder with an application and all that it needs, as a tarball."""

import glob
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile

SUFFIX = ".tar.xz"
PROGRAMS = "/opt/airamp/bin"
AIRAMP = PROGRAMS + "/airamp"
LIBRARIES = "/opt/airamp/lib"
# Machine code packs better once its jumps are absolute.
FILTERS = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 6}]
# Debian's folders at the root are links into /usr.
LINKED = ("bin", "sbin", "lib", "lib64")
# What Open MPI opens and reads when it runs, and of that the components for networks, which no run on one host chooses.
OPEN_MPI = ("/usr/lib/x86_64-linux-gnu/openmpi/lib/openmpi3/*.so", "/usr/lib/x86_64-linux-gnu/pmix2/lib/pmix/*.so",
            "/usr/share/openmpi", "/usr/lib/x86_64-linux-gnu/pmix2/share", "/etc/openmpi")
NETWORKS = re.compile(r"/mca_\w*_(ofi|ucx|psm2?|usnic|openib|portals4)\.so$")
LAUNCHERS = ("/usr/bin/mpirun.openmpi", "/usr/bin/orted", "/bin/sh")
SYSTEM = ("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/ld.so.conf", "/etc/ld.so.conf.d")


class Missing(Exception):
    """What should be packed and is not installed."""


def usr_path(path):
    """The path without the links at the root, and without .. in it."""
    path = os.path.normpath(path)
    return "/usr" + path if path.split("/")[1] in LINKED else path


def copy(path, root):
    """Copies a file, or what a folder holds, to the same place below the root; links as what they point to."""
    target = pathlib.Path(str(root) + usr_path(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    if os.path.isdir(path):
        shutil.copytree(path, target, dirs_exist_ok=True)
    elif not target.exists():
        shutil.copy(path, target)


def is_machine_code(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def libraries_of(path):
    """The files of the shared libraries that a program or library needs, and of those that they need in turn."""
    listing = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
    if lost := re.findall(r"(\S+) => not found", listing):
        raise Missing(f"{' '.join(lost)} for {path}")
    return re.findall(r"(?:=> )?(/\S+) \(0x", listing)


def regular_files(root):
    return [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]


def installed_place(path, root):
    """Where a file below the root was copied from: it may name its libraries relative to that. Built ones stay."""
    place = pathlib.Path("/", path.relative_to(root))
    return place if place.exists() else path


def packed_files(application):
    """What is installed of the application and the MPI library: absolute paths."""
    paths = []
    for program in application.programs:
        path = shutil.which(program)
        if path is None:
            raise Missing(f"{program} of {' '.join(application.packages)}")
        paths.append(path)
    for pattern in (*application.data, *OPEN_MPI, *LAUNCHERS, *SYSTEM):
        found = glob.glob(pattern)
        if not found and pattern in (*application.data, *LAUNCHERS):
            raise Missing(f"{pattern} of {' '.join(application.packages) or 'Open MPI'}")
        paths += found
    return [path for path in paths if not NETWORKS.search(path)]


def fill(application, build, root):
    """Puts all that is needed below the root."""
    for name in LINKED:
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to("usr/" + name)
    for name in ("dev", "proc", "sys", "tmp", "run"):
        (root / name).mkdir()
    (root / "tmp").chmod(0o1777)
    for path in packed_files(application):
        copy(path, root)
    programs, libraries = root / PROGRAMS[1:], root / LIBRARIES[1:]
    programs.mkdir(parents=True)
    libraries.mkdir(parents=True)
    try:
        shutil.copy(build / "apps" / "airamp" / "airamp", programs)
        shutil.copy(build / "pmpi" / "libairamp.so", libraries)
        if application.build_own:
            application.build_own(build, programs)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Missing(f"what is built here ({error})") from None
    for library in sorted({library for path in regular_files(root) if is_machine_code(path)
                           for library in libraries_of(installed_place(path, root))}):
        copy(library, root)
    for path in (*programs.iterdir(), *libraries.iterdir()):
        subprocess.run(["strip", "--strip-unneeded", path], check=True)
    subprocess.run(["/sbin/ldconfig", "-r", root], check=True)


def pack(application, build, folder, texts=None):
    """Makes folder/NAME.tar.xz; returns its path and the bytes that it has unpacked. `texts`: by the names of further
    files beside its programs."""
    tarball = folder / (application.name + SUFFIX)
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "root"
        fill(application, build, root)
        for name, text in (texts or {}).items():
            (root / PROGRAMS[1:] / name).write_text(text, encoding="utf-8")
        unfinished = folder / (application.name + ".part")
        with lzma.open(unfinished, "wb", filters=FILTERS) as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
            archive.add(root, arcname=".")
        unfinished.rename(tarball)
        unpacked = sum(path.stat().st_size for path in regular_files(root))
    return tarball, unpacked


def unpack(tarball, root):
    """Unpacks a tarball of `pack` into a new folder."""
    root.mkdir()
    with tarfile.open(tarball, "r:xz") as archive:
        archive.extractall(root)
