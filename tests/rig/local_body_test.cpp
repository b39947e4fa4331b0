// SPDX-License-Identifier: MIT
#include "glissade/rig/local_body.h"

#include "glissade/time/fixed_step.h"
#include "glissade/time/quantum_gate.h"

#include "time/frame_series.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::frame_time_ns;
using testing::Random;

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr double kSpeed = 4.0; // Metres per second, along x.
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Places of this size are rounded to 2^-50 m or better; a blend rounds a few times.
constexpr double kRounding = 1e-12;

struct Input {
    float yaw_rad = 0.0F;
};

/// Nothing but its velocity moves it, and nothing stops it.
struct Drifter {
    [[nodiscard]] static glm::dvec3 acceleration(const BodyState& /*state*/,
                                                 const Input& /*input*/) {
        return glm::dvec3(0.0);
    }
    static void integrate(BodyState& state, const glm::dvec3& acceleration, double step_s) {
        state.velocity += acceleration * step_s;
        state.position += state.velocity * step_s;
    }
    [[nodiscard]] static Resolved resolve(const glm::dvec3& /*before*/, const glm::dvec3& after) {
        return {.position = after};
    }
};

/// A body under way along x.
template <class Clock>
LocalBody<Clock> make_drifting(const Clock& clock) {
    LocalBody<Clock> body(clock);
    EXPECT_TRUE(body.set_velocity({kSpeed, 0.0, 0.0}));
    return body;
}

FixedStep fixed_step() {
    return FixedStep({.rate = {30, 1}});
}

QuantumGate gate(GateProfile profile, AlphaBasis basis = AlphaBasis::LastQuantum) {
    QuantumGateConfig config =
        profile == GateProfile::Retail ? QuantumGateConfig::retail() : QuantumGateConfig{};
    config.profile = profile;
    config.alpha_basis = basis;
    return QuantumGate(config);
}

template <class Clock>
void expect_snapped(const LocalBody<Clock>& body, const glm::dvec3& place) {
    EXPECT_EQ(body.state().position, place);
    EXPECT_EQ(body.previous_position(), place);
    EXPECT_EQ(body.render_position(), place);
}

/// Records the order of its calls and what they got.
struct Witness {
    glm::dvec3 acceleration(const BodyState& state, const Input& input) {
        calls += 'a';
        seen = state;
        yaw_rad = input.yaw_rad;
        return {1.0, 2.0, 3.0};
    }
    void integrate(BodyState& state, const glm::dvec3& acceleration, double step_s) {
        calls += 'i';
        EXPECT_EQ(acceleration, glm::dvec3(1.0, 2.0, 3.0));
        seen_step_s = step_s;
        state.position += glm::dvec3(0.0, -1.0, 0.0);
        state.velocity = {5.0, -7.0, 0.0};
    }
    Resolved resolve(const glm::dvec3& before, const glm::dvec3& after) {
        calls += 'r';
        EXPECT_EQ(before, seen.position);
        EXPECT_EQ(after, before + glm::dvec3(0.0, -1.0, 0.0));
        return {.position = before, .normal = {0.0, 1.0, 0.0}, .walkable = true};
    }
    void ticked(const Tick& tick, const BodyState& state) {
        calls += 't';
        ticks.push_back(tick);
        sent = state;
    }

    std::string calls;
    BodyState seen;
    BodyState sent;
    double seen_step_s = 0.0;
    float yaw_rad = 0.0F;
    std::vector<Tick> ticks;
};

