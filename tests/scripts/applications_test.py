#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What scripts/measure-applications reads out of runs: times of main loops, and whether two answers are the same."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
from applications import abinit, cp2k, elk, espresso, gromacs, hpcc, lammps, neuron, openfoam, petsc, swe_ensemble
from applications.answer import answer_of, first_difference
from applications.application import Case
from applications.tables import verdict
from applications.turns import AIRAMP, MOST_SAID, NATIVE, Figures, Run, excerpt

APPLICATIONS = [module.APPLICATION for module in (abinit, cp2k, elk, espresso, gromacs, hpcc, lammps, neuron,
                                                  openfoam, petsc, swe_ensemble)]


def cases(application):
    return {case.name: case for case in application.APPLICATION.cases}


class MainLoop(unittest.TestCase):
    """The seconds of lines as the programs print them."""

    def test_lammps_runs_are_added_up(self):
        text = "Loop time of 1.5 on 2 procs for 10 steps\nLoop time of 0.25 on 2 procs for 5 steps\n"
        self.assertEqual(cases(lammps)["lammps-melt"].main_loop(text), 1.75)

    def test_espresso_says_hours_and_minutes_where_there_are_some(self):
        loop = cases(espresso)["espresso-gamma"].main_loop
        self.assertEqual(loop("     PWSCF        :      0.42s CPU      0.47s WALL\n"), 0.47)
        self.assertEqual(loop("     PWSCF        :   1m 2.50s CPU   1m 3.25s WALL\n"), 63.25)
        self.assertEqual(loop("     PWSCF        :   2h 1m CPU   2h 3m WALL\n"), 7380)

    def test_openfoam_starts_to_count_after_the_first_step(self):
        text = "ExecutionTime = 0.5 s  ClockTime = 1 s\nExecutionTime = 2 s  ClockTime = 2 s\n"
        self.assertEqual(cases(openfoam)["openfoam-small"].main_loop(text), 1.5)

    def test_gromacs_says_the_clock_behind_the_processors(self):
        text = "               Core t (s)   Wall t (s)        (%)\n       Time:        8.295        4.148      200.0\n"
        self.assertEqual(cases(gromacs)["gromacs-water"].main_loop(text), 4.148)

    def test_cp2k_ends_with_a_table_of_times(self):
        text = " CP2K version 2023.1, the CP2K developers group (2023).\n" \
               " CP2K                                 1  1.0    0.048    0.050   45.090   45.096\n"
        self.assertEqual(cases(cp2k)["cp2k-water"].main_loop(text), 45.096)

    def test_hpcc_sums_up_what_all_ranks_do_together(self):
        text = "HPL_Tflops=0.5\nHPL_time=2.5\nPTRANS_time=0.25\nMPIRandomAccess_LCG_time=1\nMPIRandomAccess_time=1\n" \
               "MPIRandomAccess_CheckTime=8\nMPIFFT_time0=0.125\nMPIFFT_time6=0.125\n"
        self.assertEqual(cases(hpcc)["hpcc"].main_loop(text), 5)

    def test_abinit_says_the_clock_of_its_first_process(self):
        text = "- Proc.   0 individual time (sec): cpu=         17.5  wall=         18.6\n"
        self.assertEqual(cases(abinit)["abinit-silicon"].main_loop(text), 18.6)

    def test_neuron_says_the_time_of_its_steps(self):
        self.assertEqual(cases(neuron)["neuron-1ms"].main_loop("numprocs=2\nseconds 4.29\n"), 4.29)

    def test_swe_ensemble_says_the_time_of_its_steps(self):
        loop = cases(swe_ensemble)["swe_ensemble"].main_loop
        self.assertEqual(loop("allreduce_seconds_total   0.25\nloop_seconds       1.360000\n"), 1.36)

    def test_what_a_program_did_not_say_is_nothing(self):
        for application in APPLICATIONS:
            for case in application.cases:
                self.assertIsNone(case.main_loop("ended early\n"), case.name)


class Excerpt(unittest.TestCase):
    """What is said of a run that failed."""

    def test_short_texts_are_said_as_they_are(self):
        text = "x" * MOST_SAID
        self.assertEqual(excerpt(text), text)

    def test_long_ones_lose_their_middle(self):
        said = excerpt("begin" + "x" * MOST_SAID + "end")
        self.assertLess(len(said), MOST_SAID + 10)
        self.assertTrue(said.startswith("begin") and said.endswith("end"))
        self.assertIn("[...]", said)


