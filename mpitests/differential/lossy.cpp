// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "mpitests/differential/verify.hpp"

namespace airamp::differential {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::uint64_t parse_bytes(std::string_view text) {
  const std::uint64_t number = std::strtoull(std::string(text).c_str(), nullptr, 10);
  if (text.ends_with('K')) return number << 10U;
  return text.ends_with('M') ? number << 20U : number;
}

bool contains(std::string_view list, std::string_view name) {
  // "bfloat16" holds "float16": compare whole words of the comma-separated list.
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == name) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

}  // namespace

Lossy Lossy::from_environment() {
  Lossy lossy;
  lossy.allreduce = variable("AIRAMP_ENABLE_FP8_ALLREDUCE") == "1";
  lossy.allgather = variable("AIRAMP_ENABLE_FP8_ALLGATHER") == "1";
  if (const std::string_view types = variable("AIRAMP_LOSSY_TYPES"); !types.empty()) {
    lossy.float16 = contains(types, "float16");
    lossy.bfloat16 = contains(types, "bfloat16");
    lossy.float32 = contains(types, "float32");
  }
  if (const std::string_view bytes = variable("AIRAMP_MIN_BYTES"); !bytes.empty()) lossy.min_bytes = parse_bytes(bytes);
  lossy.quantisation = differential::quantisation(variable("AIRAMP_CODEC"));
  return lossy;
}

bool Lossy::allows(const Call& call) const {
  const Format format = call.element->format;
  const bool type_allowed = (format == Format::float16 && float16) || (format == Format::bfloat16 && bfloat16) ||
                            (format == Format::float32 && float32);
  // One rank alone sends nothing that could be compressed. (Its truth is not native's everywhere: MPICH 4.0 ignores the
  // displacement of an Allgatherv on one rank.)
  if (!type_allowed || call.communicator->inter || call.communicator->members.size() == 1) return false;
  if (call.kind == Kind::allreduce)
    return allreduce && call.operation->meaning != Meaning::other && call.count * call.element->bytes >= min_bytes;
  if (call.kind != Kind::allgather && call.kind != Kind::allgatherv) return false;
  const std::vector<int>& ranks = sources(call);
  const std::size_t elements = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0},
                                               [&](std::size_t sum, int r) { return sum + contribution(call, r); });
  return allgather && call.element->learnable && elements * call.element->bytes >= min_bytes * ranks.size();
}

}  // namespace airamp::differential
