// SPDX-License-Identifier: MIT
// Is every picture of one moment, in the right place, and never earlier than the one before?
#pragma once

#include "glissade/feed/link_feed.h"
#include "glissade/stage/stage.h"

#include "logs.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace physics_thread {

/// How far from its states a body may be drawn: not at all, but for a picture that had to go on
/// beyond the newest state. What it guessed wrong fades with a half-life of 50 ms.
class GuessFade {
public:
    /// Tells of the next frame; `beyond`: it shows a time after the newest state.
    void frame(std::int64_t sample_ns, bool beyond) noexcept;
    [[nodiscard]] double slack_m() const noexcept { return slack_m_; }

private:
    std::int64_t sample_ns_ = 0;
    double slack_m_ = 0.0;
};

/// Whether the bodies on the stage are of different ticks, or one of them is a mixture. Call it
/// once a frame.
[[nodiscard]] bool is_torn(const glissade::Stage& stage, const glissade::LinkFeed& feed,
                           std::span<const glissade::Id> ids, GuessFade& fade);

/// Frames in which a recorded body is not where the published states say it is at the frame's
/// sample time.
[[nodiscard]] std::size_t count_misplaced(const RunLog& log);

/// Frames in which the sample time, or the character on its circle, went back.
[[nodiscard]] std::size_t count_backward(const RunLog& log);

/// Frames that drew something.
[[nodiscard]] std::size_t count_drawn(const RunLog& log);

} // namespace physics_thread
