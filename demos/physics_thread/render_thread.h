// SPDX-License-Identifier: MIT
// The renderer's side: a display without a screen, and a stage that is fed by a link.
#pragma once

#include "glissade/feed/link_feed.h"
#include "glissade/link/link.h"
#include "glissade/stage/stage.h"

#include "logs.h"
#include "picture_check.h"

#include <atomic>
#include <cstddef>
#include <vector>

namespace physics_thread {

/// Draws what a link brings, on the thread that calls run().
class RenderThread {
public:
    /// `ids`: the objects in the link; the first kRecordedCount of them are recorded.
    RenderThread(glissade::Link& link, std::vector<glissade::Id> ids);

    /// Draws at `rate_hz` until `stop`, as far as the capacity of `log.frames` reaches.
    void run(double rate_hz, const std::atomic<bool>& stop, RunLog& log);

private:
    void draw(std::int64_t stamp_ns, RunLog& log);

    std::vector<glissade::Id> ids_;
    glissade::Stage stage_;
    glissade::LinkFeed feed_{stage_};
    GuessFade fade_{};
};

} // namespace physics_thread
