// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// A user-defined operation does what it does natively: on every datatype that it tells apart, where it overflows,
// without a floating-point exception that it does not raise, and on no values but the program's own.
#include <algorithm>
#include <cfenv>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "testing/half.hpp"

namespace airamp::laws {
namespace {

using testing::float16_from_float;
using testing::float_from_float16;

constexpr std::size_t count = 20000;

MPI_Datatype half_type = MPI_DATATYPE_NULL;

std::uint16_t sum_of_halves(std::uint16_t a, std::uint16_t b) {
  return float16_from_float(float_from_float16(a) + float_from_float16(b));
}

/// Adds halves where the datatype is half_type, and integers elsewhere.
void add_by_type(void* in, void* inout, int* length, MPI_Datatype* type) {
  const auto* const a = static_cast<const std::uint16_t*>(in);
  auto* const b = static_cast<std::uint16_t*>(inout);
  const bool is_half = *type == half_type;
  for (int i = 0; i < *length; ++i)
    b[i] = is_half ? sum_of_halves(a[i], b[i]) : static_cast<std::uint16_t>(a[i] + b[i]);
}

void add_saturating(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* const a = static_cast<const std::uint16_t*>(in);
  auto* const b = static_cast<std::uint16_t*>(inout);
  for (int i = 0; i < *length; ++i) {
    const float sum = float_from_float16(a[i]) + float_from_float16(b[i]);
    b[i] = float16_from_float(std::clamp(sum, -65504.0F, 65504.0F));
  }
}

void add_halves(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* const a = static_cast<const std::uint16_t*>(in);
  auto* const b = static_cast<std::uint16_t*>(inout);
  for (int i = 0; i < *length; ++i) b[i] = sum_of_halves(a[i], b[i]);
}

constexpr std::uint16_t table_size = 64;

/// The rank of a candidate by its index in a table; there is nothing to look up beyond it.
int score(std::uint16_t index) {
  require(index < table_size, "an operation is called with indices of the program's");
  return index * 37 % table_size;
}

void choose_by_table(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* const a = static_cast<const std::uint16_t*>(in);
  auto* const b = static_cast<std::uint16_t*>(inout);
  for (int i = 0; i < *length; ++i) b[i] = score(a[i]) > score(b[i]) ? a[i] : b[i];
}

/// Puts together vectors of which one rank alone gives each element.
void merge_disjoint(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* const a = static_cast<const std::uint16_t*>(in);
  auto* const b = static_cast<std::uint16_t*>(inout);
  for (int i = 0; i < *length; ++i) {
    require(a[i] == 0 || b[i] == 0, "an operation is called with elements of two ranks");
    b[i] = static_cast<std::uint16_t>(a[i] | b[i]);
  }
}

class Operation {
 public:
  explicit Operation(MPI_User_function* function) { MPI_Op_create(function, 1, &op_); }
  ~Operation() { MPI_Op_free(&op_); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  MPI_Op get() const { return op_; }

 private:
  MPI_Op op_ = MPI_OP_NULL;
};

MPI_Datatype two_bytes() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

std::vector<std::uint16_t> sum(const std::vector<std::uint16_t>& send, MPI_Datatype type, const Operation& operation) {
  std::vector<std::uint16_t> result(send.size());
  MPI_Allreduce(send.data(), result.data(), static_cast<int>(send.size()), type, operation.get(), MPI_COMM_WORLD);
  return result;
}

void sum_numbers(const Operation& operation, int rank, int ranks, int round) {
  const std::vector<std::uint16_t> result = sum(halves(count, rank, round), half_type, operation);
  require(error_of_sum(result, ranks, round) < compressed_error, "sum of halves");
}

void sum_integers(const Operation& operation, MPI_Datatype type, int ranks) {
  std::vector<std::uint16_t> send(count);
  for (std::size_t i = 0; i < count; ++i) send[i] = static_cast<std::uint16_t>(i % 5000);
  const std::vector<std::uint16_t> result = sum(send, type, operation);
  for (std::size_t i = 0; i < count; ++i)
    require(result[i] == ranks * static_cast<int>(i % 5000), "sum of integers by an operation that looks at its type");
}

// Rounds enough for a plan to be learnt; whichever type comes first must not decide for the other.
void look_at_the_type(int rank, int ranks) {
  constexpr int rounds = 4;
  for (const bool halves_first : {true, false}) {
    const Operation operation(add_by_type);
    half_type = two_bytes();
    for (int round = 0; round < rounds; ++round) {
      if (halves_first) sum_numbers(operation, rank, ranks, round);
      sum_integers(operation, MPI_UINT16_T, ranks);
      if (!halves_first) sum_numbers(operation, rank, ranks, round);
    }
    // MPI libraries give the handle of a freed datatype to the next one
    MPI_Type_free(&half_type);
    MPI_Datatype integers = two_bytes();
    sum_integers(operation, integers, ranks);
    MPI_Type_free(&integers);
  }
}

void saturate(int ranks) {
  const Operation operation(add_saturating);
  std::vector<std::uint16_t> send(count, float16_from_float(1));
  send[5] = float16_from_float(60000);
  send[6] = float16_from_float(-60000);
  const std::vector<std::uint16_t> result = sum(send, MPI_UINT16_T, operation);
  require(float_from_float16(result[4]) == static_cast<float>(ranks), "a saturating sum");
  require(float_from_float16(result[5]) == 65504, "a saturating sum that is too large");
  require(float_from_float16(result[6]) == -65504, "a saturating sum that is too small");
}

// Operations that end the program if they are called with values that do not meet in a reduction of its own data.
void take_own_values_alone(int rank, int ranks) {
  const Operation by_table(choose_by_table);
  const Operation merge(merge_disjoint);
  MPI_Datatype type = two_bytes();
  for (int round = 0; round < 5; ++round) {
    std::vector<std::uint16_t> indices(count);
    std::vector<std::uint16_t> own_elements(count);
    for (std::size_t i = 0; i < count; ++i) {
      indices[i] = static_cast<std::uint16_t>((i + static_cast<std::size_t>(rank)) % table_size);
      const bool own = i % static_cast<std::size_t>(ranks) == static_cast<std::size_t>(rank);
      own_elements[i] = own ? static_cast<std::uint16_t>(i) : std::uint16_t{0};
    }
    const std::vector<std::uint16_t> chosen = sum(indices, type, by_table);
    const std::vector<std::uint16_t> merged = sum(own_elements, type, merge);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint16_t best = 0;
      for (int r = 0; r < ranks; ++r) {
        const auto index = static_cast<std::uint16_t>((i + static_cast<std::size_t>(r)) % table_size);
        if (r == 0 || score(index) > score(best)) best = index;
      }
      require(chosen[i] == best, "the choice by a table");
      require(merged[i] == static_cast<std::uint16_t>(i), "a merged element");
    }
  }
  MPI_Type_free(&type);
}

// Codes are run with traps, to find where their first NaN comes from.
void trap(int rank, int ranks) {
  constexpr int trapped = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
  const Operation operation(add_halves);
  const std::vector<std::uint16_t> send = halves(count, rank, 0);
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(trapped);
  const std::vector<std::uint16_t> result = sum(send, MPI_UINT16_T, operation);
  fedisableexcept(trapped);
  require(fetestexcept(trapped) == 0, "exception flags after a sum of numbers");
  require(error_of_sum(result, ranks, 0) < compressed_error, "sum of halves with traps");
}

}  // namespace

void run() {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  look_at_the_type(rank, ranks);
  saturate(ranks);
  take_own_values_alone(rank, ranks);
  trap(rank, ranks);
}

}  // namespace airamp::laws
