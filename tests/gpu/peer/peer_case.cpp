// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/peer/peer_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "codec/element_conversion.hpp"
#include "gpu/device/vector.hpp"

namespace airamp::gpu::test {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }

 private:
  std::uint64_t state_;
};

double ordinary(Random& random) {
  const double uniform = static_cast<double>(random.next() >> 11) * 0x1p-53 * 2 - 1;
  return uniform * std::ldexp(1.0, static_cast<int>(random.next() % 5));
}

double poison(Random& random, DataType type) {
  switch (random.next() % 4) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return std::numeric_limits<double>::infinity();
    case 2:
      return -std::numeric_limits<double>::infinity();
    default:
      return type == DataType::float16 ? -65000.0 : type == DataType::float64 ? 1.7e308 : 3.38e38;
  }
}

void store_float(DataType type, double value, std::byte* to, std::uint64_t index) {
  const auto single = static_cast<float>(value);
  if (type == DataType::float16) return codec::store_element<ElementType::float16>(single, to, index);
  if (type == DataType::bfloat16) return codec::store_element<ElementType::bfloat16>(single, to, index);
  if (type == DataType::float32) return codec::store_element<ElementType::float32>(single, to, index);
  std::memcpy(to + index * sizeof value, &value, sizeof value);
}

/// Which kind of values a number is among.
std::uint64_t section_of(std::uint64_t index) {
  constexpr std::uint64_t section = 768;  // whole rows
  return index / section % 6;
}

/// Sections of values that rows of floating-point numbers travel differently by (gpu/device/rows/row_form.hpp): of
/// similar size; zeros; of very different size; small whole numbers; such that among bfloat16 numbers holes would
/// appear on the wire, on rank 0, where the others have 0.
double number(Random& random, int rank, std::uint64_t index) {
  switch (section_of(index)) {
    case 1:
      return 0.0;
    case 2:
      return std::ldexp(ordinary(random), static_cast<int>(random.next() % 24) - 12);
    case 3:
      return static_cast<double>(random.next() % 128) - 64;
    case 4:
      if (rank != 0) return 0.0;
      // of numbers up to 2, those whose magnitude is 2047 or 240 bit patterns from 2's
      if (index % 256 == 42 || index % 256 == 43) return -0x1.02p-15;
      if (index % 256 == 46 || index % 256 == 47) return -0x1.2p-1;
      return 1.0 + static_cast<double>(random.next() % 128) / 128;
    case 5:
      return -0.0;
    default:
      return ordinary(random);
  }
}

/// With many words of all ones.
std::uint64_t any_bits(Random& random) {
  std::uint64_t bits = random.next();
  if (random.next() % 8 == 0) bits |= 0xffffffffu;
  if (random.next() % 8 == 0) bits |= 0xffffffff00000000u;
  return bits;
}

std::uint64_t with_sign_of(std::uint64_t value, int bits) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits));
}

/// Of so many bits, often the smallest or the largest of them.
std::uint64_t integer_of(Random& random, int bits) {
  const std::uint64_t most = (std::uint64_t{1} << (bits - 1)) - 1;
  const std::uint64_t value = random.next();
  return with_sign_of(value % 16 == 0 ? most : value % 16 == 1 ? most + 1 : value >> 8, bits);
}

/// What makes holes appear on the wire among values of so many bits (7, 15, 23, 31, 47 or 64), packed or not. Of what
/// is packed into a lane's first word the first bit is another matter.
std::uint64_t piece_of_hole(int bits, std::uint64_t index) {
  constexpr std::uint32_t word = device::hole_word ^ device::turned_bits;
  constexpr std::uint32_t first_word = word & 0x7fffffffu;
  if (bits == 64) return word | std::uint64_t{word} << 32;
  if (bits == 47) return word;
  if (bits == 31) return first_word;
  if (bits == 23) return with_sign_of(index % 4 != 3 ? word : first_word >> 24 << 16 | (word >> 24) * 0x0101u, 24);
  return bits == 15 ? with_sign_of(first_word >> 16 * (index % 2), 16) : with_sign_of(first_word >> 8 * (index % 4), 8);
}

/// Any bits, but the first ones of the lanes' first words are as in a row of few planes.
std::uint64_t like_planes(Random& random, std::size_t unit, std::uint64_t index) {
  const std::uint64_t row_elements = 512 / unit;
  const std::uint64_t lane = index % row_elements * unit / 16;
  const std::uint32_t signature =
      device::plane_signature(static_cast<int>((index / row_elements + index / (13 * 384)) % 3) + 1);
  const std::uint32_t first_bit = (signature >> lane << 31) ^ (device::turned_bits & 1u << 31);
  return (random.next() & ~std::uint64_t{1u << 31}) | first_bit;
}

