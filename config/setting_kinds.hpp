// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "config/setting_table.hpp"

namespace airamp::config {

/// The kinds of settings that the table is made of. Each takes the key, the field that it fills, what limits its
/// values, and the help text; the names of enumerators come from enum_names.hpp.

Setting boolean_setting(std::string key, bool Settings::*field, std::string help);
Setting bytes_setting(std::string key, std::uint64_t Settings::*field, std::uint64_t maximum, std::string help);
Setting integer_setting(std::string key, int Settings::*field, int minimum, int maximum, std::string help);
Setting number_setting(std::string key, double Settings::*field, double minimum, double maximum, std::string help);

/// One enumerator: WireFormat, ReductionOrder, Force, Detection or LogLevel.
template <typename Enum>
Setting choice_setting(std::string key, Enum Settings::*field, std::string help);

/// A set of LossyType bits, at least one.
Setting lossy_types_setting(std::string key, unsigned Settings::*field, std::string help);

/// Where a report goes: nowhere, stderr, or a file whose name ends in .txt or .json.
Setting report_setting(std::string key, std::string Settings::*field, std::string help);

/// A folder, or the empty text where `allowed` says so.
Setting folder_setting(std::string key, std::string Settings::*field, bool may_be_empty, std::string help);

/// A numeric IPv4 or IPv6 address.
Setting address_setting(std::string key, std::string Settings::*field, std::string help);

/// A map from datatype names to formats; of the file alone.
Setting declared_types_setting(std::string key, std::map<std::string, HalfFormat> Settings::*field, std::string help);

/// The environment variable of a key, e.g. "AIRAMP_MIN_BYTES".
std::string variable_of(const std::string& key);

}  // namespace airamp::config
