// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_operations: every predefined operation on every type that MPI allows it on, through the memory of the
// host: what arithmetic says, and nothing in the gaps of a type. Of values of which MPI libraries make different
// things, what this one makes of them.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/laws/shared_memory/sums_of_ranks.hpp"

namespace airamp::laws {
namespace {

template <class Value, class Index>
struct Pair {
  Value value;
  Index index;
};

template <class T>
concept HasIndex = requires(T element) {
  element.index;
};

template <class T>
concept IsComplex = requires(T element) {
  element.imag();
};

/// Of a vector's bytes, those that nobody has written.
constexpr unsigned char unwritten = 0xa5;

/// Without the gap.
template <class T>
void put(T& to, const T& from) {
  if constexpr (HasIndex<T>) {
    std::memcpy(&to.value, &from.value, sizeof from.value);
    std::memcpy(&to.index, &from.index, sizeof from.index);
  } else {
    to = from;
  }
}

/// Of which every MPI library makes the same, and many equal ones among them.
template <class T>
T number(std::mt19937_64& random) {
  if constexpr (IsComplex<T>) {
    using Real = typename T::value_type;
    return {number<Real>(random), number<Real>(random)};
  } else if constexpr (HasIndex<T>) {
    const auto value = static_cast<int>(random() % 5) - 2;
    const auto index = static_cast<int>(random() % 9) - 4;
    return {static_cast<decltype(T::value)>(value), static_cast<decltype(T::index)>(index)};
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(static_cast<int>(random() % 2001) - 1000) / 8;
  } else if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(random() & std::numeric_limits<std::make_signed_t<T>>::max());
  } else {
    return static_cast<T>(random());
  }
}

/// What arithmetic says.
template <class T>
T operated(T a, T b, MPI_Op op) {
  if constexpr (IsComplex<T>) {
    return a + b;
  } else if constexpr (HasIndex<T>) {
    if (a.value == b.value) return {a.value, std::min(a.index, b.index)};
    return (op == MPI_MAXLOC) == (a.value > b.value) ? a : b;
  } else {
    if (op == MPI_MAX) return std::max(a, b);
    if (op == MPI_MIN) return std::min(a, b);
    if constexpr (std::is_integral_v<T>) {
      const auto x = static_cast<std::uint64_t>(a);
      const auto y = static_cast<std::uint64_t>(b);
      if (op == MPI_SUM) return static_cast<T>(x + y);
      if (op == MPI_PROD) return static_cast<T>(x * y);
      if (op == MPI_BAND) return static_cast<T>(x & y);
      if (op == MPI_BOR) return static_cast<T>(x | y);
      if (op == MPI_BXOR) return static_cast<T>(x ^ y);
      const bool truth = op == MPI_LAND ? x != 0 && y != 0 : op == MPI_LOR ? x != 0 || y != 0 : (x != 0) != (y != 0);
      return static_cast<T>(truth ? 1 : 0);
    }
    return a;
  }
}

struct Reduction {
  MPI_Datatype type;
  MPI_Op op;
  MPI_Comm communicator;
};

template <class T>
std::vector<T> empty(std::size_t count) {
  std::vector<T> vector(count);
  if (count > 0) std::memset(static_cast<void*>(vector.data()), unwritten, count * sizeof(T));
  return vector;
}

/// What a rank gives, which every rank can say of every other one.
template <class T>
std::vector<T> given(int rank, unsigned call, std::size_t count, bool boolean) {
  std::mt19937_64 random(call * 1000ULL + static_cast<unsigned>(rank));
  std::vector<T> vector = empty<T>(count);
  for (T& element : vector) {
    T value = number<T>(random);
    if constexpr (std::is_integral_v<T>) {
      if (boolean) value = static_cast<T>(value & 1);
      // logical operations are to meet zeros
      if (random() % 3 == 0) value = 0;
    }
    put(element, value);
  }
  return vector;
}

template <class T>
bool equal(const std::vector<T>& seen, const std::vector<T>& expected) {
  return seen.size() == expected.size() &&
         (seen.empty() || std::memcmp(seen.data(), expected.data(), seen.size() * sizeof(T)) == 0);
}

/// `expected` in what was there before.
template <class T>
std::vector<T> over(std::vector<T> before, const std::vector<T>& expected, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) put(before[i], expected[first + i]);
  return before;
}

