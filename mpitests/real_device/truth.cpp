// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/truth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "mpitests/real_device/reduction.hpp"

namespace airamp::gpu_tests {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::vector<double> values_of(Format format, const std::byte* data, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = value_at(format, data, i);
  return values;
}

// One block that was moved: all bytes equal, or each element within one quantisation.
std::string compare_moved(const Call& call, const Lossy& lossy, const std::vector<std::byte>& truth,
                          const std::byte* got) {
  if (std::equal(truth.begin(), truth.end(), got)) return "";
  if (!lossy.allows(call)) return "moved bytes differ";
  const Format format = call.element->format;
  const std::size_t count = truth.size() / call.element->bytes;
  const std::vector<double> exact = values_of(format, truth.data(), count);
  const std::vector<double> errors =
      differential::quantisation_errors(exact, nullptr, lossy.quantisation, rounding_of(format));
  for (std::size_t i = 0; i < count; ++i) {
    const double value = value_at(format, got, i);
    const bool right = std::isfinite(exact[i]) ? std::fabs(value - exact[i]) <= errors[i] : !std::isfinite(value);
    if (!right) return mistake_at(i, exact[i], value);
  }
  return "";
}

std::string check_gather(const Call& call, const Lossy& lossy, const std::vector<std::byte>& result) {
  const std::size_t bytes = call.element->bytes;
  std::size_t end = 0;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const std::size_t begin = static_cast<std::size_t>(call.displacements[i]) * bytes;
    const std::vector<std::byte> truth = contribution(call, call.communicator->members[i], call.contribution(i));
    const auto gap = std::find_if(result.begin() + static_cast<std::ptrdiff_t>(end),
                                  result.begin() + static_cast<std::ptrdiff_t>(begin),
                                  [](std::byte byte) { return byte != Buffer::pattern; });
    if (gap != result.begin() + static_cast<std::ptrdiff_t>(begin)) return "a gap was written to";
    if (std::string mistake = compare_moved(call, lossy, truth, result.data() + begin); !mistake.empty()) {
      return "block " + std::to_string(i) + ": " + mistake;
    }
    end = begin + truth.size();
  }
  return "";
}

std::string check_exchange(const Call& call, std::size_t rank, const std::vector<std::byte>& result) {
  const auto bytes = static_cast<std::ptrdiff_t>(call.element->bytes);
  const Blocks received = call.received_blocks(rank);
  std::vector<std::byte> expected(result.size(), Buffer::pattern);
  for (std::size_t from = 0; from < call.size(); ++from) {
    const std::vector<std::byte> input = contribution(call, call.communicator->members[from], call.contribution(from));
    const Blocks sent = call.sent_blocks(from);
    const auto begin = input.begin() + sent.displacements[rank] * bytes;
    std::copy(begin, begin + sent.counts[rank] * bytes, expected.begin() + received.displacements[from] * bytes);
  }
  const auto wrong = std::mismatch(expected.begin(), expected.end(), result.begin()).first;
  return wrong == expected.end() ? "" : "byte " + std::to_string(wrong - expected.begin()) + " of an exchange differs";
}

/// Of a rank that gets nothing: its receive buffer is as it was.
std::string check_untouched(const Call& call, std::size_t rank, const std::vector<std::byte>& result) {
  std::vector<std::byte> expected(result.size(), Buffer::pattern);
  if (call.is_in_place(rank)) expected = contribution(call, call.communicator->members[rank], call.contribution(rank));
  return result == expected ? "" : "a receive buffer was written to that gets nothing";
}

std::uint64_t fnv(std::uint64_t hash, std::uint64_t word) { return (hash ^ word) * 0x100000001b3U; }

}  // namespace

Lossy Lossy::from_environment() {
  Lossy lossy;
  lossy.reductions = variable("AIRAMP_ENABLE_FP8_ALLREDUCE") == "1";
  lossy.gathers = variable("AIRAMP_ENABLE_FP8_ALLGATHER") == "1";
  lossy.quantisation = differential::quantisation(variable("AIRAMP_CODEC"));
  return lossy;
}

bool Lossy::allows(const Call& call) const {
  if (!is_half(call.element->format) || call.kind == Kind::bcast || call.exchanges()) return false;
  if (call.reduces()) return reductions && (call.kind == Kind::allreduce || call.kind == Kind::reduce_scatter_block);
  return gathers;
}

std::string find_mistake(const Call& call, const Lossy& lossy, std::size_t rank, const std::vector<std::byte>& result) {
  if (call.gathers()) return check_gather(call, lossy, result);
  if (call.exchanges()) return check_exchange(call, rank, result);
  if (call.kind == Kind::bcast) {
    const auto root = static_cast<std::size_t>(call.root);
    return compare_moved(call, lossy, contribution(call, call.communicator->members[root], call.count), result.data());
  }
  std::vector<std::vector<std::byte>> inputs;
  const Call::Reduced reduced = call.reduced(rank);
  if (reduced.ranks == 0) return check_untouched(call, rank, result);
  for (std::size_t i = 0; i < reduced.ranks; ++i) {
    inputs.push_back(contribution(call, call.communicator->members[i], call.contribution(i)));
    inputs.back().erase(inputs.back().begin(),
                        inputs.back().begin() + static_cast<std::ptrdiff_t>(reduced.begin * call.element->bytes));
    inputs.back().resize(reduced.count * call.element->bytes);
  }
  const Reduction reduction{call.element->format, call.operation->meaning, reduced.count, inputs,
                            call.flavour == Flavour::whole};
  return is_float(call.element->format)
             ? reduction.compare_floats(result.data(), lossy.allows(call) ? &lossy.quantisation : nullptr)
             : reduction.compare_integers(result.data());
}

std::uint64_t shared_hash(const Call& call, const std::vector<std::byte>& result) {
  if ((call.reduces() && call.kind != Kind::allreduce) || call.exchanges()) return 0;
  const bool extremes = call.kind == Kind::allreduce && call.operation->meaning != Meaning::sum &&
                        call.operation->meaning != Meaning::prod;
  // What a maximum makes of a NaN is the MPI library's business, and may depend on the rank.
  if (extremes && call.flavour == Flavour::specials) return 0;
  const Format format = call.element->format;
  const std::size_t bytes = call.element->bytes;
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < result.size() / bytes; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, result.data() + i * bytes, bytes);
    if (is_float(format)) {
      const double value = value_at(format, result.data(), i);
      if (std::isnan(value) && call.kind == Kind::allreduce) word = 1;
      if (value == 0.0 && extremes) word = 0;
    }
    hash = fnv(hash, word);
  }
  return hash;
}

}  // namespace airamp::gpu_tests