TEST(LocalBody, CallsTheModelInOrderAndTakesOverTheContact) {
    LocalBody<FixedStep> body(fixed_step(), {0.0, 2.0, 0.0});
    Witness model;
    body.update(0, Input{}, model);
    EXPECT_EQ(model.calls, "");
    const BodyFrame frame = body.update(100 * kMillisecond, Input{.yaw_rad = 0.5F}, model);
    EXPECT_EQ(frame.tick_count, 3);
    EXPECT_EQ(frame.refused_count, 0);
    EXPECT_EQ(model.calls, "airtairtairt");
    EXPECT_EQ(model.yaw_rad, 0.5F);
    EXPECT_EQ(model.seen_step_s, 1.0 / 30.0);
    EXPECT_EQ(model.ticks.back().index, 3);
    // The floor takes the part of the velocity that points into it, and nothing else.
    const BodyState expected{.position = {0.0, 2.0, 0.0},
                             .velocity = {5.0, 0.0, 0.0},
                             .ground_normal = {0.0, 1.0, 0.0},
                             .grounded = true};
    EXPECT_EQ(frame.state, expected);
    EXPECT_EQ(body.state(), expected);
    EXPECT_EQ(model.sent, expected);
}

TEST(LocalBody, AVelocityThatLeavesTheSurfaceIsKept) {
    struct Bouncer : Drifter {
        static Resolved resolve(const glm::dvec3& /*before*/, const glm::dvec3& after) {
            return {.position = after, .normal = {0.0, 1.0, 0.0}, .walkable = false};
        }
    };
    LocalBody<FixedStep> body(fixed_step());
    EXPECT_TRUE(body.set_velocity({1.0, 3.0, 0.0}));
    body.update(0, Input{}, Bouncer{});
    body.update(40 * kMillisecond, Input{}, Bouncer{});
    EXPECT_EQ(body.state().velocity, glm::dvec3(1.0, 3.0, 0.0));
    EXPECT_EQ(body.state().ground_normal, glm::dvec3(0.0, 1.0, 0.0));
    EXPECT_FALSE(body.state().grounded);
}

// Trap 4: frames without a tick.
void expect_even_steps(std::int64_t rate_hz) {
    LocalBody body = make_drifting(gate(GateProfile::Player));
    BodyFrame last = body.update(0, Input{}, Drifter{});
    std::int64_t last_ns = 0;
    bool under_way = false;
    for (std::int64_t index = 1; index < 2 * rate_hz; ++index) {
        const std::int64_t now_ns = frame_time_ns({rate_hz, 1}, index);
        const BodyFrame frame = body.update(now_ns, Input{}, Drifter{});
        EXPECT_EQ(frame.tick_count > 0, frame.state.position != last.state.position);
        if (under_way) {
            // Even frames make even quanta up to a nanosecond, and so even steps up to 4 nm.
            const double step_m = frame.render_position.x - last.render_position.x;
            EXPECT_GT(step_m, 0.0);
            EXPECT_NEAR(step_m, kSpeed * static_cast<double>(now_ns - last_ns) * 1e-9,
                        2.0 * kSpeed * 1e-9);
        }
        under_way = under_way || frame.tick_count > 0;
        last = frame;
        last_ns = now_ns;
    }
}

TEST(LocalBody, PositionChangesOnlyOnTicksAndRenderPositionInEveryFrame) {
    for (const std::int64_t rate_hz : {30, 60, 144, 240, 1000}) {
        SCOPED_TRACE(rate_hz);
        expect_even_steps(rate_hz);
    }
}

TEST(LocalBody, WithFixedStepEveryFrameAdvancesByItsOwnTime) {
    for (const std::int64_t rate_hz : {30, 60, 144, 240}) {
        SCOPED_TRACE(rate_hz);
        LocalBody body = make_drifting(fixed_step());
        double last_x = 0.0;
        for (std::int64_t index = 0; index < 2 * rate_hz; ++index) {
            const std::int64_t now_ns = frame_time_ns({rate_hz, 1}, index);
            const BodyFrame frame = body.update(now_ns, Input{}, Drifter{});
            // One tick behind the present: 33 333 333 ns. A stamp is up to 1 ns late, so the path
            // is too, by 4 nm.
            const double expected =
                std::max(0.0, kSpeed * static_cast<double>(now_ns - 33'333'333) * 1e-9);
            EXPECT_NEAR(frame.render_position.x, expected, 2.0 * kSpeed * 1e-9);
            EXPECT_GE(frame.render_position.x, last_x);
            last_x = frame.render_position.x;
        }
    }
}

