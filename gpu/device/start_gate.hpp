// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// How the kernels of one collective start together or not at all. An application's kernel may leave one of them no room
// for as long as it likes, and it may be waiting for this very collective. So nobody writes to a buffer of the
// application before every block of every rank is known to run, and until then the launch can be called off.
//
// BEGINNING. A block counts itself. The host calls a launch off by a store of its number into the same 64-bit word, by
// the copy engine: a block either is counted before that, or finds it and ends. Blocks then say which it was; once all
// that have been counted have said so, the host knows how many will ever write to a buffer of the application. A kernel
// that has waited for long does the same to the launches of the other ranks (call_off_peers.hpp).
//
// VOTES. The last block of a rank to begin tells every rank so: a word in each region, which is a hole otherwise. Who
// has all votes goes on. A launch that was called off before its last block began never votes; then nobody has all
// votes, and all can be told to leave. A launch that was called off too late has voted, or will. What a block pushes
// before it knows of that lands in regions that nobody uses before all ranks' launches have ended.
//
// A launch of a single block whose output needs data of every rank has no need of votes: its data are its vote, so it
// pushes nothing before it has been counted.
//
// END. A release of system scope makes the GPU wait until all that was pushed to other GPUs is acknowledged: 1.5 us on
// an H200. Nobody needs that: what this launch pushes, its reader takes before that one's launch is done. What must
// have arrived are the output and the holes in the own region. Where all of it is the GPU's own memory (`is_local`), a
// fence of the GPU's scope suffices, 0.35 us: it ends when they are in the cache through which that memory is read by
// whoever reads it, copy engines, other GPUs and network cards among them. Managed memory may be the host's.
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/hole.hpp"
#include "gpu/device/leave.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// What the warps of a block tell each other, in the block's shared memory.
struct BlockStart {
  enum Stage : std::uint32_t { undecided, called_off, begun, started, left };
  std::uint32_t stage;
  std::uint32_t told_to_leave;
};

class StartGate {
 public:
  /// What a block has found as it counted itself; of its first thread.
  struct Count {
    std::uint64_t word;      ///< the blocks before it, and above them the launch that was called off
    std::uint32_t finished;  ///< one less than the number of this launch
  };

  /// By all threads of the block, first of all.
  AIRAMP_DEVICE StartGate(BlockStart& block, std::byte* const* regions, std::uint32_t votes_offset, int size, int rank,
                          bool by_votes, const Completion& completion)
      : block_(block),
        regions_(regions),
        completion_(completion),
        votes_offset_(votes_offset),
        size_(size),
        rank_(rank),
        by_votes_(by_votes) {
    if (threadIdx.x == 0) {
      block_.stage = BlockStart::undecided;
      block_.told_to_leave = 0;
    }
    block_barrier();
  }

  /// Counts the block; first of all. The answer is for `may_push` and `pushed`.
  AIRAMP_DEVICE Count begin() const {
    if (threadIdx.x != 0) return {0, 0};
    LaunchState& state = *completion_.state;
    // Both are under way at once, and with what is loaded next: nothing is reckoned of them before it must be.
    const std::uint32_t finished = load_wire_word(&state.finished);
    return {count_relaxed(reinterpret_cast<std::uint64_t*>(&state)), finished};
  }

  /// Whether the warp may push to other ranks. By every warp that has something to do, once, before its first push.
  AIRAMP_DEVICE bool may_push(const Count& count) const {
    if (by_votes_) return true;
    // A warp in step with the first one must not wait for it: where they part, that loop may go first, for ever.
    if (warp_in_block() >= warps_of_wave()) return wait_for_stage_after(BlockStart::undecided) == BlockStart::started;
    const bool called_off = any(is_called_off(count));  // on the first lane alone
    if (threadIdx.x == 0) {
      go_to(called_off ? BlockStart::called_off : BlockStart::started);
      answer(called_off);
    }
    return !called_off;
  }

  /// Likewise, right after its first pushes.
  AIRAMP_DEVICE void pushed(const Count& count) const {
    if (!by_votes_ || threadIdx.x != 0) return;
    const bool called_off = is_called_off(count);
    answer(called_off);
    if (!called_off && static_cast<std::uint32_t>(count.word) + 1 == gridDim.x) vote();
    go_to(called_off ? BlockStart::called_off : BlockStart::begun);
  }

