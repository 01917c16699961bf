// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// faults FOLDER CASE [arguments]: a job to which something happens (cases.hpp). Each rank leaves its verdict in FOLDER
// (verdict.hpp); scripts/fault-table compares those of runs with AIRamp and without.
#include <algorithm>
#include <cstdio>
#include <string_view>

#include "mpitests/faults/cases.hpp"
#include "mpitests/faults/verdict.hpp"

namespace airamp::faults {
namespace {

struct Case {
  std::string_view name;
  void (*run)(const Arguments& arguments);
};

constexpr Case cases[] = {
    {"well", well},
    {"killed", killed},
    {"killed-errors-return", killed_errors_return},
    {"aborts", aborts},
    {"exits", exits},
    {"all-exit", all_exit},
    {"forks", forks},
    {"runs", runs},
    {"clears-environment", clears_environment},
    {"removes-working-folder", removes_working_folder},
    {"sets-locale", sets_locale},
    {"closes-outputs", closes_outputs},
    {"has-signals", has_signals},
    {"limits", limits},
    {"small-stack", small_stack},
    {"threads", threads},
    {"connects", connects},
    {"session", session},
};

}  // namespace
}  // namespace airamp::faults

int main(int argc, char** argv) {
  using namespace airamp::faults;
  const std::string_view name = argc > 2 ? argv[2] : "";
  const auto* const found =
      std::find_if(std::begin(cases), std::end(cases), [=](const Case& each) { return each.name == name; });
  if (found == std::end(cases)) {
    std::fprintf(stderr, "faults: name a folder and a case of mpitests/faults/cases.hpp\n");
    return 2;
  }
  set_verdict_folder(argv[1]);
  found->run(Arguments(argv + 3, argv + argc));
  return 0;
}
