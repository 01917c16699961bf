// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/setting_table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "config/load.hpp"

namespace airamp::config {
namespace {

TEST(SettingTable, HasOneEntryForEachField) {
  // Fails to compile when a field is added, so that the number below, and the table, are looked at.
  const Settings settings;
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, z1, z2, z3, z4, z5, z6] =
      settings;
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g;
  (void)h, (void)i, (void)j, (void)k, (void)l, (void)m, (void)n, (void)o, (void)p, (void)q, (void)r;
  (void)s, (void)t, (void)u, (void)v, (void)w, (void)x, (void)y, (void)z, (void)z1, (void)z2, (void)z3, (void)z4,
      (void)z5, (void)z6;
  EXPECT_EQ(setting_table().size(), 32U);
}

TEST(SettingTable, EveryEntryFillsAFieldOfItsOwn) {
  // A value other than the default for every setting: each must change what to_text writes for it, and nothing else.
  const std::map<std::string, std::string> others = {{"disable", "true"},
                                                     {"enable_fp8_allreduce", "true"},
                                                     {"enable_fp8_allgather", "true"},
                                                     {"lossy_types", "float32"},
                                                     {"min_bytes", "3"},
                                                     {"min_speedup", "2"},
                                                     {"warmup_iterations", "3"},
                                                     {"codec", "mxint8"},
                                                     {"max_relative_error", "0.5"},
                                                     {"host_scratch", "3"},
                                                     {"gpu", "no"},
                                                     {"gpu_aware_mpi", "no"},
                                                     {"enable_shared_memory", "true"},
                                                     {"reduction_order", "exact"},
                                                     {"enable_ccl", "true"},
                                                     {"force", "native"},
                                                     {"ranks_per_host", "2"},
                                                     {"log_level", "info"},
                                                     {"report", "\"stderr\""},
                                                     {"pola", "false"},
                                                     {"pola_lock_events", "20"},
                                                     {"pola_ask_along", "false"},
                                                     {"pola_post_receives", "true"},
                                                     {"enable_ghost_kernels", "true"},
                                                     {"call_sites", "3"},
                                                     {"trace", "\"traces\""},
                                                     {"telemetry", "false"},
                                                     {"telemetry_folder", "\"/tmp\""},
                                                     {"metrics_addr", "\"::1\""},
                                                     {"metrics_port", "0"},
                                                     {"handshake_warning_seconds", "1"},
                                                     {"declared_types", "{\"x\": bfloat16}"}};
  std::set<std::string> keys;
  for (const Setting& changed : setting_table()) {
    ASSERT_EQ(others.count(changed.key), 1U) << changed.key;
    EXPECT_TRUE(keys.insert(changed.key).second) << changed.key;
    const Loaded loaded = parse_text(changed.key + ": " + others.at(changed.key) + "\n", "text");
    ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front();
    for (const Setting& setting : setting_table()) {
      const std::string expected = setting.key == changed.key ? others.at(setting.key) : setting.write(Settings{});
      EXPECT_EQ(setting.write(loaded.settings), expected) << changed.key;
    }
  }
}

TEST(SettingTable, EveryEntryIsExplained) {
  for (const SettingInfo& info : setting_infos()) {
    EXPECT_FALSE(info.allowed.empty()) << info.key;
    EXPECT_TRUE(info.help.ends_with('.')) << info.key;
    EXPECT_EQ(info.is_boolean, info.allowed.starts_with("true or false")) << info.key;
  }
}

TEST(ToString, NamesEnumerators) {
  EXPECT_EQ(to_string(WireFormat::mxfp8_e4m3), "mxfp8-e4m3");
  EXPECT_EQ(to_string(WireFormat::mxfp8_e5m2), "mxfp8-e5m2");
  EXPECT_EQ(to_string(WireFormat::mxint8), "mxint8");
  EXPECT_EQ(to_string(ReductionOrder::native), "native");
  EXPECT_EQ(to_string(ReductionOrder::fixed), "fixed");
  EXPECT_EQ(to_string(ReductionOrder::exact), "exact");
  EXPECT_EQ(to_string(ReductionOrder::any), "any");
  EXPECT_EQ(to_string(Force::none), "none");
  EXPECT_EQ(to_string(Force::native), "native");
  EXPECT_EQ(to_string(Force::mpi_two_shot), "mpi-two-shot");
  EXPECT_EQ(to_string(LogLevel::error), "error");
  EXPECT_EQ(to_string(LogLevel::warn), "warn");
  EXPECT_EQ(to_string(LogLevel::info), "info");
  EXPECT_EQ(to_string(LogLevel::debug), "debug");
  EXPECT_EQ(to_string(HalfFormat::float16), "float16");
  EXPECT_EQ(to_string(HalfFormat::bfloat16), "bfloat16");
}

}  // namespace
}  // namespace airamp::config
