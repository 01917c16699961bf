// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/memory_modules.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace airamp::doctor {
namespace {

void put_word(std::string& structure, std::size_t offset, unsigned value) {
  structure[offset] = static_cast<char>(value & 0xffU);
  structure[offset + 1] = static_cast<char>(value >> 8U);
}

/// An SMBIOS structure with one text behind it.
std::string structure(unsigned type, std::size_t length) {
  std::string bytes(length, '\0');
  bytes[0] = static_cast<char>(type);
  bytes[1] = static_cast<char>(length);
  return bytes;
}

std::string ended(const std::string& bytes) { return bytes + "DIMM A1" + std::string(2, '\0'); }

std::string module(unsigned width, unsigned size, unsigned speed) {
  std::string bytes = structure(17, 0x28);
  put_word(bytes, 0x0a, width);
  put_word(bytes, 0x0c, size);
  put_word(bytes, 0x20, speed);
  return ended(bytes);
}

TEST(MemoryModulesTest, SumOfTheModulesThatAreThere) {
  // DDR5-4800 moves 8 bytes 4.8e9 times a second.
  const std::string table = ended(structure(0, 26)) + module(64, 0x4000, 4800) + module(64, 0, 4800) +
                            module(64, 0x4000, 4800) + std::string("\x7f\x04\xff\xff\0\0", 6);
  EXPECT_DOUBLE_EQ(module_bytes_per_second(table), 2 * 38.4e9);
}

TEST(MemoryModulesTest, UnknownSpeedsCountAsNothing) {
  EXPECT_EQ(module_bytes_per_second(module(64, 0x4000, 0)), 0);
  EXPECT_EQ(module_bytes_per_second(module(0xffff, 0x4000, 4800)), 0);
  // A structure of SMBIOS 2.3 ends before the configured speed.
  std::string old = structure(17, 0x1b);
  put_word(old, 0x0a, 64);
  put_word(old, 0x0c, 0x4000);
  EXPECT_EQ(module_bytes_per_second(ended(old)), 0);
}

TEST(MemoryModulesTest, BrokenTablesEnd) {
  EXPECT_EQ(module_bytes_per_second(""), 0);
  EXPECT_EQ(module_bytes_per_second(std::string(64, '\0')), 0);
  EXPECT_EQ(module_bytes_per_second(structure(17, 0x28)), 0);  // without the zeros behind it
  EXPECT_EQ(module_bytes_per_second(module(64, 0x4000, 4800).substr(0, 20)), 0);
}

}  // namespace
}  // namespace airamp::doctor
