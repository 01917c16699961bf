// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace airamp::pmpi {

/// A place for one object of a process, whatever its type.
class ProcessWidePlace {
 public:
  ProcessWidePlace(const ProcessWidePlace&) = delete;
  ProcessWidePlace& operator=(const ProcessWidePlace&) = delete;

  // For tests, in which ranks are threads that take turns: they give each its own objects.

  /// The places that ever had an object, one after the other; nullptr after the last.
  static ProcessWidePlace* first() noexcept;
  ProcessWidePlace* next() const noexcept { return next_; }

  /// Puts another object there and returns the one before. nullptr: one is made on the next use.
  void* exchange(void* object) noexcept { return object_.exchange(object, std::memory_order_acq_rel); }
  void destroy(void* object) const noexcept { destroy_(object); }

 protected:
  using Make = void* (*)();
  using Destroy = void (*)(void*);

  constexpr ProcessWidePlace(Make maker, Destroy destroyer) noexcept : make_(maker), destroy_(destroyer) {}
  ~ProcessWidePlace() = default;

  void* get() noexcept {
    void* const object = object_.load(std::memory_order_acquire);
    return object != nullptr ? object : make();
  }

 private:
  [[gnu::cold, gnu::noinline]] void* make() noexcept;

  std::atomic<void*> object_{nullptr};
  Make make_;
  Destroy destroy_;
  ProcessWidePlace* next_ = nullptr;
  bool listed_ = false;
};

/// What a process has one of: made on first use, and never destroyed, for exit handlers may still call MPI, and a
/// program may end without MPI_Finalize. Thread-safe; to ask for it is a load and a comparison. At namespace scope,
/// constinit.
template <class T>
class ProcessWide final : public ProcessWidePlace {
 public:
  constexpr ProcessWide() noexcept
      : ProcessWidePlace([]() -> void* { return new T; }, [](void* object) { delete static_cast<T*>(object); }) {}

  T& operator*() noexcept { return *static_cast<T*>(get()); }
  T* operator->() noexcept { return static_cast<T*>(get()); }
};

}  // namespace airamp::pmpi
