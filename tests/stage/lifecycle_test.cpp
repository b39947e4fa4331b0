// SPDX-License-Identifier: MIT
// Objects come, hide and go: the picture at each of these moments.
#include "glissade/stage/stage.h"

#include "support/stage_runner.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::at_x;
using testing::kFrameRates;
using testing::Random;
using testing::StageRunner;
using testing::tick_at;
using testing::to_s;

constexpr std::int64_t kPeriodNs = 20'000'000; // Of tick_at().
// Sums of doubles below 64 m, whose last place is 2^-47.
constexpr double kToleranceM = 1e-12;

const Pose kSomewhere{.position = {1234.5, -0.1, 7.7},
                      .rotation = quat_from_rotation_vector({0.4, -0.2, 0.9}),
                      .scale = {2.0F, 3.0F, 0.5F}};
const auto kNoCheck = [](const SampleTime&) {};

// Trap 25: nothing comes from the origin, or from a quaternion of zeros.
TEST(Lifecycle, TheFirstPictureOfAnObjectIsWhereItWasPut) {
    Stage stage;
    const Id added = stage.add(kSomewhere);
    EXPECT_EQ(stage.visual(added), kSomewhere);
    EXPECT_EQ(stage.previous(added), kSomewhere);
    EXPECT_TRUE(stage.visible(added));
    stage.present({.time_ns = 0, .now_ns = 0});
    EXPECT_EQ(stage.visual(added), kSomewhere);
    EXPECT_EQ(stage.previous(added), kSomewhere);
}

void expect_nothing_from_the_origin(Rate frames) {
    StageRunner runner;
    Id body;
    runner.run(
        frames, frames.numerator,
        [&](const Tick& tick) {
            if (tick.index == 10) {
                body = runner.stage.add(at_x(1000.0));
            }
            if (tick.index >= 10) {
                runner.stage.move(tick, body, at_x(1000.0 + static_cast<double>(tick.index - 9)));
            }
        },
        [&](const SampleTime&) {
            if (runner.stage.contains(body)) {
                ASSERT_GE(runner.stage.visual(body).position.x, 1000.0);
                ASSERT_GE(runner.stage.previous(body).position.x, 1000.0);
            }
        });
}

// Trap 25: the same for one that moves in its first tick, at every frame rate.
TEST(Lifecycle, AnObjectThatMovesAtOnceNeverComesFromTheOrigin) {
    for (const Rate frames : kFrameRates) {
        expect_nothing_from_the_origin(frames);
    }
}

void expect_spawn_in_motion(std::int64_t extra_delay_ns, Rate frames) {
    StageRunner runner({}, {.track = {.history = 8}});
    runner.extra_delay_ns = extra_delay_ns;
    Id body;
    std::int64_t spawn_ns = 0;
    bool was_visible = false;
    runner.run(
        frames, frames.numerator,
        [&](const Tick& tick) {
            if (tick.index == 23) {
                spawn_ns = tick.time_ns;
                body = runner.stage.spawn(tick, at_x(5.0));
            } else if (tick.index > 23) {
                runner.stage.move(tick, body, at_x(5.0 + to_s(tick.time_ns - spawn_ns)));
            }
        },
        [&](const SampleTime& sample) {
            if (body.is_null()) {
                return;
            }
            const bool visible = runner.stage.visible(body);
            ASSERT_EQ(visible, sample.time_ns >= spawn_ns);
            if (visible) {
                ASSERT_NEAR(runner.stage.visual(body).position.x,
                            5.0 + to_s(sample.time_ns - spawn_ns), kToleranceM);
            }
            if (visible && !was_visible) {
                ASSERT_EQ(runner.stage.previous(body), runner.stage.visual(body));
            }
            was_visible = visible;
        });
    EXPECT_TRUE(was_visible);
}

// Trap 26: spawned in motion, first shown when the picture is there, and already under way.
TEST(Lifecycle, ASpawnAppearsAtItsStampAlreadyMoving) {
    for (const std::int64_t extra_delay_ns : {0, 40'000'000}) {
        for (const Rate frames : kFrameRates) {
            SCOPED_TRACE(::testing::Message() << extra_delay_ns << ", " << frames.numerator);
            expect_spawn_in_motion(extra_delay_ns, frames);
        }
    }
}

TEST(Lifecycle, ASpawnThatStandsStillComesToRest) {
    Stage stage;
    const Id body = stage.spawn(tick_at(1), kSomewhere, {.user = 9});
    EXPECT_FALSE(stage.visible(body));
    EXPECT_EQ(stage.logical(body), kSomewhere);
    stage.present({.time_ns = kPeriodNs - 1, .now_ns = kPeriodNs, .newest = tick_at(1)});
    EXPECT_FALSE(stage.visible(body));
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs, .newest = tick_at(2)});
    EXPECT_TRUE(stage.visible(body));
    EXPECT_EQ(stage.visual(body), kSomewhere);
    stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs, .newest = tick_at(3)});
    EXPECT_EQ(stage.mover_count(), 0U);
    EXPECT_EQ(stage.visual(body), kSomewhere);
    EXPECT_EQ(stage.user(body), 9U);
}

