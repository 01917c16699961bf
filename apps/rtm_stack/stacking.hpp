// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_memory.hpp"
#include "grid.hpp"
#include "shot_migration.hpp"
#include "velocity_model.hpp"

namespace rtm_stack {

/// How the shots' images are summed over the ranks.
struct StackingPlan {
  int shots_per_stack = 1;               ///< shots that each rank migrates between two stacks
  int image_scale = 1;                   ///< the image is upscaled by this factor before it is stacked
  int repeats = 1;                       ///< each stacking Allreduce is done this many times; the last result counts
  const DeviceMemory* device = nullptr;  ///< where the images that are stacked live; nullptr: host memory
};

struct StackedImage {
  Grid<double> image;           ///< the sum of the FP16 stacks, at the upscaled size; the same on all ranks
  Grid<double> truth;           ///< the same sum in FP64 all the way, at the model's size; the same on all ranks
  double sum_of_norms = 0.0;    ///< sum of the L2 norms of the FP16 stacks, in the unit of `image`
  std::size_t stack_bytes = 0;  ///< bytes of one FP16 stack
  std::uint64_t checksum = 0;   ///< FNV-1a of the bits of all FP16 stacks in order
  std::vector<double> allreduce_seconds;  ///< of this rank, one per stacking Allreduce
};

/// Collective over `communicator`: migrates the survey's shots, dealt to the ranks in turn, and stacks their images.
/// Ranks that have no shot left contribute zeros.
StackedImage stack_survey(const VelocityModel& model, const Survey& survey, const StackingPlan& plan,
                          MPI_Comm communicator);

}  // namespace rtm_stack
