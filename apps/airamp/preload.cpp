// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/preload.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>

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
  for (std::size_t begin = list.find_first_not_of(separators); begin != std::string::npos;) {
    const std::size_t end = list.find_first_of(separators, begin);
    const std::string entry = list.substr(begin, end == std::string::npos ? end : end - begin);
    // An entry without a slash is looked up along the library path: only its name can be compared.
    const bool same = entry.find('/') == std::string::npos ? entry == library_name : same_file(entry, library);
    if (same) return true;
    begin = end == std::string::npos ? end : list.find_first_not_of(separators, end);
  }
  return false;
}

}  // namespace

Library find_library(const std::string& given) {
  Library library;
  std::error_code error;
  if (!given.empty()) {
    library.places.push_back(fs::absolute(given, error).lexically_normal().string());
  } else {
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* relative : {AIRAMP_INSTALLED_LIBRARY_FOLDER, "../lib", "../lib64", AIRAMP_BUILT_LIBRARY_FOLDER}) {
      const std::string place = (folder / relative / library_name).lexically_normal().string();
      if (std::find(library.places.begin(), library.places.end(), place) == library.places.end()) {
        library.places.push_back(place);
      }
    }
  }
  for (const std::string& place : library.places) {
    if (!fs::is_regular_file(place, error)) continue;
    library.path = place;
    break;
  }
  return library;
}

std::string appended_preload(const std::string& before, const std::string& library) {
  if (before.empty()) return library;
  return has_entry(before, library) ? before : before + ":" + library;
}

}  // namespace airamp::command_line
