// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/memory_modules.hpp"

#include <cstddef>
#include <string_view>

namespace airamp::doctor {
namespace {

/// SMBIOS 3: "Memory Device", and where its fields are.
constexpr unsigned memory_device = 17;
constexpr std::size_t data_width = 0x0a;        ///< bits
constexpr std::size_t size = 0x0c;              ///< 0: no module here
constexpr std::size_t configured_speed = 0x20;  ///< megatransfers per second
constexpr unsigned not_known = 0xffff;

unsigned byte(std::string_view text, std::size_t offset) { return static_cast<unsigned char>(text[offset]); }

/// 0 where the structure ends before.
unsigned word(std::string_view structure, std::size_t offset) {
  if (offset + 2 > structure.size()) return 0;
  return byte(structure, offset) | byte(structure, offset + 1) << 8U;
}

double speed_of(std::string_view structure) {
  const unsigned width = word(structure, data_width);
  const unsigned speed = word(structure, configured_speed);
  if (word(structure, size) == 0 || width == not_known || speed == not_known) return 0;
  return width / 8.0 * speed * 1e6;
}

}  // namespace

double module_bytes_per_second(const std::string& table) {
  double sum = 0;
  std::string_view rest = table;
  constexpr std::size_t header = 4;  // type, length, handle
  while (rest.size() >= header) {
    const std::size_t length = byte(rest, 1);
    if (length < header || length > rest.size()) break;
    if (byte(rest, 0) == memory_device) sum += speed_of(rest.substr(0, length));
    // Its texts follow, and two zeros behind them.
    const std::size_t end = rest.find(std::string_view("\0\0", 2), length);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 2);
  }
  return sum;
}

}  // namespace airamp::doctor
