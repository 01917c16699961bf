// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/collective_kind.hpp"
#include "core/size_bucket.hpp"
#include "pmpi/algorithm/abilities/root_message.hpp"
#include "pmpi/group/host/broadcast_ring.hpp"

namespace airamp::pmpi {

struct SignatureState;

/// Calls of one size bucket that their roots leave for the others in shared memory.
struct PostedSignature {
  SignatureState* signature = nullptr;  ///< none: they do not
  std::size_t candidate = 0;            ///< of the signature's: the way that the ranks agreed on
};

/// All of a communicator and kind.
class PostedSignatures {
 public:
  /// `bytes`: of a call of the signature. Longer ones than can be left are ignored.
  void set(std::uint64_t bytes, const PostedSignature& posted) noexcept {
    if (bytes > BroadcastRing::max_bytes) return;
    PostedSignature& own = by_bucket_[size_bucket(bytes)];
    count_ += (posted.signature != nullptr ? 1 : 0) - (own.signature != nullptr ? 1 : 0);
    own = posted;
  }

  /// Of such calls; at most BroadcastRing::max_bytes.
  const PostedSignature& of(std::uint64_t bytes) const noexcept { return by_bucket_[size_bucket(bytes)]; }

  /// Whether there are any: only then need the ranks look for messages.
  bool any() const noexcept { return count_ > 0; }

 private:
  int count_ = 0;
  std::array<PostedSignature, size_bucket(BroadcastRing::max_bytes) + 1> by_bucket_{};
};

/// All of a communicator; the same on all its ranks between two collectives.
class PostedKinds {
 public:
  /// nullptr if roots leave no calls of that kind.
  PostedSignatures* of(CollectiveKind kind) noexcept {
    return may_be_posted_by_root(kind) ? &by_kind_[index(kind)] : nullptr;
  }

  /// Whether the ranks look in a call of the kind for what its root has left.
  bool any(CollectiveKind kind) const noexcept { return may_be_posted_by_root(kind) && by_kind_[index(kind)].any(); }

 private:
  /// Of those that may be posted.
  static constexpr std::size_t index(CollectiveKind kind) {
    return kind == CollectiveKind::bcast ? 0 : kind == CollectiveKind::scatter ? 1 : 2;
  }

  std::array<PostedSignatures, 3> by_kind_;
};

}  // namespace airamp::pmpi
