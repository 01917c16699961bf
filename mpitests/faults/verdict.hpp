// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace airamp::faults {

/// The folder in which the ranks leave their verdicts. To be called first.
void set_verdict_folder(const char* folder);

/// Leaves `verdict` of this rank: a folder RANK.VERDICT, which takes neither a descriptor nor a byte of a file. The
/// rank is the launcher's, so that it is known outside of MPI as well. Thread-safe.
void leave_verdict(std::string_view verdict);

/// The rank in MPI_COMM_WORLD as the launcher tells it, before MPI_Init.
int rank_by_launcher();

/// Ends the job with the verdict "wrong" and a message on stderr if `right` does not hold.
void require(bool right, const char* what);

}  // namespace airamp::faults
