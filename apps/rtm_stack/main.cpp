// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// A reverse-time-migration mini-app: every rank images its shots, and the images are stacked in FP16 over MPI.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <numeric>
#include <optional>

#include "device_memory.hpp"
#include "image_quality.hpp"
#include "options.hpp"
#include "pgm_file.hpp"
#include "stacking.hpp"
#include "upscale.hpp"

namespace rtm_stack {
namespace {

constexpr double largest_message = 2147483647.0;  // elements; the count of an MPI_Allreduce is an int

/// The slowest rank's time of every Allreduce; on rank 0.
std::vector<double> slowest(const std::vector<double>& seconds, MPI_Comm communicator) {
  std::vector<double> result(seconds.size());
  MPI_Reduce(seconds.data(), result.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX, 0, communicator);
  return result;
}

/// Whether all ranks hold the same checksum; on rank 0.
bool ranks_agree(std::uint64_t checksum, MPI_Comm communicator, int ranks) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks));
  MPI_Gather(&checksum, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, 0, communicator);
  return std::ranges::all_of(all, [checksum](std::uint64_t other) { return other == checksum; });
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

void print_report(const StackedImage& result, const VelocityModel& model, const Options& options, int ranks,
                  const std::vector<double>& seconds, bool agree) {
  const ImageQuality quality = compare(result.image, upscale(result.truth, options.image_scale));
  std::printf("ranks %d\n", ranks);
  std::printf("image_pixels %d x %d\n", result.image.nx, result.image.nz);
  std::printf("stack_bytes %zu\n", result.stack_bytes);
  std::printf("allreduces %zu\n", seconds.size());
  std::printf("allreduce_seconds_median %.6f\n", median(seconds));
  std::printf("allreduce_seconds_total %.6f\n", std::accumulate(seconds.begin(), seconds.end(), 0.0));
  std::printf("reflector_misfit_cells");
  for (const int misfit : reflector_misfits(result.truth, model)) std::printf(" %d", misfit);
  std::printf("\nstack_coherence %.6f\n", result.sum_of_norms > 0.0 ? quality.truth_norm / result.sum_of_norms : 1.0);
  std::printf("crest_factor_db %.3f\n", quality.crest_factor_db);
  std::printf("psnr_db %.3f\n", quality.psnr_db);
  std::printf("stack_checksum %016" PRIx64 "\n", result.checksum);
  std::printf("ranks_agree %s\n", agree ? "yes" : "no");
}

int run(const Options& options, int rank, int ranks) {
  std::optional<DeviceMemory> device;
  if (options.device) device.emplace(local_rank());
  const VelocityModel model = make_velocity_model(options.nx, options.nz);
  const StackedImage result = stack_survey(model, {.shots = options.shots, .timesteps = options.timesteps},
                                           {.shots_per_stack = options.shots_per_stack,
                                            .image_scale = options.image_scale,
                                            .repeats = options.stack_repeats,
                                            .device = device ? &*device : nullptr},
                                           MPI_COMM_WORLD);
  const std::vector<double> seconds = slowest(result.allreduce_seconds, MPI_COMM_WORLD);
  const bool agree = ranks_agree(result.checksum, MPI_COMM_WORLD, ranks);
  if (rank != 0) return 0;
  print_report(result, model, options, ranks, seconds, agree);
  try {
    if (!options.output.empty()) write_pgm(result.image, options.output);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rtm_stack: %s\n", error.what());
    return 1;
  }
  return 0;
}

int parse_and_run(int argc, char** argv) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Options options;
  CLI::App app(
      "Reverse-time migration of a small 2-D acoustic model; the ranks' images are stacked in FP16 by "
      "MPI_Allreduce and compared with an FP64 stack.",
      "rtm_stack");
  declare(app, options);
  try {
    app.parse(argc, argv);
    if (static_cast<double>(options.nx) * options.nz * options.image_scale * options.image_scale > largest_message) {
      throw CLI::ValidationError("--image-scale", "the image must have fewer than 2^31 pixels");
    }
  } catch (const CLI::ParseError& error) {
    // Every rank parses the same command line; one of them speaks.
    if (rank == 0) return app.exit(error);
    return error.get_exit_code();
  }
  try {
    return run(options, rank, ranks);
  } catch (const std::exception& error) {
    // The other ranks may be inside a collective.
    std::fprintf(stderr, "rtm_stack: rank %d: %s\n", rank, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 1;
}

}  // namespace
}  // namespace rtm_stack

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = rtm_stack::parse_and_run(argc, argv);
  MPI_Finalize();
  return status;
}
