# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""OpenFOAM: flow in a cavity with a moving lid, by icoFoam."""

import pathlib

from applications.application import Application, Case, from_first_to_last

TRACED = pathlib.Path(__file__).resolve().parent.parent / "traces" / "cavity"


def cavity(cells_a_rank):
    """The cavity of scripts/traces, with so many cells in the plane a rank."""
    def inputs(ranks, steps):
        side = round((cells_a_rank * ranks) ** 0.5)
        columns = max(number for number in range(1, ranks + 1) if ranks % number == 0 and number**2 <= ranks)
        # Half the Courant number of the traced cavity, which has 40 cells along a side and steps of 0.0025: with all
        # of it a side of 283 cells becomes unstable.
        step = 0.00125 * 40 / side
        changes = {
            "system/blockMeshDict": {"(40 40 1)": f"({side} {side} 1)"},
            "system/decomposeParDict": {"numberOfSubdomains 4": f"numberOfSubdomains {ranks}",
                                        "n (2 2 1)": f"n ({ranks // columns} {columns} 1)"},
            "system/controlDict": {"endTime 0.5": f"endTime {(steps + 0.5) * step:.12g}",
                                   "deltaT 0.0025": f"deltaT {step:.12g}",
                                   "writeInterval 25": f"writeInterval {steps}",
                                   "timePrecision 6": "timePrecision 12;\nwritePrecision 17"},
        }
        texts = {}
        for path in TRACED.rglob("*"):
            if path.is_file():
                name = str(path.relative_to(TRACED))
                texts[name] = path.read_text(encoding="utf-8")
                for old, new in changes.get(name, {}).items():
                    if old not in texts[name]:
                        raise ValueError(f"{path} does not have {old}")
                    texts[name] = texts[name].replace(old, new)
        return texts
    return inputs


def case(name, steps, inputs):
    return Case(
        name="openfoam-" + name, command=("icoFoam", "-parallel"), steps=steps, inputs=inputs,
        prepare=(("blockMesh",), ("decomposePar",)),
        # Processor time of rank 0, in hundredths; the wall clock's it says in whole seconds only. Ranks wait busily.
        main_loop=from_first_to_last(r"^ExecutionTime = ([\d.]+) s"), results=("processor*/*[1-9]*/[Up]",),
        changing=(r"^ExecutionTime.*", r"^(Date|Time|Host|PID|Case) +:.*"))


APPLICATION = Application(
    name="openfoam", packages=("openfoam",), programs=("icoFoam", "blockMesh", "decomposePar"),
    data=("/usr/share/openfoam/etc/controlDict", "/usr/share/openfoam/etc/cellModels"),
    environment={"WM_PROJECT_DIR": "/usr/share/openfoam"},
    cases=(case("cavity", 25, cavity(10000)), case("small", 150, cavity(2500)), case("smallest", 400, cavity(625))))
