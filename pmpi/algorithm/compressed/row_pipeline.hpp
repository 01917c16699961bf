// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/element_type.hpp"
#include "pmpi/algorithm/abilities/piggybacked_agreement.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/device/row_codec.hpp"
#include "pmpi/device/wire_scratch.hpp"
#include "pmpi/group/consents.hpp"
#include "pmpi/group/job_channel.hpp"

namespace airamp::pmpi {

/// What compressed collectives over MPI have in common: encoded rows go from rank to rank in chunks, through a pipeline
/// over groups of chunks, as many as the row codec wants at once. The agreement on a call may go with its first chunks.
///
/// Holds scratch and persistent requests; whatever can fail for want of memory fails in the constructor.
class RowPipeline : public Algorithm, public PiggybackedAgreement {
 public:
  /// Collective. Returns an MPI error code.
  int execute(const CollectiveData& data) final;

  PiggybackedAgreement* piggybacked_agreement() final { return can_ask() ? this : nullptr; }
  Result<bool> execute_if_agreed(const CollectiveData& data, bool consent) final;
  std::uint64_t sent_bytes() const final { return sent_bytes_; }
  double waited_seconds() const final { return consents_.waited_seconds(); }
  int prepare_next() final;

 protected:
  /// How many slots for chunks a call needs in its scratch, all in all.
  using SlotsInAll = std::size_t (*)(const RowCodec& codec, std::size_t ranks);

  /// `rows`: for the buffers' memory. `scratch`: of memory that `rows` can work with. `rank`: the own one, among those
  /// of `route`, of which `tags` tags are the data's and the next one is for what the ranks ask. Throws NoScratch or
  /// std::bad_alloc.
  RowPipeline(std::unique_ptr<RowCodec> rows, ElementType element, std::shared_ptr<WireScratch> scratch,
              MessageRoute route, int rank, SlotsInAll slots_in_all, int tags);

  /// Lays the slots out in a scratch, at `rows`; the requests stay as long as it is the same.
  virtual void place(std::byte* rows) = 0;

  /// Before a call is run. Returns an MPI error code, as does what follows.
  virtual int prepare(const CollectiveData& data) = 0;

  /// `ask`, where the ranks have not agreed yet: the others' answer is heard before anything is touched that they may
  /// still veto, and if that is no, nothing more happens. False only then.
  virtual Result<bool> run(const CollectiveData& data, bool ask) = 0;

  /// What those who consented have sent before they heard of a refusal.
  virtual int drop() = 0;

  /// Posts the receives of the next call's first chunks.
  virtual int post_ahead() = 0;

  /// As many of so many chunks as are in whole groups.
  std::size_t in_groups(std::size_t chunks) const { return chunks / group_chunks_ * group_chunks_; }

  std::unique_ptr<RowCodec> codec_;
  std::size_t element_size_;
  int rank_;
  std::size_t group_chunks_;
  MessageRoute route_;
  std::size_t slot_rows_;
  Consents consents_;
  std::uint64_t sent_bytes_ = 0;  ///< of the latest call

 private:
  bool can_ask() const { return codec_->immediate() && route_.ranks.size() <= max_piggybacking_ranks; }
  int begin(const CollectiveData& data, WireScratch::Use& scratch);

  std::shared_ptr<WireScratch> scratch_;
  std::byte* placed_ = nullptr;  ///< where `scratch_` was when the requests were made
};

}  // namespace airamp::pmpi
