# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The tests of MPICH: compiled for the MPI library of a build, and run by their own runtests."""

import hashlib
import os
import re
import subprocess
import sys
import urllib.request

import built_for

VERSION = "4.0.2"
ARCHIVE = f"https://deb.debian.org/debian/pool/main/m/mpich/mpich_{VERSION}.orig.tar.xz"
SHA256 = "b27039f964afeb6b8a3e009c56b441cbe368c26d6d6476ad3bb7190996875860"
GROUPS = ("attr", "coll", "comm", "errors/coll", "errors/comm", "group", "info", "init", "topo")
# What MPI-3 removed, Open MPI declares only so.
FOR_OPEN_MPI = ("-DOMPI_OMIT_MPI1_COMPAT_DECLS=0 -DOMPI_REMOVED_USE_STATIC_ASSERT=0 "
                "'-D__mpi_interface_removed__(a,b)='")
TEST = re.compile(r'<testcase name="[\s\d]*- \./(.*?) *" time="[^"]*">(.*?)</testcase>', re.DOTALL)


def unpacked(folder):
    """Downloads and unpacks the tests. Their folder."""
    tests = folder / f"mpich-{VERSION}/test/mpi"
    if not tests.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(ARCHIVE, timeout=300) as answer:
            archive = answer.read()
        if hashlib.sha256(archive).hexdigest() != SHA256:
            sys.exit(f"{ARCHIVE} is not what it was")
        subprocess.run(["tar", "-xJ", "-C", folder, f"mpich-{VERSION}/test"], input=archive, check=True)
    return tests


class Suite:
    """The tests, for a build."""

    def __init__(self, build, folder):
        self.build = build
        self.sources = unpacked(folder / "sources")
        self.folder = folder / build.name / "mpich"
        self.flags = "-O1 -w"
        self.strict = "no"  # has tests left out that are known to fail with MPICH, and to wait for their time limit
        if built_for.cached(build, "AIRAMP_MPI_FLAVOUR") != "mpich":
            self.flags += f" {FOR_OPEN_MPI}"
            self.strict = "yes"
        if not (self.folder / "runtests").exists():
            self.configure()

    def configure(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        compilers = {name: built_for.cached(self.build, f"MPI_{language}_COMPILER")
                     for name, language in (("MPICC", "C"), ("MPICXX", "CXX"))}
        words = [f"{name}={compiler}" for name, compiler in compilers.items()]
        words += [f"MPIEXEC={built_for.cached(self.build, 'MPIEXEC_EXECUTABLE')}", "--disable-fortran", "--disable-cxx",
                  f"--enable-strictmpi={self.strict}"]
        # the tests would take an nvcc for a GPU
        path = os.pathsep.join(folder for folder in os.get_exec_path() if "cuda" not in folder)
        subprocess.run([self.sources / "configure", "CC=gcc", *words], cwd=self.folder, check=True,
                       env=dict(os.environ, PATH=path, USER="root"), stdout=subprocess.DEVNULL)

    def compile(self, group):
        command = ["make", "-k", f"-j{os.cpu_count()}", "-C", self.folder / group, "all", f"CFLAGS={self.flags}"]
        for needed in ("dtpools", "util"):
            subprocess.run([*command[:4], self.folder / needed, *command[5:]], check=False, capture_output=True)
        subprocess.run(command, check=False, capture_output=True)  # natively, what is not compiled fails

    def run(self, group, wrapper, variables, only=None):
        """The outcomes of the tests of a group, or of some of them: whether each passes."""
        self.compile(group)
        tests = "testlist"
        if only is not None:
            tests = "again"
            lists = (folder / group / "testlist" for folder in (self.folder, self.sources))
            listed = next(file for file in lists if file.exists()).read_text(encoding="utf-8").splitlines()
            wanted = {tuple(test.split("/")[-1].split()[:2]) for test in only}
            chosen = [line for line in listed if tuple(line.split()[:2]) in wanted]
            (self.folder / group / tests).write_text("\n".join(chosen) + "\n", encoding="utf-8")
        outcomes = self.folder / "outcomes.xml"
        environment = dict(os.environ, MPITEST_CLEANUP="0", MPITEST_PROGRAM_WRAPPER=" ".join(map(str, wrapper)),
                           USER="root", **variables)
        subprocess.run([self.folder / "runtests", f"-srcdir={self.sources}", f"-testdirs={group}", f"-tests={tests}",
                        f"-junitfile={outcomes}"], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                       capture_output=True, check=False)
        text = outcomes.read_text(encoding="utf-8", errors="replace")
        return {" ".join(name.split()): not said.strip() for name, said in TEST.findall(text) if "<skipped" not in said}
