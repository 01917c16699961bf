// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <utility>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "config/load.hpp"

namespace airamp::doctor {
namespace {

using config::Settings;

/// Whether the file or the environment says something of a setting.
bool given(const config::Loaded& loaded, const char* key) {
  const auto origin = loaded.origins.find(key);
  return origin != loaded.origins.end() && origin->second != "default";
}

bool lossy(const Settings& settings) { return settings.enable_fp8_allreduce || settings.enable_fp8_allgather; }

/// Settings that are each in order, but not together: one takes away what another asks for.
void add_contradictions(const Settings& settings, Findings& findings) {
  const auto contradict = [&](std::string what, std::string advice) {
    findings.push_back({Verdict::wrong, std::move(what), std::move(advice)});
  };
  if (settings.disable && (lossy(settings) || settings.force != config::Force::none)) {
    contradict("disable is set, so what else is switched on has no effect", "Unset AIRAMP_DISABLE, or all the others.");
  }
  if (settings.enable_ghost_kernels && !settings.pola) {
    contradict("enable_ghost_kernels has no effect without pola", "Unset AIRAMP_POLA, or leave the ghost kernels off.");
  }
  if (settings.enable_ghost_kernels && settings.gpu == config::Detection::no) {
    contradict("enable_ghost_kernels has no effect with gpu=no", "Unset AIRAMP_GPU, or leave the ghost kernels off.");
  }
  if (settings.enable_ccl && settings.gpu == config::Detection::no) {
    contradict("enable_ccl has no effect with gpu=no", "Unset AIRAMP_GPU, or leave enable_ccl off.");
  }
  const bool compresses_float = settings.enable_fp8_allreduce && (settings.lossy_types & config::lossy_float32) != 0;
  if (compresses_float && promises_bits(settings.reduction_order)) {
    contradict("sums of float are to have promised bits (reduction_order) and to be compressed (lossy_types)",
               "Decide for one of them: reduction_order does not hold for what is compressed.");
  }
}

/// What is given, but matters only along with something that is off; a site's file may have it for those who opt in.
void add_idle(const config::Loaded& loaded, Findings& findings) {
  const auto idle = [&](const char* key, const std::string& without) {
    if (!given(loaded, key)) return;
    findings.push_back({Verdict::worth_knowing, std::string(key) + " is given, but has no effect without " + without,
                        "Leave it out, or switch the other on."});
  };
  if (!lossy(loaded.settings)) {
    for (const char* key : {"lossy_types", "codec", "max_relative_error"})
      idle(key, "enable_fp8_allreduce or _allgather");
  }
  if (!loaded.settings.telemetry) idle("call_sites", "telemetry");
  if (!loaded.settings.pola) {
    for (const char* key : {"pola_lock_events", "pola_ask_along", "pola_post_receives"}) idle(key, "pola");
  }
}

/// Settings that are for tests, or switch off what one may miss.
void add_remarks(const Settings& settings, Findings& findings) {
  const auto remark = [&](std::string what, std::string advice) {
    findings.push_back({Verdict::worth_knowing, std::move(what), std::move(advice)});
  };
  if (settings.disable) remark("AIRamp is switched off", "Unset AIRAMP_DISABLE to have it work.");
  if (settings.force != config::Force::none) {
    remark("force=" + std::string(config::to_string(settings.force)) + " imposes an algorithm, also where it is slower",
           "Leave the choice to AIRamp outside of tests: unset AIRAMP_FORCE.");
  }
  if (settings.ranks_per_host != 0) {
    remark("ranks_per_host makes up boundaries between hosts", "It is for tests: unset AIRAMP_RANKS_PER_HOST.");
  }
  if (!settings.telemetry) {
    remark("telemetry is off: airamp status, hang and doctor --job see nothing", "Unset AIRAMP_TELEMETRY.");
  }
}

/// Folders that files are to be written to.
void add_folders(const System& system, const Settings& settings, Findings& findings) {
  const auto look_at = [&](const std::string& key, const std::string& folder, const std::string& consequence) {
    if (!system.exists(folder)) {
      findings.push_back({Verdict::wrong, key + ": there is no folder " + folder + "; " + consequence,
                          "Make the folder, on every host."});
    } else if (!system.writable(folder)) {
      findings.push_back({Verdict::wrong, key + ": nothing can be written into " + folder + "; " + consequence,
                          "Name another folder, or let this user write there."});
    }
  };
  if (settings.telemetry) look_at("telemetry_folder", settings.telemetry_folder, "nothing is published");
  const std::filesystem::path report(settings.report);
  if (!settings.report.empty() && settings.report != "stderr" && report.has_parent_path() && report.is_absolute()) {
    look_at("report", report.parent_path().string(), "no report is written");
  }
}

}  // namespace

Findings check_settings(const Subject& subject) {
  const config::Loaded loaded =
      config::load(subject.system.environment, subject.system.root + config::system_configuration_file);
  Findings findings;
  for (const std::string& error : loaded.errors) {
    findings.push_back({Verdict::wrong, error, "With this mistake AIRamp stays off in every job: mend it."});
  }
  if (!findings.empty()) return findings;
  add_contradictions(loaded.settings, findings);
  add_idle(loaded, findings);
  add_remarks(loaded.settings, findings);
  add_folders(subject.system, loaded.settings, findings);
  if (findings.empty()) {
    const std::string where = loaded.file.empty() ? "defaults and environment variables" : loaded.file;
    findings.push_back({Verdict::good, where + " are in order", ""});
  }
  return findings;
}

}  // namespace airamp::doctor
