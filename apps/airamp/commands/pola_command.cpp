// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/pola_command.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "apps/airamp/exit_codes.hpp"
#include "apps/airamp/pola_replay/replay.hpp"
#include "apps/airamp/pola_replay/replay_json.hpp"
#include "apps/airamp/pola_replay/replay_table.hpp"
#include "apps/airamp/pola_replay/time_line.hpp"
#include "pola/trace_reader.hpp"

namespace airamp::command_line {
namespace {

constexpr const char* trace_ending = ".airtrace";

/// The traces that the arguments name; a folder stands for those in it, in the order of their names.
std::vector<std::string> find_traces(const std::vector<std::string>& arguments) {
  std::vector<std::string> traces;
  for (const std::string& argument : arguments) {
    if (!std::filesystem::is_directory(argument)) {
      traces.push_back(argument);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : std::filesystem::directory_iterator(argument)) {
      if (entry.path().extension() == trace_ending) inside.push_back(entry.path().string());
    }
    if (inside.empty()) throw pola::TraceError(argument + ": no " + trace_ending + " file is in this folder");
    std::sort(inside.begin(), inside.end());
    traces.insert(traces.end(), inside.begin(), inside.end());
  }
  return traces;
}

/// Of the communicator with the most calls. Throws TraceError if there is none, or the file cannot be written.
void write_picture(const pola::TraceReplay& replay, const std::string& file) {
  const auto busiest =
      std::max_element(replay.communicators.begin(), replay.communicators.end(),
                       [](const auto& a, const auto& b) { return a.counters.events < b.counters.events; });
  if (busiest == replay.communicators.end()) throw pola::TraceError(replay.path + ": has no calls to draw");
  std::ofstream picture(file);
  picture << pola::draw_time_line(replay, *busiest);
  picture.close();
  if (!picture) throw pola::TraceError(file + ": cannot be written");
}

}  // namespace

PolaCommand::PolaCommand(CLI::App& app)
    : command_(app.add_subcommand("pola", "Study the recorded collective calls of a run (AIRAMP_TRACE)")),
      replay_(
          command_->add_subcommand("replay", "Run the pattern engine over traces: how well does it foresee them?")) {
  command_->require_subcommand(1);
  replay_->add_option("TRACE", traces_, "Traces, or folders with .airtrace files; several give one line each")
      ->required();
  replay_->add_option("--svg", picture_, "Draw the busiest communicator of the one trace into this file");
  replay_->add_flag("--json", json_, "Print all results as JSON");
  replay_->add_flag("--baselines", baselines_, "Run other methods over the same calls, too");
  replay_->add_option("--lock-events", lock_events_, "Fewest calls before a lock")
      ->capture_default_str()
      ->check(CLI::Range(20, 50));
  replay_->add_option("--communicator", communicator_, "Only the communicator of this number");
  replay_->footer("Exit codes: 0, or 2 for a trace that cannot be read.");
}

int PolaCommand::run() const {
  pola::ReplayOptions options{.rules = {.lock_events = lock_events_}, .baselines = baselines_};
  if (replay_->count("--communicator") > 0) options.communicator = communicator_;
  try {
    const std::vector<std::string> traces = find_traces(traces_);
    const bool draw = !picture_.empty();
    if (draw && traces.size() != 1)
      throw pola::TraceError("--svg draws one trace, not " + std::to_string(traces.size()));
    std::vector<pola::TraceReplay> replays;
    replays.reserve(traces.size());
    for (const std::string& trace : traces) replays.push_back(pola::replay(trace, options, draw));
    if (draw) write_picture(replays.front(), picture_);
    if (json_) {
      std::cout << pola::to_json(replays, options);
    } else {
      std::cout << (replays.size() == 1 ? pola::describe(replays.front(), options) : pola::summarise(replays, options));
    }
  } catch (const pola::TraceError& error) {
    std::cerr << error.what() << '\n';
    return exit_usage;
  } catch (const std::filesystem::filesystem_error& error) {
    std::cerr << error.what() << '\n';
    return exit_usage;
  }
  return exit_ok;
}

}  // namespace airamp::command_line