template <class T>
void check(const Reduction& how, std::size_t count, bool boolean = false) {
  static unsigned call = 0;
  const auto [type, op, communicator] = how;
  const int rank = rank_in(communicator);
  const int ranks = size_of(communicator);
  const std::size_t all = count * static_cast<std::size_t>(ranks);
  const std::vector<T> own = given<T>(rank, ++call, all, boolean);
  std::vector<T> result = given<T>(0, call, all, boolean);
  for (int other = 1; other < ranks; ++other) {
    const std::vector<T> others = given<T>(other, call, all, boolean);
    for (std::size_t i = 0; i < all; ++i) put(result[i], operated(result[i], others[i], op));
  }
  const int length = static_cast<int>(count);
  for (const bool in_place : {false, true}) {
    const std::vector<T> before = in_place ? own : empty<T>(all);
    std::vector<T> seen = before;
    MPI_Allreduce(in_place ? MPI_IN_PLACE : own.data(), seen.data(), length, type, op, communicator);
    require(equal(seen, over(before, result, 0, count)), "every bit of an allreduce, and no gap");

    const int root = static_cast<int>(call) % ranks;
    const bool keeps = in_place && library_reduces_in_place(root);
    seen = keeps ? own : empty<T>(all);
    const std::vector<T> before_root = seen;
    MPI_Reduce(keeps && rank == root ? MPI_IN_PLACE : own.data(), seen.data(), length, type, op, root, communicator);
    if (rank == root) require(equal(seen, over(before_root, result, 0, count)), "every bit of a reduction to a root");

    seen = before;
    MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : own.data(), seen.data(), length, type, op, communicator);
    const std::size_t first = count * static_cast<std::size_t>(rank);
    std::vector<T> expected = over(before, result, first, count);
    if (in_place) {  // the rest of the vector is what it was or anything
      seen.resize(count);
      expected.resize(count);
    }
    require(equal(seen, expected), "every bit of a block");
  }
}

template <class T>
void check_all(MPI_Datatype type, std::initializer_list<MPI_Op> ops, MPI_Comm communicator, bool boolean = false) {
  if (type == MPI_DATATYPE_NULL) return;
  int size = 0;
  MPI_Type_size(type, &size);
  if (size <= 0) return;
  for (const MPI_Op op : ops) {
    for (const std::size_t count : {1U, 7U, 300U}) check<T>({type, op, communicator}, count, boolean);
  }
  for (const std::size_t count : {0U, 2051U, 20011U}) check<T>({type, *ops.begin(), communicator}, count, boolean);
}

/// As many calls with the like, of which the ranks know beforehand what they say, and some of other values in between.
void values_for_the_library(MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  constexpr double poison = std::numeric_limits<double>::quiet_NaN();
  for (int round = 0; round < 60; ++round) {
    std::vector<double> values(1 + static_cast<std::size_t>(round) % 4, rank * 1.5 - round);
    const bool odd = round % 7 == 3 && rank == round % size_of(communicator);
    if (odd) values.front() = round % 2 == 0 ? poison : -0.0;
    std::vector<double> native(values.size());
    std::vector<double> seen(values.size());
    const MPI_Op op = round % 3 == 0 ? MPI_MAX : MPI_MIN;
    MPI_Pcontrol(0);
    MPI_Allreduce(values.data(), native.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, communicator);
    MPI_Pcontrol(1);
    MPI_Allreduce(values.data(), seen.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, communicator);
    require(equal(seen, native), "what the MPI library makes of them");
  }
  const std::vector<std::int8_t> short_ones(100, static_cast<std::int8_t>(100 + rank));
  std::vector<std::int8_t> native_sums(100);
  std::vector<std::int8_t> sums(100);
  MPI_Pcontrol(0);
  MPI_Allreduce(short_ones.data(), native_sums.data(), 100, MPI_INT8_T, MPI_SUM, communicator);
  MPI_Pcontrol(1);
  MPI_Allreduce(short_ones.data(), sums.data(), 100, MPI_INT8_T, MPI_SUM, communicator);
  require(equal(sums, native_sums), "what the MPI library makes of a sum that overflows");
  const std::vector<std::uint32_t> large(9, 0xfffffff0U + static_cast<unsigned>(rank));
  std::vector<std::uint32_t> native(9);
  std::vector<std::uint32_t> seen(9);
  MPI_Pcontrol(0);
  MPI_Allreduce(large.data(), native.data(), 9, MPI_UINT32_T, MPI_MAX, communicator);
  MPI_Pcontrol(1);
  MPI_Allreduce(large.data(), seen.data(), 9, MPI_UINT32_T, MPI_MAX, communicator);
  require(equal(seen, native), "what the MPI library makes of large unsigned integers");
}

}  // namespace

