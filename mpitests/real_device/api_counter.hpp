// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace airamp::gpu_tests {

/// Counts this process's calls of the CUDA driver, by function, whoever makes them: the application, a CUDA runtime
/// (linked statically or not), AIRamp's plugin. It hears of them from CUPTI, which it opens when the program runs. One
/// at a time in a process.
class ApiCounter {
 public:
  /// nullptr, and `why`, if there is no CUPTI, or none that tells anything.
  static std::unique_ptr<ApiCounter> open(std::string& why);
  virtual ~ApiCounter() = default;
  ApiCounter(const ApiCounter&) = delete;
  ApiCounter& operator=(const ApiCounter&) = delete;

  /// Sets all counts to zero, and counts from now on; and no longer.
  virtual void start() = 0;
  virtual void stop() = 0;

  /// What the driver was asked to do since `start`.
  struct Totals {
    std::uint64_t launches = 0;  ///< of kernels, graphs and host functions
    std::uint64_t synchronisations =
        0;                      ///< functions that wait for the device, copies that are not asynchronous included
    std::uint64_t queries = 0;  ///< of a stream or an event, which do not wait
  };
  virtual Totals totals() const = 0;

  struct Function {
    std::string name;
    std::uint64_t calls = 0;
  };
  /// The functions called since `start`, most calls first.
  virtual std::vector<Function> functions() const = 0;

 protected:
  ApiCounter() = default;
};

/// What a function of the driver does, by its name.
enum class ApiClass : std::uint8_t { other, launch, synchronisation, query };
ApiClass class_of_function(const std::string& name);

}  // namespace airamp::gpu_tests
