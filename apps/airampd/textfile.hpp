// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "apps/airampd/options.hpp"
#include "apps/airampd/reading.hpp"

namespace airamp::sidecar {

/// Puts `text` into a file that everybody may read, in one step: whoever opens it finds the old text or the new one,
/// and a link in its place is replaced, not followed. Throws std::system_error.
void replace_file(const std::string& file, std::string_view text);

/// Writes the metrics into a file for node_exporter, once, or again and again until SIGTERM or SIGINT; then it removes
/// the file, since what it says of running jobs would be taken for true for ever. Throws std::exception if the first
/// time fails; later failures are named on stderr.
void write_textfile(const Options& options, const ReadJobs& read);

}  // namespace airamp::sidecar