void run() {
  const auto on_integers = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,
                            MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  // sums of short integers that overflow are for the MPI library to say
  const auto on_short_integers = {MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  const auto of_every_language = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BAND, MPI_BOR, MPI_BXOR};
  const auto without_comparison = {MPI_SUM, MPI_PROD, MPI_BAND, MPI_BOR, MPI_BXOR};
  const auto bitwise = {MPI_BAND, MPI_BOR, MPI_BXOR};
  const auto logical = {MPI_LAND, MPI_LOR, MPI_LXOR};
  const auto sums = {MPI_SUM};
  const auto extremes = {MPI_MAX, MPI_MIN};
  const auto with_location = {MPI_MAXLOC, MPI_MINLOC};
  on_communicators([&](MPI_Comm communicator) {
    check_all<std::int8_t>(MPI_SIGNED_CHAR, on_short_integers, communicator);
    check_all<std::uint8_t>(MPI_UINT8_T, on_short_integers, communicator);
    check_all<std::int16_t>(MPI_SHORT, on_short_integers, communicator);
    check_all<std::uint16_t>(MPI_UNSIGNED_SHORT, on_short_integers, communicator);
    check_all<std::int32_t>(MPI_INT, on_integers, communicator);
    check_all<std::uint32_t>(MPI_UNSIGNED, on_integers, communicator);
    check_all<std::int64_t>(MPI_LONG_LONG, on_integers, communicator);
    check_all<std::uint64_t>(MPI_UINT64_T, on_integers, communicator);
    check_all<std::int32_t>(MPI_INTEGER, of_every_language, communicator);
    check_all<std::int64_t>(MPI_AINT, of_every_language, communicator);
    check_all<std::int64_t>(MPI_COUNT, of_every_language, communicator);
    check_all<std::int64_t>(MPI_OFFSET, without_comparison, communicator);
    check_all<std::uint8_t>(MPI_BYTE, bitwise, communicator);
    check_all<std::uint8_t>(MPI_C_BOOL, logical, communicator, true);
    check_all<std::int32_t>(MPI_LOGICAL, logical, communicator, true);
    check_all<float>(MPI_FLOAT, extremes, communicator);
    check_all<double>(MPI_DOUBLE, extremes, communicator);
    check_all<std::complex<float>>(MPI_C_FLOAT_COMPLEX, sums, communicator);
    check_all<std::complex<double>>(MPI_C_DOUBLE_COMPLEX, sums, communicator);
    check_all<std::complex<double>>(MPI_DOUBLE_COMPLEX, sums, communicator);
    check_all<Pair<float, int>>(MPI_FLOAT_INT, with_location, communicator);
    check_all<Pair<double, int>>(MPI_DOUBLE_INT, with_location, communicator);
    check_all<Pair<short, int>>(MPI_SHORT_INT, with_location, communicator);
    check_all<Pair<int, int>>(MPI_2INT, with_location, communicator);
    check_all<Pair<long, int>>(MPI_LONG_INT, with_location, communicator);
    check_all<Pair<int, int>>(MPI_2INTEGER, with_location, communicator);
    check_all<Pair<float, float>>(MPI_2REAL, with_location, communicator);
    check_all<Pair<double, double>>(MPI_2DOUBLE_PRECISION, with_location, communicator);
    values_for_the_library(communicator);
  });
}

}  // namespace airamp::laws
