// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/airamp_probe/answers.hpp"
#include "apps/airamp_probe/question.hpp"

namespace airamp::doctor {

/// Seconds within which a library can be loaded and asked, from a slow network file system too.
inline constexpr double longest_wait_for_library = 15;

/// Starts airamp-probe, which lies beside this program, for each question. A library that hangs or ends its process
/// costs the answer alone.
class ProbeClient {
 public:
  /// Looks for the program, as installed and as built.
  ProbeClient();

  /// The answer to a question, or one whose `trouble` says why there is none. Waits `seconds` at most.
  template <typename Answer>
  Answer ask(probe::Question question, const std::vector<std::string>& arguments, double seconds) const {
    Answer answer;
    const nlohmann::json json = reply(question, arguments, seconds, answer.trouble);
    if (answer.trouble.empty()) answer = json.get<Answer>();
    return answer;
  }

 private:
  /// An object, or why there is none in `trouble`.
  nlohmann::json reply(probe::Question question, const std::vector<std::string>& arguments, double seconds,
                       std::string& trouble) const;

  std::string program_;  ///< empty if it was not found
};

}  // namespace airamp::doctor
