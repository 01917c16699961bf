# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The settings in which every fault is run."""

COMPRESSED = {"AIRAMP_ENABLE_FP8_ALLREDUCE": "1", "AIRAMP_ENABLE_FP8_ALLGATHER": "1",
              "AIRAMP_LOSSY_TYPES": "float16,bfloat16,float32"}

# "everything" is all that can be opted in to, with buffers on the fake GPU (mpitests/fake_gpu).
SETTINGS = {
    "default": {},
    "everything": {**COMPRESSED, "AIRAMP_MIN_BYTES": "0", "AIRAMP_GPU": "yes", "AIRAMP_GPU_AWARE_MPI": "no",
                   "AIRAMP_POLA_POST_RECEIVES": "1", "AIRAMP_ENABLE_GHOST_KERNELS": "1", "AIRAMP_ENABLE_CCL": "1",
                   "FAKE_GPU_READABLE": "1"},
    "shared-memory": {"AIRAMP_FORCE": "shared-memory"},
    "mpi-two-shot": {**COMPRESSED, "AIRAMP_FORCE": "mpi-two-shot", "AIRAMP_MIN_BYTES": "4K"},
    "ordered-messages": {"AIRAMP_REDUCTION_ORDER": "fixed", "AIRAMP_RANKS_PER_HOST": "1"},
}

ON_FAKE_GPU = "everything"
# Those that are named after the path that calls must take.
IMPOSED = ("shared-memory", "mpi-two-shot", "ordered-messages")
