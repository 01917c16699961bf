#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Runs a mini-app natively and under AIRamp and compares what the two runs print.

identical: a run without any opt-in to lossy compression has the same bits as the native one.
lossy:     rtm_stack, opted in to FP8, is within the documented error bound, with the same bits on all ranks.
"""

import argparse
import math
import shlex
import sys

import mini_app

# The documented default bound of AIRAMP_MAX_RELATIVE_ERROR: relative L2 error of one Allreduce.
MAX_RELATIVE_ERROR = 0.05
LOSSY_SETTINGS = {
    "AIRAMP_ENABLE_FP8_ALLREDUCE": "1",
    "AIRAMP_FORCE": "mpi-two-shot",
    "AIRAMP_MIN_BYTES": "1K",
    "AIRAMP_MAX_RELATIVE_ERROR": str(MAX_RELATIVE_ERROR),
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("comparison", choices=("identical", "lossy"))
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--preload", type=shlex.split, required=True, metavar="WORDS",
                        help='what starts a program under AIRamp ("airamp exec --")')
    parser.add_argument("--same", action="append", default=[], metavar="NAME",
                        help="a printed value that must be the same in both runs; may be repeated")
    parser.add_argument("--agreement", required=True, metavar="NAME",
                        help='the printed value that must be "yes" in every run: all ranks hold the same bits')
    mini_app.add_launch_arguments(parser)
    return parser.parse_known_args()


def lowest_psnr(native, lossy):
    """The PSNR in dB that follows from the bound on every Allreduce.

    The image T is the sum of stacks t; each is summed by one Allreduce whose result s has ||s - t|| <= E ||t||, so
    ||t|| <= ||s|| / (1 - E), and the image's error is at most E / (1 - E) times the sum of the ||s||, which the app
    prints as ||T|| / stack_coherence. FP16 adds what the native run has. PSNR = 20 log10(peak / rms error), and
    crest_factor_db = 20 log10(peak / rms of T), so an error of r ||T|| gives a PSNR of crest_factor_db - 20 log10(r).
    """
    crest = float(lossy["crest_factor_db"])
    compression = MAX_RELATIVE_ERROR / (1 - MAX_RELATIVE_ERROR) / float(lossy["stack_coherence"])
    fp16 = 10 ** ((crest - float(native["psnr_db"])) / 20)
    return crest - 20 * math.log10(compression + fp16)


def check_lossy(native, lossy, report):
    wrong = []
    bound = lowest_psnr(native, lossy)
    print(f"PSNR {lossy['psnr_db']} dB under FP8, {native['psnr_db']} dB natively; the bound is {bound:.1f} dB")
    if not float(lossy["psnr_db"]) >= bound:
        wrong.append(f"a PSNR of {lossy['psnr_db']} dB is below the bound of {bound:.1f} dB")
    if mini_app.accelerated_calls(report) == 0 or lossy["stack_checksum"] == native["stack_checksum"]:
        wrong.append("nothing was compressed, so nothing was tested")
    return wrong


def main():
    arguments, options = parse_arguments()
    command = [arguments.program, *options]
    lossy = arguments.comparison == "lossy"
    try:
        native, _ = mini_app.run(arguments.launch, arguments.ranks, command)
        airamp, report = mini_app.run(arguments.launch, arguments.ranks, command, preload=arguments.preload,
                                      settings=LOSSY_SETTINGS if lossy else {})
    except mini_app.JobFailed as error:
        return mini_app.finish([str(error)])
    wrong = [f"{name} is {airamp[name]} under AIRamp, {native[name]} natively"
             for name in arguments.same if airamp[name] != native[name]]
    wrong += [f"{arguments.agreement} is {values[arguments.agreement]} {how}"
              for how, values in (("natively", native), ("under AIRamp", airamp))
              if values[arguments.agreement] != "yes"]
    if lossy:
        wrong += check_lossy(native, airamp, report)
    return mini_app.finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
