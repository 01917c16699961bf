// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "telemetry/openmetrics/exposition.hpp"

namespace airamp::telemetry {
namespace {

constexpr auto text = Exposition::prometheus_text;
constexpr auto openmetrics = Exposition::openmetrics;

TEST(Negotiate, prometheus_2_and_3_get_openmetrics) {
  EXPECT_EQ(negotiate("application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                      "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
            openmetrics);
  EXPECT_EQ(negotiate("application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
                      "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;q=0.3,"
                      "text/plain;version=0.0.4;q=0.2,*/*;q=0.1"),
            openmetrics);
}

TEST(Negotiate, prometheus_1_gets_text) {
  EXPECT_EQ(
      negotiate("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.7,"
                "text/plain;version=0.0.4;q=0.3,*/*;q=0.1"),
      text);
}

TEST(Negotiate, who_asks_for_neither_gets_text) {
  for (const char* accept : {"", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8", "application/json", "text/*",
                             "application/*", ",;,=;;", "\"", "q=1", "application/openmetrics-text-too"}) {
    EXPECT_EQ(negotiate(accept), text) << accept;
  }
}

TEST(Negotiate, higher_quality_wins) {
  EXPECT_EQ(negotiate("application/openmetrics-text;q=0.4, text/plain;q=0.5"), text);
  EXPECT_EQ(negotiate("text/plain;q=0.5, application/openmetrics-text;q=0.51"), openmetrics);
  EXPECT_EQ(negotiate("text/plain, application/openmetrics-text"), openmetrics);
  EXPECT_EQ(negotiate("text/plain;q=0, application/openmetrics-text;q=0.001"), openmetrics);
}

TEST(Negotiate, a_name_is_more_exact_than_a_wildcard) {
  EXPECT_EQ(negotiate("*/*;q=0.9, text/plain;q=0.1, application/openmetrics-text;q=0.5"), openmetrics);
  EXPECT_EQ(negotiate("*/*;q=0.9, application/openmetrics-text;q=0.5"), text);
}

TEST(Negotiate, refused_or_of_another_version_is_not_taken) {
  EXPECT_EQ(negotiate("application/openmetrics-text;q=0"), text);
  EXPECT_EQ(negotiate("application/openmetrics-text;q=0.0, */*;q=0.1"), text);
  EXPECT_EQ(negotiate("application/openmetrics-text;version=2.0.0"), text);
  EXPECT_EQ(negotiate("application/openmetrics-text;version=0.0.1"), text);
}

TEST(Negotiate, spelling_varies) {
  EXPECT_EQ(negotiate("Application/OpenMetrics-Text ; Version=\"1.0.0\" ; Q=1.000"), openmetrics);
  EXPECT_EQ(negotiate("\ttext/plain ;q=0.2 ,\t application/openmetrics-text; charset=\"a,b;c\"; q=0.3"), openmetrics);
}

TEST(Negotiate, a_weight_that_is_none_counts_as_zero) {
  for (const char* q : {"2", "1.001", "0.1234", "-1", "", "x", "0,5", "1e0", ".5"}) {
    EXPECT_EQ(negotiate(std::string("application/openmetrics-text;q=") + q), text) << q;
  }
}

TEST(ContentType, is_spelled_as_scrapers_expect) {
  EXPECT_EQ(content_type(openmetrics), "application/openmetrics-text; version=1.0.0; charset=utf-8");
  EXPECT_EQ(content_type(text), "text/plain; version=0.0.4; charset=utf-8");
}

}  // namespace
}  // namespace airamp::telemetry
