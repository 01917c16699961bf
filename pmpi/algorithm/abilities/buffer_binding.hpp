// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::pmpi {

/// When a request that is bound to the application's buffers is made, run, or made anew for other buffers. A function
/// of agreed answers alone, so that all ranks do the same in the same call. Knows no MPI.
class BufferBinding {
 public:
  enum class Step {
    bind,    ///< make the request for this call's buffers, then run it
    run,     ///< the request is bound to this call's buffers
    native,  ///< leave the request; this call takes another way
    give_up  ///< so must this call and all that follow
  };

  /// So often a request may be made anew before it must have been worth it: with so many runs to each binding.
  static constexpr int free_rebindings = 8;
  static constexpr int runs_worth_binding = 8;

  /// For the next call. `recurs`: agreed, whether the request is bound to the buffers of all ranks. Of calls with other
  /// buffers the second in a row gets the request, since one alone may be an exception.
  Step next(bool recurs) {
    if (given_up_) return Step::give_up;
    if (bindings_ == 0) return bind();
    if (recurs) {
      others_ = 0;
      ++runs_;
      return Step::run;
    }
    if (++others_ < 2) return Step::native;
    given_up_ = bindings_ > free_rebindings && runs_ < runs_worth_binding * bindings_;
    return given_up_ ? Step::give_up : bind();
  }

  /// Whether there is a request.
  bool bound() const { return bindings_ > 0 && !given_up_; }

 private:
  Step bind() {
    others_ = 0;
    ++bindings_;
    ++runs_;
    return Step::bind;
  }

  long bindings_ = 0;
  long runs_ = 0;   ///< of all bindings
  int others_ = 0;  ///< calls with other buffers since the last run
  bool given_up_ = false;
};

}  // namespace airamp::pmpi