class Inputs(unittest.TestCase):
    """They can be made for any number of ranks."""

    def test_all_cases_have_inputs_for_2_and_16_ranks(self):
        for application in APPLICATIONS:
            for case in application.cases:
                for ranks in (2, 16):
                    for text in case.inputs(ranks, 3).values():
                        self.assertTrue(text, case.name)

    def test_hpcc_has_a_place_in_its_grid_for_every_rank(self):
        for ranks, rows, columns in ((1, 1, 1), (7, 1, 7), (12, 3, 4), (16, 4, 4)):
            lines = cases(hpcc)["hpcc"].inputs(ranks, 500)["hpccinf.txt"].splitlines()
            self.assertEqual((lines[5], lines[10], lines[11]), ("500", str(rows), str(columns)))

    def test_openfoam_parts_the_plane_among_all_ranks(self):
        text = cases(openfoam)["openfoam-cavity"].inputs(16, 3)["system/decomposeParDict"]
        self.assertIn("numberOfSubdomains 16;", text)
        self.assertIn("n (4 4 1);", text)


class Answers(unittest.TestCase):
    """What counts as the same."""

    CASE = Case(name="", command=(), steps=1, inputs=lambda _ranks, _steps: {}, results=("*.out",),
                changing=(r"^seconds.*", r"(?<=after )\d+ s"))

    def test_cp2k_says_another_volume_of_alltoalls_each_time(self):
        def answer(alltoalls):
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                (root / "stdout").write_text(f" MP_Bcast               12\n MP_Alltoall           750{alltoalls}\n",
                                             encoding="utf-8")
                (root / "water-pos-1.xyz").write_text("H 0 0 0\n", encoding="utf-8")
                return answer_of(root, cases(cp2k)["cp2k-water"])
        self.assertEqual(answer(""), answer("                1385879."))
        self.assertTrue(any("MP_Bcast" in line for line in answer("")))

    def answer(self, text, results):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "stdout").write_text(text, encoding="utf-8")
            for file, content in results.items():
                (folder / file).write_bytes(content)
            return answer_of(folder, self.CASE)

    def test_times_do_not_count(self):
        one = self.answer("energy 1.0 after 3 s\nseconds 3\n", {"a.out": b"1.5\n"})
        other = self.answer("energy 1.0 after 4 s\nseconds 4\n", {"a.out": b"1.5\n"})
        self.assertEqual(first_difference(one, other), "")
        self.assertEqual(len(one), 3)

    def test_a_last_digit_counts_in_the_output_and_in_files(self):
        one = self.answer("energy 1.00000000000001 after 3 s\n", {"a.out": b"1.5\n"})
        self.assertIn("line 1:", first_difference(one, self.answer("energy 1.00000000000002 after 3 s\n",
                                                                   {"a.out": b"1.5\n"})))
        self.assertIn("line 3:", first_difference(one, self.answer("energy 1.00000000000001 after 3 s\n",
                                                                   {"a.out": b"1.6\n"})))

    def test_a_bit_counts_in_files_that_are_no_text(self):
        one = self.answer("", {"a.out": b"\xff\x00"})
        self.assertEqual(first_difference(one, self.answer("", {"a.out": b"\xff\x00"})), "")
        self.assertNotEqual(first_difference(one, self.answer("", {"a.out": b"\xff\x01"})), "")

    def test_an_answer_that_ends_early_is_another_one(self):
        self.assertEqual(first_difference(["1", "2"], ["1"]), "2 lines against 1")

    def test_a_run_without_results_has_no_answer(self):
        self.assertRaises(FileNotFoundError, self.answer, "energy 1.0\n", {})


class Verdict(unittest.TestCase):
    """What the table says of the answers of a case."""

    def verdict_of(self, native, airamp):
        return verdict(Figures("", 2, 9, {}, {NATIVE: [Run(NATIVE, 1.0, None, native)],
                                              AIRAMP: [Run(AIRAMP, 1.0, None, airamp)]}))

    def test_a_difference_is_airamps_unless_native_runs_differ_as_well(self):
        self.assertEqual(self.verdict_of("", ""), "same (9 lines)")
        self.assertEqual(self.verdict_of("", "line 1"), "DIFFERENT")
        self.assertEqual(self.verdict_of("line 1", "line 2"), "vary natively too")


if __name__ == "__main__":
    unittest.main()
