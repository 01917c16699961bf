// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdint>
#include <optional>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "base/quantity_text.hpp"

namespace airamp::doctor {
namespace {

/// A soft limit of a process.
struct Limit {
  bool known = false;
  std::optional<std::uint64_t> value;  ///< nothing: unlimited
};

/// From /proc/PID/limits, whose lines are "Max open files            1024                 524288               files".
Limit limit_of(const Subject& subject, const std::string& name) {
  const auto text = subject.system.value("/proc/" + subject.process + "/limits", name);
  if (!text) return {};
  if (text->starts_with("unlimited")) return {.known = true, .value = {}};
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text->data(), text->data() + text->size(), value);
  return parsed.ec == std::errc() ? Limit{.known = true, .value = value} : Limit{};
}

const Finding not_known = {Verdict::not_known, "/proc does not say", ""};

bool has_rdma(const System& system) { return !system.entries("/sys/class/infiniband").empty(); }

/// Descriptors of a rank beside its connections: files, libraries, devices and segments of memory.
constexpr std::uint64_t descriptors_of_rank = 512;
/// Of each other rank of the host: a connection, and a pipe or a segment of memory.
constexpr std::uint64_t descriptors_of_peer = 4;

}  // namespace

Findings check_locked_memory(const Subject& subject) {
  const Limit limit = limit_of(subject, "Max locked memory");
  if (!limit.known) return {not_known};
  if (!limit.value) return {{Verdict::good, "unlimited", ""}};
  const std::string found = "at most " + base::byte_size(*limit.value) + " (ulimit -l)";
  if (!has_rdma(subject.system)) {
    return {{Verdict::good, found + "; this host has no network card that needs more", ""}};
  }
  return {
      {Verdict::wrong, found + ": network cards with RDMA need memory that stays in place",
       "Set memlock to unlimited in /etc/security/limits.conf, and LimitMEMLOCK=infinity for slurmd or the runtime."}};
}

Findings check_open_files(const Subject& subject) {
  const Limit limit = limit_of(subject, "Max open files");
  if (!limit.known) return {not_known};
  if (!limit.value) return {{Verdict::good, "unlimited", ""}};
  const std::string found = std::to_string(*limit.value) + " (ulimit -n)";
  const std::uint64_t wanted =
      descriptors_of_rank + descriptors_of_peer * static_cast<std::uint64_t>(subject.ranks.number);
  if (*limit.value >= wanted) return {{Verdict::good, found, ""}};
  return {{Verdict::worth_knowing, found + ": launchers and sockets of many ranks may need more",
           "ulimit -n " + std::to_string(wanted) + " before the launcher, or nofile in /etc/security/limits.conf."}};
}

Findings check_address_space(const Subject& subject) {
  const Limit limit = limit_of(subject, "Max address space");
  if (!limit.known) return {not_known};
  if (!limit.value) return {{Verdict::good, "unlimited", ""}};
  const std::string found = "at most " + base::byte_size(*limit.value) + " (ulimit -v)";
  const std::string advice = "ulimit -v unlimited; limit memory by control groups instead.";
  if (!subject.gpus.gpus.empty()) {
    return {{Verdict::wrong, found + ": drivers of GPUs reserve more addresses than there is memory", advice}};
  }
  return {{Verdict::worth_knowing, found + ": memory that ranks share counts again in each of them", advice}};
}

}  // namespace airamp::doctor
