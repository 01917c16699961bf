// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/source_lines.hpp"

#include <gmock/gmock.h>
#include <link.h>

#include <cstdint>
#include <filesystem>

#include "apps/airamp/linked_program/find_program.hpp"

namespace airamp::command_line {

constexpr int line_before = __LINE__;
[[gnu::noinline]] int function_to_be_found(int number) { return number * 7 + 1; }

namespace {

using report_page::RunReport;
using testing::HasSubstr;

std::uint64_t offset_of_function() {
  std::uintptr_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* place) {
        *static_cast<std::uintptr_t*>(place) = program->dlpi_addr;
        return 1;  // the program itself comes first
      },
      &base);
  return reinterpret_cast<std::uintptr_t>(&function_to_be_found) - base;
}

RunReport::Frame frame(const std::string& object, std::uint64_t offset) {
  return {.address = {.object = object, .offset = offset, .symbol = ""}, .function = "", .line = ""};
}

TEST(SourceLines, NameFunctionAndLine) {
  if (find_program("addr2line").empty()) GTEST_SKIP() << "there is no addr2line here";
  const std::string own = std::filesystem::read_symlink("/proc/self/exe");
  std::vector<RunReport::CallSite> sites(2);
  sites[0].stack = {frame("/no/such/file", 1), frame(own, offset_of_function())};
  sites[1].stack = {frame(own, ~std::uint64_t{0}), frame(own, offset_of_function()), frame("", 5)};
  add_source_lines(sites);
  for (const RunReport::Frame& found : {sites[0].stack[1], sites[1].stack[1]}) {
    EXPECT_THAT(found.function, HasSubstr("function_to_be_found"));
    EXPECT_EQ(found.line, "source_lines_test.cpp:" + std::to_string(line_before + 1));
  }
  for (const RunReport::Frame& unknown : {sites[0].stack[0], sites[1].stack[0], sites[1].stack[2]}) {
    EXPECT_EQ(unknown.function, "");
    EXPECT_EQ(unknown.line, "");
  }
}

}  // namespace
}  // namespace airamp::command_line