// What is drawn never runs ahead of what is true.
void expect_between_ticks(const QuantumGate& clock) {
    LocalBody body = make_drifting(clock);
    Random random(7);
    std::int64_t now_ns = 0;
    for (int number = 0; number < 2000; ++number) {
        const BodyFrame frame = body.update(now_ns, Input{}, Drifter{});
        EXPECT_LE(frame.render_position.x, frame.state.position.x);
        EXPECT_GE(frame.render_position.x, body.previous_position().x);
        now_ns += random.between(0, (number % 50 == 0 ? 400 : 40) * kMillisecond);
    }
}

TEST(LocalBody, NeverDrawsOutsideTheLastTwoTicks) {
    for (const AlphaBasis basis : {AlphaBasis::LastQuantum, AlphaBasis::MinQuantum}) {
        expect_between_ticks(gate(GateProfile::Player, basis));
        expect_between_ticks(gate(GateProfile::Single, basis));
        expect_between_ticks(gate(GateProfile::Retail, basis));
    }
}

TEST(LocalBody, AlphaClampsAtOneWhenMoreIsLeftThanTheLastQuantum) {
    LocalBody body = make_drifting(gate(GateProfile::Single));
    body.update(0, Input{}, Drifter{});
    // 350 ms: one quantum of 100, 250 are left, two and a half times its length.
    BodyFrame frame = body.update(350 * kMillisecond, Input{}, Drifter{});
    EXPECT_EQ(frame.tick_count, 1);
    EXPECT_EQ(body.clock().leftover_ns(), 250 * kMillisecond);
    EXPECT_EQ(frame.render_position, frame.state.position);
    EXPECT_NE(body.previous_position(), frame.state.position);
    // 166 are left, still more than one quantum.
    frame = body.update(366 * kMillisecond, Input{}, Drifter{});
    EXPECT_EQ(frame.tick_count, 1);
    EXPECT_EQ(frame.render_position, frame.state.position);
    // 82 are left: 0.82 of the way.
    frame = body.update(382 * kMillisecond, Input{}, Drifter{});
    EXPECT_EQ(frame.tick_count, 1);
    const double part = (frame.render_position.x - body.previous_position().x) /
                        (frame.state.position.x - body.previous_position().x);
    EXPECT_NEAR(part, 0.82, kRounding);
}

// Trap 25: nothing comes from the origin. The spawn is the first state; as long as there is no
// second one, there is nothing to blend.
template <class Clock>
void expect_spawn_without_blend(const Clock& clock) {
    const glm::dvec3 spawn(100.0, 20.0, -7.0);
    LocalBody<Clock> body(clock, spawn);
    EXPECT_TRUE(body.set_velocity({kSpeed, 0.0, 0.0}));
    expect_snapped(body, spawn);
    std::int64_t now_ns = 5'000'000'000; // Any origin.
    for (int number = 0; number < 4; ++number) {
        const BodyFrame frame = body.update(now_ns, Input{}, Drifter{});
        EXPECT_EQ(frame.tick_count, 0);
        EXPECT_EQ(frame.render_position, spawn);
        expect_snapped(body, spawn);
        now_ns += 8 * kMillisecond;
    }
    // With the second state the picture sets out from the spawn, and not with a jump.
    now_ns += 2 * kMillisecond;
    const BodyFrame frame = body.update(now_ns, Input{}, Drifter{});
    EXPECT_EQ(frame.tick_count, 1);
    EXPECT_EQ(body.previous_position(), spawn);
    EXPECT_GE(frame.render_position.x, spawn.x);
    EXPECT_LE(frame.render_position.x, spawn.x + kSpeed * 0.001);
}

TEST(LocalBody, BeforeTheSecondStateTheBlendIsANoOp) {
    expect_spawn_without_blend(fixed_step());
    expect_spawn_without_blend(gate(GateProfile::Player));
    expect_spawn_without_blend(gate(GateProfile::Single));
    expect_spawn_without_blend(gate(GateProfile::Retail));
    expect_spawn_without_blend(gate(GateProfile::Player, AlphaBasis::Stamped));
}

