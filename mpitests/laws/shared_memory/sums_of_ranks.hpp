// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

namespace airamp::laws {

/// Of many magnitudes, so that every other order of additions shows, and near 1 for products.
template <class T>
std::vector<T> numbers(std::size_t count, std::mt19937_64& random, bool near_one) {
  std::vector<T> values(count);
  for (T& value : values) {
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(random());
    } else {
      const double mantissa = std::ldexp(static_cast<double>(random() >> 12U), -52) + 1;
      const int exponent = near_one ? 0 : static_cast<int>(random() % 40) - 20;
      value = static_cast<T>(std::ldexp((random() & 1U) != 0 ? mantissa : -mantissa, exponent));
    }
  }
  return values;
}

/// What a rank gives to a reduction, which every rank can say of every other one.
template <class T>
std::vector<T> numbers_of(int rank, unsigned call, std::size_t count, MPI_Op op) {
  std::mt19937_64 random(call * 1000ULL + static_cast<unsigned>(rank));
  return numbers<T>(count, random, op == MPI_PROD);
}

template <class T>
T combined(T a, T b, MPI_Op op) {
  using Unsigned = std::make_unsigned_t<T>;
  if (op == MPI_SUM) return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  if (op == MPI_PROD) return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
  return op == MPI_MAX ? std::max(a, b) : std::min(a, b);
}

/// Whether what an MPI library makes of whole numbers is what arithmetic says: MPICH 4.0 compares unsigned ones as
/// signed ones.
template <class T>
bool follows_arithmetic(MPI_Op op) {
  return std::is_signed_v<T> || op == MPI_SUM || op == MPI_PROD;
}

/// The reduction of whole numbers over `ranks` ranks; they wrap.
template <class T>
std::vector<T> reduction_of(int ranks, unsigned call, std::size_t count, MPI_Op op) {
  std::vector<T> result = numbers_of<T>(0, call, count, op);
  for (int rank = 1; rank < ranks; ++rank) {
    const std::vector<T> other = numbers_of<T>(rank, call, count, op);
    for (std::size_t i = 0; i < count; ++i) result[i] = combined(result[i], other[i], op);
  }
  return result;
}

struct MpichVersion {
  int major = 0;  ///< of another library 0
  int minor = 0;
};

inline MpichVersion mpich_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  MpichVersion version;
  const char* const at = std::strstr(text.data(), "MPICH Version:");
  if (at != nullptr) std::sscanf(at, "MPICH Version: %d.%d", &version.major, &version.minor);
  return version;
}

/// MPICH 5 changes the order of its sums in the course of a run: one native result need not be the next.
inline bool library_keeps_an_order() { return mpich_version().major < 5; }

/// MPICH 4.0 crashes in an MPI_Reduce of some KiB in place if the root is not rank 0.
inline bool library_reduces_in_place(int root) {
  const MpichVersion version = mpich_version();
  return root == 0 || version.major != 4 || version.minor != 0;
}

/// MPICH 4 (4.0.2, 4.2.1) ends the job in an MPI_Reduce_scatter of many KiB in place.
inline bool library_scatters_in_place() {
  return mpich_version().major != 4;
}

/// Whether one native result says what the next one is.
template <class T>
bool has_native_bits(MPI_Op op) {
  static const bool keeps_an_order = library_keeps_an_order();
  return std::is_integral_v<T> || op == MPI_MAX || op == MPI_MIN || keeps_an_order;
}

}  // namespace airamp::laws
