// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

/// In front of a variable that every call reads. Those lie together: after an application's own work each cache line
/// comes from afar, and these would be one each.
#define AIRAMP_ASKED_BY_EVERY_CALL [[gnu::section("airamp.asked_by_every_call")]]
