# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""For Spack, of a checkout: docs/installation.md says how."""

import os

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Airamp(CMakePackage, CudaPackage, ROCmPackage):
    """AIRamp for MPI makes the collectives of unmodified MPI programs faster. It is a library that is loaded between the
    program and its MPI library: "srun airamp exec -- PROGRAM"."""

    homepage = "https://airamp.invalid"
    git = "https://airamp.invalid/airamp.git"

    tags = ["mpi"]
    test_requires_compiler = True

    license("Apache-2.0")

    version("main", branch="main")

    variant("daemon", default=True, description="Build airampd, which serves metrics to Prometheus")
    variant("fortran", default=False, description="Build the mini-app in Fortran")
    variant("hwloc", default=True, description="Have airamp doctor say what is nearest to each GPU")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.20:", type="build")

    # The library finds the program's MPI library at run time; airamp_bench and the mini-apps are linked with this one.
    depends_on("mpi@3:")

    # Compiled in.
    depends_on("cli11@2.1:2.4", type="build")
    depends_on("fmt@9.1:10", type="build")
    depends_on("highway@1.0.3:1.2", type="build")
    depends_on("libyaml@0.2.5: cflags=-fPIC", type="build")  # its archive, into a shared library
    depends_on("nlohmann-json@3.11:3", type="build")

    depends_on("boost@1.74:", type="build", when="+daemon")
    depends_on("openssl@1.1:", when="+daemon")
    depends_on("hwloc@2:", when="+hwloc")  # opened at run time, by way of the run path
    depends_on("python@3.9:", type="test")
    depends_on("hip@5.2:", when="+rocm")

    conflicts("%gcc@:10", msg="AIRamp is written in C++20: GCC 11 or later")
    conflicts("^openmpi@:3", msg="AIRamp is for Open MPI 4 and 5")
    conflicts("^mpich@:3", msg="AIRamp is for MPICH 4 and 5")
    conflicts("platform=darwin", msg="AIRamp is for Linux")
    conflicts("platform=windows", msg="AIRamp is for Linux")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs, such as cuda_arch=80,90")

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define("MPI_C_COMPILER", spec["mpi"].mpicc),
            self.define("MPI_CXX_COMPILER", spec["mpi"].mpicxx),
            self.define("MPIEXEC_EXECUTABLE", join_path(os.path.dirname(spec["mpi"].mpicc), "mpirun")),
            self.define("AIRAMP_THIRD_PARTY", "SYSTEM"),
            self.define("AIRAMP_ENABLE_CUDA", "ON" if spec.satisfies("+cuda") else "OFF"),
            self.define("AIRAMP_ENABLE_HIP", "ON" if spec.satisfies("+rocm") else "OFF"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_Boost", spec.satisfies("~daemon")),
            # Of the tests, what can differ from site to site.
            self.define("AIRAMP_BUILD_TESTS", self.run_tests),
            self.define("AIRAMP_BUILD_UNIT_TESTS", False),
            self.define("AIRAMP_MPI_TESTS", ["install", "interception", "mini_apps"]),
        ]
        if spec.satisfies("~hwloc"):
            args.append(self.define("AIRAMP_HWLOC_INCLUDE_DIR", ""))
        if spec.satisfies("~fortran"):
            args.append(self.define("AIRAMP_ENABLE_FORTRAN", False))
        if spec.satisfies("+cuda"):
            args.append(self.define("AIRAMP_CUDA_ARCHITECTURES", spec.variants["cuda_arch"].value))
        if spec.satisfies("+rocm"):
            args.append(self.define("AIRAMP_HIP_ARCHITECTURES", spec.variants["amdgpu_target"].value))
        return args

    def check(self):
        """Runs ranks on this host: every call is seen, what is installed works, mini-apps have their native results."""
        ctest = Executable(join_path(self.spec["cmake"].prefix.bin, "ctest"))
        with working_dir(self.build_directory):
            ctest("--output-on-failure", "--no-tests=error", "--label-regex", "^mpi$")

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        # No LD_PRELOAD: in a shell it would load the library into launchers and every other command.
        env.set("AIRAMP_HOME", self.prefix)

    @property
    def examples(self):
        return join_path("packaging", "examples")

    @run_after("install")
    def cache_test_sources(self):
        cache_extra_test_sources(self, [self.examples])

    def test_settings(self):
        """check the settings that are in effect"""
        airamp = Executable(self.prefix.bin.airamp)
        out = airamp("config", "check", output=str.split, error=str.split)
        assert "ok" in out

    def test_preloaded_program(self):
        """compile a plain MPI program and start it with AIRamp in between"""
        source = join_path(self.test_suite.current_test_cache_dir, self.examples, "allreduce.c")
        report = join_path(os.getcwd(), "report.json")
        mpicc = Executable(self.spec["mpi"].mpicc)
        mpicc(source, "-o", "allreduce")
        # One rank without a launcher: nobody says which MPI library it is, but the program is linked with it.
        airamp = Executable(self.prefix.bin.airamp)
        out = airamp("exec", "--report", report, "--", "./allreduce", output=str.split, error=str.split)
        check_outputs([r"1 ranks, 4000 sums, 0 wrong"], out)
        with open(report, encoding="utf-8") as file:
            assert '"MPI_Allreduce": 1000' in file.read(), f"{report} does not have the program's calls"
