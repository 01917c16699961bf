// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>

#include "config/enum_names.hpp"
#include "config/load.hpp"

namespace airamp::config {
namespace {

using ::testing::IsEmpty;

class RandomSettings {
 public:
  Settings next() {
    Settings settings;
    settings.disable = below(2) == 1;
    settings.enable_fp8_allreduce = below(2) == 1;
    settings.enable_fp8_allgather = below(2) == 1;
    settings.lossy_types = static_cast<unsigned>(1 + below(7));
    settings.min_bytes = std::uint64_t{below(1025)} << (10 * below(4));
    if (below(2) == 1) settings.min_bytes = below((std::uint64_t{1} << 40U) + 1);
    settings.min_speedup = between(1, 100);
    settings.warmup_iterations = static_cast<int>(1 + below(100));
    settings.codec = one_of<WireFormat>();
    settings.max_relative_error = below(4) == 0 ? 1e-300 * between(0, 1) : between(0, 1);
    settings.force = one_of<Force>();
    settings.ranks_per_host = static_cast<int>(below(1048577));
    settings.host_scratch = below((std::uint64_t{1} << 40U) + 1);
    settings.gpu = one_of<Detection>();
    settings.gpu_aware_mpi = one_of<Detection>();
    settings.enable_shared_memory = below(2) == 1;
    settings.reduction_order = one_of<ReductionOrder>();
    settings.enable_ccl = below(2) == 1;
    settings.log_level = one_of<LogLevel>();
    const std::string reports[] = {"", "stderr", text(40) + ".txt", text(2000) + ".json"};
    settings.report = reports[below(4)];
    settings.pola = below(2) == 1;
    settings.pola_lock_events = static_cast<int>(20 + below(31));
    settings.pola_ask_along = below(2) == 1;
    settings.pola_post_receives = below(2) == 1;
    settings.enable_ghost_kernels = below(2) == 1;
    settings.call_sites = static_cast<int>(below(17));
    settings.trace = text(2000);
    settings.telemetry = below(2) == 1;
    settings.telemetry_folder = text(2000) + "/";
    const std::string addresses[] = {"127.0.0.1", "::1", "0.0.0.0", "fe80::1"};
    settings.metrics_addr = addresses[below(4)];
    settings.metrics_port = static_cast<int>(below(65536));
    settings.handshake_warning_seconds = between(0, 86400);
    for (std::uint64_t i = below(6); i > 0; --i) {
      settings.declared_types[text(250) + "x"] = one_of<HalfFormat>();
    }
    return settings;
  }

 private:
  std::uint64_t below(std::uint64_t end) { return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(random_); }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  template <typename Enum>
  Enum one_of() {
    return enum_names<Enum>[below(std::size(enum_names<Enum>))].first;
  }

  // Up to `longest` bytes, rich in what YAML treats specially.
  std::string text(std::size_t longest) {
    const std::string pieces[] = {"a", "Z", "0", " ", "\"", "'", "\\", ":", "#", ": ", " #", "{", "}", "[", "]", ",",
                                  "&", "*", "!", "|", ">",  "%", "@",  "`", "-", "?",  "~",  "/", ".", "é", "₂", "😀"};
    std::string result;
    const std::size_t length = below(longest);
    for (;;) {
      const std::string& piece = pieces[below(std::size(pieces))];
      if (result.size() + piece.size() > length) return result;
      result += piece;
    }
  }

  std::mt19937_64 random_{20240229};
};

TEST(RoundTrip, Defaults) {
  const Loaded loaded = parse_text(to_text(Settings{}), "text");
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_EQ(loaded.settings, Settings{});
}

TEST(RoundTrip, RandomSettings) {
  RandomSettings random;
  for (int i = 0; i < 1000; ++i) {
    const Settings settings = random.next();
    const std::string text = to_text(settings);
    const Loaded loaded = parse_text(text, "text");
    ASSERT_THAT(loaded.errors, IsEmpty()) << text;
    ASSERT_EQ(loaded.settings, settings) << text;
  }
}

TEST(RoundTrip, OneAsciiLineForEachSetting) {
  RandomSettings random;
  for (int i = 0; i < 100; ++i) {
    const std::string text = to_text(random.next());
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), setting_infos().size());
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  }
}

}  // namespace
}  // namespace airamp::config
