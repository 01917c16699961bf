# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Quantum ESPRESSO: molecular dynamics of silicon, each step a self-consistent calculation in plane waves."""

import re

from applications.application import Application, Case

PLACES = ((0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0),
          (0.25, 0.25, 0.25), (0.25, 0.75, 0.75), (0.75, 0.25, 0.75), (0.75, 0.75, 0.25))


def atoms_of_silicon(before=""):
    """The lines of 8 atoms, the first of them out of its place, with so much before each."""
    return "\n".join(f"{before}{x + (0.02 if number == 0 else 0):.2f} {y:.2f} {z:.2f}"
                     for number, (x, y, z) in enumerate(PLACES))


def silicon(points):
    """8 atoms; so many k-points along an axis."""
    def inputs(_ranks, steps):
        return {"silicon.pwscf": f"""&control
  calculation = 'md'
  prefix = 'silicon'
  outdir = './'
  disk_io = 'none'
  nstep = {steps}
  dt = 40
/
&system
  ibrav = 1
  celldm(1) = 10.20
  nat = 8
  ntyp = 1
  ecutwfc = 20.0
  nosym = .true.
/
&electrons
  conv_thr = 1.0d-8
/
&ions
/
ATOMIC_SPECIES
 Si 28.086 Si.pz-vbc.UPF
ATOMIC_POSITIONS crystal
{atoms_of_silicon(" Si ")}
K_POINTS automatic
 {points} {points} {points} 1 1 1
"""}
    return inputs


def wall_seconds(text):
    """Of the line "PWSCF : 1m 2.34s CPU 1m 3.45s WALL"."""
    found = re.search(r"PWSCF +:.*CPU +(?:(\d+)h)? *(?:(\d+)m)? *(?:([\d.]+)s)? *WALL", text)
    return sum(float(part or 0) * unit for part, unit in zip(found.groups(), (3600, 60, 1))) if found else None


def case(name, steps, inputs):
    return Case(
        name="espresso-" + name, command=("pw.x", "-ndiag", "1", "-in", "silicon.pwscf"), steps=steps,
        inputs=inputs, main_loop=wall_seconds,
        changing=(r".*WALL.*", r".*starts on.*", r".*total cpu time spent up to now.*", r".*was terminated on.*"))


APPLICATION = Application(
    name="espresso", packages=("quantum-espresso", "quantum-espresso-data", "libopenblas0-serial"), programs=("pw.x",),
    data=("/usr/share/espresso/pseudo/Si.pz-vbc.UPF",), environment={"ESPRESSO_PSEUDO": "/usr/share/espresso/pseudo"},
    cases=(case("gamma", 120, silicon(1)), case("points", 30, silicon(2))))