  /// Whether all blocks of all ranks run; waits for that. False: this launch is to leave. By every warp that may push,
  /// once, before it writes to a buffer of the application; as late as that, for then it seldom has to wait.
  AIRAMP_DEVICE bool all_started() const {
    if (!by_votes_) return true;
    std::uint32_t stage = wait_for_stage_after(BlockStart::undecided);
    if (stage == BlockStart::begun && warp_in_block() == 0) {
      const bool all = has_all_votes();
      if (lane_index() == 0) go_to(all ? BlockStart::started : BlockStart::left);
    }
    if (stage == BlockStart::begun) stage = wait_for_stage_after(BlockStart::begun);
    return stage == BlockStart::started;
  }

  /// This warp ends before its work is done, and lets no other warp of the block wait for it.
  AIRAMP_DEVICE void leave() const {
    if (lane_index() != 0 || stage() == BlockStart::called_off) return;
    write_shared(&block_.told_to_leave, 1);
    go_to(BlockStart::left);
  }

  /// Ends the kernel; all threads call it. The last block tells the host. Why that suffices: see `complete`.
  AIRAMP_DEVICE void end() const {
    block_barrier();
    if (threadIdx.x != 0 || stage() == BlockStart::called_off) return;
    LaunchState& state = *completion_.state;
    std::uint32_t left = read_shared(&block_.told_to_leave);
    if (gridDim.x > 1 || left != 0) {
      const std::uint32_t before = count_up(&state.ended, 1u + (left << 16));
      if ((before & 0xffffu) != gridDim.x - 1) return;
      left |= before >> 16;
    }
    if (left != 0) {
      store_release(completion_.flag, launch_left);
      return;
    }
    // for the next launch, which the stream starts after this one
    if (gridDim.x > 1) state.ended = 0;
    state.accepted = 0;
    if (by_votes_) {
      for (int r = 0; r < size_; ++r) votes_in(rank_)[r] = hole_word;
    }
    if (completion_.is_local)
      store_release_local(completion_.flag, launch_done);
    else
      store_release(completion_.flag, launch_done);
    store_wire_word(&state.finished, load_wire_word(&state.finished) + 2);
    system_fence();  // nobody waits for it any more
    store_wire_word(&state.begun, 0);
  }

 private:
  AIRAMP_DEVICE std::uint32_t stage() const { return read_shared(&block_.stage); }
  AIRAMP_DEVICE void go_to(BlockStart::Stage stage) const { write_shared(&block_.stage, stage); }

  AIRAMP_DEVICE void answer(bool called_off) const {
    count_only(called_off ? &completion_.state->refused : &completion_.state->accepted);
  }

  AIRAMP_DEVICE static bool is_called_off(const Count& count) { return count.word >> 32 == count.finished + 1; }

  AIRAMP_DEVICE std::uint32_t* votes_in(int rank) const {
    return reinterpret_cast<std::uint32_t*>(regions_[rank] + votes_offset_);
  }

  AIRAMP_DEVICE void vote() const {
    for (int r = 0; r < size_; ++r) store_wire_word(votes_in(r) + rank_, 0);
  }

  AIRAMP_DEVICE bool has_all_votes() const {
    const bool reads = lane_index() < size_;
    for (std::uint32_t turn = 0;; ++turn) {
      const bool missing = reads && load_wire_word(votes_in(rank_) + lane_index()) == hole_word;
      if (!any_in_warp(missing)) return true;
      if (is_told_to_leave(completion_, turn)) return false;
    }
  }

  /// All lanes together.
  AIRAMP_DEVICE std::uint32_t wait_for_stage_after(std::uint32_t before) const {
    std::uint32_t now;
    do now = shuffle(lane_index() == 0 ? stage() : 0, 0);
    while (now == before);
    return now;
  }

  BlockStart& block_;
  std::byte* const* regions_;
  const Completion& completion_;
  std::uint32_t votes_offset_;
  int size_;
  int rank_;
  bool by_votes_;
};

}  // namespace airamp::gpu::device
