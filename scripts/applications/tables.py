# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What scripts/measure-applications prints of its figures."""

from applications.turns import AIRAMP, NATIVE

COLUMNS = ("case", "ranks", "native s", "AIRamp s", "ratio", "spread", "whole native", "whole AIRamp", "whole ratio",
           "answers")


def print_calls(figures):
    """The collectives that rank 0 called, and the time that they took it, natively and with AIRamp."""
    reports = {side: run.report for side, run in figures.watched.items()}
    if None in reports.values():
        print(f"{figures.case}: AIRamp left no report: was it loaded?", flush=True)
        return
    for side, report in reports.items():
        seconds, whole = report["ranks"][0]["collective_seconds"], report["run"]["seconds"]
        print(f"{figures.case}, {side}: rank 0 is in collectives for {seconds:.2f} of {whole:.2f} s,"
              f" {seconds / whole:.1%}")
    rows = {}
    for side, report in reports.items():
        for traffic in report["traffic"]:
            row = rows.setdefault(traffic["function"], {"calls": 0, "bytes": 0, "shared": 0, NATIVE: 0.0, AIRAMP: 0.0})
            row[side] += traffic["seconds"]
            if side == AIRAMP:
                row["calls"] += traffic["calls"]
                row["bytes"] += traffic["bytes"]
                row["shared"] += traffic["calls"] if traffic["path"] != "native" else 0
    for function, row in sorted(rows.items(), key=lambda item: -item[1][NATIVE]):
        print(f"  {function:26} {row['calls']:9} calls of {row['bytes'] / max(1, row['calls']):9.0f} B,"
              f" {row['shared']:9} accelerated, {row[NATIVE]:8.3f} s native, {row[AIRAMP]:8.3f} s AIRamp", flush=True)


def verdict(figures):
    """Whether all answers were the same."""
    sides = {side for side, _ in figures.differences()}
    if not sides:
        return f"same ({figures.answer_lines} lines)"
    return "vary natively too" if NATIVE in sides else "DIFFERENT"


def seconds_text(seconds):
    return "-" if seconds is None else f"{seconds:.3f}"


def ratio_text(native, airamp):
    return "-" if not native or not airamp else f"{native / airamp:.3f}"


def print_table(all_figures, failures):
    """A row a case. `failures`: sentences by case that has no figures."""
    rows = [COLUMNS]
    for figures in all_figures:
        row = [figures.case, str(figures.ranks)]
        for what in ("loop", "whole"):
            native, airamp = (figures.median(side, what) for side in (NATIVE, AIRAMP))
            row += [seconds_text(native), seconds_text(airamp), ratio_text(native, airamp)]
            if what == "loop":
                row.append(f"{max(figures.spread(side) for side in (NATIVE, AIRAMP)):.1%}")
        rows.append([*row, verdict(figures)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    for row in rows:
        print("  ".join(cell.ljust(width) if column in (0, len(COLUMNS) - 1) else cell.rjust(width)
                        for column, (cell, width) in enumerate(zip(row, widths))).rstrip())
    for name, failure in failures.items():
        print(f"{name}: {failure.splitlines()[0][:200]}")
