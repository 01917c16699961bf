// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace airamp {

/// `text` with the characters that mean something in HTML replaced, in attributes too.
std::string html(std::string_view text);

/// "1.5 MiB"
std::string html_bytes(double bytes);

/// A time in a unit that suits it: "3.2 µs", "1.4 ms", "12 s", "2 h 05 min"; a dash for NaN.
std::string html_seconds(double seconds);

/// "12 345 678", with thin spaces.
std::string html_count(std::uint64_t count);

/// A dash for NaN; else as fmt writes it by `format`.
std::string html_number(double value, std::string_view format);

}  // namespace airamp
