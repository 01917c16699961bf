// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace airamp::doctor {

/// Bytes per second that all memory modules of a host together can move, by its SMBIOS table as in
/// /sys/firmware/dmi/tables/DMI: the sum over the modules of their width times their configured speed. Two modules of
/// one channel count twice, so it is an upper bound. 0 where the table does not say.
double module_bytes_per_second(const std::string& table);

}  // namespace airamp::doctor
