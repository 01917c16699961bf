// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/yaml_file.hpp"

#include <yaml.h>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "base/quoted_text.hpp"

namespace airamp::config {
namespace {

// The file is level 0, a setting's value 1, an item of it 2. Nothing below is read: libyaml's time is quadratic in
// depth.
constexpr int deepest_collection = 2;

constexpr const char* expected_lines = "; expected are lines of the form 'key: value'";

int line_of(const yaml_mark_t& mark) { return static_cast<int>(mark.line) + 1; }

class Event {
 public:
  Event() = default;
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  yaml_event_t* get() { return &event_; }
  yaml_event_type_t type() const { return event_.type; }
  int line() const { return line_of(event_.start_mark); }
  std::string text() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }

 private:
  yaml_event_t event_{};
};

// Turns libyaml's events into values. Every function gives up at the first problem.
class Reader {
 public:
  Reader(std::string_view text, std::vector<Problem>& problems) : text_(text), problems_(problems) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Reader() { yaml_parser_delete(&parser_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The root of the only document; nothing if there is none, or a problem.
  std::optional<Value> read_document() {
    Event stream_start;
    Event document_start;
    Event root;
    Event document_end;
    Event stream_end;
    if (!next(stream_start) || !next(document_start)) return std::nullopt;
    if (document_start.type() == YAML_STREAM_END_EVENT || !next(root)) return std::nullopt;
    std::optional<Value> value = read_value(root, 0);
    if (!value || !next(document_end) || !next(stream_end)) return std::nullopt;
    if (stream_end.type() == YAML_STREAM_END_EVENT) return value;
    problems_.push_back(
        {stream_end.line(), "a second YAML document starts here; a configuration file is one document"});
    return std::nullopt;
  }

 private:
  bool next(Event& event) {
    if (yaml_parser_parse(&parser_, event.get()) != 0) return true;
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    int line = line_of(parser_.problem_mark);
    if (parser_.error == YAML_READER_ERROR) {  // knows the byte, not the line
      const std::string_view before = text_.substr(0, std::min(parser_.problem_offset, text_.size()));
      line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    }
    std::string what = "not valid YAML: ";
    if (parser_.context != nullptr) what += parser_.context + std::string(", ");
    problems_.push_back({line, what + (parser_.problem != nullptr ? parser_.problem : "unreadable") + expected_lines});
    return false;
  }

  // The value that starts with this event.
  std::optional<Value> read_value(const Event& event, int level) {
    Value value;
    value.line = event.line();
    if (event.type() == YAML_SCALAR_EVENT) {
      value.text = event.text();
      return value;
    }
    if (event.type() == YAML_ALIAS_EVENT) {
      problems_.push_back({value.line, "aliases ('*name') are not understood here; write the value out instead"});
      return std::nullopt;
    }
    if (level > deepest_collection) {
      problems_.push_back({value.line, "nested too deeply; no setting has lists or maps inside of others"});
      return std::nullopt;
    }
    const bool is_map = event.type() == YAML_MAPPING_START_EVENT;
    value.shape = is_map ? Value::Shape::map : Value::Shape::list;
    for (;;) {
      Event item;
      if (!next(item)) return std::nullopt;
      if (item.type() == YAML_MAPPING_END_EVENT || item.type() == YAML_SEQUENCE_END_EVENT) return value;
      std::optional<Value> read = read_value(item, level + 1);
      if (!read) return std::nullopt;
      const bool is_key = is_map && value.keys.size() == value.items.size();
      (is_key ? value.keys : value.items).push_back(std::move(*read));
    }
  }

  std::string_view text_;
  std::vector<Problem>& problems_;
  yaml_parser_t parser_{};
};

}  // namespace

std::string shape_name(const Value& value) {
  if (value.shape == Value::Shape::list) return "a list";
  if (value.shape == Value::Shape::map) return "a map";
  return value.text.empty() ? "no value" : "the single value " + base::message_quoted(value.text);
}

YamlFile read_yaml(std::string_view text) {
  YamlFile file;
  file.settings.shape = Value::Shape::map;
  std::optional<Value> root = Reader(text, file.problems).read_document();
  if (!root) return file;
  if (root->shape == Value::Shape::map) {
    file.settings = std::move(*root);
  } else if (root->shape == Value::Shape::list) {
    file.problems.push_back({root->line, std::string("a list") + expected_lines});
  } else if (!root->text.empty()) {
    file.problems.push_back({root->line, std::string("text without a key") + expected_lines});
  }
  return file;
}

}  // namespace airamp::config
