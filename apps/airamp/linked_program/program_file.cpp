// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/linked_program/program_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <string_view>

namespace airamp::command_line {
namespace {

/// A file's bytes, of which only those that are read come from the disk.
class Bytes {
 public:
  explicit Bytes(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      void* const address = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (address != MAP_FAILED) bytes_ = {static_cast<const char*>(address), static_cast<std::size_t>(status.st_size)};
    }
    if (file >= 0) close(file);
  }
  ~Bytes() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  std::string_view text() const { return bytes_; }

  /// The structure at `offset`, if all of it is there.
  template <typename Structure>
  std::optional<Structure> at(std::size_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Structure)) return {};
    Structure value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  /// The text that ends with a zero at `offset`; empty if there is none.
  std::string text_at(std::size_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::size_t end = bytes_.find('\0', offset);
    return end == std::string_view::npos ? std::string() : std::string(bytes_.substr(offset, end - offset));
  }

 private:
  std::string_view bytes_;
};

using Segment = ElfW(Phdr);
using Entry = ElfW(Dyn);

std::vector<Segment> segments_of(const Bytes& file) {
  const auto header = file.at<ElfW(Ehdr)>(0);
  constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != own_class)
    return {};
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = file.at<Segment>(header->e_phoff + i * sizeof(Segment));
    if (segment) segments.push_back(*segment);
  }
  return segments;
}

/// Where in the file that lies which is loaded at `address`.
std::size_t offset_of(const std::vector<Segment>& segments, std::size_t address) {
  for (const Segment& segment : segments) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
      return address - segment.p_vaddr + segment.p_offset;
    }
  }
  return 0;
}

std::vector<std::string> needed_by(const Bytes& file, const std::vector<Segment>& segments, const Segment& dynamic) {
  std::vector<std::size_t> names;
  std::size_t strings = 0;
  for (std::size_t offset = 0; offset + sizeof(Entry) <= dynamic.p_filesz; offset += sizeof(Entry)) {
    const auto entry = file.at<Entry>(dynamic.p_offset + offset);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
    if (entry->d_tag == DT_STRTAB) strings = offset_of(segments, entry->d_un.d_ptr);
  }
  std::vector<std::string> needed;
  if (strings == 0) return needed;
  for (const std::size_t name : names) needed.push_back(file.text_at(strings + name));
  return needed;
}

/// The program of a script's first line, that which env(1) would look up included.
std::string interpreter_of(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::string_view line = text.substr(2, text.find('\n') - 2);
  std::vector<std::string> words;
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = line.find_first_of(blanks, begin);
    words.emplace_back(line.substr(begin, end == std::string_view::npos ? end : end - begin));
    begin = end == std::string_view::npos ? end : line.find_first_not_of(blanks, end);
  }
  if (words.empty()) return {};
  if (!words.front().ends_with("/env")) return words.front();
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with('-') && words[i].find('=') == std::string::npos) return words[i];
  }
  return {};
}

}  // namespace

ProgramFile read_program_file(const std::string& path) {
  ProgramFile program;
  const Bytes file(path);
  if (file.text().starts_with("#!")) {
    program.interpreter = interpreter_of(file.text());
    return program;
  }
  const std::vector<Segment> segments = segments_of(file);
  for (const Segment& segment : segments) {
    if (segment.p_type == PT_INTERP) program.loader = file.text_at(segment.p_offset);
    if (segment.p_type == PT_DYNAMIC) program.needed = needed_by(file, segments, segment);
  }
  return program;
}

}  // namespace airamp::command_line
