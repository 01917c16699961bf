// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp_probe/topology.hpp"

#ifdef AIRAMP_HAVE_HWLOC

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>

#include "apps/airamp_probe/hwloc_library.hpp"

namespace airamp::probe {
namespace {

/// PCI Code and ID Assignment: the classes 0x03 (displays) and 0x12 (processing accelerators), and the vendors whose
/// GPUs AIRamp can use. A board's own display controller is none of them.
bool is_gpu(const hwloc_obj_attr_u::hwloc_pcidev_attr_s& device) {
  const unsigned base_class = device.class_id >> 8U;
  const bool computes = base_class == 0x03 || base_class == 0x12;
  return computes && (device.vendor_id == 0x10de || device.vendor_id == 0x1002);
}

bool is_nic(const hwloc_obj& object) {
  return object.attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK || object.attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS;
}

/// How many steps one goes up from `from` until `to` lies below; the most there are if it never does.
std::size_t steps_to_common(const hwloc_obj* from, const hwloc_obj* to) {
  std::size_t steps = 0;
  for (const hwloc_obj* up = from; up != nullptr; up = up->parent, ++steps) {
    for (const hwloc_obj* other = to; other != nullptr; other = other->parent) {
      if (other == up) return steps;
    }
  }
  return std::numeric_limits<std::size_t>::max();
}

std::string address_of(const hwloc_obj_attr_u::hwloc_pcidev_attr_s& device) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.%01x", static_cast<unsigned>(device.domain),
                static_cast<unsigned>(device.bus), static_cast<unsigned>(device.dev),
                static_cast<unsigned>(device.func));
  return text.data();
}

class Reading {
 public:
  Reading(const HwlocLibrary& hwloc, hwloc_topology_t topology) : hwloc_(hwloc), topology_(topology) {
    for (hwloc_obj_t device : every(HWLOC_TYPE_DEPTH_OS_DEVICE)) {
      if (is_nic(*device)) nics_.push_back(device);
    }
  }

  Topology result() const {
    Topology answer{.numa_nodes = static_cast<int>(every(HWLOC_TYPE_DEPTH_NUMANODE).size())};
    for (hwloc_obj_t device : every(HWLOC_TYPE_DEPTH_PCI_DEVICE)) {
      if (is_gpu(device->attr->pcidev)) answer.gpus.push_back(near(device));
    }
    return answer;
  }

 private:
  std::vector<hwloc_obj_t> every(int depth) const {
    std::vector<hwloc_obj_t> objects(hwloc_.count(topology_, depth));
    for (unsigned i = 0; i < objects.size(); ++i) objects[i] = hwloc_.object(topology_, depth, i);
    return objects;
  }

  std::string list(hwloc_const_bitmap_t bits) const {
    if (bits == nullptr) return {};
    std::string text(static_cast<std::size_t>(std::max(0, hwloc_.list(nullptr, 0, bits))) + 1, '\0');
    hwloc_.list(text.data(), text.size(), bits);
    text.pop_back();
    return text;
  }

  NearGpu near(hwloc_obj_t gpu) const {
    NearGpu answer{.address = address_of(gpu->attr->pcidev)};
    const hwloc_obj* place = gpu;
    while (place != nullptr && place->cpuset == nullptr) place = place->parent;
    if (place != nullptr) {
      answer.cpus = list(place->cpuset);
      answer.numa_nodes = list(place->nodeset);
    }
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (hwloc_obj_t nic : nics_) {
      const std::size_t steps = steps_to_common(gpu, nic);
      if (steps > fewest) continue;
      if (steps < fewest) answer.nics.clear();
      fewest = steps;
      answer.nics.emplace_back(nic->name == nullptr ? "" : nic->name);
    }
    std::sort(answer.nics.begin(), answer.nics.end());
    return answer;
  }

  const HwlocLibrary& hwloc_;
  hwloc_topology_t topology_;
  std::vector<hwloc_obj_t> nics_;
};

}  // namespace

Topology ask_topology(const std::string& description) {
  const HwlocLibrary hwloc;
  Topology answer{.trouble = hwloc.trouble()};
  if (!answer.trouble.empty()) return answer;
  hwloc_topology_t made = nullptr;
  if (hwloc.init(&made) != 0) {
    answer.trouble = "hwloc cannot be initialised";
    return answer;
  }
  const std::unique_ptr<hwloc_topology, decltype(hwloc.destroy)> topology(made, hwloc.destroy);
  hwloc.keep_devices(made, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  const bool described = description.empty() || hwloc.set_xml(made, description.c_str()) == 0;
  if (!described || hwloc.load(made) != 0) {
    answer.trouble = "hwloc cannot read " + (description.empty() ? "this host's topology" : description);
    return answer;
  }
  return Reading(hwloc, made).result();
}

}  // namespace airamp::probe

#else

namespace airamp::probe {

Topology ask_topology(const std::string& /*description*/) {
  return {.trouble = "AIRamp was built without hwloc's header (Debian: libhwloc-dev)"};
}

}  // namespace airamp::probe

#endif
