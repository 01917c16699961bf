// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <functional>

namespace airamp {

/// A derived datatype, committed, and freed with its owner.
class CommittedDatatype {
 public:
  /// `make`: calls a constructor of MPI's.
  explicit CommittedDatatype(const std::function<void(MPI_Datatype*)>& make) {
    make(&type_);
    MPI_Type_commit(&type_);
  }
  ~CommittedDatatype() { MPI_Type_free(&type_); }
  CommittedDatatype(const CommittedDatatype&) = delete;
  CommittedDatatype& operator=(const CommittedDatatype&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace airamp
