#!/usr/bin/env python3
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""A ring resonator with Meep: time steps with a field sample and an energy every so many of them."""

import meep as mp


def main():
    radius, width, pad, layer = 1.0, 1.0, 4.0, 2.0
    size = 2 * (radius + width + pad + layer)
    simulation = mp.Simulation(
        cell_size=mp.Vector3(size, size),
        resolution=8,
        boundary_layers=[mp.PML(layer)],
        geometry=[mp.Cylinder(radius=radius + width, height=mp.inf, material=mp.Medium(index=3.4)),
                  mp.Cylinder(radius=radius, height=mp.inf)],
        sources=[mp.Source(mp.GaussianSource(0.15, fwidth=0.1), component=mp.Ez, center=mp.Vector3(radius + 0.1))])
    flux = simulation.add_flux(0.15, 0.1, 20, mp.FluxRegion(center=mp.Vector3(radius + width + 1), size=mp.Vector3(y=4)))
    probe = mp.Vector3(radius + 0.1)
    energies = []
    simulation.run(
        mp.at_every(0.5, lambda s: energies.append(s.get_field_point(mp.Ez, probe))),
        mp.at_every(5, lambda s: energies.append(s.electric_energy_in_box(center=mp.Vector3(), size=mp.Vector3(4, 4)))),
        until_after_sources=600)
    print("samples", len(energies), "flux", mp.get_fluxes(flux)[0])


if __name__ == "__main__":
    main()