void expect_despawn_in_time(Rate frames) {
    StageRunner runner;
    const Id body = runner.stage.add(at_x(0.0));
    std::int64_t gone_ns = -1;
    runner.run(
        frames, frames.numerator,
        [&](const Tick& tick) {
            if (tick.index <= 30) {
                runner.stage.move(tick, body, at_x(to_s(tick.time_ns)));
            }
            if (tick.index == 30) {
                gone_ns = tick.time_ns;
                ASSERT_EQ(runner.stage.despawn(tick, body), StageStatus::Ok);
            }
        },
        [&](const SampleTime& sample) {
            const bool gone = gone_ns >= 0 && sample.time_ns >= gone_ns;
            ASSERT_EQ(runner.stage.contains(body), !gone);
            if (!gone) {
                // Blended until the end.
                const double ideal = to_s(std::max(sample.time_ns, std::int64_t{0}));
                ASSERT_NEAR(runner.stage.visual(body).position.x, ideal, kToleranceM);
            }
        });
    EXPECT_EQ(runner.stage.check(body), StageStatus::StaleHandle);
    EXPECT_EQ(runner.stage.size(), 0U);
}

TEST(Lifecycle, ADespawnGoesWhenThePictureReachesItsTick) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        expect_despawn_in_time(frames);
    }
}

TEST(Lifecycle, ADespawnDoesNotTakeTheNextOwnerOfTheSlot) {
    Stage stage({.capacity = 1});
    const Id first = stage.add(at_x(1.0));
    ASSERT_EQ(stage.despawn(tick_at(5), first), StageStatus::Ok);
    stage.remove(first);
    const Id second = stage.add(at_x(2.0));
    ASSERT_TRUE(stage.contains(second));
    stage.present({.time_ns = 6 * kPeriodNs, .now_ns = 6 * kPeriodNs});
    EXPECT_TRUE(stage.contains(second));
    EXPECT_EQ(stage.visual(second), at_x(2.0));
    EXPECT_EQ(stage.despawn(tick_at(4), second), StageStatus::StaleTick);
    EXPECT_EQ(stage.despawn(tick_at(6), first), StageStatus::StaleHandle);
}

// Keeps every object inside its own metre of the x axis, so that a pose that mixes two owners of a
// slot is off both.
class Crowd {
public:
    static constexpr std::size_t kSize = 6;

    void act(Random& random) {
        const auto number = static_cast<std::size_t>(random.next() % kSize);
        Member& member = members_[number];
        if (!stage_.contains(member.id)) {
            enter(member, random.next() % 2 == 0);
        } else if (random.next() % 4 == 0) {
            stage_.move(tick_, member.id, at_x(member.home + fraction(random)));
        } else if (random.next() % 16 == 0) {
            stage_.despawn(tick_, member.id);
        } else {
            stage_.remove(member.id);
        }
    }

    void run_tick(Random& random) {
        stage_.present({.time_ns = tick_.time_ns - random.between(0, kPeriodNs - 1) / 2,
                        .now_ns = tick_.time_ns});
        tick_ = tick_at(tick_.index + 1);
    }

    [[nodiscard]] std::size_t count_mixed() const {
        std::size_t mixed = 0;
        for (const Member& member : members_) {
            mixed += !stage_.contains(member.id) || is_whole(member) ? 0U : 1U;
        }
        return mixed;
    }

    [[nodiscard]] std::uint64_t enter_count() const { return enter_count_; }

private:
    struct Member {
        Id id;
        double home = 0.0;
        std::uint64_t user = 0;
    };

    [[nodiscard]] bool is_whole(const Member& member) const {
        const auto is_home = [&](const Pose& pose) {
            const double x = pose.position.x - member.home;
            return x >= 0.0 && x <= 1.0;
        };
        return is_home(stage_.visual(member.id)) && is_home(stage_.previous(member.id)) &&
               is_home(stage_.logical(member.id)) && stage_.user(member.id) == member.user;
    }

    static double fraction(Random& random) {
        return static_cast<double>(random.next() % 1024) / 1024.0;
    }

    void enter(Member& member, bool in_motion) {
        member.user = ++enter_count_;
        member.home = 10.0 * static_cast<double>(member.user);
        const ObjectConfig config{.user = member.user};
        member.id = in_motion ? stage_.spawn(tick_, at_x(member.home), config)
                              : stage_.add(at_x(member.home), config);
    }

