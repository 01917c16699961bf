// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/scrape.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <sstream>

#include "tests/telemetry/openmetrics/synthetic_job.hpp"

namespace airamp::telemetry {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_of(std::span<const RankSnapshot> ranks, const ExporterFigures& exporter = {}) {
  return scrape(ranks, exporter, Detail::all).to_text(Exposition::prometheus_text);
}

RankSnapshot::Communicator world(int rank) { return {.key = 7, .name = "MPI_COMM_WORLD", .size = 2, .rank = rank}; }

TEST(Scrape, without_jobs_the_exporter_speaks_of_itself) {
  const std::string text =
      text_of({}, {.segment_errors = 3, .read_seconds = 0.5, .http_requests = {{200, 4}, {404, 1}}});
  EXPECT_THAT(text, HasSubstr("\nairamp_up 1\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_segment_errors_total 3\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_read_duration_seconds 0.5\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_http_requests_total{code=\"200\"} 4\n"
                              "airamp_http_requests_total{code=\"404\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("mpi_job")));
  EXPECT_THAT(text_of({}, {.up = false}), HasSubstr("\nairamp_up 0\n"));
}

TEST(Scrape, ranks_stand_in_order_whatever_order_they_come_in) {
  std::vector<RankSnapshot> ranks = {make_rank("b", 10, 11), make_rank("b", 9, 11), make_rank("a", 0, 1)};
  ranks[1].on = false;
  const std::string text = text_of(ranks);
  EXPECT_THAT(text, HasSubstr("\nairamp_status{mpi_job=\"a\",rank=\"0\",host=\"node1\"} 1\n"
                              "airamp_status{mpi_job=\"b\",rank=\"9\",host=\"node2\"} 0\n"
                              "airamp_status{mpi_job=\"b\",rank=\"10\",host=\"node2\"} 1\n"));
  std::swap(ranks[0], ranks[2]);
  EXPECT_EQ(text_of(ranks), text);
}

TEST(Scrape, every_series_stands_once_and_every_family_has_one) {
  const std::vector<RankSnapshot> ranks = make_job("job", 3);
  std::istringstream lines(text_of(ranks, {.http_requests = {{200, 1}}, .http_connections = 1}));
  std::set<std::string> series;
  std::set<std::string> families;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) {
      EXPECT_TRUE(families.insert(line.substr(7, line.find(' ', 7) - 7)).second) << line;
    } else if (!line.starts_with("#")) {
      EXPECT_TRUE(series.insert(line.substr(0, line.rfind(' '))).second) << line;
    }
  }
  EXPECT_EQ(families.size(), metric_families().size());
  for (const MetricFamily& family : metric_families()) {
    EXPECT_TRUE(families.contains(std::string(family.name) + std::string(sample_suffix(family.type)))) << family.name;
  }
}

TEST(Scrape, of_two_segments_of_one_rank_the_living_one_counts) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 1), make_rank("a", 0, 1)};
  ranks[0].process = 7;
  ranks[0].alive = false;
  ranks[0].agreements = 1;
  ranks[1].process = 8;
  ranks[1].agreements = 2;
  EXPECT_THAT(text_of(ranks), HasSubstr("airamp_agreements_total{mpi_job=\"a\",rank=\"0\"} 2\n"));
  EXPECT_THAT(text_of(ranks), Not(HasSubstr("airamp_agreements_total{mpi_job=\"a\",rank=\"0\"} 1\n")));
}

TEST(Scrape, traffic_is_summed_over_ranks_and_communicators) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 2), make_rank("a", 1, 2)};
  for (RankSnapshot& rank : ranks) {
    RankSnapshot::Traffic traffic{.function = "MPI_Allreduce",
                                  .size = 1024,
                                  .path = "native",
                                  .calls = 2,
                                  .bytes = 3000,
                                  .wire_bytes = 500,
                                  .seconds = 0.25};
    traffic.histogram[3] = 2;
    rank.traffic = {traffic, traffic};
    rank.traffic[1].communicator = 1;
  }
  const std::string text = text_of(ranks);
  const std::string labels = "{mpi_job=\"a\",collective=\"MPI_Allreduce\",message_size=\"1-2KiB\",path=\"native\"} ";
  EXPECT_THAT(text, HasSubstr("\nairamp_calls_total" + labels + "8\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_payload_bytes_total" + labels + "12000\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_wire_bytes_total" + labels + "2000\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_collective_duration_seconds_sum" + labels + "1\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_collective_duration_seconds_count" + labels + "8\n"));
}

TEST(Scrape, label_sets_above_the_limit_are_folded) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 1)};
  ranks[0].communicators = {world(0)};
  for (std::size_t i = 0; i < max_label_sets + 5; ++i) {
    ranks[0].traffic.push_back({.function = fmt::format("f{}", i), .path = "native", .calls = 1});
    ranks[0].decisions.push_back({.function = fmt::format("f{}", i), .path = "native", .speedup = 1.5});
  }
  const std::string text = text_of(ranks);
  EXPECT_THAT(text, HasSubstr("\nairamp_calls_total{mpi_job=\"a\",collective=\"other\",message_size=\"other\","
                              "path=\"other\"} 5\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_label_sets_omitted{mpi_job=\"a\"} 10\n"));
  std::size_t speedups = 0;
  for (std::size_t at = text.find("\nairamp_speedup_ratio{"); at != std::string::npos;
       at = text.find("\nairamp_speedup_ratio{", at + 1)) {
    ++speedups;
  }
  EXPECT_EQ(speedups, max_label_sets);
}

