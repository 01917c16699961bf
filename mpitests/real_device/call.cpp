// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/call.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "mpitests/real_device/device.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr const char* kind_names[] = {"allreduce",      "allgather", "allgatherv", "reduce_scatter_block",
                                      "bcast",          "alltoall",  "alltoallv",  "reduce",
                                      "reduce_scatter", "scan",      "exscan"};
constexpr const char* flavour_names[] = {"normal", "whole", "specials", "overflow", "near one", "sections", "bits"};
constexpr const char* placement_names[] = {"all device", "all alike", "mixed"};

std::size_t draw_count(Random& random, std::size_t most) {
  const std::uint64_t kind = random.below(20);
  std::size_t bound = most;
  if (kind < 2) return random.below(4);
  if (kind < 8) bound = 1000;
  if (kind >= 8 && kind < 14) bound = 1U << 16U;
  if (kind >= 14 && kind < 19) bound = 1U << 20U;
  return random.below(std::min(bound, most) + 1);
}

Kind draw_kind(Random& random) {
  constexpr Kind kinds[] = {Kind::allreduce,
                            Kind::allreduce,
                            Kind::allreduce,
                            Kind::allreduce,
                            Kind::allgather,
                            Kind::allgatherv,
                            Kind::reduce_scatter_block,
                            Kind::bcast,
                            Kind::alltoall,
                            Kind::alltoallv,
                            Kind::reduce,
                            Kind::reduce_scatter,
                            Kind::scan,
                            Kind::exscan};
  return kinds[random.below(std::size(kinds))];
}

Flavour draw_flavour(Random& random, const Call& call) {
  if (!is_float(call.element->format)) return Flavour::bits;
  if (call.operation != nullptr && call.operation->meaning == Meaning::prod) return Flavour::near_one;
  constexpr Flavour flavours[] = {Flavour::normal, Flavour::sections, Flavour::whole, Flavour::specials,
                                  Flavour::overflow};
  return flavours[random.below(std::size(flavours))];
}

void draw_blocks(Random& random, Call& call) {
  int end = 0;
  const bool gaps = call.kind == Kind::allgatherv && random.chance(0.5);
  for (std::size_t i = 0; i < call.size(); ++i) {
    const std::size_t count = call.kind == Kind::allgatherv ? random.below(call.count + 1) : call.count;
    if (gaps) end += static_cast<int>(random.below(6));
    call.counts.push_back(static_cast<int>(count));
    call.displacements.push_back(end);
    end += static_cast<int>(count);
  }
}

/// Results that differ by one at most, or by any number.
void draw_results(Random& random, Call& call) {
  const bool even = random.chance(0.5);
  for (std::size_t i = 0; i < call.size(); ++i) {
    const std::size_t count = even ? call.count + random.below(2) : random.below(call.count + 1);
    call.counts.push_back(static_cast<int>(count));
  }
}

/// Elements that rank `from` sends to rank `to`.
int exchanged(const Call& call, std::size_t from, std::size_t to) {
  if (call.kind == Kind::alltoall) return static_cast<int>(call.count);
  Random random(differential::mix(call.seed + 11) + from * call.size() + to);
  return random.chance(0.2) ? 0 : static_cast<int>(random.below(call.count + 1));
}

/// One after the other; of an alltoallv here and there with a gap before one. `side`: tells buffers apart.
template <class Count>
Blocks blocks_of(const Call& call, std::uint64_t side, const Count& count) {
  Random random(differential::mix(call.seed + 12) + side);
  const bool gaps = call.kind == Kind::alltoallv && random.chance(0.5);
  Blocks blocks;
  int end = 0;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (gaps) end += static_cast<int>(random.below(6));
    blocks.counts.push_back(count(i));
    blocks.displacements.push_back(end);
    end += blocks.counts.back();
  }
  return blocks;
}

double normal(Random& random) {
  const std::uint64_t bits = random.bits();
  const auto sum = (bits & 0xffffU) + ((bits >> 16U) & 0xffffU) + ((bits >> 32U) & 0xffffU) + (bits >> 48U);
  return (static_cast<double>(sum) / 65536.0 - 2.0) * std::sqrt(3.0);
}

