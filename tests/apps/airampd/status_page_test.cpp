// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/status_page.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "apps/airampd/job_summary.hpp"
#include "apps/airampd/status_tables.hpp"
#include "apps/html/html.hpp"
#include "tests/telemetry/openmetrics/synthetic_job.hpp"

namespace airamp::sidecar {
namespace {

using telemetry::make_job;
using telemetry::make_rank;
using testing::HasSubstr;
using testing::Not;

TEST(StatusPage, shows_jobs_paths_decisions_periods_and_ranks) {
  const std::string page = status_page({.ranks = make_job("wrf-4711", 4)});
  for (const char* part : {"<h2>wrf-4711</h2>", "mpi-two-shot", "1.82×", "locked", "16 calls",
                           "4 of 4 ranks here alive", "Open MPI 4.1.4"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
}

TEST(StatusPage, begins_with_jobs_that_run_and_says_whose_they_are) {
  std::vector<telemetry::RankSnapshot> ranks = {make_rank("ended", 0, 1), make_rank("running", 0, 1)};
  EXPECT_THAT(status_page({.ranks = ranks}), Not(HasSubstr("alice"))) << "the claim of a rank";
  ranks[0].alive = false;
  ranks[1].owner = "bob";
  const std::string page = status_page({.ranks = ranks});
  EXPECT_LT(page.find("<h2>running</h2>"), page.find("<h2>ended</h2>"));
  EXPECT_THAT(page, HasSubstr("<h2>running</h2><p><span class=faint>bob</span>"));
}

TEST(StatusPage, loads_nothing_from_elsewhere) {
  const std::string page = status_page({.ranks = make_job("job", 2)});
  for (const char* part : {"http:", "https:", "src=", "<script", "<link", "@import", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
}

TEST(StatusPage, text_of_segments_cannot_become_markup) {
  const std::string bad = "<img src=x onerror='a()'>\"&";
  std::vector<telemetry::RankSnapshot> ranks = make_job(bad, 1);
  telemetry::RankSnapshot& rank = ranks[0];
  rank.on = false;
  rank.flights.back().left_seconds = 0;
  for (std::string* text :
       {&rank.owner, &rank.host, &rank.version, &rank.mpi, &rank.architecture, &rank.gpu, &rank.program, &rank.why_off,
        &rank.communicators[0].name, &rank.communicators[0].pola_state, &rank.traffic[0].path,
        &rank.traffic[0].function, &rank.decisions[0].function, &rank.decisions[0].element, &rank.decisions[0].op,
        &rank.decisions[0].path, &rank.decisions[0].why, &rank.flights.back().function}) {
    *text = bad;
  }
  const std::string page = status_page({.ranks = ranks, .errors = {bad}});
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("'a()'")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x onerror=&#39;a()&#39;&gt;&quot;&amp;"));
}

TEST(StatusPage, says_when_there_is_nothing_to_show) {
  EXPECT_THAT(status_page({}), HasSubstr("No job"));
  EXPECT_THAT(status_page({.folder_read = false}), HasSubstr("cannot be read"));
  EXPECT_THAT(status_page({.errors = {"rank-2.segment: truncated"}}), HasSubstr("<li>rank-2.segment: truncated</li>"));
}

TEST(StatusPage, tells_what_is_wrong_with_ranks) {
  std::vector<telemetry::RankSnapshot> ranks = {make_rank("a", 0, 3), make_rank("a", 1, 3), make_rank("a", 2, 3)};
  ranks[0].flights = {{.function = "MPI_Allreduce", .entered_seconds = ranks[0].now_seconds - 42}};
  ranks[1].alive = false;
  ranks[1].flights = {{.function = "MPI_Bcast", .entered_seconds = ranks[0].now_seconds - 42}};
  ranks[2].on = false;
  const std::string page = status_page({.ranks = ranks});
  EXPECT_THAT(page, HasSubstr("<span class=bad>MPI_Allreduce</span>, 42.0 s"));
  EXPECT_THAT(page, HasSubstr("<span class=bad>gone</span>"));
  EXPECT_THAT(page, HasSubstr("ended in MPI_Bcast"));
  EXPECT_THAT(page, HasSubstr("on in 2 of 3 ranks"));
  EXPECT_THAT(page, HasSubstr("2 of 3 ranks here alive"));
}

TEST(StatusPage, says_what_cannot_be_seen) {
  std::vector<telemetry::RankSnapshot> ranks = {make_rank("a", 0, 2), make_rank("a", 1, 2)};
  for (telemetry::RankSnapshot& rank : ranks) {
    rank.observable = false;
    rank.flights = {{.function = "MPI_Bcast", .entered_seconds = rank.started_seconds + 12}};
  }
  const std::string page = status_page({.ranks = ranks});
  EXPECT_THAT(page, HasSubstr("<span class='badge warn'>0 of 2 ranks here alive, 2 unknown</span>"));
  EXPECT_THAT(page, HasSubstr("<span class=faint>unknown</span></td><td class=w>MPI_Bcast</td>"));
  EXPECT_THAT(page, HasSubstr(", last sign after 12.0 s</p>"));
}

TEST(StatusPage, says_how_long_a_job_ran) {
  std::vector<telemetry::RankSnapshot> ranks = {make_rank("a", 0, 2), make_rank("a", 1, 2)};
  EXPECT_THAT(status_page({.ranks = ranks}), HasSubstr(", running for "));
  ranks[0].alive = ranks[1].alive = false;
  ranks[1].flights = {{.function = "MPI_Bcast",
                       .entered_seconds = ranks[1].started_seconds + 20,
                       .left_seconds = ranks[1].started_seconds + 21}};
  EXPECT_THAT(status_page({.ranks = ranks}), HasSubstr(", ran 21.0 s</p>"));
  for (telemetry::RankSnapshot& rank : ranks) {
    rank.alive = true;  // after MPI_Finalize
    rank.finalized = true;
    rank.finalized_seconds = rank.started_seconds + 30;
  }
  EXPECT_THAT(status_page({.ranks = ranks}), HasSubstr(", ran 30.0 s</p>"));
}

TEST(StatusPage, marks_the_rank_that_is_late) {
  const std::string page = status_page({.ranks = make_job("job", 4)});
  EXPECT_THAT(page, HasSubstr("<span class='badge warn'>38.7 s</span>"));
  EXPECT_THAT(page, HasSubstr("<span class=''>600 ms</span>"));
  EXPECT_THAT(status_page({.ranks = make_job("job", 1)}), Not(HasSubstr("badge warn")));
}

TEST(StatusPage, long_tables_are_cut_and_say_so) {
  std::vector<telemetry::RankSnapshot> ranks;
  ranks.reserve(max_table_rows + 7);
  for (int i = 0; i < static_cast<int>(max_table_rows) + 7; ++i) ranks.push_back(make_rank("a", i, 1000));
  const std::string page = status_page({.ranks = ranks});
  EXPECT_THAT(page, HasSubstr("and 7 more"));
  EXPECT_THAT(page, HasSubstr(fmt::format("<td class=n>{}</td>", max_table_rows - 1)));
  EXPECT_THAT(page, Not(HasSubstr(fmt::format("<tr><td class=n>{}</td>", max_table_rows))));
}

TEST(Html, quantities_are_written_for_people) {
  EXPECT_EQ(html_bytes(0), "0 B");
  EXPECT_EQ(html_bytes(1536), "1.50 KiB");
  EXPECT_EQ(html_bytes(20.0 * (1 << 20)), "20.0 MiB");
  EXPECT_EQ(html_seconds(0), "0 s");
  EXPECT_EQ(html_seconds(2.5e-6), "2.50 µs");
  EXPECT_EQ(html_seconds(0.0421), "42.1 ms");
  EXPECT_EQ(html_seconds(90), "90.0 s");
  EXPECT_EQ(html_seconds(7500), "2 h 05 min");
  EXPECT_EQ(html_seconds(std::nan("")), "–");
  EXPECT_EQ(html_seconds(std::numeric_limits<double>::infinity()), "∞");
  EXPECT_EQ(html_count(1234567), "1\u202f234\u202f567");
  EXPECT_EQ(html_count(999), "999");
}

}  // namespace
}  // namespace airamp::sidecar