TEST(Scrape, a_rank_inside_of_a_collective_says_for_how_long) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 3), make_rank("a", 1, 3), make_rank("a", 2, 3)};
  const double now = ranks[0].now_seconds;
  ranks[0].flights = {{.entered_seconds = now - 9, .left_seconds = now - 8}, {.entered_seconds = now - 4}};
  ranks[1].flights = {{.entered_seconds = now - 9, .left_seconds = now - 8}};
  ranks[2].flights = {{.entered_seconds = now - 4}};
  ranks[2].alive = false;
  const std::string text = text_of(ranks);
  EXPECT_THAT(text, HasSubstr("\nairamp_inside_collective_seconds{mpi_job=\"a\",rank=\"0\"} 4\n"
                              "airamp_inside_collective_seconds{mpi_job=\"a\",rank=\"1\"} 0\n#"));
  EXPECT_THAT(text, HasSubstr("\nairamp_rank_alive{mpi_job=\"a\",rank=\"2\",host=\"node1\"} 0\n"));
}

TEST(Scrape, of_a_process_that_cannot_be_seen_nobody_says_that_it_lives) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 2), make_rank("a", 1, 2)};
  for (RankSnapshot& rank : ranks) rank.flights = {{.entered_seconds = rank.now_seconds - 4}};
  ranks[1].observable = false;
  const std::string text = text_of(ranks);
  EXPECT_THAT(text, HasSubstr("\nairamp_rank_alive{mpi_job=\"a\",rank=\"0\",host=\"node1\"} 1\n#"));
  EXPECT_THAT(text, HasSubstr("\nairamp_inside_collective_seconds{mpi_job=\"a\",rank=\"0\"} 4\n#"));
  EXPECT_THAT(text, HasSubstr("\nairamp_rank_finalized{mpi_job=\"a\",rank=\"1\",host=\"node1\"} 0\n"));
}

TEST(Scrape, figures_that_were_not_measured_have_no_series) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 2), make_rank("a", 1, 2)};
  for (int rank = 0; rank < 2; ++rank) ranks[static_cast<std::size_t>(rank)].communicators = {world(rank), world(rank)};
  for (RankSnapshot::Communicator& communicator : ranks[0].communicators) communicator.waiting_seconds = std::nan("");
  ranks[1].communicators[0].waiting_seconds = std::nan("");
  ranks[1].communicators[1].waiting_seconds = 1.5;
  const std::string text = text_of(ranks);
  EXPECT_THAT(text, Not(HasSubstr("airamp_waiting_seconds_total{mpi_job=\"a\",rank=\"0\"}")));
  EXPECT_THAT(text, HasSubstr("\nairamp_waiting_seconds_total{mpi_job=\"a\",rank=\"1\"} 1.5\n"));
}

TEST(Scrape, a_decision_comes_from_its_communicators_rank_0) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 2), make_rank("a", 1, 2)};
  for (int rank = 0; rank < 2; ++rank) {
    RankSnapshot& snapshot = ranks[static_cast<std::size_t>(rank)];
    snapshot.communicators = {world(rank)};
    snapshot.decisions = {{.function = "MPI_Allreduce",
                           .size = 1 << 20,
                           .element = "float16",
                           .op = "sum",
                           .path = "mpi-two-shot",
                           .state = DecisionState::decided,
                           .speedup = rank == 0 ? 1.75 : 99.0,
                           .relative_error = 0.02}};
  }
  ranks[0].decisions.push_back({.communicator = 17, .function = "no such communicator", .speedup = 3});
  const std::string text = text_of(ranks);
  const std::string labels =
      "{mpi_job=\"a\",comm_name=\"MPI_COMM_WORLD\",nranks=\"2\",collective=\"MPI_Allreduce\",message_size=\"1-2MiB\","
      "datatype=\"float16\",op=\"sum\",path=\"mpi-two-shot\"} ";
  EXPECT_THAT(text, HasSubstr("\nairamp_speedup_ratio" + labels + "1.75\n#"));
  EXPECT_THAT(text, HasSubstr("\nairamp_relative_error_ratio" + labels + "0.02\n#"));
  EXPECT_THAT(text, HasSubstr("\nairamp_tuner_signatures{mpi_job=\"a\",state=\"decided\",path=\"mpi-two-shot\"} 1\n#"));
}

TEST(Scrape, decisions_of_the_entry_that_communicators_share_are_nobodys) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 2), make_rank("a", 1, 2)};
  for (RankSnapshot& rank : ranks) {
    rank.communicators = {{.name = "other communicators"}};
    rank.decisions = {{.function = "MPI_Bcast",
                       .path = "native",
                       .state = DecisionState::decided,
                       .reason = Reason::too_slow,
                       .speedup = 0.9}};
  }
  const std::string text = text_of(ranks);
  EXPECT_THAT(text, Not(HasSubstr("\nairamp_tuner_signatures{")));
  EXPECT_THAT(text, Not(HasSubstr("\nairamp_fallbacks{")));
  EXPECT_THAT(text, Not(HasSubstr("\nairamp_speedup_ratio{")));
}