/// Sections of values of similar size. Some begin with what looks on the wire like holes, escapes or a row of few
/// planes; only rank 0 has it, the others have 0, so that sums look so too.
std::uint64_t integer(Random& random, std::size_t unit, int rank, std::uint64_t index) {
  constexpr int section = 384;  // whole rows
  constexpr int widths[] = {64, 7, 15, 0, 23, 31, 47, 64, 8, 16, 24, 32, 48};
  const std::uint64_t kind = index / section % std::size(widths);
  const int bits = widths[kind];
  if (index % section >= 128 || kind > 7) return bits == 64 || bits == 0 ? any_bits(random) : integer_of(random, bits);
  if (rank != 0) return 0;
  if (bits == 0) return like_planes(random, unit, index);
  const std::uint64_t escape = bits == 64 && index % 8 >= 4 ? 0x0000000100000001u : 0;
  return piece_of_hole(bits, index) ^ escape;
}

}  // namespace

std::string to_string(Pattern pattern) {
  constexpr const char* patterns[] = {"allreduce", "reduce_scatter_block", "allgather", "bcast", "alltoallv",
                                      "reduce",    "reduce_scatter",       "scan",      "exscan"};
  return patterns[static_cast<int>(pattern)];
}

std::string to_string(const PeerCase& c) {
  constexpr const char* ops[] = {"sum", "max", "min", "prod"};
  return to_string(c.pattern) + (c.shots == Shots::one ? " one-shot " : " ") +
         std::string(c.wire ? airamp::to_string(*c.wire) : "lossless") + " " + std::string(airamp::to_string(c.type)) +
         " " + ops[static_cast<int>(c.op)] + ", " + std::to_string(c.elements) + " elements, " +
         std::to_string(c.size) + " ranks, root " + std::to_string(c.root) + ", skipped " + std::to_string(c.skipped) +
         (c.in_place ? ", in place" : "") + ", region " + std::to_string(c.region_bytes) + ", values " +
         std::to_string(static_cast<int>(c.values)) + ", seed " + std::to_string(c.seed);
}

Block block_of(const PeerCase& c, int source) {
  Block block;
  for (int r = 0; r <= source; ++r) {
    block.offset += block.elements;
    if ((c.seed + static_cast<std::uint32_t>(r)) % 3 == 1) block.offset += 5;  // a gap
    switch ((c.seed / 3 + static_cast<std::uint32_t>(r)) % 5) {
      case 0:
        block.elements = c.elements / 3;
        break;
      case 1:
        block.elements = r == 0 ? c.elements : 0;
        break;
      default:
        block.elements = c.elements;
    }
  }
  return block;
}

namespace {

std::uint64_t exchanged_elements(const PeerCase& c, int from, int to) {
  if (c.in_place) return c.elements;
  switch ((c.seed + static_cast<std::uint32_t>(3 * from + to)) % 6) {
    case 0:
      return 0;
    case 1:
      return c.elements / 3;
    default:
      return c.elements;
  }
}

/// Behind the blocks for or from lower ranks, with a gap before some; `elements(r)`: of the block for or from rank r.
template <class Elements>
Block exchanged_block(const PeerCase& c, int other, Elements elements) {
  Block block;
  for (int r = 0; r <= other; ++r) {
    block.offset += block.elements;
    if ((c.seed + static_cast<std::uint32_t>(r)) % 3 == 1) block.offset += 5;
    block.elements = elements(r);
  }
  return block;
}

}  // namespace

Block sent_block(const PeerCase& c, int rank, int to) {
  return exchanged_block(c, to, [&](int r) { return exchanged_elements(c, rank, r); });
}

Block received_block(const PeerCase& c, int rank, int from) {
  return exchanged_block(c, from, [&](int r) { return exchanged_elements(c, r, rank); });
}

std::uint64_t kept_elements(const PeerCase& c, int rank, int from) {
  const std::uint64_t elements = exchanged_elements(c, from, rank);
  const bool too_long = !c.in_place && from != rank && (c.seed + static_cast<std::uint32_t>(from)) % 7 == 0;
  return too_long ? elements - std::min<std::uint64_t>(elements, 3) : elements;
}

