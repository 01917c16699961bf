// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::command_line {

/// What a rank has published, and what its host knows of its process, for another host: all but the tuner's decisions,
/// which `airamp status` and `airamp hang` do not show. NaN becomes null. May throw std::bad_alloc.
nlohmann::json snapshot_json(const telemetry::RankSnapshot& rank);

/// The other way round; nothing of what is no such JSON. May throw std::bad_alloc.
std::optional<telemetry::RankSnapshot> snapshot_of(const nlohmann::json& json);

}  // namespace airamp::command_line
