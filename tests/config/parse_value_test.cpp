// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/parse_value.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <limits>
#include <string>

namespace airamp::config {
namespace {

std::string message(const char* text, const char* what) {
  return std::string("'").append(text).append("'").append(what);
}

constexpr std::uint64_t two_to_40 = std::uint64_t{1} << 40U;

TEST(ParseBoolean, EverySpelling) {
  for (const char* text : {"true", "1", "yes", "on", "True", "TRUE", "Yes", "ON"}) {
    bool value = false;
    EXPECT_EQ(parse_boolean(text, value), "") << text;
    EXPECT_TRUE(value) << text;
  }
  for (const char* text : {"false", "0", "no", "off", "False", "FALSE", "No", "OFF"}) {
    bool value = true;
    EXPECT_EQ(parse_boolean(text, value), "") << text;
    EXPECT_FALSE(value) << text;
  }
}

TEST(ParseBoolean, RefusesTheRest) {
  for (const char* text : {"", "2", "t", "y", "tru", "true ", " true", "truee", "null", "~"}) {
    bool value = true;
    EXPECT_EQ(parse_boolean(text, value), message(text, " is neither true nor false"));
    EXPECT_TRUE(value) << text;
  }
}

TEST(ParseBytes, Suffixes) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"0", 0},           {"1", 1},        {"1048576", 1048576}, {"1K", 1024},
      {"1k", 1024},       {"3M", 3145728}, {"3m", 3145728},      {"2G", 2147483648},
      {"2g", 2147483648}, {"0G", 0},       {"1024G", two_to_40}, {"1099511627776", two_to_40}};
  for (const auto& [text, expected] : cases) {
    std::uint64_t value = 77;
    EXPECT_EQ(parse_bytes(text, two_to_40, value), "") << text;
    EXPECT_EQ(value, expected) << text;
  }
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
  for (const char* text : {"",   "K",   "1T",  "1KB", "1KiB", "1.5M", "0x10", "1e6", "1_000", "1,000",
                           "+5", " 1M", "1M ", "1 M", "010",  "nan",  "inf",  "-",   "-K",    "--5"}) {
    std::uint64_t value = 77;
    EXPECT_EQ(parse_bytes(text, two_to_40, value), message(text, " is not a number of bytes"));
    EXPECT_EQ(value, 77U) << text;
  }
  std::uint64_t value = 77;
  EXPECT_EQ(parse_bytes("-1M", two_to_40, value), "'-1M' is negative");
  EXPECT_EQ(value, 77U);
}

TEST(ParseBytes, RefusesWhatIsTooLarge) {
  for (const char* text : {"1099511627777", "1025G", "99999999999G", "18446744073709551616", "18446744073709551615",
                           "18014398509481984K", "99999999999999999999999999999999"}) {
    std::uint64_t value = 77;
    EXPECT_EQ(parse_bytes(text, two_to_40, value), message(text, " is out of range"));
    EXPECT_EQ(value, 77U) << text;
  }
}

TEST(ParseInteger, RangeIsInclusive) {
  int value = 0;
  EXPECT_EQ(parse_integer("1", 1, 100, value), "");
  EXPECT_EQ(value, 1);
  EXPECT_EQ(parse_integer("100", 1, 100, value), "");
  EXPECT_EQ(value, 100);
  for (const char* text : {"0", "101", "-1", "-100", "99999999999", "-99999999999"}) {
    EXPECT_EQ(parse_integer(text, 1, 100, value), message(text, " is out of range"));
  }
  EXPECT_EQ(value, 100);
}

TEST(ParseInteger, RefusesWhatIsNoWholeNumber) {
  for (const char* text : {"", "2.0", "2e0", "0x2", "02", "2K", "two", "+2", "2 ", " 2", "nan", "-"}) {
    int value = 77;
    EXPECT_EQ(parse_integer(text, 1, 100, value), message(text, " is not a whole number"));
    EXPECT_EQ(value, 77) << text;
  }
}

TEST(ParseNumber, RangeIsInclusive) {
  double value = 0;
  EXPECT_EQ(parse_number("1", 1, 100, value), "");
  EXPECT_EQ(value, 1.0);
  EXPECT_EQ(parse_number("1e2", 1, 100, value), "");
  EXPECT_EQ(value, 100.0);
  for (const char* text : {"0.999", "100.0001", "-1.5", "1e999", "-1e999", "inf", "-inf", "infinity"}) {
    EXPECT_EQ(parse_number(text, 1, 100, value), message(text, " is out of range"));
  }
  EXPECT_EQ(value, 100.0);
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", "nan", "NaN", "-nan", "0x1p3", "1,05", "1.05x", "1.05 ", " 1.05", "+1.05", "1.0.5", "."}) {
    double value = 77;
    EXPECT_EQ(parse_number(text, 1, 100, value), message(text, " is not a number"));
    EXPECT_EQ(value, 77.0) << text;
  }
}

TEST(ParseNumber, DoesNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
    if (std::setlocale(LC_ALL, locale) == nullptr) continue;
    double value = 0;
    EXPECT_EQ(parse_number("1.25", 0, 10, value), "");
    EXPECT_EQ(value, 1.25);
    EXPECT_EQ(number_text(1.25), "1.25");
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(BytesText, TakesTheLargestSuffixThatDivides) {
  EXPECT_EQ(bytes_text(0), "0");
  EXPECT_EQ(bytes_text(1023), "1023");
  EXPECT_EQ(bytes_text(1024), "1K");
  EXPECT_EQ(bytes_text(1536 * 1024), "1536K");
  EXPECT_EQ(bytes_text(1U << 20U), "1M");
  EXPECT_EQ(bytes_text(two_to_40), "1024G");
}

TEST(NumberText, IsReadBackExactly) {
  for (const double number : {0.0, 0.1, 1.0 / 3.0, 5e-324, 86400.0, std::numeric_limits<double>::max()}) {
    double value = -1;
    EXPECT_EQ(parse_number(number_text(number), 0, std::numeric_limits<double>::max(), value), "");
    EXPECT_EQ(value, number);
  }
}

}  // namespace
}  // namespace airamp::config
