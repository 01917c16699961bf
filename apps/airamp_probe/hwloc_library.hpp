// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwloc.h>

#include <string>

#include "apps/airamp_probe/opened_library.hpp"

namespace airamp::probe {

/// The functions of hwloc 2 that are used, opened at run time: nobody who does without needs it.
class HwlocLibrary {
 public:
  HwlocLibrary() : library_("libhwloc.so.15") {
    complete_ =
        library_.resolve(init, "hwloc_topology_init") && library_.resolve(load, "hwloc_topology_load") &&
        library_.resolve(destroy, "hwloc_topology_destroy") && library_.resolve(set_xml, "hwloc_topology_set_xml") &&
        library_.resolve(keep_devices, "hwloc_topology_set_io_types_filter") &&
        library_.resolve(object, "hwloc_get_obj_by_depth") && library_.resolve(count, "hwloc_get_nbobjs_by_depth") &&
        library_.resolve(list, "hwloc_bitmap_list_snprintf");
  }

  /// Why it cannot be used; empty if it can.
  std::string trouble() const {
    if (!library_.trouble().empty()) return library_.trouble();
    return complete_ ? "" : "libhwloc.so.15 lacks a function of hwloc 2";
  }

  decltype(&hwloc_topology_init) init = nullptr;
  decltype(&hwloc_topology_load) load = nullptr;
  decltype(&hwloc_topology_destroy) destroy = nullptr;
  decltype(&hwloc_topology_set_xml) set_xml = nullptr;
  decltype(&hwloc_topology_set_io_types_filter) keep_devices = nullptr;
  decltype(&hwloc_get_obj_by_depth) object = nullptr;
  decltype(&hwloc_get_nbobjs_by_depth) count = nullptr;
  decltype(&hwloc_bitmap_list_snprintf) list = nullptr;

 private:
  OpenedLibrary library_;
  bool complete_ = false;
};

}  // namespace airamp::probe
