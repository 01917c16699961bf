// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Every legal datatype is as legal with AIRamp: those of the constructors for large counts, which mpi4py 4 uses for all
// of its own, and those built from Fortran's unnamed predefined types.
#include "mpitests/committed_datatype.hpp"
#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

/// Gathers elements of four doubles each, which the datatype describes.
void gather(const CommittedDatatype& four_doubles) {
  constexpr std::size_t doubles = 4096;
  constexpr int elements = doubles / 4;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<double> send(doubles);
  for (std::size_t i = 0; i < doubles; ++i) send[i] = rank * 1e6 + static_cast<double>(i);
  for (int round = 0; round < 10; ++round) {
    std::vector<double> receive(doubles * static_cast<std::size_t>(ranks));
    MPI_Allgather(send.data(), elements, four_doubles.get(), receive.data(), elements, four_doubles.get(),
                  MPI_COMM_WORLD);
    for (std::size_t i = 0; i < receive.size(); ++i) {
      require(receive[i] == static_cast<double>(i / doubles) * 1e6 + static_cast<double>(i % doubles), "a number");
    }
  }
}

}  // namespace

void run() {
  MPI_Datatype real = MPI_DATATYPE_NULL;  // predefined: not to be freed
  MPI_Type_create_f90_real(15, 307, &real);
  gather(CommittedDatatype([&](MPI_Datatype* type) { MPI_Type_contiguous(4, real, type); }));
  gather(CommittedDatatype([](MPI_Datatype* type) {
    const CommittedDatatype two([](MPI_Datatype* inner) { MPI_Type_contiguous(2, MPI_DOUBLE, inner); });
    MPI_Type_contiguous(2, two.get(), type);
  }));
#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
  gather(CommittedDatatype([](MPI_Datatype* type) { MPI_Type_contiguous_c(4, MPI_DOUBLE, type); }));
  gather(CommittedDatatype([](MPI_Datatype* type) { MPI_Type_vector_c(2, 2, 2, MPI_DOUBLE, type); }));
  gather(CommittedDatatype([](MPI_Datatype* type) {
    const CommittedDatatype two([](MPI_Datatype* inner) { MPI_Type_contiguous_c(2, MPI_DOUBLE, inner); });
    MPI_Type_dup(two.get(), type);
    MPI_Datatype pair = *type;
    MPI_Type_contiguous(2, pair, type);
    MPI_Type_free(&pair);
  }));
#endif
}

}  // namespace airamp::laws
