// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/status_page.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <limits>

#include "apps/airampd/job_summary.hpp"
#include "apps/airampd/status_page_style.hpp"
#include "apps/airampd/status_tables.hpp"
#include "apps/html/html.hpp"
#include "telemetry/diagnosis/last_calls.hpp"
#include "telemetry/diagnosis/running_time.hpp"

namespace airamp::sidecar {
namespace {

using telemetry::RankSnapshot;

std::string tile(std::string_view value, std::string_view label) {
  return fmt::format("<div class=tile><b>{}</b><span>{}</span></div>\n", value, label);
}

std::string best_speedup(const JobSummary& job) {
  double best = std::nan("");
  for (const auto& [communicator, decision] : job.decisions) {
    if (decision->path != "native") best = std::fmax(best, decision->speedup);
  }
  return std::isnan(best) ? "–" : fmt::format("{:.2f}×", best);
}

std::string pola_accuracy(const JobSummary& job) {
  std::uint64_t hits = 0;
  std::uint64_t predictions = 0;
  for (const RankSnapshot::Communicator* communicator : job.communicators) {
    hits += communicator->pola_hits;
    predictions += communicator->pola_hits + communicator->pola_misses;
  }
  if (predictions == 0) return "–";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(hits) / static_cast<double>(predictions));
}

std::string tiles(const JobSummary& job) {
  double inside = 0;
  double tuning = 0;
  for (const RankSnapshot* rank : job.ranks) {
    const RankSnapshot::Flight* flight = rank->runs() ? oldest_unfinished(*rank) : nullptr;
    if (flight != nullptr) inside = std::max(inside, rank->now_seconds - flight->entered_seconds);
    tuning = std::max(tuning, rank->tuning_seconds);
  }
  std::string text = "<div class=tiles>\n";
  text += tile(job.calls == 0 ? "–"
                              : fmt::format("{:.1f} %", 100 * static_cast<double>(job.accelerated_calls) /
                                                            static_cast<double>(job.calls)),
               "of collective calls accelerated");
  text += tile(best_speedup(job), "best speed&#8209;up measured");
  text += tile(html_seconds(job.seconds / static_cast<double>(job.ranks.size())), "in collectives, per rank");
  text += tile(html_seconds(tuning), "of tuning, per rank");
  text += tile(pola_accuracy(job), "of predictions right");
  text += tile(html_seconds(inside), "in the oldest open collective");
  return text + "</div>\n";
}

std::string badges(const JobSummary& job) {
  const auto ranks = static_cast<int>(job.ranks.size());
  std::string text = job.on == ranks ? "<span class='badge good'>on</span>"
                     : job.on == 0   ? "<span class='badge warn'>off</span>"
                                   : fmt::format("<span class='badge bad'>on in {} of {} ranks</span>", job.on, ranks);
  const bool ended = std::ranges::all_of(job.ranks, [](const RankSnapshot* rank) { return rank->finalized; });
  if (ended) return text + " <span class='badge'>finished</span>";
  return text + fmt::format(" <span class='badge {}'>{} of {} ranks here alive{}</span>",
                            job.alive == ranks                 ? "good"
                            : job.alive + job.unknown == ranks ? "warn"
                                                               : "bad",
                            job.alive, ranks, job.unknown == 0 ? "" : fmt::format(", {} unknown", job.unknown));
}

std::string running_time(const JobSummary& job) {
  using Until = telemetry::RunningTime::Until;
  const auto [until, seconds] = telemetry::running_time(job.ranks);
  return (until == Until::now   ? "running for "
          : until == Until::end ? "ran "
                                : "last sign after ") +
         html_seconds(seconds);
}

/// What stands before the details in an MPI library's description of itself.
std::string_view short_name(std::string_view mpi) {
  constexpr std::size_t longest = 60;
  return mpi.substr(0, std::min(mpi.find(','), longest));
}

std::string job_section(const JobSummary& job) {
  const RankSnapshot& first = *job.ranks.front();
  const std::string whose = job.owner.empty() ? "" : "<span class=faint>" + html(job.owner) + "</span> ";
  std::string text =
      "<section class=job>\n<div class=top><h2>" + html(job.name) + "</h2><p>" + whose + badges(job) + "</p></div>\n";
  text += fmt::format("<p class=faint>{} on {} {}, {} for {}{}, AIRamp {}, {}</p>\n", html(first.program), first.size,
                      first.size == 1 ? "rank" : "ranks", html(short_name(first.mpi)), html(first.architecture),
                      first.gpu.empty() ? "" : fmt::format(" and {}", html(first.gpu)), html(first.version),
                      running_time(job));
  if (!first.on && !first.why_off.empty()) text += "<p class=warn>Off: " + html(first.why_off) + "</p>\n";
  text += tiles(job);
  text += path_table(job) + decision_table(job) + pola_table(job) + rank_table(job);
  return text + "</section>\n";
}

}  // namespace

std::string status_page(const Reading& reading) {
  const std::vector<JobSummary> jobs = summarize_jobs(reading.ranks);
  std::string text =
      "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<title>AIRamp status</title>\n"
      "<meta name=viewport content='width=device-width'>\n<meta http-equiv=refresh content=5>\n<style>";
  text += status_page_style;
  text += "</style>\n</head>\n<body>\n<main>\n";
  text += fmt::format(
      "<header class=top><h1>AIRamp for MPI</h1><p class=faint>{} {}, {} {} on this host · {:%Y-%m-%d %H:%M:%S} UTC · "
      "<a href=/metrics>metrics</a></p></header>\n",
      jobs.size(), jobs.size() == 1 ? "job" : "jobs", reading.ranks.size(),
      reading.ranks.size() == 1 ? "rank" : "ranks", fmt::gmtime(std::time(nullptr)));
  if (!reading.folder_read) text += "<p class=bad>The folder of the segments cannot be read.</p>\n";
  for (const JobSummary& job : jobs) text += job_section(job);
  if (jobs.empty()) {
    text +=
        "<section class=job><h2>No job</h2><p>A job shows up here once a rank has called MPI_Init with AIRamp "
        "loaded.</p></section>\n";
  }
  text += error_list(reading.errors);
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace airamp::sidecar
