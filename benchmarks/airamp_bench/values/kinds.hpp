// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// What vectors hold, and what reduces them; each enumerator has the name that the command line knows.
#pragma once

#include <map>
#include <string>

namespace airamp::benchmark {

enum class ElementType { float16, bfloat16, float32, float64, int32, int64 };
enum class Data { about_normal, normal, laplace, uniform, wave, sparse, zeros, spread };
enum class Operation { sum, max, min };

const std::map<std::string, ElementType>& element_types();
const std::map<std::string, Data>& kinds_of_data();
const std::map<std::string, Operation>& operations();

/// The enumerator's name in such a map.
template <typename Enumerator>
const char* name_in(const std::map<std::string, Enumerator>& names, Enumerator value) {
  for (const auto& [name, enumerator] : names) {
    if (enumerator == value) return name.c_str();
  }
  return "?";
}

inline const char* to_string(ElementType type) { return name_in(element_types(), type); }
inline const char* to_string(Data data) { return name_in(kinds_of_data(), data); }
inline const char* to_string(Operation operation) { return name_in(operations(), operation); }

}  // namespace airamp::benchmark