double special(Random& random) {
  const std::uint64_t kind = random.below(3);
  if (kind == 0) return std::numeric_limits<double>::quiet_NaN();
  return kind == 1 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

double draw_value(Random& random, const Call& call, std::size_t index) {
  const Precision precision = gpu_tests::precision(call.element->format);
  switch (call.flavour) {
    case Flavour::specials:
      if (random.below(500) == 0) return special(random);
      break;
    case Flavour::whole: {
      // Whole numbers up to 1 / roundoff are exact, and so are sums that stay below.
      const auto largest = static_cast<std::uint64_t>(1.0 / precision.roundoff / static_cast<double>(call.size()));
      return static_cast<double>(random.below(2 * largest + 1)) - static_cast<double>(largest);
    }
    case Flavour::overflow:
      return (random.unit() - 0.5) * 2.0 * precision.largest;
    case Flavour::near_one:
      return 0.5 + 1.5 * random.unit();
    case Flavour::sections: {
      const std::size_t kind = index / 1000 % 4;
      if (kind < 2) return kind == 0 || random.below(500) != 0 ? 0.0 : -0.0;
      if (kind == 2) return std::ldexp(normal(random), -static_cast<int>(random.below(24)));
      break;
    }
    default:
      break;
  }
  return std::ldexp(normal(random), call.exponent);
}

}  // namespace

std::size_t Call::contribution(std::size_t rank) const {
  if (gathers()) return static_cast<std::size_t>(counts[rank]);
  if (exchanges()) return sent_blocks(rank).end();
  if (kind == Kind::reduce_scatter) return static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0));
  return kind == Kind::reduce_scatter_block ? count * size() : count;
}

Call::Reduced Call::reduced(std::size_t rank) const {
  switch (kind) {
    case Kind::reduce_scatter_block:
      return {.begin = rank * count, .count = count, .ranks = size()};
    case Kind::reduce_scatter: {
      const auto first = counts.begin() + static_cast<std::ptrdiff_t>(rank);
      const auto begin = static_cast<std::size_t>(std::accumulate(counts.begin(), first, 0));
      return {.begin = begin, .count = static_cast<std::size_t>(*first), .ranks = size()};
    }
    case Kind::reduce:
      if (static_cast<int>(rank) != root) return {};
      break;
    case Kind::scan:
      return {.count = count, .ranks = rank + 1};
    case Kind::exscan:
      return {.count = count, .ranks = rank};
    default:
      break;
  }
  return {.count = count, .ranks = size()};
}

Blocks Call::sent_blocks(std::size_t rank) const {
  return blocks_of(*this, 2 * rank, [&](std::size_t to) { return exchanged(*this, rank, to); });
}

Blocks Call::received_blocks(std::size_t rank) const {
  return blocks_of(*this, 2 * rank + 1, [&](std::size_t from) { return exchanged(*this, from, rank); });
}

std::size_t Call::received(std::size_t rank) const {
  if (exchanges()) return received_blocks(rank).end();
  if (gathers()) return static_cast<std::size_t>(displacements.back()) + static_cast<std::size_t>(counts.back());
  if (reduces()) return is_in_place(rank) ? contribution(rank) : reduced(rank).count;
  return count;
}

Place Call::place(int world_rank, bool receive) const {
  if (placement == Placement::all_device) return Place::device;
  Random random(seed + 17);
  if (placement == Placement::mixed) {
    random = Random(differential::mix(seed) + static_cast<std::uint64_t>(2 * world_rank + (receive ? 1 : 0)));
  }
  return static_cast<Place>(random.below(places));
}

std::size_t Call::offset(int world_rank, bool receive) const {
  Random random(differential::mix(seed + 5) + static_cast<std::uint64_t>(2 * world_rank + (receive ? 1 : 0)));
  const std::size_t whole = random.chance(0.5) ? 0 : random.below(33) * element->bytes;
  return unaligned ? whole + random.below(element->bytes) : whole;
}

std::string Call::describe() const {
  std::string text = std::string(kind_names[static_cast<std::size_t>(kind)]) + ", " + element->name;
  if (operation != nullptr) text += ", " + operation->name;
  text += ", count " + std::to_string(count) + ", " + communicator->name + " of " + std::to_string(size());
  text += std::string(", ") + flavour_names[static_cast<std::size_t>(flavour)] + ", " +
          placement_names[static_cast<std::size_t>(placement)];
  if (in_place) text += ", in place";
  if (started) text += ", started";
  return text;
}

Call draw_call(Random& random, const Vocabulary& vocabulary, const Communicator& communicator,
               std::size_t max_elements) {
  Call call;
  call.seed = random.bits();
  call.communicator = &communicator;
  call.kind = draw_kind(random);
  const std::vector<Element>& elements = vocabulary.elements();
  do {
    call.element = &elements[random.below(elements.size())];
  } while (call.reduces() && call.element->format == Format::byte);
  if (call.reduces()) {
    const std::vector<const Operation*> operations = vocabulary.operations(*call.element);
    call.operation = random.chance(0.5) ? operations.front() : operations[random.below(operations.size())];
  }
  call.flavour = draw_flavour(random, call);
  call.exponent = static_cast<int>(random.below(17)) - 8;
  call.count = draw_count(random, max_elements);
  const bool whole = call.reduces() && call.kind != Kind::reduce_scatter_block && call.kind != Kind::reduce_scatter;
  if (!whole && call.kind != Kind::bcast) call.count /= call.size();
  if (call.gathers()) draw_blocks(random, call);
  if (call.kind == Kind::reduce_scatter) draw_results(random, call);
  call.root = static_cast<int>(random.below(call.size()));
  call.in_place = call.kind != Kind::bcast && call.kind != Kind::alltoallv && random.chance(0.3);
  const double placement = random.unit();
  call.placement = placement < 0.6 ? Placement::all_device : placement < 0.75 ? Placement::all_alike : Placement::mixed;
  call.started = call.kind == Kind::allreduce && random.chance(0.25);
  return call;
}

