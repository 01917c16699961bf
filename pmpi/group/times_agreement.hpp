// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Agreements of a communicator's ranks on times and errors, each behind a native call of the application's, of the
/// largest that some rank has. A native call may fail on one rank alone: that one goes back to the application at once,
/// as it does without us. It leaves to the others that it has no times, and waits for nobody. Used by one thread at a
/// time, on one communicator.
class TimesAgreement {
 public:
  TimesAgreement() = default;
  TimesAgreement(const TimesAgreement&) = delete;
  TimesAgreement& operator=(const TimesAgreement&) = delete;

  /// Before the native call: makes room for as many numbers as there will be, the same on all ranks. Throws
  /// std::bad_alloc. Returns an MPI error code.
  int prepare(std::size_t numbers);

  /// Takes part, as all ranks do by this function or the next. NaN counts as infinite; of a rank that has left, all
  /// numbers are. Collective.
  Result<std::vector<double>> agree(MPI_Comm comm, std::vector<double> numbers);

  /// Takes part without numbers and without waiting.
  void leave(MPI_Comm comm) noexcept;

  /// Waits until all ranks have taken part in what was left; before the communicator is freed. Returns an MPI error
  /// code.
  int settle() noexcept;

 private:
  int start(MPI_Comm comm) noexcept;

  std::vector<double> numbers_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace airamp::pmpi
