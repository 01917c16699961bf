// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// check_traces DIR RANKS: whether each DIR/rank-N.airtrace says what DIR/rank-N.calls does, call by call, and whether
// the ranks say the same of the calls that they made together.
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "mpitests/pola/logged_call.hpp"
#include "pola/trace_reader.hpp"

namespace airamp::traced {
namespace {

void require(bool right, const std::string& what) {
  if (!right) throw std::runtime_error(what);
}

std::vector<LoggedCall> read_log(const std::string& path) {
  std::ifstream file(path);
  std::vector<LoggedCall> calls;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    LoggedCall call;
    std::getline(fields, call.communicator, '\t');
    fields >> call.size >> call.rank >> call.function >> call.bytes;
    fields.ignore();
    std::getline(fields, call.arguments, '\t');
    fields >> call.before >> call.after;
    require(!fields.fail(), path + ": has a line that cannot be read");
    calls.push_back(call);
  }
  require(calls.size() > 20000, path + ": is too short");
  return calls;
}

/// What the ranks must agree on, by the communicator's name.
using Signatures = std::map<std::string, std::vector<pola::Signature>>;

/// Compares one rank's trace with its log.
class RankCheck {
 public:
  RankCheck(const std::string& folder, int rank, int ranks)
      : reader_(folder + "/rank-" + std::to_string(rank) + ".airtrace"),
        calls_(read_log(folder + "/rank-" + std::to_string(rank) + ".calls")) {
    const pola::TraceHeader& header = reader_.header();
    require(header.rank == static_cast<std::uint32_t>(rank), "the header has another rank");
    require(header.size == static_cast<std::uint32_t>(ranks), "the header has another number of ranks");
    require(header.program == "traced_calls", "the header has the program " + header.program);
    const bool known = header.library.find("Open MPI") == 0 || header.library.find("MPICH") == 0;
    require(known, "the header has the MPI library " + header.library);
  }

  void run() {
    pola::TraceEvent event;
    std::int64_t last_left = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      require(reader_.next(event), "the trace has only " + std::to_string(i) + " calls");
      const std::string why = compare(calls_[i], event);
      require(why.empty(), "call " + std::to_string(i) + ", " + calls_[i].function + ": " + why);
      // the library's clock was read between the program's readings
      const std::int64_t gap = i == 0 ? 0 : calls_[i].before - calls_[i - 1].after;
      require(event.entered_ns - last_left >= gap, "call " + std::to_string(i) + " was entered too early");
      last_left = event.left_ns;
      signatures_[calls_[i].communicator].push_back(pola::signature_of(event));
    }
    require(!reader_.next(event), "the trace has more calls than the program made");
    require(reader_.communicators().size() == numbers_.size(), "the trace has communicators without calls");
    check_arguments();
  }

  const Signatures& signatures() const { return signatures_; }

 private:
  std::string compare(const LoggedCall& call, const pola::TraceEvent& event) {
    const auto number = static_cast<std::uint32_t>(numbers_.size());
    const std::uint32_t expected = numbers_.try_emplace(call.communicator, number).first->second;
    if (event.communicator != expected) return "on communicator " + std::to_string(event.communicator);
    const pola::TraceCommunicator& communicator = reader_.communicators().at(event.communicator);
    if (communicator.size != static_cast<std::uint32_t>(call.size)) return "on a communicator of another size";
    if (communicator.rank != static_cast<std::uint32_t>(call.rank)) return "on a communicator with another rank";
    const std::string& function = reader_.header().functions.at(event.function);
    if (function != call.function) return "recorded as " + function;
    if (event.bytes != call.bytes) return "recorded with " + std::to_string(event.bytes) + " bytes";
    if (event.entered_ns > event.left_ns) return "left before it was entered";
    if (event.left_ns - event.entered_ns > call.after - call.before) return "took longer than it did";
    if (call.arguments != "-") arguments_[call.arguments].insert(event.arguments);
    return "";
  }

  void check_arguments() const {
    std::set<std::uint64_t> different;
    for (const auto& [name, values] : arguments_) {
      require(values.size() == 1, "not all calls of " + name + " have the same arguments");
      require(different.insert(*values.begin()).second, name + " has the arguments of another one");
    }
    require(different.size() == 3, "three kinds of arguments were to be seen");
  }

  pola::TraceReader reader_;
  std::vector<LoggedCall> calls_;
  std::map<std::string, std::uint32_t> numbers_;
  std::map<std::string, std::set<std::uint64_t>> arguments_;
  Signatures signatures_;
};

void check(const std::string& folder, int ranks) {
  Signatures common;
  for (int rank = 0; rank < ranks; ++rank) {
    try {
      RankCheck trace(folder, rank, ranks);
      trace.run();
      for (const auto& [name, signatures] : trace.signatures()) {
        require(common.try_emplace(name, signatures).first->second == signatures,
                "other ranks have other signatures on " + name);
      }
    } catch (const std::exception& error) {
      throw std::runtime_error("rank " + std::to_string(rank) + ": " + error.what());
    }
  }
}

}  // namespace
}  // namespace airamp::traced

int main(int argc, char** argv) {
  try {
    airamp::traced::require(argc == 3, "check_traces DIR RANKS");
    airamp::traced::check(argv[1], std::stoi(argv[2]));
  } catch (const std::exception& error) {
    std::cerr << "check_traces: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
