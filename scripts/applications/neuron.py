# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""NEURON: rings of cells, whose ranks tell each other of spikes as often as the shortest delay asks for."""

from applications.application import Application, Case, sum_of

MODEL = """
load_file("stdgui.hoc")
objref pc, cells, connections, stimuli, spikes, gids, nil
strdef name
pc = new ParallelContext()
CELLS = 64
RINGS = 4

begintemplate Cell
  public soma, dendrite, synapse
  create soma, dendrite
  objref synapse
  proc init() {{
    soma {{ L = 20 diam = 20 nseg = 1 insert hh }}
    dendrite {{ L = 200 diam = 1 nseg = 9 insert pas g_pas = 0.001 e_pas = -65 }}
    connect dendrite(0), soma(1)
    dendrite {{ synapse = new ExpSyn(0.5) }}
    synapse.tau = 2
  }}
endtemplate Cell

cells = new List()
connections = new List()
stimuli = new List()
spikes = new Vector()
gids = new Vector()

proc build() {{ local gid localobj cell, source, stimulus
  for (gid = pc.id; gid < CELLS * RINGS; gid += pc.nhost) {{
    cell = new Cell()
    cells.append(cell)
    pc.set_gid2node(gid, pc.id)
    cell.soma source = new NetCon(&v(0.5), nil)
    pc.cell(gid, source)
    pc.spike_record(gid, spikes, gids)
    if (gid % CELLS == 0) {{
      cell.soma stimulus = new IClamp(0.5)
      stimulus.dur = 1
      stimulus.amp = 1
      stimuli.append(stimulus)
    }}
  }}
}}

proc connect_rings() {{ local gid, from localobj connection
  for (gid = pc.id; gid < CELLS * RINGS; gid += pc.nhost) {{
    from = int(gid / CELLS) * CELLS + (gid + CELLS - 1) % CELLS
    connection = pc.gid_connect(from, pc.gid2cell(gid).synapse)
    connection.delay = {delay}
    connection.weight = 0.01
    connections.append(connection)
  }}
}}

proc write_spikes() {{ local i localobj file
  sprint(name, "spikes.%d", pc.id)
  file = new File()
  file.wopen(name)
  for i = 0, spikes.size - 1 file.printf("%g %.17g\\n", gids.x[i], spikes.x[i])
  file.close()
}}

build()
connect_rings()
{{ pc.set_maxstep(10) }}
{{ finitialize(-65) }}
{{ pc.barrier() }}
begin = pc.time()
{{ pc.psolve({milliseconds}) }}
{{ pc.barrier() }}
if (pc.id == 0) printf("seconds %g\\n", pc.time() - begin)
write_spikes()
{{ pc.runworker() }}
{{ pc.done() }}
quit()
"""


def rings(delay):
    """The shortest delay in milliseconds, of which a step is a fortieth of one."""
    return lambda _ranks, milliseconds: {"rings.hoc": MODEL.format(delay=delay, milliseconds=milliseconds)}


def case(name, milliseconds, delay):
    return Case(name="neuron-" + name, command=("nrniv", "-nobanner", "-nogui", "-mpi", "rings.hoc"),
                steps=milliseconds, inputs=rings(delay), main_loop=sum_of(r"^seconds ([\d.]+)"),
                results=("spikes.*",), changing=(r"seconds .*",))


APPLICATION = Application(
    name="neuron", packages=("neuron",), programs=("nrniv",), data=("/usr/share/nrn/lib",),
    cases=(case("1ms", 10000, 1), case("0.1ms", 6000, 0.1)))