Block result_block(const PeerCase& c, int rank) {
  Block block;
  for (int r = 0; r <= rank; ++r) {
    block.offset += block.elements;
    switch (r == 0 ? 3 : (c.seed + static_cast<std::uint32_t>(r)) % 5) {
      case 0:
        block.elements = 0;
        break;
      case 1:
        block.elements = c.elements / 3;
        break;
      case 2:
        block.elements = c.elements - std::min<std::uint64_t>(c.elements, 1);
        break;
      default:
        block.elements = c.elements;
    }
  }
  return block;
}

std::uint64_t input_elements(const PeerCase& c, int rank) {
  if (c.pattern == Pattern::reduce_scatter) {
    const Block last = result_block(c, c.size - 1);
    return last.offset + last.elements;
  }
  if (c.pattern == Pattern::alltoallv) {
    const Block last = sent_block(c, rank, c.size - 1);
    return last.offset + last.elements;
  }
  if (c.pattern == Pattern::allgather) return block_of(c, rank).elements;
  return c.pattern == Pattern::reduce_scatter_block ? c.elements * static_cast<std::uint64_t>(c.size) : c.elements;
}

std::uint64_t output_elements(const PeerCase& c, int rank) {
  if (c.pattern == Pattern::alltoallv) {
    const Block last = received_block(c, rank, c.size - 1);
    return last.offset + last.elements;
  }
  if (c.pattern == Pattern::allgather) {
    const Block last = block_of(c, c.size - 1);
    return last.offset + last.elements;
  }
  const bool scatters = c.pattern == Pattern::reduce_scatter_block || c.pattern == Pattern::reduce_scatter;
  if (scatters && c.in_place) return input_elements(c, rank);
  return c.pattern == Pattern::reduce_scatter ? result_block(c, rank).elements : c.elements;
}

PeerCollective collective_of(const PeerCase& c, int rank) {
  PeerCollective collective;
  collective.pattern = c.pattern;
  collective.shots = c.shots;
  collective.wire = c.wire;
  collective.type = c.type;
  collective.op = c.op;
  collective.size = c.size;
  collective.root = c.root;
  collective.elements = c.elements;
  collective.rank = rank;
  for (int r = 0; r < c.size; ++r) {
    const auto other = static_cast<std::size_t>(r);
    if (c.pattern == Pattern::allgather) collective.blocks[other] = block_of(c, r);
    if (c.pattern == Pattern::reduce_scatter) collective.blocks[other] = result_block(c, r);
    if (c.pattern != Pattern::alltoallv) continue;
    collective.sent[other] = sent_block(c, rank, r);
    collective.blocks[other] = received_block(c, rank, r);
    collective.room[other] = kept_elements(c, rank, r);
  }
  collective.region_bytes = c.region_bytes;
  collective.is_local = rank % 2 == 0;
  return collective;
}

Bytes input_of(const PeerCase& c, int rank) {
  const std::size_t unit = size_of(c.type);
  const std::uint64_t elements = input_elements(c, rank);
  Bytes bytes(elements * unit);
  Random random((std::uint64_t{c.seed} << 8) + static_cast<std::uint64_t>(rank));
  const bool is_float = c.type <= DataType::float64;
  for (std::uint64_t i = 0; i < elements; ++i) {
    if (is_float && c.values != Values::any_bits) {
      const bool poisons = c.values == Values::poisoned && random.next() % 97 == 0;
      store_float(c.type, poisons ? poison(random, c.type) : number(random, rank, i), bytes.data(), i);
      const bool is_among_zeros = section_of(i) == 1 || section_of(i) == 4;
      if (random.next() % 64 == 0 && !is_among_zeros) store_float(c.type, -0.0, bytes.data(), i);
      continue;
    }
    const std::uint64_t bits = is_float ? any_bits(random) : integer(random, unit, rank, i);
    std::memcpy(bytes.data() + i * unit, &bits, unit);
  }
  return bytes;
}

Bytes output_before(const PeerCase& c, int rank) {
  Bytes bytes(output_elements(c, rank) * size_of(c.type), untouched);
  if (c.pattern == Pattern::bcast && rank != c.root) return bytes;
  if (!c.in_place && c.pattern != Pattern::bcast) return bytes;
  const Bytes input = input_of(c, rank);
  const std::size_t offset = c.pattern == Pattern::allgather ? block_of(c, rank).offset * size_of(c.type) : 0;
  std::copy(input.begin(), input.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  return bytes;
}

}  // namespace airamp::gpu::test
