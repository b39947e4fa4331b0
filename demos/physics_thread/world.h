// SPDX-License-Identifier: MIT
// The physics: boxes that tumble down a slope for ever, and a character that runs through them.
#pragma once

#include "glissade/pose/pose.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace physics_thread {

/// One body after a step.
struct BodyState {
    glissade::Pose pose{};
    glissade::Velocity velocity{};
    bool lifted = false; ///< In this step it was put back to the top: it did not move there.
};

/// A Bullet world. Knows nothing of threads, links or frames.
class World {
public:
    explicit World(std::size_t box_count);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    World(World&&) = delete;
    World& operator=(World&&) = delete;

    /// Goes on to `time_s`, `step_s` after the step before.
    void step(double time_s, double step_s);
    /// The character first, then the boxes.
    [[nodiscard]] std::span<const BodyState> bodies() const noexcept { return bodies_; }

private:
    struct Physics;

    void lift_boxes();
    void lift(std::size_t box);
    void read_boxes();

    std::unique_ptr<Physics> physics_;
    std::vector<BodyState> bodies_;
    std::size_t next_lift_ = 0;
    std::uint32_t random_ = 1;
};

} // namespace physics_thread
