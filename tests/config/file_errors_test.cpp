// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/load.hpp"

namespace airamp::config {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> errors_of(const std::string& text) { return parse_text(text, "job.conf").errors; }

TEST(FileErrors, UnknownKeyNamesTheClosestOne) {
  EXPECT_THAT(errors_of("disable: no\nmin_byte: 1M\n"),
              ElementsAre("job.conf:2: unknown key 'min_byte'; did you mean 'min_bytes'?"));
}

TEST(FileErrors, UnknownKeyFarFromAllListsAll) {
  EXPECT_THAT(errors_of("\n\ntemperature: 3\n"),
              ElementsAre(AllOf(StartsWith("job.conf:3: unknown key 'temperature'; allowed: disable, "),
                                EndsWith(", declared_types"))));
}

TEST(FileErrors, DuplicateKey) {
  EXPECT_THAT(errors_of("min_bytes: 1M\ncodec: mxint8\nmin_bytes: 2M\n"),
              ElementsAre("job.conf:3: min_bytes: given twice, first on line 1; allowed: each key once"));
}

TEST(FileErrors, WrongShape) {
  EXPECT_THAT(errors_of("min_bytes: [1M, 2M]\n"),
              ElementsAre("job.conf:1: min_bytes: a list where one value is expected; "
                          "allowed: 0 to 1024G bytes; binary suffixes K, M and G"));
  EXPECT_THAT(errors_of("disable:\n  now: true\n"),
              ElementsAre("job.conf:2: disable: a map where one value is expected; "
                          "allowed: true or false (also 1/0, yes/no, on/off)"));
  EXPECT_THAT(errors_of("lossy_types: {float16: yes}\n"),
              ElementsAre("job.conf:1: lossy_types: a map where a list is expected; "
                          "allowed: one or more of float16, bfloat16 or float32, separated by commas"));
  EXPECT_THAT(errors_of("declared_types: my_half\n"),
              ElementsAre("job.conf:1: declared_types: the single value 'my_half' where a map is expected; "
                          "allowed: a map from datatype names to float16 or bfloat16"));
}

TEST(FileErrors, MissingValue) {
  EXPECT_THAT(errors_of("min_speedup:\n"),
              ElementsAre("job.conf:1: min_speedup: '' is not a number; allowed: a number from 1 to 100"));
  EXPECT_THAT(errors_of("declared_types:\n"),
              ElementsAre("job.conf:1: declared_types: no value where a map is expected; "
                          "allowed: a map from datatype names to float16 or bfloat16"));
}

TEST(FileErrors, OutOfRangeAndNotUnderstood) {
  EXPECT_THAT(
      errors_of("min_bytes: 99999999999G\n"
                "min_bytes_: 1\n"
                "min_speedup: 0.5\n"
                "warmup_iterations: 101\n"
                "codec: fp8\n"
                "max_relative_error: .nan\n"
                "force: mpi_two_shot\n"
                "log_level: 3\n"
                "report: report.csv\n"
                "handshake_warning_seconds: -1\n"
                "metrics_addr: localhost\n"
                "telemetry_folder: ''\n"),
      ElementsAre("job.conf:1: min_bytes: '99999999999G' is out of range; "
                  "allowed: 0 to 1024G bytes; binary suffixes K, M and G",
                  "job.conf:2: unknown key 'min_bytes_'; did you mean 'min_bytes'?",
                  "job.conf:3: min_speedup: '0.5' is out of range; allowed: a number from 1 to 100",
                  "job.conf:4: warmup_iterations: '101' is out of range; "
                  "allowed: a whole number from 1 to 100",
                  "job.conf:5: codec: 'fp8' is not known; allowed: mxfp8-e4m3, mxfp8-e5m2, mxint8, mxfp6-e2m3, "
                  "mxfp6-e3m2 or mxfp4",
                  "job.conf:6: max_relative_error: '.nan' is not a number; allowed: a number from 0 to 1",
                  StartsWith("job.conf:7: force: 'mpi_two_shot' is not known; allowed: none, native, mpi-two-shot, "),
                  "job.conf:8: log_level: '3' is not known; allowed: error, warn, info or debug",
                  "job.conf:9: report: 'report.csv' is neither stderr nor a .txt or .json file; "
                  "allowed: stderr, or a file name that ends in .txt or .json; empty for no report",
                  "job.conf:10: handshake_warning_seconds: '-1' is out of range; "
                  "allowed: a number from 0 to 86400",
                  "job.conf:11: metrics_addr: 'localhost' is not an address; "
                  "allowed: an IPv4 or IPv6 address in numbers",
                  "job.conf:12: telemetry_folder: no folder is named; allowed: a folder"));
}

TEST(FileErrors, AnAddressDoesNotEndAtAnEmbeddedNul) {
  EXPECT_THAT(errors_of("metrics_addr: \"127.0.0.1\\0x\"\n"),
              ElementsAre("job.conf:1: metrics_addr: '127.0.0.1?x' is not an address; "
                          "allowed: an IPv4 or IPv6 address in numbers"));
  EXPECT_THAT(errors_of("metrics_addr: \"::1\\0\"\n"), ElementsAre(HasSubstr("'::1?' is not an address")));
}

TEST(FileErrors, EveryMistakeOfAListHasItsLine) {
  const std::string allowed = "; allowed: one or more of float16, bfloat16 or float32, separated by commas";
  EXPECT_THAT(errors_of("lossy_types:\n  - float16\n  - float64\n  - [float32]\n  - float16\n"),
              ElementsAre("job.conf:3: lossy_types: 'float64' is not a type that can be compressed" + allowed,
                          "job.conf:4: lossy_types: a list where the name of a type is expected" + allowed,
                          "job.conf:5: lossy_types: 'float16' is named twice" + allowed));
  EXPECT_THAT(errors_of("lossy_types: []\n"), ElementsAre("job.conf:1: lossy_types: the list is empty" + allowed));
  EXPECT_THAT(errors_of("lossy_types: float16,,float32\n"),
              ElementsAre("job.conf:1: lossy_types: '' is not a type that can be compressed" + allowed));
}

TEST(FileErrors, EveryMistakeOfAMapHasItsLine) {
  const std::string allowed = "; allowed: a map from datatype names to float16 or bfloat16";
  EXPECT_THAT(errors_of("declared_types:\n  good: float16\n  bad: float8\n  good: bfloat16\n  \"\": float16\n"
                        "  deep: [float16]\n  [a]: float16\n  \"line\\nbreak\": float16\n"),
              ElementsAre("job.conf:3: declared_types: 'bad' has the unknown format 'float8'" + allowed,
                          "job.conf:4: declared_types: 'good' is declared twice" + allowed,
                          "job.conf:5: declared_types: '' is not a datatype name; a name has 1 to 255 bytes and no "
                          "control characters" +
                              allowed,
                          "job.conf:6: declared_types: 'deep' has a list where a format is expected" + allowed,
                          "job.conf:7: declared_types: a list where a datatype name is expected" + allowed,
                          "job.conf:8: declared_types: 'line?break' is not a datatype name; a name has 1 to 255 "
                          "bytes and no control characters" +
                              allowed));
  EXPECT_THAT(errors_of("declared_types: {" + std::string(255, 'n') + ": float16}\n"), IsEmpty());
  EXPECT_THAT(errors_of("declared_types: {" + std::string(256, 'n') + ": float16}\n"),
              ElementsAre(HasSubstr("is not a datatype name")));
}

TEST(FileErrors, MalformedYaml) {
  EXPECT_THAT(errors_of("disable: no\nmin_bytes: [1M\ncodec: mxint8\n"),
              ElementsAre(AllOf(StartsWith("job.conf:3: not valid YAML: "),
                                EndsWith("; expected are lines of the form 'key: value'"))));
  EXPECT_THAT(errors_of("disable: no\n\tcodec: mxint8\n"), ElementsAre(StartsWith("job.conf:2: not valid YAML: ")));
  EXPECT_THAT(errors_of("disable: no\n\ncodec: mxint8\x01\n"), ElementsAre(StartsWith("job.conf:3: not valid YAML: ")));
  EXPECT_THAT(errors_of("disable: no\ncodec: \xff\n"), ElementsAre(StartsWith("job.conf:2: not valid YAML: ")));
}

TEST(FileErrors, YamlThatIsNoMapOfSettings) {
  EXPECT_THAT(errors_of("\nmin_bytes 1M\n"),
              ElementsAre("job.conf:2: text without a key; expected are lines of the form 'key: value'"));
  EXPECT_THAT(errors_of("- disable\n"), ElementsAre("job.conf:1: a list; expected are lines of the form 'key: value'"));
  EXPECT_THAT(errors_of("[disable]: no\n"),
              ElementsAre("job.conf:1: a list or map as a key; expected are lines of the form 'key: value'"));
  EXPECT_THAT(errors_of("disable: no\n---\ndisable: yes\n"),
              ElementsAre("job.conf:2: a second YAML document starts here; a configuration file is one document"));
  EXPECT_THAT(errors_of("codec: &c mxint8\nreport: *c\n"),
              ElementsAre("job.conf:2: aliases ('*name') are not understood here; write the value out instead"));
}

TEST(FileErrors, DeepNestingIsRefusedWithoutReadingOn) {
  const std::string expected = "nested too deeply; no setting has lists or maps inside of others";
  // The unclosed rest would be malformed, and slow, if it were read.
  EXPECT_THAT(errors_of("\ndeclared_types: " + std::string(1U << 18U, '[') + "\n"),
              ElementsAre("job.conf:2: " + expected));
  EXPECT_THAT(errors_of("lossy_types:\n- \n -\n  -\n   - float16\n"), ElementsAre("job.conf:4: " + expected));
}

TEST(FileErrors, LongValuesAreCutInMessages) {
  EXPECT_THAT(errors_of("codec: " + std::string(1000, 'x') + "\n"),
              ElementsAre(StartsWith("job.conf:1: codec: '" + std::string(60, 'x') + "...' is not known")));
}

TEST(FileErrors, EmptyFilesAreTheDefaults) {
  for (const char* text : {"", "\n\n", "# nothing but a comment\n", "---\n", "{}\n"}) {
    const Loaded loaded = parse_text(text, "job.conf");
    EXPECT_THAT(loaded.errors, IsEmpty()) << text;
    EXPECT_EQ(loaded.settings, Settings{}) << text;
  }
}

}  // namespace
}  // namespace airamp::config
