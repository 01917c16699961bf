// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace airamp::report_page {

/// An HTML table in the making. Cells are HTML.
class Table {
 public:
  /// Rows beyond these are only counted.
  static constexpr std::size_t max_rows = 300;

  struct Column {
    std::string_view heading;
    enum Kind : unsigned char { words, numbers, name } kind = words;  ///< a name may be broken anywhere
  };

  Table(std::string_view caption, std::vector<Column> columns);

  /// The first cell is the row's heading.
  void row(const std::vector<std::string>& cells, std::string_view look = "");

  bool empty() const { return rows_ == 0; }

  std::string finish() &&;

 private:
  std::vector<Column> columns_;
  std::string content_;
  std::size_t rows_ = 0;
};

}  // namespace airamp::report_page
