// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "shot_migration.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "wave_propagator.hpp"

namespace rtm_stack {
namespace {

constexpr int surface_depth = 2;              // cells; depth of sources and receivers
constexpr int snapshot_interval = 4;          // time steps; still several snapshots per period of the highest frequency
constexpr int mute_depth = 8;                 // cells; above, sources and receivers blind the image
constexpr int mute_taper = 10;                // cells
constexpr float illumination_floor = 0.002F;  // of the largest illumination, against division by nothing

struct Acquisition {
  double time_step;  // seconds
  int timesteps;
  int source_x;
  float peak_frequency;  // hertz
};

/// What one forward run leaves: pressure at the receivers, time by x, and snapshots of the whole field.
struct Recording {
  Grid<float> traces;
  std::vector<Grid<float>> snapshots;
};

float ricker(double time, double peak_frequency) {
  const double phase = std::numbers::pi * peak_frequency * (time - 1.2 / peak_frequency);
  return static_cast<float>((1.0 - 2.0 * phase * phase) * std::exp(-phase * phase));
}

Grid<float> snapshot_of(const WavePropagator& field, int nx, int nz) {
  Grid<float> snapshot(nx, nz);
  for (int z = 0; z < nz; ++z) std::copy_n(field.row(z), nx, &snapshot.at(0, z));
  return snapshot;
}

Recording propagate_source(const Grid<float>& velocity, const Acquisition& acquisition, bool keep_snapshots) {
  WavePropagator field(velocity, acquisition.time_step, VelocityModel::cell_size);
  Recording recording{Grid<float>(velocity.nx, acquisition.timesteps), {}};
  for (int step = 0; step < acquisition.timesteps; ++step) {
    field.inject(acquisition.source_x, surface_depth, ricker(step * acquisition.time_step, acquisition.peak_frequency));
    field.step();
    std::copy_n(field.row(surface_depth), velocity.nx, &recording.traces.at(0, step));
    if (keep_snapshots && step % snapshot_interval == 0) {
      recording.snapshots.push_back(snapshot_of(field, velocity.nx, velocity.nz));
    }
  }
  return recording;
}

/// The imaging condition: sum over time of source times receiver field, divided by the source field's energy.
Grid<float> correlate(const Grid<float>& velocity, const Acquisition& acquisition, const Recording& source,
                      const Grid<float>& reflections) {
  WavePropagator field(velocity, acquisition.time_step, VelocityModel::cell_size);
  Grid<float> image(velocity.nx, velocity.nz);
  Grid<float> illumination(velocity.nx, velocity.nz);
  for (int step = acquisition.timesteps - 1; step >= 0; --step) {
    for (int x = 0; x < velocity.nx; ++x) field.inject(x, surface_depth, reflections.at(x, step));
    field.step();
    if (step % snapshot_interval != 0) continue;
    const Grid<float>& snapshot = source.snapshots[static_cast<std::size_t>(step / snapshot_interval)];
    for (int z = 0; z < velocity.nz; ++z) {
      const float* receiver_row = field.row(z);
      for (int x = 0; x < velocity.nx; ++x) {
        image.at(x, z) += snapshot.at(x, z) * receiver_row[x];
        illumination.at(x, z) += snapshot.at(x, z) * snapshot.at(x, z);
      }
    }
  }
  const float floor = illumination_floor * std::ranges::max(illumination.values);
  for (std::size_t cell = 0; cell < image.values.size(); ++cell)
    image.values[cell] /= illumination.values[cell] + floor;
  return image;
}

/// The negative Laplacian of the image, zero at its edges and muted near the surface.
Grid<float> filter(const Grid<float>& image) {
  Grid<float> result(image.nx, image.nz);
  for (int z = mute_depth; z < image.nz - 1; ++z) {
    const double taper = std::clamp(static_cast<double>(z - mute_depth) / mute_taper, 0.0, 1.0);
    const auto weight = static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * taper));
    for (int x = 1; x < image.nx - 1; ++x) {
      result.at(x, z) = weight * (4.0F * image.at(x, z) - image.at(x - 1, z) - image.at(x + 1, z) - image.at(x, z - 1) -
                                  image.at(x, z + 1));
    }
  }
  return result;
}

}  // namespace

Grid<float> migrate_shot(const VelocityModel& model, const Survey& survey, int shot) {
  const int nx = model.true_velocity.nx;
  const Acquisition acquisition{
      .time_step = WavePropagator::courant_number * VelocityModel::cell_size / model.maximum_velocity,
      .timesteps = survey.timesteps,
      .source_x = static_cast<int>((shot + 0.5) * nx / survey.shots),
      // Twelve cells per wavelength at the peak, about five at the highest frequency.
      .peak_frequency = static_cast<float>(model.minimum_velocity / (12.0 * VelocityModel::cell_size)),
  };
  const Recording source = propagate_source(model.smooth_velocity, acquisition, true);
  Grid<float> reflections = propagate_source(model.true_velocity, acquisition, false).traces;
  // What the smooth model predicts, the direct wave above all, is no reflection.
  std::ranges::transform(reflections.values, source.traces.values, reflections.values.begin(), std::minus<>());
  return filter(correlate(model.smooth_velocity, acquisition, source, reflections));
}

}  // namespace rtm_stack
