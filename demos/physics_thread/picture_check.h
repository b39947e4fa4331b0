// SPDX-License-Identifier: MIT
// Is every picture of one moment, in the right place, and never earlier than the one before?
#pragma once

#include "glissade/feed/link_feed.h"
#include "glissade/stage/stage.h"

#include "logs.h"

#include <cstddef>
#include <span>

namespace physics_thread {

/// Whether the bodies on the stage are of different ticks, or one of them is a mixture.
[[nodiscard]] bool is_torn(const glissade::Stage& stage, const glissade::LinkFeed& feed,
                           std::span<const glissade::Id> ids);

/// Frames in which a recorded body is not where the published states say it is at the frame's
/// sample time.
[[nodiscard]] std::size_t count_misplaced(const RunLog& log);

/// Frames in which the sample time, or the character on its circle, went back.
[[nodiscard]] std::size_t count_backward(const RunLog& log);

/// Frames that drew something.
[[nodiscard]] std::size_t count_drawn(const RunLog& log);

} // namespace physics_thread
