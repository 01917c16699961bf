// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// other_lengths allreduce|reduce|survived_reduce FILE: two ranks of a program that breaks MPI's rules give other
// lengths to the same call, after many right ones of both lengths, of which shared memory carries the short ones and
// not the others. For law.py: the job is to end as it does natively. A rank that gets an error writes its class to the
// file, and aborts the job; or it survives, and right calls follow, and wrong ones again.
#include <mpi.h>

#include <cstring>
#include <fstream>
#include <vector>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr int right_calls = 3000;
constexpr int right_calls_between = 20;
constexpr int shorter = 1;
constexpr int longer = 1000;

/// What only the MPI library can carry out: it does not commute.
void keep_the_first(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  std::memcpy(inout, in, static_cast<std::size_t>(*length) * sizeof(double));
}

class Calls {
 public:
  Calls() { MPI_Op_create(keep_the_first, 0, &op_); }
  ~Calls() { MPI_Op_free(&op_); }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  int allreduce(bool is_long) {
    return MPI_Allreduce(given_.data(), result_.data(), is_long ? longer : shorter, MPI_DOUBLE, is_long ? op_ : MPI_SUM,
                         MPI_COMM_WORLD);
  }

  int reduce(bool is_long) {
    return MPI_Reduce(given_.data(), result_.data(), is_long ? longer : shorter, MPI_DOUBLE, is_long ? op_ : MPI_SUM, 0,
                      MPI_COMM_WORLD);
  }

  void demand_right_reduces(int rank) {
    for (int i = 0; i < right_calls_between; ++i) {
      result_[0] = 0;
      require(reduce(false) == MPI_SUCCESS && (rank != 0 || result_[0] == 2), "right calls afterwards");
    }
  }

 private:
  MPI_Op op_ = MPI_OP_NULL;
  std::vector<double> given_ = std::vector<double>(longer, 1.0);
  std::vector<double> result_ = std::vector<double>(longer);
};

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using airamp::laws::Calls;
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  airamp::laws::require(argc == 3, "which function, and a file");
  int (Calls::*const call)(bool) = std::strcmp(argv[1], "allreduce") == 0 ? &Calls::allreduce : &Calls::reduce;
  const bool survives = std::strcmp(argv[1], "survived_reduce") == 0;
  {
    Calls calls;
    for (int i = 0; i < airamp::laws::right_calls; ++i) {
      (calls.*call)(false);
      (calls.*call)(true);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int wrong_calls = survives ? 3 : 1; wrong_calls > 0; --wrong_calls) {
      // the root of a reduce has no room for what the other rank sends, nor has rank 1 in most algorithms of an
      // allreduce
      const int error = (calls.*call)((rank == 0) == (call == &Calls::allreduce));
      int error_class = MPI_SUCCESS;
      MPI_Error_class(error, &error_class);
      if (error_class != MPI_SUCCESS) {
        std::ofstream(argv[2], std::ios::app) << "rank " << rank << ": error class " << error_class << "\n";
        if (!survives) MPI_Abort(MPI_COMM_WORLD, 1);
      }
      if (survives) calls.demand_right_reduces(rank);
    }
  }
  MPI_Finalize();
  return 0;
}