    Stage stage_{{.capacity = kSize}};
    std::array<Member, kSize> members_{};
    Tick tick_ = tick_at(1);
    std::uint64_t enter_count_ = 0;
};

// Trap 27: an index is used a million times, in every state that its owner can be in.
TEST(Lifecycle, NoPoseMixesTwoOwnersOfASlot) {
    Random random(27);
    Crowd crowd;
    std::size_t mixed = 0;
    while (crowd.enter_count() < 1'000'000) {
        for (int action = 0; action < 60; ++action) {
            crowd.act(random);
        }
        crowd.run_tick(random);
        mixed += crowd.count_mixed();
    }
    EXPECT_EQ(mixed, 0U);
}

// Trap 28: what happened while it was hidden is not blended when it shows.
TEST(Lifecycle, AHiddenObjectComesBackWhereItIsNow) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        StageRunner runner;
        const Id body = runner.stage.add(at_x(0.0));
        double offset = 0.0;
        const auto on_tick = [&](const Tick& tick) {
            runner.stage.move(tick, body, at_x(offset + to_s(tick.time_ns)));
        };
        runner.run(frames, frames.numerator, on_tick, kNoCheck);
        ASSERT_EQ(runner.stage.hide(body), StageStatus::Ok);
        EXPECT_FALSE(runner.stage.visible(body));
        offset = 1000.0;
        runner.run(frames, frames.numerator, on_tick, [&](const SampleTime&) {
            ASSERT_FALSE(runner.stage.visible(body));
            ASSERT_EQ(runner.stage.mover_count(), 0U); // Costs nothing per frame.
        });
        const Pose now = runner.stage.logical(body);
        ASSERT_EQ(runner.stage.show(body), StageStatus::Ok);
        EXPECT_TRUE(runner.stage.visible(body));
        EXPECT_EQ(runner.stage.visual(body), now);
        EXPECT_EQ(runner.stage.previous(body), now);
        const std::uint32_t cuts = runner.stage.shown_cuts(body);
        EXPECT_EQ(cuts, 1U);
        double last = now.position.x;
        runner.run(frames, frames.numerator, on_tick, [&](const SampleTime&) {
            const double x = runner.stage.visual(body).position.x;
            ASSERT_GE(x, last);
            ASSERT_LE(x, runner.stage.logical(body).position.x);
            last = x;
        });
        EXPECT_EQ(runner.stage.shown_cuts(body), cuts);
    }
}

TEST(Lifecycle, ShowingWhatIsShownChangesNothing) {
    Stage stage;
    const Id id = stage.add(at_x(0.0));
    stage.move(tick_at(1), id, at_x(2.0));
    EXPECT_EQ(stage.show(id), StageStatus::Ok);
    stage.present({.time_ns = kPeriodNs / 2, .now_ns = kPeriodNs});
    EXPECT_EQ(stage.visual(id), at_x(1.0));
    EXPECT_EQ(stage.shown_cuts(id), 0U);
}

TEST(Lifecycle, ShowAtAPoseIsACut) {
    Stage stage;
    const Id body = stage.add(at_x(0.0));
    stage.hide(body);
    ASSERT_EQ(stage.show(body, kSomewhere), StageStatus::Ok);
    EXPECT_EQ(stage.visual(body), kSomewhere);
    EXPECT_EQ(stage.logical(body), kSomewhere);
    EXPECT_EQ(stage.show(body, at_x(std::nan(""))), StageStatus::BadPosition);
    EXPECT_EQ(stage.show(Id{}), StageStatus::NullHandle);
    EXPECT_EQ(stage.hide(Id{}), StageStatus::NullHandle);
    EXPECT_EQ(stage.visual(body), kSomewhere);
}

// Trap 49: an object that was not displayed before has no other previous pose than its first one.
TEST(Lifecycle, TheFirstFrameOfAnObjectHasNoMotion) {
    Stage stage;
    stage.present({.time_ns = 0, .now_ns = 0, .newest = tick_at(1)});
    const Id added = stage.add(at_x(0.0));
    const Id hidden = stage.add(at_x(0.0));
    stage.hide(hidden);
    stage.present({.time_ns = 0, .now_ns = kPeriodNs});
    stage.show(hidden);
    const Id late = stage.add(at_x(0.0));
    for (const Id id : {added, hidden, late}) {
        stage.move(tick_at(2), id, at_x(2.0));
    }
    stage.present({.time_ns = 3 * kPeriodNs / 2, .now_ns = 2 * kPeriodNs});
    for (const Id id : {added, hidden, late}) {
        EXPECT_EQ(stage.visual(id), at_x(1.0));
    }
    EXPECT_EQ(stage.previous(added), at_x(0.0));
    EXPECT_EQ(stage.previous(hidden), at_x(1.0));
    EXPECT_EQ(stage.previous(late), at_x(1.0));
}

} // namespace
} // namespace glissade
