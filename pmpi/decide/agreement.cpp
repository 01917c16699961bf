// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/agreement.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "pmpi/mpi/native.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::int64_t suspended_code = 0;
constexpr std::int64_t ineligible_code = 1;
constexpr std::int64_t unaligned_code = 2;
constexpr std::int64_t undecided_code = 3;
constexpr std::int64_t first_facts_code = 4;

/// What of the facts has to be the same on all ranks, but for the length, as a small number.
std::int64_t code_of(const Statement& own) {
  const LocalFacts& facts = own.facts;
  if (!own.wanted) return suspended_code;
  if (facts.memory == Memory::mixed) return ineligible_code;
  if (facts.undecided) return undecided_code;
  if (!facts.eligible()) return ineligible_code;
  if (!facts.aligned) return unaligned_code;
  const int what = static_cast<int>(facts.type) * reduce_op_count + static_cast<int>(facts.op);
  const int ways = (facts.lossy ? 1 : 0) + (facts.lossless ? 2 : 0) + (on_gpu(facts.memory) ? 4 : 0);
  return first_facts_code + what * 8 + ways;
}

/// What all ranks have in common, by the smallest and the largest of their codes. `well_long`: the lengths of their
/// data are as they may be.
Consent consent_of(std::int64_t smallest, std::int64_t largest, bool well_long) {
  if (smallest == suspended_code) return Consent::suspended;
  if (smallest == unaligned_code) return Consent::unaligned;
  if (smallest == undecided_code) return Consent::undecided;
  if (smallest == ineligible_code || smallest != largest) return Consent::none;
  return well_long ? Consent::all : Consent::other_lengths;
}

// What a rank says in a meeting: from the lowest bit on its code, whether its buffers recur, whether some of them are
// managed memory, whether its GPU was reset, and its data's length if all have the same.
constexpr unsigned code_bits = 16;
constexpr std::uint64_t recurs_bit = std::uint64_t{1} << code_bits;
constexpr std::uint64_t managed_bit = recurs_bit << 1U;
constexpr std::uint64_t lost_bit = managed_bit << 1U;
constexpr unsigned length_shift = code_bits + 3;

std::int64_t code_in(std::uint64_t word) { return static_cast<std::int64_t>(word & (recurs_bit - 1)); }
bool recurs_in(std::uint64_t word) { return (word & recurs_bit) != 0; }
bool managed_in(std::uint64_t word) { return (word & managed_bit) != 0; }
bool lost_in(std::uint64_t word) { return (word & lost_bit) != 0; }
std::uint64_t length_in(std::uint64_t word) { return word >> length_shift; }

/// By the words that the ranks have said.
Agreement agreement_on(const std::uint64_t* begin, const std::uint64_t* end) {
  const auto [smallest, largest] =
      std::minmax_element(begin, end, [](auto a, auto b) { return code_in(a) < code_in(b); });
  const bool same_length = std::all_of(begin, end, [&](auto word) { return length_in(word) == length_in(*begin); });
  return {.consent = std::any_of(begin, end, lost_in) ? Consent::lost
                                                      : consent_of(code_in(*smallest), code_in(*largest), same_length),
          .managed = std::any_of(begin, end, managed_in),
          .recurs = std::all_of(begin, end, recurs_in)};
}

/// In memory that the ranks share. A length that may be any is a detail beside the word, as is what is known.
Result<Agreement> meet(HostMeeting& meeting, const Statement& own, CommunicatorState& state, bool lost) {
  PeerGroup* const peers = state.resources.peers.made.get();
  const bool goes_on = peers != nullptr && !lost && on_gpu(own.facts.memory);
  if (goes_on) peers->wait_for_application();
  const std::uint64_t word = word_of(own) | (lost ? lost_bit : 0);
  if (!own.has_arrived) meeting.arrive(word, own.any_length ? own.facts.bytes : own.known, own.patience);
  if (goes_on) peers->order();  // while the others come
  Agreement agreement;
  if (meeting.all_say(word)) {
    agreement = agreement_on(&word, &word + 1);
  } else {
    const HostMeeting::Words words = meeting.hear();
    if (meeting.has_failed()) return MpiError{raise_failure(meeting, state.comm)};
    if (meeting.was_closed()) return Agreement{.consent = Consent::closed};
    agreement = agreement_on(words.data(), words.data() + state.size);
  }
  agreement.bytes = own.facts.bytes;
  if (!own.any_length && own.known == 0) return agreement;
  if (own.any_length) {
    agreement.bytes = meeting.greatest_detail();
    return agreement;
  }
  const HostMeeting::Words details = meeting.details();
  const auto end = details.begin() + state.size;
  if (std::all_of(details.begin(), end, [&](auto detail) { return detail == own.known; })) agreement.known = own.known;
  return agreement;
}

/// One reduction gives the smallest and the largest of codes, lengths and knowledge, and what is true of all ranks.
Result<Agreement> reduce(const Statement& own, MPI_Comm comm, bool lost) {
  const std::int64_t code = code_of(own);
  const auto known = static_cast<std::int64_t>(own.known == 0 ? 0 : own.known >> 1U | 1U);
  const auto bytes = static_cast<std::int64_t>(own.facts.bytes);
  std::array<std::int64_t, 9> least = {
      code,        -code, bytes, -bytes, known, -known, own.recurs ? 1 : 0, own.facts.memory == Memory::managed ? 0 : 1,
      lost ? 0 : 1};
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, least.data(), least.size(), MPI_INT64_T, MPI_MIN, comm);
  if (error != MPI_SUCCESS) return MpiError{error};
  const bool well_long = own.any_length || least[2] == -least[3];
  return Agreement{.consent = least[8] == 0 ? Consent::lost : consent_of(least[0], -least[1], well_long),
                   .managed = least[7] == 0,
                   .recurs = least[6] == 1,
                   .known = least[4] == -least[5] ? own.known : 0,
                   .bytes = static_cast<std::uint64_t>(-least[3])};
}

}  // namespace

std::uint64_t word_of(const Statement& own) {
  return static_cast<std::uint64_t>(code_of(own)) | (own.recurs ? recurs_bit : 0) |
         (own.facts.memory == Memory::managed ? managed_bit : 0) |
         (own.any_length ? 0 : own.facts.bytes << length_shift);
}

Result<Agreement> agree_on(const Statement& own, CommunicatorState& state) {
  const bool lost = state.resources.has_lost_gpu();
  HostMeeting* const meeting = state.resources.meeting();
  return meeting != nullptr ? meet(*meeting, own, state, lost) : reduce(own, state.comm, lost);
}

int raise_failure(const HostMeeting& meeting, MPI_Comm comm) {
  if (!meeting.is_revoked()) {
    telemetry::log(config::LogLevel::error, "the process of another rank has ended before a collective");
  }
  native().Comm_call_errhandler(comm, meeting.failure());
  return meeting.failure();
}

}  // namespace airamp::pmpi
