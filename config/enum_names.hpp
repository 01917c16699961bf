// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "config/settings.hpp"

namespace airamp::config {

/// The text form of every enumerator, in the order in which messages list them. The one place where the texts of the
/// settings' own enumerations stand.
template <typename Enum>
inline constexpr std::pair<Enum, std::string_view> enum_names[] = {};

template <>
inline constexpr std::pair<WireFormat, std::string_view> enum_names<WireFormat>[] = {
    {WireFormat::mxfp8_e4m3, to_string(WireFormat::mxfp8_e4m3)},
    {WireFormat::mxfp8_e5m2, to_string(WireFormat::mxfp8_e5m2)},
    {WireFormat::mxint8, to_string(WireFormat::mxint8)},
    {WireFormat::mxfp6_e2m3, to_string(WireFormat::mxfp6_e2m3)},
    {WireFormat::mxfp6_e3m2, to_string(WireFormat::mxfp6_e3m2)},
    {WireFormat::mxfp4, to_string(WireFormat::mxfp4)}};

template <>
inline constexpr std::pair<ReductionOrder, std::string_view> enum_names<ReductionOrder>[] = {
    {ReductionOrder::native, to_string(ReductionOrder::native)},
    {ReductionOrder::fixed, to_string(ReductionOrder::fixed)},
    {ReductionOrder::exact, to_string(ReductionOrder::exact)},
    {ReductionOrder::any, to_string(ReductionOrder::any)}};

template <>
inline constexpr std::pair<Force, std::string_view> enum_names<Force>[] = {
    {Force::none, "none"},
    {Force::native, "native"},
#define AIRAMP_ALGORITHM(identifier, name, results, description) {Force::identifier, name},
#include "core/algorithms.inc"
#undef AIRAMP_ALGORITHM
};

template <>
inline constexpr std::pair<Detection, std::string_view> enum_names<Detection>[] = {
    {Detection::detect, "detect"}, {Detection::yes, "yes"}, {Detection::no, "no"}};

template <>
inline constexpr std::pair<LogLevel, std::string_view> enum_names<LogLevel>[] = {
    {LogLevel::error, "error"}, {LogLevel::warn, "warn"}, {LogLevel::info, "info"}, {LogLevel::debug, "debug"}};

template <>
inline constexpr std::pair<LossyType, std::string_view> enum_names<LossyType>[] = {
    {lossy_float16, "float16"}, {lossy_bfloat16, "bfloat16"}, {lossy_float32, "float32"}};

template <>
inline constexpr std::pair<HalfFormat, std::string_view> enum_names<HalfFormat>[] = {
    {HalfFormat::float16, "float16"}, {HalfFormat::bfloat16, "bfloat16"}};

/// The text form of an enumerator; empty for a value that is none.
template <typename Enum>
constexpr std::string_view enum_name(Enum value) {
  for (const auto& [enumerator, name] : enum_names<Enum>) {
    if (enumerator == value) return name;
  }
  return {};
}

/// The enumerator that `text` names; nothing if there is none.
template <typename Enum>
std::optional<Enum> find_enumerator(std::string_view text) {
  for (const auto& [enumerator, name] : enum_names<Enum>) {
    if (name == text) return enumerator;
  }
  return std::nullopt;
}

/// All names of an enumeration, e.g. "none, native or mpi-two-shot".
template <typename Enum>
std::string list_of_names() {
  std::string list;
  const std::size_t count = std::size(enum_names<Enum>);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) list += i + 1 == count ? " or " : ", ";
    list += enum_names<Enum>[i].second;
  }
  return list;
}

}  // namespace airamp::config
