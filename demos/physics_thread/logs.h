// SPDX-License-Identifier: MIT
// What the two threads write down while they run, in memory that is there before they start.
#pragma once

#include "glissade/feed/link_feed.h"
#include "glissade/pose/pose.h"
#include "glissade/time/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace physics_thread {

/// Bodies that are recorded: the character and three boxes.
inline constexpr std::size_t kRecordedCount = 4;

struct RecordedBody {
    glissade::Pose pose{};
    std::int64_t cut_count = 0;
};

/// One tick, as the simulation published it.
struct TickEntry {
    glissade::Tick tick{};
    std::int64_t published_ns = 0;
    std::optional<std::int64_t> due_ns{};
    std::uint32_t epoch = 0;
    bool skipped = false; ///< Overwritten before the renderer came for it.
    std::array<RecordedBody, kRecordedCount> bodies{};
};

/// One frame, as the renderer drew it.
struct FrameEntry {
    std::int64_t cpu_ns = 0;
    std::int64_t stamp_ns = 0;
    std::int64_t delay_ns = 0;
    std::size_t tick_count = 0; ///< Ticks that had come before it, skipped ones included.
    std::size_t skipped_count = 0;
    std::optional<std::int64_t> sample_ns{}; ///< Empty: nothing drawn yet.
    std::array<glissade::Pose, kRecordedCount> drawn{};
};

/// Everything of one run.
struct RunLog {
    std::vector<TickEntry> ticks{};
    std::vector<FrameEntry> frames{};
    glissade::LinkFeedReport report{}; ///< At the end.
    std::size_t torn_count = 0;        ///< Frames whose bodies were not of one moment.
};

/// Marks the ticks that the renderer never saw. Call it when both threads have ended.
void mark_skipped(RunLog& log);

} // namespace physics_thread
