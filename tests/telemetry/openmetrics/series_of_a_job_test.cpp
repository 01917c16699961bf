// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// How many series a job has, and what is left of it in few.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

#include "telemetry/openmetrics/scrape.hpp"
#include "tests/telemetry/openmetrics/synthetic_job.hpp"

namespace airamp::telemetry {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_of(std::span<const RankSnapshot> ranks, Detail detail) {
  return scrape(ranks, {}, detail).to_text(Exposition::prometheus_text);
}

/// Of jobs; the exporter's own are not counted.
std::size_t series_in(const std::string& text) {
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) count += line.find("{mpi_job=") == std::string::npos ? 0 : 1;
  return count;
}

/// Adds calls and decisions of `functions` functions of each size from 8 bytes to 32 MiB, on `paths` paths.
void add_signatures(RankSnapshot& rank, int functions, int paths) {
  for (int function = 0; function < functions; ++function) {
    for (std::uint64_t size = 8; size <= 32U << 20U; size *= 2) {
      for (int path = 0; path < paths; ++path) {
        const std::string name = path == 0 ? "native" : fmt::format("path-{}", path);
        rank.traffic.push_back({.function = fmt::format("MPI_Function{}", function),
                                .size = size,
                                .path = name,
                                .calls = 1000 * size + static_cast<std::uint64_t>(path),
                                .seconds = 1.5});
        rank.decisions.push_back({.function = fmt::format("MPI_Function{}", function),
                                  .size = size,
                                  .element = "float32",
                                  .op = "sum",
                                  .path = name,
                                  .state = DecisionState::decided,
                                  .reason = path == 0 ? Reason::too_slow : Reason::fastest,
                                  .speedup = 1.0 + path,
                                  .relative_error = path * 0.01});
      }
    }
  }
}

void add_communicators(RankSnapshot& rank, int count) {
  for (int i = 0; i < count; ++i) {
    rank.communicators.push_back({.key = 100 + static_cast<std::uint64_t>(i),
                                  .name = fmt::format("communicator {}", i),
                                  .size = rank.size,
                                  .rank = rank.rank,
                                  .collectives = 10,
                                  .pola_state = "learning"});
  }
}

TEST(SeriesOfAJob, are_few_for_128_ranks_with_many_signatures) {
  std::vector<RankSnapshot> ranks = make_job("job", 128);
  for (RankSnapshot& rank : ranks) {
    add_signatures(rank, 8, 2);
    add_communicators(rank, 5);
  }
  EXPECT_LE(series_in(text_of(ranks, Detail::job)), max_job_series);
  EXPECT_GT(series_in(text_of(ranks, Detail::all)), 100 * max_job_series);
}

TEST(SeriesOfAJob, are_few_whatever_the_ranks_say) {
  std::vector<RankSnapshot> ranks = make_job("job", 64);
  for (RankSnapshot& rank : ranks) {
    rank.program = fmt::format("program{}", rank.rank);
    rank.communicators[0].lateness_seconds = rank.rank;
    add_signatures(rank, 30, 9);
    add_communicators(rank, 60);
    for (std::size_t i = 0; i < rank.decisions.size(); ++i) {
      rank.decisions[i].state = every_decision_state.at(i % every_decision_state.size());
      rank.decisions[i].reason = static_cast<Reason>(i % reason_count);
      if (i % 2 == 0) rank.decisions[i].path = "native";
    }
  }
  EXPECT_LE(series_in(text_of(ranks, Detail::job)), max_job_series);
}

TEST(SeriesOfAJob, are_sums_over_ranks_and_sizes) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 2), make_rank("a", 1, 2)};
  for (RankSnapshot& rank : ranks) {
    rank.agreements = 3;
    rank.tuning_seconds = 0.5;
    rank.flights = {{.entered_seconds = rank.now_seconds - 2 - rank.rank}};
    for (const std::uint64_t size : {8U, 1024U}) {
      RankSnapshot::Traffic traffic{
          .function = "MPI_Bcast", .size = size, .path = "native", .calls = 2, .bytes = size, .seconds = 0.25};
      traffic.histogram[3] = 2;
      rank.traffic.push_back(traffic);
    }
  }
  ranks[1].on = false;
  const std::string text = text_of(ranks, Detail::job);
  EXPECT_THAT(text, HasSubstr("\nairamp_agreements_total{mpi_job=\"a\"} 6\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_tuning_seconds_total{mpi_job=\"a\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_inside_collective_seconds{mpi_job=\"a\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_calls_total{mpi_job=\"a\",collective=\"MPI_Bcast\",path=\"native\"} 8\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_payload_bytes_total{mpi_job=\"a\",path=\"native\"} 2064\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_collective_seconds_total{mpi_job=\"a\",path=\"native\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_collective_duration_seconds_count{mpi_job=\"a\"} 8\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_ranks{mpi_job=\"a\",state=\"running\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_ranks_off{mpi_job=\"a\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("rank=\"")));
}

TEST(SeriesOfAJob, say_how_long_messages_were_waited_for) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 3), make_rank("a", 1, 3), make_rank("a", 2, 3)};
  ranks[0].times_messages = ranks[1].times_messages = true;
  ranks[0].message_times = {{.function = "MPI_Recv", .seconds = 0.5}, {.function = "MPI_Waitall", .seconds = 2}};
  ranks[1].message_times = {{.function = "MPI_Waitall", .seconds = 1}};
  EXPECT_THAT(text_of(ranks, Detail::job), HasSubstr("\nairamp_message_seconds_total{mpi_job=\"a\"} 3.5\n"));
  EXPECT_THAT(text_of(ranks, Detail::all),
              HasSubstr("\nairamp_message_seconds_total{mpi_job=\"a\",function=\"MPI_Recv\"} 0.5\n"
                        "airamp_message_seconds_total{mpi_job=\"a\",function=\"MPI_Waitall\"} 3\n"));
}

