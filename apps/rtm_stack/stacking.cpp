// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "stacking.hpp"

#include <algorithm>
#include <cmath>

#include "checksum.hpp"
#include "half_stack.hpp"
#include "stack_buffers.hpp"
#include "upscale.hpp"

namespace rtm_stack {
namespace {

/// Half of the exponents of binary16 lie below, and sums may grow fourfold before they overflow.
constexpr double target_peak = 16384.0;

double peak_of(const Grid<double>& image) {
  double peak = 0.0;
  for (const double value : image.values) peak = std::max(peak, std::abs(value));
  return peak;
}

/// The sum of the images of this rank's shots of one round.
Grid<double> migrate_round(const VelocityModel& model, const Survey& survey, int first_shot, int step, int count) {
  Grid<double> sum(model.true_velocity.nx, model.true_velocity.nz);
  for (int i = 0; i < count; ++i) {
    const int shot = first_shot + i * step;
    if (shot >= survey.shots) break;
    const Grid<float> image = migrate_shot(model, survey, shot);
    std::ranges::transform(sum.values, image.values, sum.values.begin(), std::plus<>());
  }
  return sum;
}

/// The power of two by which images are multiplied before they become binary16, the same on all ranks.
double choose_scale(const Grid<double>& image, MPI_Comm communicator, int ranks) {
  double peak = peak_of(image);
  MPI_Allreduce(MPI_IN_PLACE, &peak, 1, MPI_DOUBLE, MPI_MAX, communicator);
  return peak > 0.0 ? std::exp2(std::floor(std::log2(target_peak / (peak * ranks)))) : 1.0;
}

std::vector<Half> encode(const Grid<double>& image, double scale) {
  std::vector<Half> halves(image.values.size());
  std::ranges::transform(image.values, halves.begin(),
                         [scale](double value) { return to_half(static_cast<float>(value * scale)); });
  return halves;
}

}  // namespace

StackedImage stack_survey(const VelocityModel& model, const Survey& survey, const StackingPlan& plan,
                          MPI_Comm communicator) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  const int shots_per_round = ranks * plan.shots_per_stack;
  const int rounds = (survey.shots + shots_per_round - 1) / shots_per_round;

  const HalfStack stack;
  Checksum checksum;
  StackedImage result;
  result.truth = Grid<double>(model.true_velocity.nx, model.true_velocity.nz);
  result.image = Grid<double>(result.truth.nx * plan.image_scale, result.truth.nz * plan.image_scale);
  result.stack_bytes = result.image.values.size() * sizeof(Half);
  StackBuffers buffers(result.image.values.size(), plan.device);
  double scale = 1.0;
  for (int round = 0; round < rounds; ++round) {
    const Grid<double> local =
        migrate_round(model, survey, round * shots_per_round + rank, ranks, plan.shots_per_stack);
    std::ranges::transform(result.truth.values, local.values, result.truth.values.begin(), std::plus<>());
    if (round == 0) scale = choose_scale(local, communicator, ranks);
    buffers.set_contribution(encode(upscale(local, plan.image_scale), scale));
    for (int repeat = 0; repeat < plan.repeats; ++repeat) {
      MPI_Barrier(communicator);  // so that the time is the Allreduce's, not the wait for a slower rank's shots
      const double start = MPI_Wtime();
      buffers.stack(stack, communicator);
      result.allreduce_seconds.push_back(MPI_Wtime() - start);
    }
    const std::vector<Half>& sum = buffers.sum();
    checksum.add(sum.data(), sum.size() * sizeof(Half));
    double squares = 0.0;
    for (std::size_t pixel = 0; pixel < sum.size(); ++pixel) {
      const double value = to_float(sum[pixel]) / scale;
      result.image.values[pixel] += value;
      squares += value * value;
    }
    result.sum_of_norms += std::sqrt(squares);
  }
  result.checksum = checksum.value();
  // Upscaling is linear, so the truth is stacked at the model's size.
  MPI_Allreduce(MPI_IN_PLACE, result.truth.values.data(), static_cast<int>(result.truth.values.size()), MPI_DOUBLE,
                MPI_SUM, communicator);
  return result;
}

}  // namespace rtm_stack
