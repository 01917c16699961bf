# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""airamp-probe as airamp doctor starts it: probe_test.py PROBE CC"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROBE, CC = (sys.argv.pop(1) for _ in range(2))

OPEN_MPI = """#include <stdio.h>
int MPI_Get_library_version(char* text, int* length) {
  puts("a library that talks");
  *length = sprintf(text, "Open MPI v4.1.9, package: a test");
  return 0;
}
int MPIX_Query_cuda_support(void) { return 1; }
int MPIX_Query_rocm_support(void) { return 0; }
"""
MPICH = """#include <stdio.h>
#include <stdlib.h>
int MPI_Get_library_version(char* text, int* length) {
  *length = sprintf(text, "MPICH Version:\\t4.9\\nMPICH configure:\\t--with-cuda\\n");
  return 0;
}
int MPIX_Query_cuda_support(void) { exit(1); }
"""

# Two GPUs with 18 links of NVLink each; the first cannot write to the second.
NVML = r"""#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef struct { char legacy[16]; unsigned domain, bus, device, id, subsystem; char address[32]; } Pci;
typedef struct { unsigned number; unsigned long long used; unsigned gpu, compute; } Process;
typedef struct { unsigned field, scope; long long time, latency; int type, status; uint64_t value; } Field;
static long place(void* device) { return (long)device - 1; }
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlSystemGetDriverVersion(char* text, unsigned size) { snprintf(text, size, "580.1"); return 0; }
int nvmlDeviceGetCount_v2(unsigned* count) { *count = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned number, void** device) { *device = (void*)(number + 1L); return 0; }
int nvmlDeviceGetName(void* device, char* text, unsigned size) {
  snprintf(text, size, "GPU %ld", place(device));
  return 0;
}
int nvmlDeviceGetPciInfo_v3(void* device, Pci* pci) {
  memset(pci, 0, sizeof *pci);
  pci->bus = 0x17 + 0x4e * place(device);
  return 0;
}
int nvmlDeviceGetComputeMode(void* device, int* mode) { *mode = place(device) == 1 ? 3 : 0; return 0; }
int nvmlDeviceGetMigMode(void* device, unsigned* now, unsigned* pending) { return 3; /* not supported */ }
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* processes) {
  *count = place(device) == 1 ? 2 : 0;
  for (unsigned i = 0; i < *count; ++i) processes[i].number = 100 + i;
  return 0;
}
int nvmlDeviceGetP2PStatus(void* from, void* to, int capability, int* status) {
  *status = capability == 1 && place(from) == 0 ? 3 : 0;
  return 0;
}
int nvmlDeviceGetMaxPcieLinkGeneration(void* device, unsigned* generation) { *generation = 4; return 0; }
int nvmlDeviceGetMaxPcieLinkWidth(void* device, unsigned* lanes) { *lanes = 16; return 0; }
int nvmlDeviceGetNvLinkState(void* device, unsigned link, int* active) { *active = 1; return link < 18 ? 0 : 2; }
int nvmlDeviceGetFieldValues(void* device, int count, Field* fields) {
  fields[0].status = fields[0].field == 90 ? 0 : 3;
  fields[0].value = 25000;
  return 0;
}
"""
# A driver whose functions all succeed but cuInit, which gives the environment's status; CONTEXTS counts.
CUDA = r"""#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int cuInit(unsigned flags) { return getenv("CUDA_STATUS") ? atoi(getenv("CUDA_STATUS")) : 0; }
int cuGetErrorString(int status, const char** text) { *text = "system not yet initialized"; return 0; }
int cuDeviceGetCount(int* count) { *count = 2; return 0; }
int cuDeviceGet(int* device, int place) { *device = place; return 0; }
int cuDeviceGetByPCIBusId(int* device, const char* address) { *device = address[5] == '6'; return 0; }
int cuDeviceGetAttribute(int* value, int attribute, int device) { *value = attribute == 41; return 0; }
int cuDevicePrimaryCtxRetain(void** context, int device) {
  if (!getenv("CONTEXTS_ARE_FINE")) abort();
  *context = (void*)(device + 1L);
  return 0;
}
int cuCtxSetCurrent(void* context) { return 0; }
int cuCtxEnablePeerAccess(void* peer, unsigned flags) { return peer == (void*)2 ? 217 : 704; }
int cuMemAlloc_v2(uint64_t* memory, size_t bytes) { *memory = (uintptr_t)malloc(16); return 0; }
int cuMemFree_v2(uint64_t memory) { free((void*)(uintptr_t)memory); return 0; }
int cuMemAllocHost_v2(void** memory, size_t bytes) { *memory = malloc(16); return 0; }
int cuMemFreeHost(void* memory) { free(memory); return 0; }
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void* stream) { return 0; }
int cuEventCreate(void** event, unsigned flags) { *event = 0; return 0; }
int cuEventRecord(void* event, void* stream) { return 0; }
int cuEventSynchronize(void* event) { return 0; }
int cuEventElapsedTime(float* milliseconds, void* begin, void* end) { *milliseconds = 8; return 0; }
"""


