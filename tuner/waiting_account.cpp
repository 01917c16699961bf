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

}  // namespace

double WaitingAccount::patience(double usual) noexcept {
  if (std::isinf(usual)) return usual;
  if (allowance_ == 0) left_ = allowance_ = first_allowance * usual;
  usual_ = usual;
  return is_tired_ ? 0 : usual + saved_;
}

/// The first of a run of carried calls ends none.
void WaitingAccount::end_window(double now) noexcept {
  if (calls_ > 1) (is_native_ ? native_ : carried_).record(now - since_);
  since_ = now;
}

void WaitingAccount::spend(double gain, double held_up) noexcept {
  const double gained = is_refuted_ ? 0 : gain;
  saved_ = std::clamp(saved_ + gained / 2 - held_up, 0.0, most_saved);
  left_ = std::min(left_ + gained - held_up, allowance_);
  is_tired_ = is_tired_ || left_ < 0;
}

void WaitingAccount::close(double now) noexcept {
  is_native_ = true;
  is_tired_ = false;
  calls_ = 0;
  since_ = now;
  saved_ = 0;
}

void WaitingAccount::compare() noexcept {
  if (std::min(carried_.size(), native_.size()) >= least_windows) {
    is_refuted_ = carried_.median() > least_loss * native_.median();
    rest_ = is_refuted_ ? std::clamp(2 * rest_, shortest_rest, longest_rest) : 0;
    allowance_ = is_refuted_ ? first_allowance * usual_ : std::min(growth * allowance_, longest_allowance);
  }
  is_native_ = false;
  calls_ = 0;
  left_ = allowance_;
}

}  // namespace airamp::tuner
