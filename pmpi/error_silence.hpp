// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "pmpi/native.hpp"

namespace airamp::pmpi {

/// While it lives, MPI errors that belong to no communicator of ours are returned, not raised: MPI reports them on
/// MPI_COMM_WORLD (MPI-3) or MPI_COMM_SELF (MPI-4), whose error handlers it puts back afterwards.
class ErrorSilence {
 public:
  ErrorSilence() {
    for (std::size_t i = 0; i < comms_.size(); ++i) {
      native().Comm_get_errhandler(comms_[i], &handlers_[i]);
      native().Comm_set_errhandler(comms_[i], MPI_ERRORS_RETURN);
    }
  }
  ~ErrorSilence() {
    for (std::size_t i = 0; i < comms_.size(); ++i) {
      native().Comm_set_errhandler(comms_[i], handlers_[i]);
      native().Errhandler_free(&handlers_[i]);
    }
  }
  ErrorSilence(const ErrorSilence&) = delete;
  ErrorSilence& operator=(const ErrorSilence&) = delete;

 private:
  std::array<MPI_Comm, 2> comms_ = {MPI_COMM_WORLD, MPI_COMM_SELF};
  std::array<MPI_Errhandler, 2> handlers_ = {MPI_ERRHANDLER_NULL, MPI_ERRHANDLER_NULL};
};

}  // namespace airamp::pmpi
