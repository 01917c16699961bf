# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The mini-app swe_ensemble: an ensemble of shallow-water models in Fortran."""

import shutil

from applications.application import Application, Case


def build_own(build, folder):
    shutil.copy(build / "apps" / "swe_ensemble" / "swe_ensemble", folder)


APPLICATION = Application(
    name="swe_ensemble", build_own=build_own,
    cases=(Case(name="swe_ensemble", command=("{own}/swe_ensemble", "--nx", "256", "--ny", "256", "--steps", "{steps}"),
                steps=20000, inputs=lambda _ranks, _steps: {}, changing=("^allreduce_seconds.*",)),))
