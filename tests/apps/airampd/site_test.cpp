// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/site.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/telemetry/openmetrics/synthetic_job.hpp"

namespace airamp::sidecar {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

Site::Clock::time_point now{};  // of the site under test
milliseconds reading_time{};

class SiteTest : public testing::Test {
 protected:
  SiteTest() {
    now = {};
    reading_time = milliseconds(0);
  }

  HttpResponse get(const std::string& path, const std::string& accept = "") {
    return site_.answer({"GET", path, accept, ""});
  }

  Reading reading_{.ranks = telemetry::make_job("job", 2)};
  int readings_ = 0;
  Site site_{[this] {
               ++readings_;
               now += reading_time;
               return reading_;
             },
             {},
             telemetry::Detail::job,
             [] { return now; }};
};

TEST_F(SiteTest, metrics_come_in_the_format_that_is_asked_for) {
  const HttpResponse openmetrics = get("/metrics", "application/openmetrics-text");
  EXPECT_EQ(openmetrics.status, 200);
  EXPECT_EQ(openmetrics.content_type, "application/openmetrics-text; version=1.0.0; charset=utf-8");
  EXPECT_TRUE(openmetrics.body.ends_with("\n# EOF\n"));
  for (const char* accept : {"text/plain", "", "text/html"}) {
    const HttpResponse text = get("/metrics", accept);
    EXPECT_EQ(text.content_type, "text/plain; version=0.0.4; charset=utf-8") << accept;
    EXPECT_THAT(text.body, Not(HasSubstr("# EOF"))) << accept;
  }
}

TEST_F(SiteTest, unknown_paths_and_methods_are_refused) {
  for (const char* path : {"", "/metrics/", "/../metrics", "/x"}) EXPECT_EQ(get(path).status, 404) << path;
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
    const HttpResponse refused = site_.answer({method, "/metrics", "", ""});
    EXPECT_EQ(refused.status, 405) << method;
    EXPECT_THAT(refused.headers, testing::ElementsAre(testing::Pair("Allow", "GET, HEAD"))) << method;
  }
  EXPECT_EQ(readings_, 0);
  EXPECT_EQ(site_.answer({"HEAD", "/metrics", "", ""}).status, 200);
}

TEST_F(SiteTest, many_scrapers_cost_no_more_than_one) {
  for (int i = 0; i < 10; ++i) {
    get("/metrics");
    get("/metrics", "application/openmetrics-text");
    get("/");
    now += Site::lifetime / 10;
  }
  EXPECT_EQ(readings_, 1);
  get("/metrics");
  EXPECT_EQ(readings_, 2);
}

TEST_F(SiteTest, a_reading_that_took_long_is_served_for_longer) {
  reading_time = milliseconds(100);
  get("/metrics");
  now += 10 * reading_time - milliseconds(1);
  get("/metrics");
  EXPECT_EQ(readings_, 1);
  now += milliseconds(1);
  get("/metrics");
  EXPECT_EQ(readings_, 2);
  EXPECT_THAT(get("/metrics").body, HasSubstr("\nairamp_read_duration_seconds 0.1\n"));
}

TEST_F(SiteTest, a_later_answer_shows_what_has_changed) {
  reading_.errors = {"rank-3.segment: truncated"};
  EXPECT_THAT(get("/metrics").body, HasSubstr("\nairamp_segment_errors_total 1\n"));
  now += Site::lifetime;
  reading_ = {.errors = {"a", "b"}, .folder_read = false};
  const std::string body = get("/metrics").body;
  EXPECT_THAT(body, HasSubstr("\nairamp_segment_errors_total 3\n"));
  EXPECT_THAT(body, HasSubstr("\nairamp_up 0\n"));
  EXPECT_THAT(body, Not(HasSubstr("mpi_job")));
}

TEST_F(SiteTest, answers_are_counted) {
  site_.count_answer(200);
  site_.count_answer(404);
  site_.set_connections(5);
  const std::string body = get("/metrics").body;
  EXPECT_THAT(body, HasSubstr("\nairamp_http_requests_total{code=\"404\"} 1\n"));
  EXPECT_THAT(body, HasSubstr("\nairamp_http_connections 5\n"));
}

TEST(SiteWithCredentials, gives_the_metrics_and_the_page_to_those_who_have_them) {
  const std::string file = testing::TempDir() + "airampd-site-" + std::to_string(getpid());
  Credentials credentials;
  std::ofstream(file) << "s3cret-token\n";
  credentials.allow_token(file);
  std::ofstream(file) << "alice:pass\n";
  credentials.allow_logins(file);
  std::remove(file.c_str());
  Site site([] { return Reading{}; }, credentials, telemetry::Detail::job);
  for (const char* path : {"/metrics", "/"}) {
    EXPECT_EQ(site.answer({"GET", path, "", "Bearer s3cret-token"}).status, 200);
    EXPECT_EQ(site.answer({"GET", path, "", "Basic YWxpY2U6cGFzcw=="}).status, 200);
    const HttpResponse refused = site.answer({"GET", path, "", "Bearer s3cret"});
    EXPECT_EQ(refused.status, 401);
    EXPECT_THAT(refused.headers,
                testing::ElementsAre(testing::Pair("WWW-Authenticate", R"(Basic realm="airampd", charset="UTF-8")"),
                                     testing::Pair("WWW-Authenticate", R"(Bearer realm="airampd")")));
  }
  EXPECT_EQ(site.answer({"GET", "/healthz", "", ""}).status, 200) << "probes have none";
}

}  // namespace
}  // namespace airamp::sidecar
