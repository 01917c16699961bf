// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/status_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/html/html.hpp"
#include "telemetry/diagnosis/last_calls.hpp"
#include "telemetry/segment/quantile.hpp"

namespace airamp::sidecar {
namespace {

using telemetry::RankSnapshot;

std::string start_table(std::string_view heading, std::initializer_list<std::string_view> columns) {
  std::string text = fmt::format("<h3>{}</h3>\n<div class=scroll><table>\n<tr>", heading);
  for (const std::string_view column : columns) {
    // A leading # marks a column of numbers.
    const bool number = column.starts_with('#');
    text += fmt::format("<th{}>{}</th>", number ? " class=n" : "", number ? column.substr(1) : column);
  }
  return text + "</tr>\n";
}

std::string end_table(std::size_t rows) {
  std::string text = "</table></div>\n";
  if (rows > max_table_rows) text += fmt::format("<p class=faint>and {} more</p>\n", rows - max_table_rows);
  return text;
}

/// A path's colour: its own as long as there are few.
std::string colour(const JobSummary& job, std::string_view path) {
  if (path == "native") return "var(--native)";
  std::size_t place = 0;
  for (const auto& [name, use] : job.paths) {
    if (name == path) break;
    if (name != "native") ++place;
  }
  return fmt::format("var(--p{})", place % 6);
}

std::string path_name(const JobSummary& job, std::string_view path) {
  return fmt::format("<span class=dot style='background:{}'></span>{}", colour(job, path), html(path));
}

std::string_view pola_class(std::string_view state) {
  if (state == "locked") return "good";
  return state == "broken" ? "warn" : "faint";
}

std::string period(const RankSnapshot::Communicator& communicator) {
  if (communicator.pola_period == 0) return "–";
  return html_count(communicator.pola_period) + (communicator.pola_period == 1 ? " call" : " calls");
}

std::string rank_state(const RankSnapshot& rank) {
  if (rank.finalized) return "<span class=faint>finished</span>";
  if (!rank.observable) return "<span class=faint>unknown</span>";
  if (!rank.alive) return "<span class=bad>gone</span>";
  return rank.on ? "<span class=good>on</span>" : "<span class=warn>off</span>";
}

std::string inside(const RankSnapshot& rank) {
  const RankSnapshot::Flight* flight = oldest_unfinished(rank);
  if (flight == nullptr || rank.finalized) return "<span class=faint>–</span>";
  const std::string function = html(flight->function);
  if (!rank.observable) return function;
  if (!rank.alive) return fmt::format("<span class=bad>ended in {}</span>", function);
  const double seconds = std::max(0.0, rank.now_seconds - flight->entered_seconds);
  return fmt::format("<span class={}>{}</span>, {}", seconds > 10 ? "bad" : "''", function, html_seconds(seconds));
}

/// Over a rank's communicators, as far as it is known.
double sum(const RankSnapshot& rank, double RankSnapshot::Communicator::*figure) {
  double total = 0;
  for (const RankSnapshot::Communicator& communicator : rank.communicators) {
    if (!std::isnan(communicator.*figure)) total += communicator.*figure;
  }
  return total;
}

double median_lateness(const JobSummary& job) {
  std::vector<double> lateness;
  for (const RankSnapshot* rank : job.ranks)
    lateness.push_back(sum(*rank, &RankSnapshot::Communicator::lateness_seconds));
  const auto middle = lateness.begin() + static_cast<std::ptrdiff_t>(lateness.size() / 2);
  std::nth_element(lateness.begin(), middle, lateness.end());
  return *middle;
}

}  // namespace

std::string path_table(const JobSummary& job) {
  if (job.paths.empty()) return {};
  std::string text = start_table("Time per path", {"Path", "#Calls", "#Time per rank", "#Share", "#Median &le;",
                                                   "#99 % &le;", "#Payload", "#On the wire"});
  std::string bar = "<div class=bar>";
  for (const auto& [path, use] : job.paths) {
    const double share = job.seconds > 0 ? 100 * use.seconds / job.seconds : 0;
    bar += fmt::format("<i style='width:{:.2f}%;background:{}' title='{}'></i>", share, colour(job, path), html(path));
    text += fmt::format(
        "<tr><td class=w>{}</td><td class=n>{}</td><td class=n>{}</td><td class=n>{:.1f} %</td><td class=n>{}</td>"
        "<td class=n>{}</td><td class=n>{}</td><td class=n>{}</td></tr>\n",
        path_name(job, path), html_count(use.calls), html_seconds(use.seconds / static_cast<double>(job.ranks.size())),
        share, html_seconds(telemetry::quantile(use.histogram, 0.5)),
        html_seconds(telemetry::quantile(use.histogram, 0.99)), html_bytes(static_cast<double>(use.bytes)),
        use.wire_bytes == 0 ? "–" : html_bytes(static_cast<double>(use.wire_bytes)));
  }
  // The bar stands between the heading and the table.
  text.insert(text.find("<div class=scroll>"), bar + "</div>\n");
  return text + end_table(job.paths.size());
}

std::string decision_table(const JobSummary& job) {
  if (job.decisions.empty()) return {};
  std::string text = start_table(
      "Decisions", {"Collective", "#Size from", "Element", "Communicator", "Path", "#Speed-up", "#Error", "Why"});
  for (std::size_t i = 0; i < std::min(job.decisions.size(), max_table_rows); ++i) {
    const auto& [communicator, decision] = job.decisions[i];
    std::string speedup = html_number(decision->speedup, "{:.2f}×");
    if (!std::isnan(decision->speedup)) {
      speedup += fmt::format("<span class=meter><i{} style='width:{:.0f}%'></i></span>",
                             decision->path == "native" ? "" : " class=up",
                             std::clamp(100 * decision->speedup / 3, 0.0, 100.0));
    }
    text += fmt::format(
        "<tr><td class=w>{}</td><td class=n>{}</td><td class=w>{}{}</td><td>{}, {} ranks</td><td class=w>{}</td>"
        "<td class=n>{}</td><td class=n>{}</td><td>{}</td></tr>\n",
        html(decision->function), html_bytes(static_cast<double>(decision->size)), html(decision->element),
        decision->op.empty() ? "" : fmt::format(" {}", html(decision->op)), html(communicator->name),
        communicator->size, path_name(job, decision->path), speedup, html_number(decision->relative_error, "{:.1e}"),
        html(decision->why.empty() ? to_string(decision->state) : decision->why));
  }
  return text + end_table(job.decisions.size());
}

std::string pola_table(const JobSummary& job) {
  if (job.communicators.empty()) return {};
  std::string text = start_table(
      "Pattern of life", {"Communicator", "#Ranks", "State", "#Period", "#Collectives", "#Predicted right", "#Wrong"});
  for (std::size_t i = 0; i < std::min(job.communicators.size(), max_table_rows); ++i) {
    const RankSnapshot::Communicator& communicator = *job.communicators[i];
    text += fmt::format(
        "<tr><td>{}</td><td class=n>{}</td><td class=w><span class={}>{}</span></td><td class=n>{}</td>"
        "<td class=n>{}</td><td class=n>{}</td><td class=n>{}</td></tr>\n",
        html(communicator.name), communicator.size, pola_class(communicator.pola_state), html(communicator.pola_state),
        period(communicator), html_count(communicator.collectives), html_count(communicator.pola_hits),
        html_count(communicator.pola_misses));
  }
  return text + end_table(job.communicators.size());
}

std::string rank_table(const JobSummary& job) {
  std::string text = start_table(
      "Ranks on this host", {"#Rank", "Host", "#Process", "State", "Inside of", "#Waited", "#Late by", "#GPU scratch"});
  const double usual_lateness = median_lateness(job);
  for (std::size_t i = 0; i < std::min(job.ranks.size(), max_table_rows); ++i) {
    const RankSnapshot& rank = *job.ranks[i];
    const double lateness = sum(rank, &RankSnapshot::Communicator::lateness_seconds);
    const bool straggles = lateness > 1 && lateness > 5 * usual_lateness;
    text += fmt::format(
        "<tr><td class=n>{}</td><td>{}</td><td class=n>{}</td><td class=w>{}</td><td class=w>{}</td><td class=n>{}</td>"
        "<td class=n><span class={}>{}</span></td><td class=n>{}</td></tr>\n",
        rank.rank, html(rank.host), rank.process, rank_state(rank), inside(rank),
        html_seconds(sum(rank, &RankSnapshot::Communicator::waiting_seconds)), straggles ? "'badge warn'" : "''",
        html_seconds(lateness), html_bytes(static_cast<double>(rank.device_scratch_bytes)));
  }
  return text + end_table(job.ranks.size());
}

std::string error_list(const std::vector<std::string>& errors) {
  if (errors.empty()) return {};
  std::string text = "<section class=job><h2>Segments that were skipped</h2>\n<ul>\n";
  for (std::size_t i = 0; i < std::min(errors.size(), max_table_rows); ++i) {
    text += fmt::format("<li>{}</li>\n", html(errors[i]));
  }
  return text + "</ul></section>\n";
}

}  // namespace airamp::sidecar
