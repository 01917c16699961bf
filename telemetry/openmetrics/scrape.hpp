// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "telemetry/openmetrics/detail.hpp"
#include "telemetry/openmetrics/exporter_figures.hpp"
#include "telemetry/openmetrics/sample_set.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// The samples of one scrape: what `ranks`, in any order, have published, jobs first that may still run, and what the
/// exporter says about itself. The same input gives the same text. May throw std::bad_alloc.
SampleSet scrape(std::span<const RankSnapshot> ranks, const ExporterFigures& exporter, Detail detail);

}  // namespace airamp::telemetry