/// Runs half a second and 10 ms, so that a leftover waits.
template <class Clock>
LocalBody<Clock> make_under_way(const Clock& clock) {
    LocalBody<Clock> body = make_drifting(clock);
    for (std::int64_t now_ms = 0; now_ms <= 510; now_ms += 10) {
        body.update(now_ms * kMillisecond, Input{}, Drifter{});
    }
    EXPECT_GT(body.state().position.x, 1.0);
    EXPECT_LT(body.render_position().x, body.state().position.x);
    return body;
}

// Traps 4 and 19: a teleport shows at once, also in frames without a tick, and is never blended.
template <class Clock>
void expect_teleport(const Clock& clock) {
    LocalBody<Clock> body = make_under_way(clock);
    const std::uint32_t cuts = body.shown_cuts();
    const glm::dvec3 there(-50.0, 3.0, 8.0);
    EXPECT_TRUE(body.set_position(there));
    expect_snapped(body, there);
    EXPECT_EQ(body.shown_cuts(), cuts + 1);
    EXPECT_EQ(body.state().velocity, glm::dvec3(kSpeed, 0.0, 0.0));
    std::int64_t now_ns = 510 * kMillisecond;
    BodyFrame frame = body.update(now_ns, Input{}, Drifter{});
    EXPECT_EQ(frame.tick_count, 0);
    EXPECT_EQ(frame.render_position, there);
    for (int number = 0; number < 100; ++number) {
        now_ns += 10 * kMillisecond;
        frame = body.update(now_ns, Input{}, Drifter{});
        EXPECT_GE(frame.render_position.x, there.x);
        EXPECT_LE(frame.render_position.x, frame.state.position.x);
    }
    EXPECT_GT(frame.render_position.x, there.x + 3.0);
}

TEST(LocalBody, SetPositionSnapsBothEndsOfThePictureAtOnce) {
    expect_teleport(fixed_step());
    expect_teleport(gate(GateProfile::Player));
    expect_teleport(gate(GateProfile::Single));
    expect_teleport(gate(GateProfile::Retail));
    expect_teleport(gate(GateProfile::Player, AlphaBasis::Stamped));
}

TEST(LocalBody, SetPositionForgetsTheLeftoverOfAGate) {
    LocalBody body = make_under_way(gate(GateProfile::Player));
    EXPECT_GT(body.clock().leftover_ns(), 0);
    EXPECT_TRUE(body.set_position(glm::dvec3(0.0)));
    EXPECT_EQ(body.clock().leftover_ns(), 0);
    EXPECT_EQ(body.update(540 * kMillisecond, Input{}, Drifter{}).tick_count, 0);
    EXPECT_EQ(body.update(550 * kMillisecond, Input{}, Drifter{}).tick_count, 1);
}

template <class Clock>
void expect_discard(const Clock& clock) {
    LocalBody<Clock> body = make_under_way(clock);
    const glm::dvec3 place = body.state().position;
    const std::uint32_t cuts = body.shown_cuts();
    std::int64_t now_ns = 510 * kMillisecond + 2'000'000'001;
    BodyFrame frame = body.update(now_ns, Input{}, Drifter{});
    EXPECT_EQ(frame.tick_count, 0);
    EXPECT_EQ(frame.render_position, place);
    expect_snapped(body, place);
    EXPECT_EQ(body.shown_cuts(), cuts); // Not a teleport: the camera may go on softly.
    double last_x = place.x;
    for (int number = 0; number < 50; ++number) {
        now_ns += 10 * kMillisecond;
        frame = body.update(now_ns, Input{}, Drifter{});
        EXPECT_GE(frame.render_position.x, last_x);
        EXPECT_LE(frame.render_position.x - last_x, kSpeed * 0.05); // A quantum at most.
        last_x = frame.render_position.x;
    }
    EXPECT_GT(last_x, place.x + 1.5);
}

TEST(LocalBody, AGapOfMoreThanTwoSecondsSnapsBothEnds) {
    expect_discard(fixed_step());
    expect_discard(gate(GateProfile::Player));
    expect_discard(gate(GateProfile::Single));
    expect_discard(gate(GateProfile::Retail));
    expect_discard(gate(GateProfile::Player, AlphaBasis::Stamped));
}

