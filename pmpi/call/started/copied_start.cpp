// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/started/copied_start.hpp"

namespace airamp::pmpi {

CopiedStart::CopiedStart(const StartArguments& arguments, bool load)
    : in_place_(arguments.sendbuf == MPI_IN_PLACE),
      input_(arguments.sendbuf, in_place_ ? Span{} : span_of(arguments.type, 0, arguments.count), load),
      output_(arguments.recvbuf, span_of(arguments.type, 0, arguments.count), load && in_place_),
      written_(rows_of(arguments.type, 0, arguments.count)) {}

bool CopiedStart::load() { return in_place_ ? output_.load() : input_.load(); }

}  // namespace airamp::pmpi
