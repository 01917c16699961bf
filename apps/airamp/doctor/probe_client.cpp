// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/probe_client.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "apps/airamp/child_output.hpp"

namespace airamp::doctor {

ProbeClient::ProbeClient() {
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {AIRAMP_INSTALLED_PROBE, AIRAMP_BUILT_PROBE}) {
    const std::string file = (own / place).lexically_normal().string();
    if (!program_.empty() || access(file.c_str(), X_OK) != 0) continue;
    program_ = file;
  }
}

nlohmann::json ProbeClient::reply(probe::Question question, const std::vector<std::string>& arguments, double seconds,
                                  std::string& trouble) const {
  if (program_.empty()) {
    trouble = "airamp-probe, which asks libraries, is not installed";
    return {};
  }
  std::vector<std::string> command = {program_, std::string(to_string(question))};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const command_line::ChildOutput output = command_line::output_of(std::move(command), seconds);
  if (output.timed_out) {
    trouble = "no answer within " + std::to_string(static_cast<int>(seconds)) + " seconds";
    return {};
  }
  nlohmann::json json = nlohmann::json::parse(output.text, nullptr, false);
  if (!output.succeeded || !json.is_object()) trouble = "the process that was to ask it has ended";
  return json;
}

}  // namespace airamp::doctor
