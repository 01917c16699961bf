// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// What the library calls while it waits; NULL: nothing.
extern void (*yield_to_others)(void);

#ifdef __cplusplus
}
#endif
