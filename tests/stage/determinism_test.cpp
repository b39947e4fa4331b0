// SPDX-License-Identifier: MIT
#include "glissade/stage/stage.h"
#include "glissade/time/fixed_step.h"

#include "stage/stage_digest.h"
#include "time/frame_series.h"

#include <array>
#include <optional>

#include <gtest/gtest.h>

// Truth and picture are separate: whatever is drawn, and however often, the simulation is the same.

namespace glissade::testing {
namespace {

constexpr std::int64_t kTickCount = 100'000;
constexpr double kWall = 50.0;

/// Bodies that bounce in a box and are teleported, shifted, corrected, hidden and handed from
/// parent to parent. The only memory of where they are is the stage's own logical pose, so that the
/// slightest influence of the picture would grow with each tick. No function of the platform's
/// mathematics library is involved but the square root, which rounds alike everywhere.
class Simulation {
public:
    Simulation() {
        for (std::size_t number = 0; number < ids_.size(); ++number) {
            ids_[number] = stage.add({.position = {static_cast<double>(number), 0.0, 1.0}});
            velocities_[number] = {random(-100, 100), random(-100, 100), random(-100, 100)};
        }
    }

    void run(const Tick& tick) {
        if (tick.index > kTickCount) {
            return;
        }
        for (std::size_t number = 0; number < ids_.size(); ++number) {
            Pose pose = stage.logical(ids_[number]);
            // Each body sleeps now and then, so that rows are given up while the picture is on.
            if ((tick.index / 16 + static_cast<std::int64_t>(number)) % 3 == 0) {
                continue;
            }
            bounce(pose, velocities_[number]);
            pose.position += velocities_[number] * 0.0078125;
            record(stage.move(tick, ids_[number], pose));
        }
        disturb(tick);
        for (const Id id : ids_) {
            digest_.add(stage.logical(id));
            digest_.add(stage.parent(id).bits());
        }
    }

    [[nodiscard]] std::uint64_t digest() const { return digest_.value(); }

    Stage stage{{.capacity = 8}};

private:
    double random(std::int64_t low, std::int64_t high) {
        return 0.0625 * static_cast<double>(random_.between(low, high));
    }

    void record(StageStatus status) { digest_.add(static_cast<int>(status)); }

    static void bounce(const Pose& pose, glm::dvec3& velocity) {
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            const bool outward = pose.position[axis] * velocity[axis] > 0.0;
            velocity[axis] =
                outward && std::abs(pose.position[axis]) > kWall ? -velocity[axis] : velocity[axis];
        }
    }

    void disturb(const Tick& tick) {
        const Id id = ids_[static_cast<std::size_t>(random_.between(0, 5))];
        const Id other = ids_[static_cast<std::size_t>(random_.between(0, 5))];
        // Braces: their order of evaluation is the same with every compiler.
        const glm::dvec3 place{random(-500, 500), random(-500, 500), random(-500, 500)};
        const glm::quat turn = quat_xyzw(0.0F, 0.6F, 0.0F, 0.8F);
        switch (random_.between(0, 40)) {
            case 0:
                return record(stage.cut(tick, id, {.position = place, .rotation = turn}));
            case 1:
                return record(
                    stage.shift(tick, id, {.translation = 0.125 * place, .rotation = turn}));
            case 2:
                return record(stage.amend(tick, id, {.position = place}));
            case 3:
                return record(stage.hide(id));
            case 4:
            case 5:
                return record(stage.show(id));
            case 6:
                return record(stage.set_parent(id, other));
            case 7:
            case 8:
                return record(stage.set_parent(id, {}));
            default:
                return;
        }
    }

    Random random_{7};
    std::array<Id, 6> ids_;
    std::array<glm::dvec3, 6> velocities_;
    Digest digest_;
};

/// The digest of all ticks, with pictures at `frames` or without any.
std::uint64_t simulate(std::optional<Rate> frames) {
    Simulation simulation;
    FixedStep step({.rate = {128, 1}});
    std::int64_t shown = 0;
    for (std::int64_t frame = 0; step.newest().index < kTickCount; ++frame) {
        for (const Tick& tick :
             step.advance_to(frame_time_ns(frames.value_or(Rate{20, 1}), frame))) {
            simulation.run(tick);
        }
        if (frames) {
            EXPECT_EQ(simulation.stage.present(step.sample()), StageStatus::Ok);
            shown += static_cast<std::int64_t>(simulation.stage.changed().size());
        }
    }
    EXPECT_EQ(shown > 0, frames.has_value());
    return simulation.digest();
}

// The same with every compiler and preset: a change here is a change of what simulations get.
constexpr std::uint64_t kGolden = 0x2501B5E8F5672DADU;

// Trap 3.
TEST(StageDeterminism, TheSimulationIsTheSameWithoutAPicture) {
    EXPECT_EQ(simulate(std::nullopt), kGolden);
}

// Trap 3.
TEST(StageDeterminism, TheSimulationIsTheSameAt60FramesASecond) {
    EXPECT_EQ(simulate(Rate{60, 1}), kGolden);
}

// Trap 3.
TEST(StageDeterminism, TheSimulationIsTheSameAt144FramesASecond) {
    EXPECT_EQ(simulate(Rate{144, 1}), kGolden);
}

} // namespace
} // namespace glissade::testing