class Probe(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airamp-probe-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def library(self, text, name="library.so"):
        source = self.folder / "library.c"
        source.write_text(text)
        subprocess.run([CC, "-shared", "-fPIC", "-o", self.folder / name, source], check=True)
        return str(self.folder / name)

    def run_probe(self, *words, **variables):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.folder), **variables}
        return subprocess.run([PROBE, *words], env=environment, check=False, capture_output=True, text=True, timeout=60)

    def ask(self, *words, **variables):
        result = self.run_probe(*words, **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_unknown_questions(self):
        for words in ((), ("weather",)):
            result = self.run_probe(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("airamp doctor", result.stderr)

    def test_loading(self):
        self.assertEqual(self.ask("loading", self.library("int nothing;")), {"trouble": ""})
        missing = str(self.folder / "none.so")
        self.assertIn(missing, self.ask("loading", missing)["trouble"])
        needy = self.library("void somewhere(void); void* pointer = somewhere;")
        self.assertIn("somewhere", self.ask("loading", needy)["trouble"])

    def test_open_mpi_is_asked_for_gpus(self):
        answer = self.ask("mpi-library", self.library(OPEN_MPI))
        self.assertEqual(answer["version"], "Open MPI v4.1.9, package: a test")
        self.assertEqual(answer["gpu_queries"], ["MPIX_Query_cuda_support", "MPIX_Query_rocm_support"])
        self.assertEqual(answer["gpu_consents"], ["MPIX_Query_cuda_support"])

    def test_mpich_is_not_for_it_would_end_the_process(self):
        answer = self.ask("mpi-library", self.library(MPICH))
        self.assertEqual((answer["version"], answer["gpu_queries"]), ("MPICH Version: 4.9", []))
        self.assertIn("--with-cuda", answer["details"])

    def test_library_that_is_no_mpi_library(self):
        self.assertIn("MPI_Get_library_version", self.ask("mpi-library", self.library("int nothing;"))["trouble"])

    def test_topology_of_this_host(self):
        answer = self.ask("topology")
        self.assertTrue(answer["trouble"] or answer["numa_nodes"] >= 1, answer)

    def test_gpus_are_listed_or_the_reason_is_said(self):
        answer = self.ask("gpus")
        self.assertTrue(answer["trouble"] or answer["driver"], answer)

    def test_gpus_as_the_drivers_libraries_describe_them(self):
        self.library(NVML, "libnvidia-ml.so.1")
        self.library(CUDA, "libcuda.so.1")
        answer = self.ask("gpus")  # the driver ends the process where a context is made
        self.assertEqual((answer["trouble"], answer["cuda_trouble"], answer["driver"]), ("", "", "580.1"))
        self.assertIs(answer["memory_handles"], True)
        first, second = answer["gpus"]
        self.assertEqual((first["name"], first["address"], first["compute_mode"], first["processes"]),
                         ("GPU 0", "0000:17:00.0", 0, []))
        self.assertEqual((second["name"], second["address"], second["compute_mode"], second["processes"]),
                         ("GPU 1", "0000:65:00.0", 3, [100, 101]))
        self.assertIs(first["partitioned"], False)
        self.assertAlmostEqual(first["pcie_bytes_per_second"], 31.5e9, delta=0.1e9)  # PCIe 4.0, 16 lanes
        self.assertAlmostEqual(first["nvlink_bytes_per_second"], 18 * 25e9)
        (pair,) = answer["unreachable"]
        self.assertEqual((pair["from"], pair["to"]), (0, 1))
        self.assertIn("topology", pair["why"])

    def test_cuda_that_cannot_be_initialised(self):
        self.library(NVML, "libnvidia-ml.so.1")
        self.library(CUDA, "libcuda.so.1")
        answer = self.ask("gpus", CUDA_STATUS="802")
        self.assertEqual(answer["cuda_trouble"], "system not yet initialized (802)")
        self.assertEqual(len(answer["gpus"]), 2)

    def test_copies_of_gpus(self):
        self.library(CUDA, "libcuda.so.1")
        answer = self.ask("gpu-copies", "0000:17:00.0", "0000:65:00.0", CONTEXTS_ARE_FINE="1")
        ways = {(copy["from"], copy["to"]): copy["bytes_per_second"] for copy in answer["copies"]}
        # The first GPU may not reach the second.
        self.assertEqual(set(ways), {(1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)})
        for speed in ways.values():
            self.assertAlmostEqual(speed, (64 << 20) / 1e-3)  # eight copies in 8 ms

    def test_too_little_memory_to_measure(self):
        answer = self.ask("memory-bandwidth", str(8 << 10))
        self.assertIn("too little memory", answer["trouble"])

    def test_measurements_are_positive(self):
        memory = self.ask("memory-bandwidth", str(len(os.sched_getaffinity(0)) * (8 << 20)))
        self.assertGreater(memory["one_processor"], 0)
        self.assertGreater(memory["all_processors"], 0)
        flags = self.ask("flag-latency")
        self.assertTrue(flags["trouble"] or all(pair["seconds"] > 0 for pair in flags["pairs"]), flags)


if __name__ == "__main__":
    unittest.main()
