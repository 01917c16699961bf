#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""rtm_stack without AIRamp: on 1 to 4 ranks the reflectors lie where the model has them, and FP16 costs what it may."""

import argparse
import math
import sys

import mini_app

SHOTS = 3
MOST_RANKS = 4
OPTIONS = ["--shots", str(SHOTS)]
# A quarter of the wavelength in cells of 10 m: 2 500 m/s in the lowest layer above a reflector, 15 Hz at the peak.
LARGEST_MISFIT = 2500 / 15 / 4 / 10
HALF_ROUNDING = 2.0 ** -11


def check(values, ranks, shot_coherence):
    """Lines that say what is wrong with one run.

    Each rank's contribution is rounded once and the sum ranks - 1 times, each by at most HALF_ROUNDING times the sum of
    the shots' absolute images, whose norm is at most ||T|| / shot_coherence.
    """
    wrong = []
    misfits = [int(misfit) for misfit in values["reflector_misfit_cells"].split()]
    if len(misfits) != 3 or max(map(abs, misfits)) > LARGEST_MISFIT:
        wrong.append(f"{ranks} ranks: the reflectors are imaged {misfits} cells beside their depths")
    bound = float(values["crest_factor_db"]) - 20 * math.log10(ranks * HALF_ROUNDING / shot_coherence)
    if not float(values["psnr_db"]) >= bound:
        wrong.append(f"{ranks} ranks: a PSNR of {values['psnr_db']} dB is below the bound of {bound:.1f} dB")
    if values["ranks_agree"] != "yes":
        wrong.append(f"{ranks} ranks: not all hold the same stack")
    if int(values["allreduces"]) != -(-SHOTS // ranks):
        wrong.append(f"{ranks} ranks: {values['allreduces']} Allreduces")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    mini_app.add_launch_arguments(parser)
    arguments = parser.parse_args()
    command = [arguments.program, *OPTIONS]
    wrong = []
    try:
        # On one rank every stack is one shot's image.
        single, _ = mini_app.run(arguments.launch, 1, command)
        shot_coherence = float(single["stack_coherence"])
        wrong += check(single, 1, shot_coherence)
        for ranks in range(2, MOST_RANKS + 1):
            values, _ = mini_app.run(arguments.launch, ranks, command)
            wrong += check(values, ranks, shot_coherence)
    except mini_app.JobFailed as error:
        wrong.append(str(error))
    return mini_app.finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
