// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_replay/time_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "apps/airamp/pola_replay/svg.hpp"
#include "apps/airamp/pola_replay/time_axis.hpp"

namespace airamp::pola {
namespace {

constexpr double width = 1200;
constexpr double left = TimeAxis::left;
constexpr double right = TimeAxis::right;
constexpr double overview_top = 96;
constexpr double overview_height = 80;
constexpr double band_height = 14;
constexpr double detail_top = 262;
constexpr double lane_height = 34;
constexpr double lateness_height = 90;
constexpr std::size_t max_lanes = 9;
constexpr std::size_t calls_before_lock = 24;
constexpr std::size_t calls_after_lock = 72;

constexpr const char* actual_colour = "#0072b2";
constexpr const char* expected_colour = "#2e8b57";
constexpr const char* missed_colour = "#d55e00";

const char* colour_of(Stream::State state) {
  switch (state) {
    case Stream::State::learning:
      return "#cfcfcf";
    case Stream::State::locked:
      return "#8fd3a5";
    default:
      return "#f0a58f";
  }
}

/// The states of the calls as one band.
void draw_states(Svg& svg, const TimeAxis& axis, const std::vector<ReplayedCall>& calls, double y) {
  for (std::size_t i = 0; i < calls.size();) {
    std::size_t end = i;
    while (end < calls.size() && calls[end].state == calls[i].state) ++end;
    const double from = axis.x(calls[i].event.entered_ns);
    const double to = axis.x(end < calls.size() ? calls[end].event.entered_ns : calls.back().event.left_ns);
    svg.rectangle(from, y, std::max(to - from, 1.0), band_height, colour_of(calls[i].state));
    i = end;
  }
}

std::string label_of(const TraceHeader& header, const TraceEvent& event) {
  const std::string& name = header.functions[event.function];
  if (event.bytes == 0) return name;
  const std::uint64_t bucket = std::bit_floor(event.bytes);
  const char* units[] = {"B", "KiB", "MiB", "GiB"};
  const int unit = std::min((static_cast<int>(std::bit_width(bucket)) - 1) / 10, 3);
  const std::uint64_t amount = bucket >> (10 * unit);
  if (bucket == 1) return fmt::format("{} 1 B", name);
  return fmt::format("{} {}..{} {}", name, amount, 2 * amount, units[unit]);
}

void draw_overview(Svg& svg, const TraceReplay& replay, const std::vector<ReplayedCall>& calls,
                   const std::vector<ReplayedCall>& detail) {
  const double curve_top = overview_top + band_height + 6;
  const double bottom = overview_top + overview_height;
  const TimeAxis axis(0, replay.duration_ns);
  axis.draw(svg, overview_top, bottom);
  draw_states(svg, axis, calls, overview_top);
  svg.text(left - 8, overview_top + 11, "state", 11, "end");
  svg.text(left - 8, curve_top + 8, "100 %", 11, "end");
  svg.text(left - 8, (curve_top + bottom) / 2 + 4, "right predictions", 11, "end");
  svg.text(left - 8, bottom, "0 %", 11, "end");

  const std::size_t step = std::max<std::size_t>(1, calls.size() / 1000);
  std::vector<std::pair<double, double>> points;
  double share = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const double hit = calls[i].expected == calls[i].signature ? 1.0 : 0.0;
    share += (hit - share) / std::min(static_cast<double>(i + 1), 32.0);
    if (i % step == 0) points.emplace_back(axis.x(calls[i].event.entered_ns), bottom - share * (bottom - curve_top));
  }
  svg.polyline(points, actual_colour);
  const double from = axis.x(detail.front().event.entered_ns);
  svg.rectangle(from, overview_top - 6, std::max(axis.x(detail.back().event.left_ns) - from, 2.0), overview_height + 6,
                "#555555", 0.25);
}

/// The lane of each signature: the most frequent have their own, the others share the last.
std::map<Signature, std::size_t> lanes_of(const std::vector<ReplayedCall>& calls) {
  std::map<Signature, std::size_t> counts;
  for (const ReplayedCall& call : calls) ++counts[call.signature];
  std::vector<std::pair<std::size_t, Signature>> order;
  order.reserve(counts.size());
  for (const auto& [signature, count] : counts) order.emplace_back(count, signature);
  std::sort(order.rbegin(), order.rend());
  std::map<Signature, std::size_t> lanes;
  for (const auto& [count, signature] : order) lanes[signature] = std::min(lanes.size(), max_lanes - 1);
  return lanes;
}

/// What each lane holds. Signatures that differ in more than function and size are numbered.
std::map<std::size_t, std::string> labels_of(const TraceHeader& header, const std::vector<ReplayedCall>& calls,
                                             const std::map<Signature, std::size_t>& lanes) {
  std::map<std::size_t, std::string> labels;
  std::map<std::string, int> used;
  for (const ReplayedCall& call : calls) {
    const std::size_t lane = lanes.at(call.signature);
    if (labels.contains(lane)) continue;
    const bool shared = lane == max_lanes - 1 && lanes.size() > max_lanes;
    std::string label = shared ? "others" : label_of(header, call.event);
    if (const int number = ++used[label]; number > 1) label += fmt::format(" ({})", number);
    labels[lane] = std::move(label);
  }
  return labels;
}

void draw_lateness(Svg& svg, const TimeAxis& axis, const std::vector<ReplayedCall>& calls, double top) {
  double largest_us = 1;
  const auto lateness_us = [](const ReplayedCall& call) {
    return static_cast<double>(call.event.entered_ns - *call.expected_ns) / 1e3;
  };
  const auto foreseen = [](const ReplayedCall& call) {
    return call.state == Stream::State::locked && call.expected == call.signature && call.expected_ns;
  };
  for (const ReplayedCall& call : calls) {
    if (foreseen(call)) largest_us = std::max(largest_us, std::abs(lateness_us(call)));
  }
  const double middle = top + lateness_height / 2;
  const double scale = (lateness_height / 2 - 4) / largest_us;
  svg.line(left, middle, right, middle, "#999999");
  svg.text(left - 8, top + 10, fmt::format("late {:.0f} us", largest_us), 11, "end");
  svg.text(left - 8, middle + 4, "as forecast", 11, "end");
  svg.text(left - 8, top + lateness_height, fmt::format("early {:.0f} us", largest_us), 11, "end");
  for (const ReplayedCall& call : calls) {
    if (!foreseen(call)) continue;
    const double x = axis.x(call.event.entered_ns);
    const double y = middle - lateness_us(call) * scale;
    svg.line(x, middle, x, y, actual_colour, 1.4);
    svg.ring(x, y, 2, actual_colour, actual_colour);
  }
}

void draw_calls(Svg& svg, const TraceReplay& replay, const std::vector<ReplayedCall>& calls,
                const std::map<Signature, std::size_t>& lanes, double lanes_top) {
  const std::size_t lane_count = std::min(lanes.size(), max_lanes);
  const double lanes_bottom = lanes_top + static_cast<double>(lane_count) * lane_height;
  const double bottom = lanes_bottom + 16 + lateness_height;
  const TimeAxis axis(calls.front().event.entered_ns, calls.back().event.left_ns);
  axis.draw(svg, detail_top, bottom);
  draw_states(svg, axis, calls, detail_top);
  svg.text(left - 8, detail_top + 11, "state", 11, "end");

  const auto middle_of = [&](std::size_t lane) { return lanes_top + (static_cast<double>(lane) + 0.5) * lane_height; };
  for (const auto& [lane, label] : labels_of(replay.header, calls, lanes)) {
    svg.line(left, middle_of(lane), right, middle_of(lane), TimeAxis::grid_colour);
    svg.text(left - 8, middle_of(lane) + 4, label, 11, "end");
  }
  for (const ReplayedCall& call : calls) {
    const double x = axis.x(call.event.entered_ns);
    const double y = middle_of(lanes.at(call.signature));
    svg.rectangle(x, y - 6, std::max(axis.x(call.event.left_ns) - x, 2.5), 12, actual_colour, 0.75);
    if (call.state != Stream::State::locked || !call.expected) continue;
    const bool hit = *call.expected == call.signature;
    const auto lane = lanes.find(*call.expected);
    if (lane == lanes.end()) continue;
    const double expected_x = call.expected_ns ? axis.x(*call.expected_ns) : x;
    if (expected_x < left || expected_x > right) continue;
    svg.ring(expected_x, middle_of(lane->second) - 11, 3.5, hit ? expected_colour : missed_colour);
  }
  draw_lateness(svg, axis, calls, lanes_bottom + 16);
}

void draw_legend(Svg& svg, double y) {
  double x = left;
  for (const Stream::State state : {Stream::State::learning, Stream::State::locked, Stream::State::broken}) {
    svg.rectangle(x, y - 10, 22, 12, colour_of(state));
    svg.text(x + 28, y, name_of(state));
    x += 110;
  }
  svg.rectangle(x, y - 10, 8, 12, actual_colour, 0.75);
  svg.text(x + 14, y, "call, from entry to exit");
  svg.ring(x + 186, y - 4, 3.5, expected_colour);
  svg.text(x + 196, y, "expected there, and came");
  svg.ring(x + 366, y - 4, 3.5, missed_colour);
  svg.text(x + 376, y, "expected there, another came");
}

}  // namespace

