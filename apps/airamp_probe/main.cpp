// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// airamp-probe QUESTION [ARGUMENT...]: what `airamp doctor` asks of other people's libraries, which it cannot load
// since it is a static program, and which may hang or end their process. The answer is one object of JSON on standard
// output.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "apps/airamp_probe/answers.hpp"
#include "apps/airamp_probe/flag_latency.hpp"
#include "apps/airamp_probe/gpu_copies.hpp"
#include "apps/airamp_probe/gpus.hpp"
#include "apps/airamp_probe/memory_bandwidth.hpp"
#include "apps/airamp_probe/mpi_library.hpp"
#include "apps/airamp_probe/opened_library.hpp"
#include "apps/airamp_probe/question.hpp"
#include "apps/airamp_probe/topology.hpp"
#include "base/file_descriptor.hpp"

namespace airamp::probe {
namespace {

std::optional<Question> question_of(const std::string& name) {
  const auto question = std::find_if(every_question.begin(), every_question.end(),
                                     [&](Question known) { return to_string(known) == name; });
  return question == every_question.end() ? std::nullopt : std::optional(*question);
}

nlohmann::json answer(Question question, const std::vector<std::string>& arguments) {
  const std::string first = arguments.empty() ? "" : arguments.front();
  switch (question) {
    case Question::loading:
      return Loading{.trouble = OpenedLibrary(first, RTLD_NOW).trouble()};
    case Question::mpi_library:
      return ask_mpi_library(first);
    case Question::gpus:
      return ask_gpus();
    case Question::topology:
      return ask_topology(first);
    case Question::memory_bandwidth:
      return measure_memory_bandwidth(std::stoull(first));
    case Question::flag_latency:
      return measure_flag_latency();
    case Question::gpu_copies:
      return measure_gpu_copies(arguments);
  }
  return {};
}

int run(const std::vector<std::string>& words) {
  const auto question = words.empty() ? std::nullopt : question_of(words.front());
  if (!question) {
    std::cerr << "usage: airamp-probe QUESTION [ARGUMENT...]; it is asked by airamp doctor\n";
    return 2;
  }
  // What a library prints is no part of the answer.
  const base::FileDescriptor output(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const std::string text = answer(*question, {words.begin() + 1, words.end()})
                               .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) +
                           '\n';
  const bool written = write(output.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  // At once: nothing of a library that is open has a say any more.
  _exit(written ? 0 : 1);
}

}  // namespace
}  // namespace airamp::probe

int main(int argc, char** argv) try {
  return airamp::probe::run({argv + 1, argv + argc});
} catch (const std::exception& error) {
  std::cerr << "airamp-probe: " << error.what() << '\n';
  return 1;
}
