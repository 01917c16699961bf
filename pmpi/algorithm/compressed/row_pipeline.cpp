// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/compressed/row_pipeline.hpp"

#include <utility>

#include "pmpi/device/chunking_rule.hpp"

namespace airamp::pmpi {

RowPipeline::RowPipeline(std::unique_ptr<RowCodec> rows, ElementType element, std::shared_ptr<WireScratch> scratch,
                         MessageRoute route, int rank, SlotsInAll slots_in_all, int tags)
    : codec_(std::move(rows)),
      element_size_(size_of(element)),
      rank_(rank),
      group_chunks_(codec_->chunks_at_once()),
      route_(std::move(route)),
      slot_rows_(slot_rows(slots_in_all(*codec_, route_.ranks.size()))),
      consents_(route_, rank, route_.tag + tags),
      scratch_(std::move(scratch)) {
  scratch_->reserve(slots_in_all(*codec_, route_.ranks.size()) * slot_rows_);
}

int RowPipeline::begin(const CollectiveData& data, WireScratch::Use& scratch) {
  std::byte* const rows = scratch.row(0);
  if (rows != placed_) place(rows);
  placed_ = rows;
  return prepare(data);
}

int RowPipeline::execute(const CollectiveData& data) {
  WireScratch::Use scratch(*scratch_);
  int error = begin(data, scratch);
  if (error == MPI_SUCCESS) error = run(data, false).error();
  codec_->wait_for_encoded();
  codec_->wait_for_decoded();
  if (error != MPI_SUCCESS) scratch.abandon();
  return error != MPI_SUCCESS ? error : codec_->status();
}

Result<bool> RowPipeline::execute_if_agreed(const CollectiveData& data, bool consent) {
  WireScratch::Use scratch(*scratch_);
  if (const int error = begin(data, scratch); error != MPI_SUCCESS) {
    scratch.abandon();
    return MpiError{error};
  }
  const Result<bool> agreed = consents_.ask(
      consent, [&] { return run(data, true); }, [this] { return drop(); });
  if (!agreed.ok()) scratch.abandon();
  return agreed;
}

int RowPipeline::prepare_next() {
  if (can_ask()) {
    if (const int error = consents_.post_receives(); error != MPI_SUCCESS) return error;
  }
  return post_ahead();
}

}  // namespace airamp::pmpi
