#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""swe_ensemble without AIRamp: mass and energy are conserved, whatever the decomposition, and runs can be repeated."""

import argparse
import sys

import mini_app

STEPS = 60
GRID = ["--nx", "192", "--ny", "131", "--steps", str(STEPS)]
HILL_RADIUS = 0.04 * 131  # cells; the highest hill has as many metres
# In every step each cell's height above the mean depth of 1000 m is rounded to FP32.
LARGEST_MASS_DRIFT = STEPS * 2.0 ** -24 * HILL_RADIUS / 1000
# The discretisation in space conserves energy; a Runge-Kutta step takes (frequency * step)^4 / 12 of a wave's. So
# much for waves as long as the hills are wide; most of the energy stands still in balanced vortices.
WAVE_CELLS_PER_STEP = 0.45
LARGEST_ENERGY_DRIFT = STEPS * (WAVE_CELLS_PER_STEP / HILL_RADIUS) ** 4 / 12


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    mini_app.add_launch_arguments(parser)
    arguments = parser.parse_args()
    wrong = []

    def run(ranks, *options):
        values, _ = mini_app.run(arguments.launch, ranks, [arguments.program, *GRID, *options])
        if not float(values["mass_drift"]) <= LARGEST_MASS_DRIFT:
            wrong.append(f"{ranks} ranks: mass drifts by {values['mass_drift']}")
        if values["members_agree"] != "yes":
            wrong.append(f"{ranks} ranks: the members hold different means")
        return values

    try:
        for ranks in (1, 2, 3):
            values = run(ranks, "--members", "1", "--nudging", "0")
            if not float(values["energy_drift"]) <= LARGEST_ENERGY_DRIFT:
                wrong.append(f"{ranks} ranks: energy drifts by {values['energy_drift']}")
            energy = values["energy"] if ranks == 1 else energy
            if values["energy"] != energy:
                wrong.append(f"one member on {ranks} ranks has the energy {values['energy']}, on one rank {energy}")
        for ranks in (2, 3, 4):
            first, second = run(ranks), run(ranks)
            if first["checksum"] != second["checksum"]:
                wrong.append(f"{ranks} ranks: two runs have the checksums {first['checksum']} and {second['checksum']}")
            if not float(first["ensemble_spread"]) > 0.0:
                wrong.append(f"{ranks} ranks: the members do not differ")
    except mini_app.JobFailed as error:
        wrong.append(str(error))
    return mini_app.finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
