// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airampd/reading.hpp"

namespace airamp::sidecar {

/// A page for people, complete in itself: the jobs on this host, their paths, decisions, periods and ranks. For light
/// and dark screens and for paper; renews itself every few seconds.
std::string status_page(const Reading& reading);

}  // namespace airamp::sidecar
