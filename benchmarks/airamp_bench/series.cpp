// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "series.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "measurement.hpp"

namespace airamp::benchmark {
namespace {

MPI_Comm make_communicator(const std::string& name, const InfoKeys& keys) {
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Comm_set_name(communicator, name.c_str());
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto& [key, value] : keys) MPI_Info_set(info, key.c_str(), value.c_str());
  MPI_Comm_set_info(communicator, info);
  MPI_Info_free(&info);
  return communicator;
}

}  // namespace

void Check::add(const Check& other) {
  results += other.results;
  error = std::max(error, other.error);
  same_bits = same_bits && other.same_bits;
}

void Check::print(bool right) const {
  std::printf("# %d results checked: largest error %.1e, bits %s on all ranks: %s\n", results, error,
              same_bits ? "equal" : "NOT equal", right ? "right" : "WRONG");
}

Series::Series(const std::string& name, const InfoKeys& keys, const Options& options, const Element& element,
               Memory& memory, const std::vector<std::size_t>& bytes, double late_us)
    : communicator_(make_communicator(name, keys)), late_us_(late_us) {
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &ranks_);
  for (const std::size_t size : bytes) {
    calls_.push_back(std::make_unique<Call>(options, element, memory, size, communicator_));
  }
}

Series::~Series() { MPI_Comm_free(&communicator_); }

double Series::timed_call() {
  const bool late = late_us_ > 0 && made_ % static_cast<std::size_t>(ranks_) == static_cast<std::size_t>(rank_);
  Call& call = next();
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (late) std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(late_us_));
  call.run();
  return MPI_Wtime() - start;
}

Check Series::check() {
  Check result;
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    Call& call = next();
    call.clear_result();
    call.run();
    const Quality quality = call.quality();
    double error = quality.error;
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    std::array<std::uint64_t, 2> extremes{quality.hash, ~quality.hash};
    MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    result.add({.results = 1, .error = error, .same_bits = extremes[0] == ~extremes[1]});
  }
  return result;
}

std::vector<double> medians_in_turns(const std::vector<Series*>& series, int iterations, int burst) {
  std::vector<std::vector<double>> seconds(series.size());
  for (int done = 0; done < iterations; done += burst) {
    for (std::size_t k = 0; k < series.size(); ++k) {
      // None always goes first.
      const std::size_t which = (k + static_cast<std::size_t>(done / burst)) % series.size();
      if (burst > 1) series[which]->timed_call();
      for (int i = 0; i < burst; ++i) seconds[which].push_back(series[which]->timed_call());
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& times : seconds) medians.push_back(1e6 * median_of_slowest(times, MPI_COMM_WORLD));
  return medians;
}

}  // namespace airamp::benchmark
