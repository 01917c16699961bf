// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/segment_owner.hpp"

namespace airamp::telemetry {

SegmentOwner owner_of(const layout::Header& header, const ProcessSpace& own) {
  SegmentOwner owner;
  owner.observable = !own.boot.empty() && own.process_namespace != 0 && header.boot.equals(own.boot) &&
                     header.process_namespace == own.process_namespace;
  if (!owner.observable) {
    owner.alive = header.finalized.load() == 0;
    return owner;
  }
  const ProcessState process = process_state(header.process);
  const bool same = process.letter != 0 && process.start == header.process_start;
  owner.alive = same && process.runs();
  owner.state = same ? process.letter : '\0';
  return owner;
}

}  // namespace airamp::telemetry
