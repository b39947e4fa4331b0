// SPDX-License-Identifier: MIT
#include "logs.h"

#include <algorithm>

namespace physics_thread {

// A link keeps the newest snapshots, so of those that came between two frames the oldest are gone.
void mark_skipped(RunLog& log) {
    FrameEntry before{};
    for (const FrameEntry& frame : log.frames) {
        const std::size_t gone_count = frame.skipped_count - before.skipped_count;
        const std::size_t end = std::min(before.tick_count + gone_count, log.ticks.size());
        for (std::size_t i = before.tick_count; i < end; ++i) {
            log.ticks[i].skipped = true;
        }
        before = frame;
    }
}

} // namespace physics_thread
