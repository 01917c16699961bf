// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gpu/backend.hpp"

namespace airamp::gpu::runtime {

// Of gpu/backend.hpp.
bool call_off(Queue* queue, bool& runs, Error& error) noexcept;
bool dismiss(Queue* queue, Error& error) noexcept;
bool recover(Queue* queue, Error& error) noexcept;
bool erase(Queue* queue, std::byte* memory, std::size_t bytes, Error& error) noexcept;

/// `progress` of a launch that was dismissed.
Progress has_left(Queue& queue, Error& error) noexcept;

/// Makes a queue as good as new whose launch was called off too late, and is done.
bool is_reset(Queue& queue, Error& error) noexcept;

}  // namespace airamp::gpu::runtime