TEST(LocalBody, YawFollowsTheInputInEveryFrame) {
    LocalBody body = make_drifting(gate(GateProfile::Player));
    for (std::int64_t index = 0; index < 60; ++index) {
        const float yaw_rad = 0.01F * static_cast<float>(index);
        const BodyFrame frame =
            body.update(frame_time_ns({240, 1}, index), Input{.yaw_rad = yaw_rad}, Drifter{});
        EXPECT_EQ(frame.yaw_rad, yaw_rad);
    }
}

TEST(LocalBody, BadPositionsAndVelocitiesAreRefused) {
    LocalBody body = make_under_way(gate(GateProfile::Player));
    const BodyState state = body.state();
    const glm::dvec3 previous = body.previous_position();
    const std::int64_t leftover_ns = body.clock().leftover_ns();
    for (const double bad : {kNaN, kInfinity, -kInfinity, 2.0 * kMaxPosition}) {
        for (int axis = 0; axis < 3; ++axis) {
            glm::dvec3 vector(1.0);
            vector[axis] = bad;
            EXPECT_FALSE(body.set_position(vector));
            EXPECT_FALSE(body.set_velocity(vector));
        }
    }
    EXPECT_EQ(body.state(), state);
    EXPECT_EQ(body.previous_position(), previous);
    EXPECT_EQ(body.clock().leftover_ns(), leftover_ns);
    EXPECT_EQ(body.shown_cuts(), 1U);
    EXPECT_TRUE(body.set_position({kMaxPosition, -kMaxPosition, 0.0}));
}

TEST(LocalBody, ABadSpawnLeavesTheBodyAtTheOrigin) {
    const LocalBody<FixedStep> body(fixed_step(), {kNaN, 0.0, 0.0});
    expect_snapped(body, glm::dvec3(0.0));
}

/// Goes wrong in every fifth tick, in the way of `fault`.
struct FaultyModel : Drifter {
    enum class Fault { Acceleration, Integrate, Position, Velocity, Normal };

    [[nodiscard]] glm::dvec3 acceleration(const BodyState& /*state*/, const Input& /*input*/) {
        bad = ++count % 5 == 0;
        return glm::dvec3(bad && fault == Fault::Acceleration ? kNaN : 0.0);
    }
    void integrate(BodyState& state, const glm::dvec3& acceleration, double step_s) const {
        Drifter::integrate(state, acceleration, step_s);
        if (bad && fault == Fault::Integrate) {
            state.position.y = kInfinity;
        }
        if (bad && fault == Fault::Velocity) {
            state.velocity.z = kNaN;
        }
    }
    [[nodiscard]] Resolved resolve(const glm::dvec3& /*before*/, const glm::dvec3& after) const {
        Resolved resolved{.position = after};
        if (bad && fault == Fault::Position) {
            resolved.position.x = kNaN;
        }
        if (bad && fault == Fault::Normal) {
            resolved.normal.x = kNaN;
        }
        return resolved;
    }
    void ticked(const Tick& tick, const BodyState& state) {
        sent.push_back(state);
        EXPECT_EQ(tick.index, static_cast<std::int64_t>(sent.size()));
    }

    Fault fault{};
    int count = 0;
    bool bad = false;
    std::vector<BodyState> sent;
};

TEST(LocalBody, AModelThatReturnsNaNLeavesTheBodyWhereTheTickBegan) {
    using Fault = FaultyModel::Fault;
    for (const Fault fault :
         {Fault::Acceleration, Fault::Integrate, Fault::Position, Fault::Velocity, Fault::Normal}) {
        SCOPED_TRACE(static_cast<int>(fault));
        LocalBody body = make_drifting(fixed_step());
        FaultyModel model;
        model.fault = fault;
        int refused_count = 0;
        for (std::int64_t index = 0; index < 120; ++index) {
            const BodyFrame frame = body.update(frame_time_ns({60, 1}, index), Input{}, model);
            refused_count += frame.refused_count;
            EXPECT_TRUE(std::isfinite(frame.render_position.x + frame.render_position.y));
        }
        const auto tick_count = static_cast<int>(model.sent.size());
        EXPECT_GT(tick_count, 50);
        EXPECT_EQ(refused_count, tick_count / 5);
        EXPECT_EQ(model.sent[4], model.sent[3]);
        EXPECT_NE(model.sent[5], model.sent[4]);
        // Four ticks of five moved it; every sum rounds by at most 2^-52 of 8 m.
        EXPECT_NEAR(body.state().position.x, kSpeed / 30.0 * (tick_count - refused_count),
                    kRounding);
    }
}

