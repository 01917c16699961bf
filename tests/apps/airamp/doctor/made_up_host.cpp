// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/apps/airamp/doctor/made_up_host.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace airamp::doctor {

namespace fs = std::filesystem;

MadeUpHost::MadeUpHost() {
  std::string name = (fs::temp_directory_path() / "airamp-doctor-XXXXXX").string();
  folder_ = mkdtemp(name.data());
  subject.system.root = folder_.string();
  set_environment({});
  subject.system.space = [](const std::string& /*folder*/) { return Space{.all = 2U << 30U, .free = 1U << 30U}; };
  subject.system.writable = [](const std::string& /*folder*/) { return true; };
  bind("self", "0-1");
  write("/sys/devices/system/node/node0/cpulist", "0-1\n");
  make_folder("/dev/shm");
}

MadeUpHost::~MadeUpHost() { fs::remove_all(folder_); }

void MadeUpHost::write(const std::string& path, const std::string& text) {
  const fs::path file(folder_.string() + path);
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void MadeUpHost::make_folder(const std::string& path) { fs::create_directories(folder_.string() + path); }

void MadeUpHost::link(const std::string& path, const std::string& target) {
  const fs::path file(folder_.string() + path);
  fs::create_directories(file.parent_path());
  fs::create_symlink(target, file);
}

void MadeUpHost::bind(const std::string& process, const std::string& processors) {
  write("/proc/" + process + "/status",
        "Name:\tprogram\nCpus_allowed:\tff\nCpus_allowed_list:\t" + processors + "\nMems_allowed_list:\t0\n");
}

void MadeUpHost::add_pci_device(const std::string& address, const std::string& pci_class, const std::string& vendor) {
  write("/sys/bus/pci/devices/" + address + "/class", pci_class + "\n");
  write("/sys/bus/pci/devices/" + address + "/vendor", vendor + "\n");
}

void MadeUpHost::set_environment(std::map<std::string, std::string> variables) {
  subject.system.environment = config::fixed_environment(std::move(variables));
}

void expect_one(const Findings& findings, Verdict verdict, const std::string& words) {
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(to_string(findings[0].verdict), to_string(verdict)) << findings[0].found;
  EXPECT_NE(findings[0].found.find(words), std::string::npos) << findings[0].found;
  // A cell of a table has no line ends, and who is told that something is wrong wants to know what to do.
  EXPECT_EQ(findings[0].found.find('\n'), std::string::npos) << findings[0].found;
  const bool to_mend = verdict == Verdict::wrong || verdict == Verdict::worth_knowing;
  EXPECT_TRUE(!to_mend || !findings[0].advice.empty()) << findings[0].found;
}

}  // namespace airamp::doctor
