// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/preload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/airamp/linked_program/linked_family.hpp"

namespace airamp::command_line {
namespace {

namespace fs = std::filesystem;

constexpr const char* library_name = "libairamp.so";

// What separates the entries of LD_PRELOAD.
constexpr const char* separators = ": ";

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || (fs::equivalent(a, b, error) && !error);
}

bool has_entry(const std::string& list, const std::string& library) {
  const std::string name = fs::path(library).filename().string();
  for (std::size_t begin = list.find_first_not_of(separators); begin != std::string::npos;) {
    const std::size_t end = list.find_first_of(separators, begin);
    const std::string entry = list.substr(begin, end == std::string::npos ? end : end - begin);
    // An entry without a slash is looked up along the library path: only its name can be compared.
    const bool same = entry.find('/') == std::string::npos ? entry == name : same_file(entry, library);
    if (same) return true;
    begin = end == std::string::npos ? end : list.find_first_not_of(separators, end);
  }
  return false;
}

/// Places in folders of libraries beside this program, without repetition.
std::vector<std::string> places_of(const std::vector<std::string>& folders, const std::string& name) {
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<std::string> places;
  for (const std::string& folder : folders) {
    std::string place = (own / folder / name).lexically_normal().string();
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
  }
  return places;
}

std::vector<std::string> places_of(MpiFamily family) {
  return places_of({AIRAMP_INSTALLED_LIBRARY_FOLDER, "../lib", "../lib64"},
                   "airamp/" + std::string(to_string(family)) + "/" + library_name);
}

/// The first of them that is a file; empty if none is.
std::string first_file(const std::vector<std::string>& places) {
  std::error_code error;
  const auto place =
      std::find_if(places.begin(), places.end(), [&](const auto& p) { return fs::is_regular_file(p, error); });
  return place == places.end() ? std::string() : *place;
}

std::string not_found(const std::vector<std::string>& places) {
  std::string text = "libairamp.so was not found; looked at";
  for (const std::string& place : places) text += "\n  " + place;
  return text;
}

/// Both families are installed.
std::optional<MpiFamily> family_of(const std::string& program) {
  const auto family = program.empty() ? std::nullopt : linked_family(program);
  return family ? family : family_of_launcher([](const char* name) -> const char* { return std::getenv(name); });
}

}  // namespace

Library find_library(const LibraryChoice& choice) {
  if (!choice.file.empty()) {
    std::error_code error;
    const std::string place = fs::absolute(choice.file, error).lexically_normal().string();
    return fs::is_regular_file(place, error) ? Library{place, {}} : Library{{}, not_found({place})};
  }
  if (choice.family) {
    const std::vector<std::string> places = places_of(*choice.family);
    const std::string place = first_file(places);
    return place.empty() ? Library{{}, not_found(places)} : Library{place, {}};
  }

  std::vector<std::string> places;
  std::vector<std::string> installed;
  for (const MpiFamily family : every_mpi_family) {
    const std::vector<std::string> of_family = places_of(family);
    const std::string place = first_file(of_family);
    if (!place.empty()) installed.push_back(place);
    places.insert(places.end(), of_family.begin(), of_family.end());
  }
  if (installed.size() == 1) return {installed.front(), {}};
  if (installed.size() == every_mpi_family.size()) {
    const auto family = family_of(choice.program);
    if (family) return {installed.at(static_cast<std::size_t>(*family)), {}};
    return {{},
            "cannot tell which MPI library " + (choice.program.empty() ? "the program" : choice.program) +
                " will use: it is linked with none, and the launcher does not say; give --mpi openmpi or --mpi mpich"};
  }

  const std::vector<std::string> others =
      places_of({AIRAMP_INSTALLED_LIBRARY_FOLDER, "../lib", "../lib64", AIRAMP_BUILT_LIBRARY_FOLDER}, library_name);
  places.insert(places.end(), others.begin(), others.end());
  const std::string place = first_file(others);
  if (!place.empty()) return {place, {}};
  return {{}, not_found(places) + "\nname it with --library FILE"};
}

std::string appended_preload(const std::string& before, const std::string& library) {
  if (before.empty()) return library;
  return has_entry(before, library) ? before : before + ":" + library;
}

std::string prepended_preload(const std::string& before, const std::string& library) {
  if (before.empty()) return library;
  return has_entry(before, library) ? before : library + ":" + before;
}

}  // namespace airamp::command_line
