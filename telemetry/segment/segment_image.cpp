// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/segment_image.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace airamp::telemetry {
namespace {

std::string read_at(int descriptor, std::size_t offset, void* target, std::size_t size) {
  auto* bytes = static_cast<char*>(target);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = pread(descriptor, bytes + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return "cannot be read: " + std::generic_category().message(errno);
    if (count == 0) return "ends after " + std::to_string(offset + done) + " bytes";
    done += static_cast<std::size_t>(count);
  }
  return {};
}

/// Reads the first `count` elements of an array that lies in `whole`.
template <typename Array>
std::string read_rows(int descriptor, const layout::Segment& whole, Array& array, std::size_t count) {
  const std::size_t offset =
      static_cast<std::size_t>(reinterpret_cast<char*>(array.data()) - reinterpret_cast<const char*>(&whole));
  return read_at(descriptor, offset, array.data(), count * sizeof array[0]);
}

/// Whether a row's version says that what was read between two looks at it belongs together; makes it odd if not.
bool keep_if_stable(layout::Word& copy, const layout::Word& before, const layout::Word& after) {
  const std::uint64_t version = copy.load();
  if ((version & 1U) == 0 && before.load() == version && after.load() == version) return true;
  copy.store(version | 1U);
  return false;
}

}  // namespace

std::string read_header(int descriptor, layout::Header& header) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return "cannot be read: " + std::generic_category().message(errno);
  if (!S_ISREG(status.st_mode)) return "is not a file";
  if (std::string error = read_at(descriptor, 0, &header, sizeof header); !error.empty()) return error;
  if (header.magic.load() == 0) return "is being made";
  if (header.magic.load() != layout::magic) return "is not a segment";
  if (header.version != layout::version) {
    return "has layout version " + std::to_string(header.version) + ", not " + std::to_string(layout::version);
  }
  if (header.total_size != sizeof(layout::Segment) || status.st_size != static_cast<off_t>(header.total_size)) {
    return "has " + std::to_string(status.st_size) + " bytes instead of " + std::to_string(sizeof(layout::Segment));
  }
  return {};
}

std::string why_not_plausible(const layout::Header& header) {
  if (header.size < 1 || header.rank < 0 || header.rank >= header.size) {
    return "is of rank " + std::to_string(header.rank) + " of " + std::to_string(header.size);
  }
  const auto check = [](std::string_view what, std::size_t count, std::size_t most) {
    return count <= most ? std::string() : "counts " + std::to_string(count) + " " + std::string(what);
  };
  if (std::string error = check("functions", header.functions, layout::functions); !error.empty()) return error;
  if (std::string error = check("paths", header.paths, layout::paths); !error.empty()) return error;
  if (std::string error = check("communicators", header.communicators, layout::other_communicators); !error.empty())
    return error;
  if (std::string error = check("decisions", header.decisions, layout::decisions); !error.empty()) return error;
  return check("rows of traffic", header.traffic, layout::traffic);
}

SegmentImage::SegmentImage()
    : copy_(std::make_unique<layout::Segment>()),
      before_(std::make_unique<layout::Segment>()),
      after_(std::make_unique<layout::Segment>()) {}

std::string SegmentImage::read(int descriptor) {
  layout::Segment& copy = *copy_;
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (std::string error = read_header(descriptor, before_->header); !error.empty()) return error;
    if (std::string error = read_header(descriptor, copy.header); !error.empty()) return error;
    if (std::string error = why_not_plausible(copy.header); !error.empty()) return error;
    if (std::string error = read_versioned(descriptor, *before_); !error.empty()) return error;
    // Rows that refer to communicators come first: a communicator is there before anything refers to it.
    std::string error = read_rows(descriptor, copy, copy.traffic_rows, copy.header.traffic);
    if (error.empty()) error = read_rows(descriptor, copy, copy.function_names, copy.header.functions);
    if (error.empty()) error = read_rows(descriptor, copy, copy.message_ns, copy.header.functions);
    if (error.empty()) error = read_rows(descriptor, copy, copy.path_names, copy.header.paths);
    if (error.empty()) error = read_versioned(descriptor, copy);
    if (error.empty()) error = read_versioned(descriptor, *after_);
    if (error.empty()) error = read_header(descriptor, after_->header);
    if (!error.empty()) return error;
    if (mark_unstable_rows()) break;
  }
  return {};
}

std::string SegmentImage::read_versioned(int descriptor, layout::Segment& target) const {
  const layout::Header& header = copy_->header;
  std::string error = read_rows(descriptor, target, target.flight_rows, layout::flights);
  if (error.empty()) error = read_rows(descriptor, target, target.decision_rows, header.decisions);
  if (error.empty()) error = read_rows(descriptor, target, target.communicator_rows, layout::communicators);
  return error;
}

/// Whether all that changes rarely was at rest. Flights never are in a busy process.
bool SegmentImage::mark_unstable_rows() {
  layout::Segment& copy = *copy_;
  const auto keep = [&](auto rows, std::size_t count) {
    bool at_rest = true;
    for (std::size_t i = 0; i < count; ++i) {
      at_rest &= keep_if_stable((copy.*rows)[i].version, ((*before_).*rows)[i].version, ((*after_).*rows)[i].version);
    }
    return at_rest;
  };
  const auto keep_header = [&](layout::Word layout::Header::*version) {
    return keep_if_stable(copy.header.*version, before_->header.*version, after_->header.*version);
  };
  keep(&layout::Segment::flight_rows, layout::flights);
  bool at_rest = keep(&layout::Segment::decision_rows, copy.header.decisions);
  at_rest &= keep(&layout::Segment::communicator_rows, layout::communicators);
  at_rest &= keep_header(&layout::Header::state_version);
  at_rest &= keep_header(&layout::Header::latest_version);
  return at_rest;
}

}  // namespace airamp::telemetry
