# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Elk: the ground state of aluminium by augmented plane waves, k-points shared among the ranks."""

from applications.application import Application, Case

SPECIES = "/usr/share/elk-lapw/species"


def aluminium(_ranks, steps):
    """As many steps of self-consistency: they would end sooner only for a difference that no step reaches."""
    return {"elk.in": f"""tasks
  0

avec
  1.0  1.0  0.0
  1.0  0.0  1.0
  0.0  1.0  1.0

scale
  3.8267

sppath
  '{SPECIES}/'

atoms
  1
  'Al.in'
  1
  0.0  0.0  0.0    0.0  0.0  0.0

ngridk
  8  8  8

vkloff
  0.5  0.5  0.5

maxscl
  {steps}

epspot
  1.0e-30

epsengy
  1.0e-30
"""}


APPLICATION = Application(
    name="elk", packages=("elk-lapw", "libopenblas0-serial"), programs=("elk-lapw",), data=(f"{SPECIES}/Al.in",),
    cases=(Case(name="elk-aluminium", command=("elk-lapw",), steps=100, inputs=aluminium,
                results=("TOTENERGY.OUT", "EIGVAL.OUT", "EFERMI.OUT")),))
