// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/backend.hpp"

namespace airamp::gpu::runtime {

bool ccl_find(Device* device, CclSite& site, Error& error) noexcept;
bool ccl_unique_id(Device* device, CclId& id, Error& error) noexcept;
Ccl* ccl_open(Device* device, const CclId& id, int rank, int size, Error& error) noexcept;
void ccl_close(Ccl* ccl, bool aborts) noexcept;
bool ccl_start(Queue* queue, Ccl* ccl, const CclCollective& collective, Error& error) noexcept;

/// Of the collective that `ccl_start` has put on the queue.
Progress ccl_progress(Queue& queue, Error& error) noexcept;

}  // namespace airamp::gpu::runtime
