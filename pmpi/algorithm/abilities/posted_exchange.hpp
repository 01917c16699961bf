// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "pmpi/algorithm/abilities/brief_post.hpp"
#include "pmpi/call/collective_data.hpp"

namespace airamp::pmpi {

/// The ability of an algorithm to carry a call without an agreement before it: what all ranks know of the call says
/// that it goes this way, and no rank waits for another but the one that needs its data.
class PostedExchange {
 public:
  PostedExchange() = default;
  virtual ~PostedExchange() = default;
  PostedExchange(const PostedExchange&) = delete;
  PostedExchange& operator=(const PostedExchange&) = delete;

  /// Whether calls of this length and root may be posted; the same on all ranks, between two collectives.
  virtual bool may_be_posted(const CollectiveData& data) const = 0;

  /// This rank's part. `data.patience_seconds`: how long a rank that natively need not wait may be held up. Returns an
  /// MPI error code, which nobody has raised; nothing if all other ranks pass by, and nothing was done here.
  virtual std::optional<int> post(const CollectiveData& data) = 0;

  /// The same of calls with the same arguments as this one, in as few steps as it takes.
  virtual BriefPost brief_post(const CollectiveData& data) = 0;

  /// As `post`, where this rank has gone on to the call so, and could not end it.
  virtual std::optional<int> end_brief_post(const CollectiveData& data) = 0;
};

}  // namespace airamp::pmpi