std::string draw_time_line(const TraceReplay& replay, const CommunicatorReplay& communicator) {
  const std::vector<ReplayedCall>& calls = communicator.calls;
  const std::size_t lock = communicator.changes.empty() ? 0 : communicator.changes.front().event;
  const std::size_t first = lock > calls_before_lock ? lock - calls_before_lock : 0;
  const std::size_t last = std::min(calls.size(), lock + calls_after_lock);
  const std::vector<ReplayedCall> detail(calls.begin() + static_cast<std::ptrdiff_t>(first),
                                         calls.begin() + static_cast<std::ptrdiff_t>(last));

  const auto lanes = lanes_of(detail);
  const double lanes_top = detail_top + band_height + 16;
  const double lanes_height = static_cast<double>(std::min(lanes.size(), max_lanes)) * lane_height;
  Svg svg(width, lanes_top + lanes_height + lateness_height + 100);
  svg.text(30, 34,
           fmt::format("{}: collective calls of rank {} on communicator {} ({} ranks)", replay.header.program,
                       replay.header.rank, communicator.number, communicator.communicator.size),
           18, "start", "#111111");
  const Stream::Counters& counters = communicator.counters;
  const std::uint64_t predicted = counters.hits + counters.misses;
  std::string summary = fmt::format("{} calls, {} signatures; locks {}, breaks {}", counters.events,
                                    communicator.signatures, counters.locks, counters.breaks);
  if (predicted > 0) {
    summary += fmt::format("; while locked, {:.2f} % of {} predictions were right",
                           100.0 * static_cast<double>(counters.hits) / static_cast<double>(predicted), predicted);
  }
  svg.text(30, 54, summary);
  svg.text(30, overview_top - 14, "The whole run", 13, "start", "#111111");
  draw_overview(svg, replay, calls, detail);
  svg.text(30, detail_top - 22,
           lock == 0 ? "The first calls" : fmt::format("Around the first lock, after call {}", lock), 13, "start",
           "#111111");
  draw_calls(svg, replay, detail, lanes, lanes_top);
  draw_legend(svg, lanes_top + lanes_height + lateness_height + 82);
  return std::move(svg).finish();
}

}  // namespace airamp::pola
