# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The mini-app swe_ensemble: an ensemble of shallow-water models in Fortran."""

import shutil

from applications.application import Application, Case, sum_of


def build_own(build, folder):
    shutil.copy(build / "apps" / "swe_ensemble" / "swe_ensemble", folder)


def case(name, side, steps):
    """As many members as the smallest divisor of the ranks above 1, of `side` by `side` cells each."""
    return Case(name=name, command=("{own}/swe_ensemble", "--nx", str(side), "--ny", str(side), "--steps", "{steps}"),
                steps=steps, inputs=lambda _ranks, _steps: {}, main_loop=sum_of(r"^loop_seconds +([\d.]+)"),
                changing=("^(allreduce|loop)_seconds.*",))


APPLICATION = Application(
    name="swe_ensemble", build_own=build_own,
    cases=(case("swe_ensemble", 256, 20000), case("swe_ensemble-small", 128, 60000),
           case("swe_ensemble-smallest", 64, 120000)))
