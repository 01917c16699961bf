// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/document.hpp"

#include <fmt/format.h>

#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/style.hpp"

namespace airamp::report_page {

std::string document(const std::string& title, const std::string& content) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>",
      escape(title));
  text += style;
  text += "</style>\n</head>\n<body>\n<main>\n" + content + "</main>\n</body>\n</html>\n";
  return text;
}

}  // namespace airamp::report_page
