# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""LAMMPS: molecular dynamics with short-ranged, embedded-atom and long-ranged forces."""

from applications.application import Application, Case, sum_of

# Every digit of the last positions and velocities.
LAST_STATE = "write_dump all custom last.dump id x y z vx vy vz modify sort id format float %.17g\n"
LIQUID = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 {x} 0 {y} 0 {z}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
"""


def melt(_ranks, steps):
    """The benchmark in.lj of LAMMPS: 32000 atoms."""
    return {"in.melt": LIQUID.format(x=20, y=20, z=20) + f"""neigh_modify delay 0 every 20 check no
fix motion all nve
thermo 100
run {steps}
""" + LAST_STATE}


def small(ranks, steps):
    """1000 atoms a rank, where strong scaling ends: a thermostat, neighbours anew when atoms have moved far enough."""
    return {"in.small": LIQUID.format(x=5, y=5, z=10 * ranks) + f"""neigh_modify every 1 delay 5 check yes
fix motion all nvt temp 1.44 1.44 0.5
thermo 10
run {steps}
""" + LAST_STATE}


def metal(_ranks, steps):
    """The benchmark in.eam of LAMMPS: 32000 atoms of copper."""
    return {"in.metal": f"""units metal
atom_style atomic
lattice fcc 3.615
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 box
pair_style eam
pair_coeff 1 1 /usr/share/lammps/potentials/Cu_u3.eam
velocity all create 1600.0 376847 loop geom
neighbor 1.0 bin
neigh_modify every 1 delay 5 check yes
fix motion all nve
timestep 0.005
thermo 50
run {steps}
""" + LAST_STATE}


def salt(_ranks, steps):
    """A molten salt of 4096 ions with long-ranged forces (PPPM) at constant pressure."""
    return {"in.salt": f"""units metal
atom_style charge
lattice custom 6.2 basis 0 0 0 basis 0 0.5 0.5 basis 0.5 0 0.5 basis 0.5 0.5 0 &
  basis 0.5 0 0 basis 0 0.5 0 basis 0 0 0.5 basis 0.5 0.5 0.5
region box block 0 8 0 8 0 8
create_box 2 box
create_atoms 1 box basis 5 2 basis 6 2 basis 7 2 basis 8 2
mass 1 22.99
mass 2 35.45
set type 1 charge 1.0
set type 2 charge -1.0
pair_style born/coul/long 8.0
pair_coeff 1 1 0.2637 0.317 2.340 1.048553 -0.49935
pair_coeff 1 2 0.2110 0.317 2.755 6.990350 -8.67581
pair_coeff 2 2 0.1582 0.317 3.170 72.401983 -145.428458
kspace_style pppm 1.0e-4
neighbor 2.0 bin
neigh_modify every 1 delay 0 check yes
velocity all create 1500.0 87287 loop geom
timestep 0.001
fix barostat all npt temp 1500 1500 0.1 iso 0.0 0.0 1.0
thermo 10
thermo_style custom step temp pe press vol
run {steps}
""" + LAST_STATE}


def case(name, steps, inputs):
    return Case(
        name="lammps-" + name, command=("lmp", "-log", "none", "-in", "in." + name), steps=steps,
        inputs=inputs,
        main_loop=sum_of(r"^Loop time of ([\d.e+-]+)"), results=("last.dump",),
        changing=(r"^(Loop time of|Performance:|Total wall time).*", r".*% CPU use.*", r".*\|.*\|.*", r".*CPU =.*"))


APPLICATION = Application(
    name="lammps", packages=("lammps", "lammps-data"), programs=("lmp",),
    data=("/usr/share/lammps/potentials/Cu_u3.eam",),
    cases=(case("melt", 3000, melt), case("small", 5000, small), case("metal", 1500, metal), case("salt", 2000, salt)))
