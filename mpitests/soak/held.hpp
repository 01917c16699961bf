// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace airamp::soak {

/// What this process holds.
enum class Held : unsigned char { resident_bytes, descriptors, shared_bytes, communicators, requests, groups };
inline constexpr std::size_t held_count = 6;

/// By Held. `shared_bytes`: mapped files of /dev/shm, also those without a name. The last three are what was made and
/// not freed, by AIRamp or by the program, as counting_mpi.cpp has counted; 0 without it.
std::array<long, held_count> held_now();

}  // namespace airamp::soak
