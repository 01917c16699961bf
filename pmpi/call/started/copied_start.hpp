// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pmpi/call/started/start_arguments.hpp"
#include "pmpi/device/host_copy.hpp"

namespace airamp::pmpi {

/// An allreduce that the MPI library starts on host copies, since its buffers lie on a GPU. The copies live as long as
/// this object, and so must it until the library is done with them. Used by one thread at a time.
class CopiedStart {
 public:
  /// `load`: it is started now; else `load()` precedes each start. Throws std::bad_alloc.
  CopiedStart(const StartArguments& arguments, bool load);

  /// Whether the copies could not be made.
  bool failed() const { return input_.failed() || output_.failed(); }

  /// What to give to the MPI library.
  const void* sendbuf() const { return input_.buffer(); }
  void* recvbuf() const { return output_.buffer(); }

  /// What the buffers hold now is what is reduced. Waits for the application's default stream. False if that failed.
  bool load();

  /// Brings the result to the GPU, once the library is done. Waits for nothing of the application's: natively nothing
  /// of it comes before the end of a collective either. False if that failed.
  bool store() { return !output_.exists() || output_.store(written_, CopyOrder::at_once); }

  /// The MPI library's. Of a persistent collective that the program has freed while it ran MPI_REQUEST_NULL: nobody
  /// sees its end any more.
  MPI_Request request = MPI_REQUEST_NULL;

 private:
  bool in_place_;
  HostCopy input_;
  HostCopy output_;
  std::vector<Rows> written_;  ///< of the output; the program may free the type
};

}  // namespace airamp::pmpi
