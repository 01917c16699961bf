# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""ABINIT: molecular dynamics of silicon in plane waves, whose bands are shared among the ranks."""

from applications.application import Application, Case, sum_of
from applications.espresso import PLACES, atoms_of_silicon

POTENTIALS = "/usr/share/abinit/psp"
POTENTIAL = "14si.pspnc"
LEAST_BANDS = 32


def silicon(ranks, steps):
    """8 atoms; each block of bands has one for each rank."""
    return {"silicon.abi": f"""pp_dirpath "{POTENTIALS}"
pseudos "{POTENTIAL}"
acell 3*10.217
rprim 1 0 0  0 1 0  0 0 1
ntypat 1
znucl 14
natom {len(PLACES)}
typat {len(PLACES)}*1
xred
{atoms_of_silicon()}
ecut 12
nband {-(-LEAST_BANDS // ranks) * ranks}
kptopt 0
nkpt 1
kpt 0.25 0.25 0.25
paral_kgb 1
npkpt 1
npband {ranks}
npfft 1
nstep 40
toldfe 1.0d-8
ionmov 6
ntime {steps}
dtion 40
prtwf 0
prtden 0
prteig 0
"""}


APPLICATION = Application(
    name="abinit", packages=("abinit", "abinit-data", "libopenblas0-serial"), programs=("abinit",),
    data=(f"{POTENTIALS}/{POTENTIAL}",),
    cases=(Case(name="abinit-silicon", command=("abinit", "silicon.abi"), steps=12, inputs=silicon,
                main_loop=sum_of(r"Proc\. +0 individual time .* wall= +([\d.]+)"),
                changing=(r".*(time|cpu).*", r".*Starting date.*", r"- \( at .* \)")),))
