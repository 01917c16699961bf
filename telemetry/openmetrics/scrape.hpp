// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "telemetry/openmetrics/exporter_figures.hpp"
#include "telemetry/openmetrics/sample_set.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// Label sets of one family and job, at most; above it they are folded into "other" or, where a sum would mean nothing,
/// left out, and counted in airamp_label_sets_omitted.
inline constexpr std::size_t max_label_sets = 1000;

/// The samples of one scrape: what `ranks`, in any order, have published, and what the exporter says about itself. The
/// same input gives the same text. Ranks of one job have different numbers. May throw std::bad_alloc.
SampleSet scrape(std::span<const RankSnapshot> ranks, const ExporterFigures& exporter);

}  // namespace airamp::telemetry