TEST(SeriesOfAJob, say_nothing_of_messages_whose_times_are_not_taken) {
  const std::vector<RankSnapshot> ranks = {make_rank("a", 0, 1)};
  for (const Detail detail : {Detail::job, Detail::all}) {
    EXPECT_THAT(text_of(ranks, detail), Not(HasSubstr("airamp_message_seconds")));
  }
}

TEST(SeriesOfAJob, count_ranks_by_state) {
  std::vector<RankSnapshot> ranks = make_job("a", 6);
  ranks[1].process_state = 'T';
  ranks[2].alive = false;
  ranks[3].finalized = true;
  ranks[4].observable = false;
  ranks[2].on = ranks[3].on = false;
  const std::string text = text_of(ranks, Detail::job);
  for (const auto& [state, count] :
       {std::pair("running", 2), {"stopped", 1}, {"gone", 1}, {"finalized", 1}, {"unknown", 1}}) {
    EXPECT_THAT(text, HasSubstr(fmt::format("\nairamp_ranks{{mpi_job=\"a\",state=\"{}\"}} {}\n", state, count)));
  }
  EXPECT_THAT(text, HasSubstr("\nairamp_ranks_off{mpi_job=\"a\"} 0\n")) << "of ranks that are over nothing is said";
}

TEST(SeriesOfAJob, name_the_ranks_that_are_latest) {
  std::vector<RankSnapshot> ranks;
  for (int rank = 0; rank < 13; ++rank) {
    ranks.push_back(make_rank("a", rank, 13));
    ranks.back().communicators = {{.name = "w", .size = 13, .lateness_seconds = 1}};
  }
  for (int rank : {1, 2, 3, 4, 5}) ranks[static_cast<std::size_t>(rank)].communicators[0].lateness_seconds = 2.5 + rank;
  ranks[6].communicators[0].lateness_seconds = 2;
  const std::string text = text_of(ranks, Detail::job);
  EXPECT_THAT(text, HasSubstr("\nairamp_lateness_seconds_total{mpi_job=\"a\",rank=\"2\"} 4.5\n"
                              "airamp_lateness_seconds_total{mpi_job=\"a\",rank=\"3\"} 5.5\n"
                              "airamp_lateness_seconds_total{mpi_job=\"a\",rank=\"4\"} 6.5\n"
                              "airamp_lateness_seconds_total{mpi_job=\"a\",rank=\"5\"} 7.5\n#"));
  EXPECT_THAT(text, HasSubstr("\nairamp_lateness_median_seconds_total{mpi_job=\"a\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("airamp_lateness_seconds_total{mpi_job=\"a\",rank=\"6\"}"))) << "twice is no more";
}

TEST(SeriesOfAJob, show_the_largest_errors) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 1)};
  ranks[0].communicators = {{.name = "w", .size = 1}};
  add_signatures(ranks[0], 10, 3);
  ranks[0].decisions.push_back({.function = "MPI_Last", .path = "p", .speedup = 1.5, .relative_error = 0.5});
  const std::string text = text_of(ranks, Detail::job);
  EXPECT_THAT(text, HasSubstr("\nairamp_relative_error_ratio{mpi_job=\"a\",collective=\"MPI_Last\",path=\"p\"} 0.5\n"));
}

TEST(SeriesOfAJob, fold_the_rarest_calls) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 1)};
  for (std::uint64_t i = 1; i <= 30; ++i) {
    ranks[0].traffic.push_back({.function = fmt::format("f{}", i), .path = "native", .calls = i});
  }
  const std::string text = text_of(ranks, Detail::job);
  // 24 remain; the calls of the others are 1 + 2 + ... + 6.
  EXPECT_THAT(text, HasSubstr("\nairamp_calls_total{mpi_job=\"a\",collective=\"other\",path=\"other\"} 21\n"));
  EXPECT_THAT(text, HasSubstr("{mpi_job=\"a\",collective=\"f7\",path=\"native\"} 7\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_label_sets_omitted{mpi_job=\"a\"} 6\n"));
}

TEST(SeriesOfAJob, say_whose_it_is_where_the_reader_knows) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 1), make_rank("a", 0, 1)};
  ranks[0].owner = "alice";
  ranks[1].owner = "mallory";
  ranks[0].agreements = 1;
  ranks[1].agreements = 2;
  for (const Detail detail : {Detail::job, Detail::all}) {
    const std::string text = text_of(ranks, detail);
    EXPECT_THAT(text, HasSubstr("{mpi_job=\"a\",user=\"alice\""));
    EXPECT_THAT(text, HasSubstr("{mpi_job=\"a\",user=\"mallory\""));
    EXPECT_EQ(text.find("{mpi_job=\"a\"}"), std::string::npos) << "a series without a user";
    EXPECT_EQ(text.find("{mpi_job=\"a\",r"), std::string::npos) << "a series without a user";
  }
}

TEST(SeriesOfAJob, begin_with_jobs_that_run) {
  std::vector<RankSnapshot> ranks = {make_rank("ended", 0, 1), make_rank("running", 0, 1)};
  ranks[0].alive = false;
  EXPECT_THAT(text_of(ranks, Detail::job),
              HasSubstr("\nairamp_job_ranks{mpi_job=\"running\"} 1\nairamp_job_ranks{mpi_job=\"ended\"} 1\n"));
}

}  // namespace
}  // namespace airamp::telemetry
