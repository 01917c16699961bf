// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "apps/airamp/doctor/subject.hpp"

namespace airamp::doctor {

/// A host whose files a test writes: below a folder of its own, which goes with it. It has two processors of one NUMA
/// node, an empty environment, and 1 GiB of free shared memory.
class MadeUpHost {
 public:
  MadeUpHost();
  ~MadeUpHost();
  MadeUpHost(const MadeUpHost&) = delete;
  MadeUpHost& operator=(const MadeUpHost&) = delete;

  /// Writes a file, and the folders that it lies in.
  void write(const std::string& path, const std::string& text);
  void make_folder(const std::string& path);
  void link(const std::string& path, const std::string& target);
  /// Has a process run on these processors alone.
  void bind(const std::string& process, const std::string& processors);
  /// A PCI device, as "0x030200", "0x10de".
  void add_pci_device(const std::string& address, const std::string& pci_class, const std::string& vendor);
  void set_environment(std::map<std::string, std::string> variables);
  std::string folder() const { return folder_.string(); }

  /// What is looked at, for a test to change.
  Subject subject;

 private:
  std::filesystem::path folder_;
};

/// A rank of a job, published by a process of this number.
inline telemetry::RankSnapshot rank_of_process(int rank, std::uint64_t process) {
  telemetry::RankSnapshot snapshot;
  snapshot.rank = rank;
  snapshot.process = process;
  snapshot.on = true;
  return snapshot;
}

/// Expects one finding of this verdict, whose text has these words.
void expect_one(const Findings& findings, Verdict verdict, const std::string& words);

}  // namespace airamp::doctor