TEST(Scrape, fallbacks_are_counted_by_reason) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 2)};
  ranks[0].communicators = {world(0)};
  const auto decision = [](std::string_view path, Reason reason) {
    return RankSnapshot::Decision{.function = "MPI_Bcast", .path = std::string(path), .reason = reason, .why = "only"};
  };
  ranks[0].decisions = {decision("native", Reason::too_slow),     decision("native", Reason::error_above_bound),
                        decision("native", Reason::too_slow),     decision("native", Reason::given_up),
                        decision("native", Reason::not_acquired), decision("native", Reason::below_min_bytes),
                        decision("native", Reason::measuring),    decision("mpi-two-shot", Reason::imposed)};
  const std::string text = text_of(ranks);
  const auto line = [](std::string_view reason, int count) {
    return "airamp_fallbacks{mpi_job=\"a\",reason=\"" + std::string(reason) + "\"} " + std::to_string(count) + "\n";
  };
  EXPECT_THAT(text, HasSubstr("\n" + line("error_above_bound", 1) + line("not_acquired", 2) + line("not_eligible", 1) +
                              line("too_slow", 2) + "#"));
}

TEST(Scrape, communicators_of_one_name_show_their_worst) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 2)};
  ranks[0].communicators = {world(0), world(0)};
  ranks[0].communicators[1].key = 8;
  const RankSnapshot::Decision decision{.function = "MPI_Bcast", .path = "x", .speedup = 1.5, .relative_error = 0.01};
  ranks[0].decisions = {decision, decision};
  ranks[0].decisions[1].communicator = 1;
  ranks[0].decisions[1].speedup = 1.25;
  ranks[0].decisions[1].relative_error = 0.03;
  const std::string text = text_of(ranks);
  EXPECT_THAT(text, HasSubstr("op=\"\",path=\"x\"} 1.25\n#"));
  EXPECT_THAT(text, HasSubstr("op=\"\",path=\"x\"} 0.03\n#"));
}

TEST(Scrape, pola_shows_each_communicator_that_is_in_use) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 2), make_rank("a", 1, 2)};
  for (int rank = 0; rank < 2; ++rank) {
    RankSnapshot::Communicator locked = world(rank);
    locked.pola_state = "locked";
    locked.pola_period = 12;
    locked.pola_hits = 100;
    locked.pola_misses = 3;
    RankSnapshot::Communicator freed = world(rank);
    freed.key = 8;
    freed.name = "freed";
    freed.pola_state = "learning";
    freed.pola_hits = 10;
    freed.freed = true;
    ranks[static_cast<std::size_t>(rank)].communicators = {locked, freed};
  }
  const std::string text = text_of(ranks);
  const std::string labels = "{mpi_job=\"a\",comm_name=\"MPI_COMM_WORLD\",nranks=\"2\"";
  EXPECT_THAT(text, HasSubstr("\nairamp_pola_state" + labels + ",airamp_pola_state=\"learning\"} 0\nairamp_pola_state" +
                              labels + ",airamp_pola_state=\"locked\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\nairamp_pola_period_calls" + labels + "} 12\n#"));
  EXPECT_THAT(text, Not(HasSubstr("comm_name=\"freed\"")));
  EXPECT_THAT(text, HasSubstr("\nairamp_pola_predictions_total{mpi_job=\"a\",rank=\"1\",result=\"hit\"} 110\n"
                              "airamp_pola_predictions_total{mpi_job=\"a\",rank=\"1\",result=\"miss\"} 3\n"));
}

TEST(Scrape, what_ranks_run_stands_once_where_it_is_the_same) {
  std::vector<RankSnapshot> ranks = {make_rank("a", 0, 3), make_rank("a", 1, 3), make_rank("a", 2, 3)};
  ranks[2].gpu = "";
  const std::string text = text_of(ranks);
  const std::string labels =
      "\nairamp_info{mpi_job=\"a\",version=\"0.1.0\",mpi=\"Open MPI 4.1.4\",architecture=\"x86_64\",gpu=\"";
  EXPECT_THAT(text, HasSubstr(labels + "NVIDIA H100\",program=\"lmp\"} 1" + labels + "\",program=\"lmp\"} 1\n#"));
}

TEST(Scrape, a_job_of_slurm_says_its_number) {
  EXPECT_THAT(text_of(std::vector{make_rank("slurm-4711-12-34", 0, 1)}),
              HasSubstr(",program=\"lmp\",slurm_job_id=\"4711\"} 1\n"));
  for (const char* name : {"4711", "slurm", "slurm-", "slurm-x-1"}) {
    EXPECT_THAT(text_of(std::vector{make_rank(name, 0, 1)}), Not(HasSubstr("slurm_job_id"))) << name;
  }
}

}  // namespace
}  // namespace airamp::telemetry
