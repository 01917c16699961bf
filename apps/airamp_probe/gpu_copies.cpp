// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp_probe/gpu_copies.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "apps/airamp_probe/cuda_driver.hpp"

namespace airamp::probe {
namespace {

constexpr std::size_t bytes = 64U << 20U;
constexpr int copies_at_once = 8;
constexpr int rounds = 3;

/// Memory that is copied from and to, and the context of the GPU that does it; -1 is the host. The contexts and the
/// events go with the process.
class Place {
 public:
  Place(const CudaDriver& cuda, int number) : cuda_(cuda), number_(number) {}
  ~Place() {
    if (pinned_ != nullptr) {
      cuda_.free_host(pinned_);
    } else if (memory_ != 0 && cuda_.use_context(context_) == CudaDriver::success) {
      cuda_.free(memory_);
    }
  }
  Place(Place&& other) noexcept
      : cuda_(other.cuda_),
        number_(other.number_),
        pinned_(std::exchange(other.pinned_, nullptr)),
        context_(other.context_),
        memory_(std::exchange(other.memory_, 0)) {}
  Place& operator=(Place&&) = delete;

  bool take_gpu(const std::string& address) {
    CudaDriver::Device device = 0;
    return cuda_.device_by_address(&device, address.c_str()) == CudaDriver::success &&
           cuda_.retain_context(&context_, device) == CudaDriver::success &&
           cuda_.use_context(context_) == CudaDriver::success && cuda_.allocate(&memory_, bytes) == CudaDriver::success;
  }

  /// Pinned memory, in the context that is current.
  bool take_host() {
    if (cuda_.allocate_host(&pinned_, bytes) != CudaDriver::success) return false;
    memory_ = reinterpret_cast<CudaDriver::Pointer>(pinned_);
    return true;
  }

  int number() const { return number_; }
  bool host() const { return number_ < 0; }
  CudaDriver::Context context() const { return context_; }
  CudaDriver::Pointer memory() const { return memory_; }

 private:
  const CudaDriver& cuda_;
  int number_;
  void* pinned_ = nullptr;  ///< of the host
  CudaDriver::Context context_ = nullptr;
  CudaDriver::Pointer memory_ = 0;
};

/// Of the fastest round; 0 if it cannot be copied.
double bytes_per_second(const CudaDriver& cuda, const Place& from, const Place& to) {
  const Place& driver = from.host() ? to : from;
  if (cuda.use_context(driver.context()) != CudaDriver::success) return 0;
  if (!from.host() && !to.host()) {
    const auto status = cuda.enable_peer(to.context(), 0);
    if (status != CudaDriver::success && status != CudaDriver::peer_access_already_enabled) return 0;
  }
  CudaDriver::Event begin = nullptr;
  CudaDriver::Event end = nullptr;
  if (cuda.create_event(&begin, 0) != CudaDriver::success || cuda.create_event(&end, 0) != CudaDriver::success)
    return 0;
  double best = 0;
  for (int round = 0; round <= rounds; ++round) {
    cuda.record(begin, nullptr);
    for (int i = 0; i < copies_at_once; ++i) {
      if (cuda.copy(to.memory(), from.memory(), bytes, nullptr) != CudaDriver::success) return 0;
    }
    cuda.record(end, nullptr);
    float milliseconds = 0;
    if (cuda.wait_for_event(end) != CudaDriver::success) return 0;
    if (cuda.milliseconds_between(&milliseconds, begin, end) != CudaDriver::success || milliseconds <= 0) return 0;
    // The first round wakes the GPUs and their links.
    if (round > 0) best = std::max(best, 1e3 * copies_at_once * static_cast<double>(bytes) / milliseconds);
  }
  return best;
}

}  // namespace

GpuCopies measure_gpu_copies(const std::vector<std::string>& addresses) {
  GpuCopies answer;
  const CudaDriver cuda;
  answer.trouble = cuda.trouble();
  if (!answer.trouble.empty()) return answer;
  if (const auto status = cuda.init(0); status != CudaDriver::success) {
    answer.trouble = cuda.describe(status);
    return answer;
  }
  std::vector<Place> places;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    Place place(cuda, static_cast<int>(i));
    if (place.take_gpu(addresses[i])) places.push_back(std::move(place));
  }
  Place host(cuda, -1);
  if (places.empty() || !host.take_host()) {
    answer.trouble = "no memory could be allocated on a GPU or for it";
    return answer;
  }
  places.push_back(std::move(host));
  for (const Place& from : places) {
    for (const Place& to : places) {
      if (&from == &to) continue;
      const double speed = bytes_per_second(cuda, from, to);
      if (speed > 0) answer.copies.push_back({from.number(), to.number(), speed});
    }
  }
  return answer;
}

}  // namespace airamp::probe
