// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/waiting_account.hpp"

#include <algorithm>
#include <cmath>

namespace airamp::tuner {
namespace {

/// Longer than the operating system usually keeps a rank from its processor.
constexpr double most_saved = 1e-3;

/// Times the usual patience: some calls, of which it can be seen how long a step takes.
constexpr double first_allowance = 4;
/// Each comparison that finds no loss makes the next one so much rarer.
constexpr double growth = 8;
constexpr double longest_allowance = 0.1;

/// Fewer say nothing.
constexpr std::size_t least_windows = 2;

/// Native calls behind the first comparison that finds a loss, and behind the latest of many. Each next try costs about
/// what a rank may be held up for.
constexpr std::uint64_t shortest_rest = 512;
constexpr std::uint64_t longest_rest = 65536;

/// Steps that are longer by less may be so by chance.
constexpr double least_loss = 1.01;
/// The same of the first native steps.
constexpr double suspicious_loss = 1.25;

}  // namespace

double WaitingAccount::patience(double usual) noexcept {
  if (std::isinf(usual)) return usual;
  if (allowance_ == 0) left_ = allowance_ = first_allowance * usual;
  usual_ = usual;
  return is_tired_ ? 0 : usual + saved_;
}

void WaitingAccount::end_window(Windows& windows, double now) noexcept {
  if (!std::isnan(since_)) windows.record(now - since_);
  since_ = now;
}

void WaitingAccount::end_native_window(double now) noexcept {
  end_window(native_, now);
  native_steps_.end(calls_of_window, now);
  if (is_first_run_ && native_.size() == most_windows && !native_steps_.are_short()) end_native();
}

/// Natively no step can take less than a call gains; and where carried ones take more, the program does other things in
/// them than in its first ones.
void WaitingAccount::end_carried_window(double now, double gain) noexcept {
  end_window(carried_, now);
  if (was_compared_ || carried_.size() < most_windows || native_.size() < least_windows) return;
  was_compared_ = true;
  const double carried = carried_.median();
  if (carried < gain * calls_of_window && carried > suspicious_loss * native_.median()) is_tired_ = true;
}

void WaitingAccount::spend(double gain, double held_up) noexcept {
  const double gained = is_refuted_ ? 0 : gain;
  const double lost = is_refuted_ ? std::max(loss_, held_up) : held_up;
  saved_ = std::clamp(saved_ + gained / 2 - held_up, 0.0, most_saved);
  left_ = std::min(left_ + gained - lost, allowance_);
  is_tired_ = is_tired_ || left_ < 0;
}

void WaitingAccount::close(double now) noexcept {
  is_first_run_ = false;
  is_native_ = true;
  native_steps_.begin();
  is_tired_ = false;
  calls_ = 0;
  since_ = now;
  saved_ = 0;
}

void WaitingAccount::compare() noexcept {
  is_first_run_ = false;
  if (std::min(carried_.size(), native_.size()) >= least_windows) {
    was_compared_ = true;
    loss_ = (carried_.median() - native_.median()) / calls_of_window;
    is_refuted_ = carried_.median() > least_loss * native_.median();
    rest_ = is_refuted_ ? std::clamp(2 * rest_, shortest_rest, longest_rest) : 0;
    allowance_ = is_refuted_ ? first_allowance * usual_ : std::min(growth * allowance_, longest_allowance);
  }
  left_ = allowance_;
  end_native();
}

void WaitingAccount::end_native() noexcept {
  is_native_ = false;
  calls_ = 0;
  since_ = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace airamp::tuner