std::vector<std::byte> contribution(const Call& call, int world_rank, std::size_t count) {
  Random random(differential::mix(call.seed) + static_cast<std::uint64_t>(world_rank) * 0x632be59bd9b4e019U);
  const std::size_t bytes = count * call.element->bytes;
  std::vector<std::byte> result(bytes);
  if (call.flavour == Flavour::bits) {
    for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
      // Small negative numbers among them: all of their high bits are ones.
      const std::uint64_t bits = random.bits();
      const std::uint64_t word = bits % 7 == 0 ? ~std::uint64_t{0} : bits;
      std::memcpy(result.data() + i, &word, std::min(sizeof word, bytes - i));
    }
    return result;
  }
  for (std::size_t i = 0; i < count; ++i)
    set_value(call.element->format, result.data(), i, draw_value(random, call, i));
  return result;
}

namespace {

void call_mpi(const Call& call, std::size_t rank, const void* send, void* receive) {
  const MPI_Datatype type = call.element->type;
  const auto count = static_cast<int>(call.count);
  const MPI_Comm communicator = call.communicator->handle;
  switch (call.kind) {
    case Kind::allreduce:
      if (call.started) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(send, receive, count, type, call.operation->op, communicator, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      } else {
        MPI_Allreduce(send, receive, count, type, call.operation->op, communicator);
      }
      break;
    case Kind::reduce_scatter_block:
      MPI_Reduce_scatter_block(send, receive, count, type, call.operation->op, communicator);
      break;
    case Kind::allgather:
      MPI_Allgather(send, count, type, receive, count, type, communicator);
      break;
    case Kind::allgatherv:
      MPI_Allgatherv(send, call.counts[rank], type, receive, call.counts.data(), call.displacements.data(), type,
                     communicator);
      break;
    case Kind::bcast:
      MPI_Bcast(receive, count, type, call.root, communicator);
      break;
    case Kind::alltoall:
      MPI_Alltoall(send, count, type, receive, count, type, communicator);
      break;
    case Kind::alltoallv: {
      const Blocks sent = call.sent_blocks(rank);
      const Blocks received = call.received_blocks(rank);
      MPI_Alltoallv(send, sent.counts.data(), sent.displacements.data(), type, receive, received.counts.data(),
                    received.displacements.data(), type, communicator);
      break;
    }
    case Kind::reduce:
      MPI_Reduce(send, receive, count, type, call.operation->op, call.root, communicator);
      break;
    case Kind::reduce_scatter:
      MPI_Reduce_scatter(send, receive, call.counts.data(), type, call.operation->op, communicator);
      break;
    case Kind::scan:
      MPI_Scan(send, receive, count, type, call.operation->op, communicator);
      break;
    case Kind::exscan:
      MPI_Exscan(send, receive, count, type, call.operation->op, communicator);
      break;
  }
}

}  // namespace

Outcome execute(const Call& call, std::size_t rank) {
  const int world_rank = call.communicator->members[rank];
  const std::size_t bytes = call.element->bytes;
  const std::vector<std::byte> input = contribution(call, world_rank, call.contribution(rank));
  Buffer receive(call.place(world_rank, true), call.received(rank) * bytes, call.offset(world_rank, true));
  const bool in_place = call.is_in_place(rank);
  const bool input_in_receive = in_place || (call.kind == Kind::bcast && static_cast<int>(rank) == call.root);
  if (input_in_receive) {
    const std::size_t begin = call.gathers() ? static_cast<std::size_t>(call.displacements[rank]) * bytes : 0;
    copy_bytes(receive.data() + begin, input.data(), input.size());
  }
  Outcome outcome;
  if (in_place || call.kind == Kind::bcast) {
    call_mpi(call, rank, MPI_IN_PLACE, receive.data());
    outcome.intact = receive.guards_intact();
  } else {
    Buffer send(call.place(world_rank, false), input.size(), call.offset(world_rank, false));
    send.write(input);
    call_mpi(call, rank, send.data(), receive.data());
    outcome.intact = receive.guards_intact() && send.guards_intact() && send.read() == input;
  }
  outcome.result = receive.read();
  return outcome;
}

}  // namespace airamp::gpu_tests
