// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/sample_set.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace airamp::telemetry {
namespace {

void append_number(std::string& text, std::uint64_t value) {
  const fmt::format_int digits(value);
  text.append(digits.data(), digits.size());
}

/// The shortest decimal that reads back as the same number.
void append_number(std::string& text, double value) {
  if (std::isinf(value)) {
    text += value > 0 ? "+Inf" : "-Inf";
  } else {
    fmt::format_to(std::back_inserter(text), "{}", value);
  }
}

void append_labels(std::string& text, const Labels& labels, std::string_view further = {}) {
  if (labels.text().empty() && further.empty()) return;
  text.append("{").append(labels.text());
  if (!labels.text().empty() && !further.empty()) text += ',';
  text.append(further).append("}");
}

/// What stands before a family's samples. Help texts hold nothing that needs an escape.
void append_header(std::string& text, const MetricFamily& family, Exposition exposition) {
  const bool openmetrics = exposition == Exposition::openmetrics;
  std::string name(family.name);
  if (!openmetrics) name += sample_suffix(family.type);
  const bool known = openmetrics || (family.type != MetricType::info && family.type != MetricType::stateset);
  text.append("# TYPE ").append(name).append(" ").append(to_string(known ? family.type : MetricType::gauge)) += '\n';
  if (openmetrics && !family.unit.empty()) {
    text.append("# UNIT ").append(name).append(" ").append(family.unit) += '\n';
  }
  text.append("# HELP ").append(name).append(" ").append(family.help) += '\n';
}

/// The `le` labels of the histograms, ready to append.
const std::array<std::string, latency_buckets>& bucket_labels() {
  static const auto labels = [] {
    std::array<std::string, latency_buckets> texts;
    for (std::size_t i = 0; i + 1 < latency_buckets; ++i) texts[i] = fmt::format("le=\"{:.12g}\"", latency_bound(i));
    texts.back() = "le=\"+Inf\"";
    return texts;
  }();
  return labels;
}

}  // namespace

std::string& SampleSet::start_sample(Metric metric, std::string_view suffix, const Labels& labels) {
  std::string& text = samples_.at(static_cast<std::size_t>(metric));
  text.append(family_of(metric).name).append(suffix);
  append_labels(text, labels);
  text += ' ';
  return text;
}

void SampleSet::add(Metric metric, const Labels& labels, std::uint64_t value) {
  std::string& text = start_sample(metric, sample_suffix(family_of(metric).type), labels);
  append_number(text, value);
  text += '\n';
}

void SampleSet::add(Metric metric, const Labels& labels, double value) {
  if (std::isnan(value)) return;
  std::string& text = start_sample(metric, sample_suffix(family_of(metric).type), labels);
  append_number(text, value);
  text += '\n';
}

void SampleSet::add_states(Metric metric, const Labels& labels, std::span<const std::string_view> states,
                           std::span<const bool> active) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    Labels with_state = labels;
    with_state.add(family_of(metric).name, states[i]);
    add(metric, with_state, std::uint64_t{active[i]});
  }
}

void SampleSet::add_histogram(Metric metric, const Labels& labels,
                              const std::array<std::uint64_t, latency_buckets>& counts, double sum) {
  std::string& text = samples_.at(static_cast<std::size_t>(metric));
  const std::string_view name = family_of(metric).name;
  std::uint64_t cumulative = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    cumulative += counts[i];
    text.append(name).append("_bucket");
    append_labels(text, labels, bucket_labels()[i]);
    text += ' ';
    append_number(text, cumulative);
    text += '\n';
  }
  append_number(start_sample(metric, "_sum", labels), std::isnan(sum) ? 0.0 : sum);
  text += '\n';
  append_number(start_sample(metric, "_count", labels), cumulative);
  text += '\n';
}

std::string SampleSet::to_text(Exposition exposition) const {
  std::size_t size = 8192;
  for (const std::string& samples : samples_) size += samples.size();
  std::string text;
  text.reserve(size);
  for (const MetricFamily& family : metric_families()) {
    const std::string& samples = samples_.at(static_cast<std::size_t>(family.metric));
    if (samples.empty()) continue;
    append_header(text, family, exposition);
    text += samples;
  }
  if (exposition == Exposition::openmetrics) text += "# EOF\n";
  return text;
}

}  // namespace airamp::telemetry