TEST(LocalBody, ATimeThatTheClockRefusesChangesNothing) {
    LocalBody body = make_under_way(gate(GateProfile::Player));
    const BodyState state = body.state();
    const glm::dvec3 shown = body.render_position();
    for (const std::int64_t bad_ns : {std::int64_t{-1}, 509 * kMillisecond, kMaxTimeNs + 1}) {
        const BodyFrame frame = body.update(bad_ns, Input{}, Drifter{});
        EXPECT_EQ(frame.tick_count, 0);
        EXPECT_EQ(frame.state, state);
        EXPECT_EQ(frame.render_position, shown);
    }
}

// Trap 12: pausing the body's clock freezes what is drawn, and resuming has no jump.
TEST(LocalBody, PausingItsClockFreezesThePicture) {
    LocalBody body = make_under_way(fixed_step());
    const glm::dvec3 shown = body.render_position();
    body.clock().pause();
    for (std::int64_t now_ms = 520; now_ms <= 1500; now_ms += 10) {
        EXPECT_EQ(body.update(now_ms * kMillisecond, Input{}, Drifter{}).render_position, shown);
    }
    body.clock().resume();
    const BodyFrame frame = body.update(1510 * kMillisecond, Input{}, Drifter{});
    EXPECT_NEAR(frame.render_position.x - shown.x, kSpeed * 0.010, 2.0 * kSpeed * 1e-9);
}

/// Frames after the first second that show less than a tenth of the motion of their time.
int count_holds(LocalBody<QuantumGate> body, Rate rate, double* worst_error_m) {
    Random random(60);
    int hold_count = 0;
    double last_x = 0.0;
    std::int64_t last_ns = 0;
    for (std::int64_t index = 0; index < 36'000; ++index) {
        const std::int64_t now_ns =
            kMillisecond + frame_time_ns(rate, index) + random.between(-200'000, 200'000);
        const double x = body.update(now_ns, Input{}, Drifter{}).render_position.x;
        if (index > 60) {
            const double expected_m = kSpeed * static_cast<double>(now_ns - last_ns) * 1e-9;
            hold_count += x - last_x < 0.1 * expected_m ? 1 : 0;
            *worst_error_m = std::max(*worst_error_m, std::abs(x - last_x - expected_m));
        }
        last_x = x;
        last_ns = now_ns;
    }
    return hold_count;
}

// Traps 7 and 8: ten minutes at about two frames per quantum, with 0.2 ms of jitter.
TEST(LocalBody, StampedHoldsNoFrameAndMovesByTheTimeOfEveryFrame) {
    for (const Rate rate : {Rate{60'000, 1001}, Rate{60, 1}, Rate{6006, 100}}) {
        double worst_error_m = 0.0;
        EXPECT_EQ(count_holds(make_drifting(gate(GateProfile::Player, AlphaBasis::Stamped)), rate,
                              &worst_error_m),
                  0);
        // The path is 2.4 km long, where a double resolves 2^-42 m; quanta and stamps are whole
        // nanoseconds, and 10^4 of them add up 10^4 roundings.
        EXPECT_LT(worst_error_m, 1e-9);
    }
    // The literal form, which this test would notice.
    double unused = 0.0;
    EXPECT_GT(count_holds(make_drifting(gate(GateProfile::Player, AlphaBasis::MinQuantum)),
                          Rate{60, 1}, &unused),
              3600);
}

} // namespace
} // namespace glissade
