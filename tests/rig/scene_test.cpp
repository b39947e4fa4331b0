// SPDX-License-Identifier: MIT
// A body walks, jumps and falls through four scenes at every frame rate and on every clock.
#include "glissade/rig/follow_camera.h"
#include "glissade/rig/local_body.h"
#include "glissade/time/fixed_step.h"
#include "glissade/time/quantum_gate.h"

#include "rig/scene_world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::compute_hash;
using testing::FrameTimes;
using testing::gate_config;
using testing::kSkin;
using testing::make_frame_times;
using testing::Outbound;
using testing::Scene;
using testing::SceneInput;
using testing::SceneModel;
using testing::scenes;
using testing::step_bare;

constexpr std::array<GateProfile, 3> kProfiles = {GateProfile::Player, GateProfile::Single,
                                                  GateProfile::Retail};

FixedStep fixed_step(std::int64_t rate_hz = 30) {
    return FixedStep({.rate = {rate_hz, 1}});
}

/// What one run of a scene showed.
struct SceneRun {
    std::vector<Outbound> outbound;
    BodyState end;
    double longest_s = 0.0;         // Of all ticks.
    double tick_depth = -1e9;       // Deepest of all tick positions; negative: outside.
    double drawn_flat_depth = -1e9; // Deepest of all drawn positions in half spaces,
    double drawn_depth = -1e9;      // in anything,
    double drawn_excess = -1e9;     // and beyond the bound of chord_bound().
};

/// How deep the middle of a tick may be drawn in a solid with right-angled edges.
///
/// Both ends of the chord are outside: one is above face A, the other above face B (if both are
/// above one face, so is the chord). With a the part of the chord towards A, b that towards B, and
/// t in [0, 1] along it, the depths are at most a t below A and b (1 - t) below B; the lesser of
/// the two is largest where they are equal, a b / (a + b). Under a^2 + b^2 <= chord^2 that is
/// largest for a = b = chord / sqrt(2): chord / (2 sqrt(2)).
double chord_bound(double chord) {
    return chord / (2.0 * std::numbers::sqrt2);
}

template <class Clock>
SceneRun run_scene(const Scene& scene, const FrameTimes& frames, const Clock& clock) {
    SceneModel model(scene);
    LocalBody<Clock> body(clock, scene.start);
    SceneRun run;
    for (const std::int64_t present_ns : frames.times_ns) {
        const BodyFrame frame = body.update(present_ns, SceneInput{}, model);
        const double depth = scene.world.depth(frame.render_position);
        const double chord = glm::distance(body.previous_position(), frame.state.position);
        run.drawn_depth = std::max(run.drawn_depth, depth);
        run.drawn_excess = std::max(run.drawn_excess, depth - chord_bound(chord));
        run.drawn_flat_depth =
            std::max(run.drawn_flat_depth, scene.world.depth_in_half_spaces(frame.render_position));
    }
    run.outbound = model.outbound();
    run.end = body.state();
    for (const Outbound& item : run.outbound) {
        run.longest_s = std::max(run.longest_s, item.tick.step_s);
        run.tick_depth = std::max(run.tick_depth, scene.world.depth(item.state.position));
    }
    return run;
}

/// A scene at one frame rate.
struct Case {
    Scene scene;
    FrameTimes frames;
    [[nodiscard]] std::string name() const { return scene.name + ", " + frames.name; }
};

std::vector<Case> make_cases() {
    std::vector<Case> cases;
    for (const Scene& scene : scenes()) {
        for (const FrameTimes& frames : make_frame_times(scene.end_s)) {
            cases.push_back({scene, frames});
        }
    }
    return cases;
}

/// Calls `see(scene, run)` for every scene at every frame rate on every clock.
template <class See>
void for_every_run(See&& see) {
    for (const Case& item : make_cases()) {
        SCOPED_TRACE(item.name());
        see(item.scene, run_scene(item.scene, item.frames, fixed_step()));
        for (const GateProfile profile : kProfiles) {
            const QuantumGate gate(gate_config(profile));
            see(item.scene, run_scene(item.scene, item.frames, gate));
        }
    }
}

/// The scene with no LocalBody and no picture: just the clock and the rules.
template <class Clock>
std::vector<Outbound> run_bare(const Scene& scene, const FrameTimes& frames, Clock clock) {
    SceneModel model(scene);
    BodyState state{.position = scene.start};
    for (const std::int64_t present_ns : frames.times_ns) {
        for (const Tick& tick : clock.advance_to(present_ns)) {
            step_bare(state, model, tick);
        }
    }
    return model.outbound();
}

/// The ticks of the first `length_s` seconds: runs end at different frames.
std::vector<Outbound> first(const std::vector<Outbound>& stream, double length_s) {
    const auto count = static_cast<std::size_t>(length_s * 30.0);
    EXPECT_GE(stream.size(), count);
    return {stream.begin(),
            stream.begin() + static_cast<std::ptrdiff_t>(std::min(count, stream.size()))};
}

double highest(const SceneRun& run) {
    double y = -1e9;
    for (const Outbound& item : run.outbound) {
        y = std::max(y, item.state.position.y);
    }
    return y;
}

/// True if it stood at height `y` at some tick with index at least `from`.
bool stood_at(const SceneRun& run, double y, std::size_t from = 0) {
    const auto begin = run.outbound.begin() + static_cast<std::ptrdiff_t>(from);
    return std::any_of(begin, run.outbound.end(), [&](const Outbound& item) {
        return item.state.grounded && std::abs(item.state.position.y - y) < 1e-9;
    });
}

FrameTimes frames_at(double length_s, std::size_t number) {
    return make_frame_times(length_s)[number];
}

TEST(Scene, UpASlopeTooSteepToWalkItFallsBack) {
    const Scene& scene = scenes()[0];
    for (const FrameTimes& frames : make_frame_times(scene.end_s)) {
        SCOPED_TRACE(frames.name);
        const SceneRun run = run_scene(scene, frames, QuantumGate());
        // At most 0.6 of 4 m/s point along the slope. That lifts it by v^2 / 2g, after one quantum
        // of rising (0.8 of the way) before gravity is felt.
        const double along = 4.0 * 0.6;
        const double bound =
            along * along / (2.0 * SceneModel::kGravity) + 0.8 * along * run.longest_s;
        EXPECT_GT(highest(run), 0.05);
        EXPECT_LT(highest(run), bound + kSkin);
        // It comes down again, and never stands on the slope.
        const auto top = std::max_element(run.outbound.begin(), run.outbound.end(),
                                          [](const Outbound& a, const Outbound& b) {
                                              return a.state.position.y < b.state.position.y;
                                          });
        EXPECT_FALSE(top->state.grounded);
        EXPECT_EQ(top->state.ground_normal, glm::dvec3(-0.8, 0.6, 0.0));
        EXPECT_TRUE(stood_at(run, kSkin, static_cast<std::size_t>(top - run.outbound.begin())));
        for (const Outbound& item : run.outbound) {
            EXPECT_TRUE(!item.state.grounded || item.state.position.y < 2 * kSkin);
        }
    }
}

TEST(Scene, ItJumpsOntoARooftopAndJumpsThere) {
    const Scene& scene = scenes()[1];
    for (const FrameTimes& frames : make_frame_times(scene.end_s)) {
        SCOPED_TRACE(frames.name);
        const SceneRun run = run_scene(scene, frames, QuantumGate());
        EXPECT_TRUE(stood_at(run, kSkin));
        EXPECT_TRUE(stood_at(run, 0.8 + kSkin));
        // A jump rises by v^2 / 2g. Ticks lie on the parabola, at most half a tick from its top,
        // where it is g (q / 2)^2 / 2 lower.
        const double rise =
            SceneModel::kJumpSpeed * SceneModel::kJumpSpeed / (2.0 * SceneModel::kGravity);
        const double lower = SceneModel::kGravity * run.longest_s * run.longest_s / 8.0;
        EXPECT_LE(highest(run), 0.8 + kSkin + rise + 1e-9);
        EXPECT_GE(highest(run), 0.8 + kSkin + rise - lower);
    }
}

TEST(Scene, ItWalksAlongARoofEdgeAndFallsOffIt) {
    const Scene& scene = scenes()[2];
    for (const FrameTimes& frames : make_frame_times(scene.end_s)) {
        SCOPED_TRACE(frames.name);
        const SceneRun run = run_scene(scene, frames, QuantumGate());
        double on_roof_m = 0.0;
        double beside_m = 0.0; // How far below the roof and nearer than 1 cm to its wall.
        for (const Outbound& item : run.outbound) {
            const glm::dvec3& place = item.state.position;
            on_roof_m = item.state.grounded && place.y > 2.9 ? place.x : on_roof_m;
            beside_m = place.z < 2.01 ? std::max(beside_m, 3.0 - place.y) : beside_m;
        }
        EXPECT_GT(on_roof_m, 7.0);
        EXPECT_GT(beside_m, 0.02);
        EXPECT_TRUE(stood_at(run, kSkin));
    }
}

TEST(Scene, ItRunsOffACliffAndLandsBelow) {
    const Scene& scene = scenes()[3];
    for (const FrameTimes& frames : make_frame_times(scene.end_s)) {
        SCOPED_TRACE(frames.name);
        const SceneRun run = run_scene(scene, frames, QuantumGate());
        double fastest = 0.0;
        for (const Outbound& item : run.outbound) {
            fastest = std::min(fastest, item.state.velocity.y);
        }
        // 10 m end at sqrt(2 g h) = 14 m/s; the tick that lands does not keep it, the one before
        // may be a whole tick younger.
        EXPECT_LT(fastest, -14.0 + SceneModel::kGravity * run.longest_s);
        EXPECT_TRUE(stood_at(run, kSkin));
    }
}

TEST(LocalBodyScenes, NeverInsideTheGeometryAtAnyTick) {
    for_every_run([](const Scene&, const SceneRun& run) {
        EXPECT_LT(run.tick_depth, 0.0);
        EXPECT_GT(run.outbound.size(), 100U);
    });
}

TEST(LocalBodyScenes, NeverDrawnInsideAPlaneAndNoDeeperInACornerThanTheChordAllows) {
    for_every_run([](const Scene&, const SceneRun& run) {
        // The outside of half spaces is convex: what lies between two places outside is outside.
        EXPECT_LT(run.drawn_flat_depth, 0.0);
        EXPECT_LT(run.drawn_excess, 0.0);
    });
}

// The ticks above are too short to cut a corner visibly. Five ticks a second walk 0.8 m past the
// edge of the cliff while they fall by up to g h^2 / 2 = 0.2 m.
TEST(LocalBodyScenes, TheChordOfALongTickCutsACornerAndStaysWithinItsBound) {
    Scene scene = scenes()[3];
    double deepest = 0.0;
    for (int phase = 0; phase < 8; ++phase) {
        scene.start.x = 0.1 * phase;
        const SceneRun run = run_scene(scene, frames_at(scene.end_s, 2), fixed_step(5));
        EXPECT_LT(run.tick_depth, 0.0);
        EXPECT_LT(run.drawn_flat_depth, 0.0);
        EXPECT_LT(run.drawn_excess, 0.0);
        deepest = std::max(deepest, run.drawn_depth);
    }
    EXPECT_GT(deepest, 0.0); // Else this test has tested nothing.
}

// Trap 3: nothing of the picture gets back into the simulation.
TEST(LocalBodyScenes, FixedStepTicksAreTheSameAtEveryFrameRateAndWithNoPictureToTheBit) {
    for (const Scene& scene : scenes()) {
        const std::vector<FrameTimes> all = make_frame_times(scene.end_s);
        // No picture: eight frames a second, as a headless server might run it.
        FrameTimes off{"off", {}};
        for (std::int64_t index = 0; index < 60; ++index) {
            off.times_ns.push_back(index * 125'000'000);
        }
        const std::vector<Outbound> expected =
            first(run_bare(scene, off, fixed_step()), scene.end_s - 0.1);
        // Plain arithmetic, so that every compiler and platform has these bits.
        EXPECT_EQ(compute_hash(expected), scene.tick_hash) << scene.name;
        for (const FrameTimes& frames : all) {
            SCOPED_TRACE(scene.name + ", " + frames.name);
            const SceneRun run = run_scene(scene, frames, fixed_step());
            EXPECT_EQ(first(run.outbound, scene.end_s - 0.1), expected);
        }
    }
}

// Trap 3 again. Frames are the gate's input, so here they stay and all that looks on varies.
TEST(LocalBodyScenes, GateQuantaAreTheSameHoweverTheyAreShown) {
    for (const Case& item : make_cases()) {
        SCOPED_TRACE(item.name());
        for (const GateProfile profile : kProfiles) {
            QuantumGateConfig config = gate_config(profile);
            const std::vector<Outbound> off =
                run_bare(item.scene, item.frames, QuantumGate(config));
            config.alpha_basis = AlphaBasis::LastQuantum;
            EXPECT_EQ(run_scene(item.scene, item.frames, QuantumGate(config)).outbound, off);
            config.alpha_basis = AlphaBasis::MinQuantum;
            EXPECT_EQ(run_scene(item.scene, item.frames, QuantumGate(config)).outbound, off);
            config.alpha_basis = AlphaBasis::Stamped;
            EXPECT_EQ(run_scene(item.scene, item.frames, QuantumGate(config)).outbound, off);
        }
    }
}

/// Hands every tick to a stage of its own besides sending it.
struct WatchedModel : SceneModel {
    using SceneModel::SceneModel;

    void ticked(const Tick& tick, const BodyState& state) {
        SceneModel::ticked(tick, state);
        EXPECT_EQ(stage.move(tick, id, {.position = state.position}), StageStatus::Ok);
    }
    /// What a second picture shows of it.
    glm::dvec3 watch(std::int64_t time_ns) {
        EXPECT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns}), StageStatus::Ok);
        return stage.visual(id).position;
    }

    Stage stage{{.capacity = 1, .track = {.history = 8}}};
    Id id = stage.add({});
};

void expect_spectator_changes_nothing(const Scene& scene, const FrameTimes& frames) {
    constexpr std::int64_t kDelayNs = 200'000'000;
    constexpr std::int64_t kPeriodNs = 6'060'606; // 165 frames a second.
    WatchedModel model(scene);
    LocalBody<QuantumGate> body(QuantumGate(), scene.start);
    FollowCamera camera;
    std::int64_t shown_ns = -kDelayNs;
    for (const std::int64_t present_ns : frames.times_ns) {
        const BodyFrame frame = body.update(present_ns, SceneInput{}, model);
        camera.update({.position = frame.render_position}, kPeriodNs);
        for (; shown_ns < present_ns - kDelayNs; shown_ns += kPeriodNs) {
            camera.update({.position = model.watch(shown_ns)}, kPeriodNs);
        }
    }
    EXPECT_EQ(model.outbound(), run_bare(scene, frames, QuantumGate()));
}

TEST(LocalBodyScenes, ASpectatorAtOtherPresentTimesChangesNothing) {
    for (const Case& item : make_cases()) {
        SCOPED_TRACE(item.name());
        expect_spectator_changes_nothing(item.scene, item.frames);
    }
}

// The rules of the profiles, written down a second time. What is due of `left_ns`:
std::vector<std::int64_t> player_quanta(std::int64_t left_ns, bool single) {
    std::vector<std::int64_t> quanta;
    while (left_ns >= 33'333'333 && !(single && quanta.size() == 1)) {
        quanta.push_back(std::min<std::int64_t>(left_ns, 100'000'000));
        left_ns -= quanta.back();
    }
    return quanta;
}

std::vector<std::int64_t> retail_quanta(std::int64_t left_ns) {
    std::vector<std::int64_t> quanta;
    for (; left_ns > 200'000'000; left_ns -= 200'000'000) {
        quanta.push_back(200'000'000);
    }
    if (quanta.empty() || left_ns > 33'333'333) {
        quanta.push_back(left_ns);
    }
    return quanta;
}

std::vector<std::int64_t> expected_quanta(const FrameTimes& frames, GateProfile profile) {
    std::vector<std::int64_t> all;
    std::int64_t left_ns = 0;
    std::int64_t since_pass_ns = 0;
    for (std::size_t frame = 1; frame < frames.times_ns.size(); ++frame) {
        const std::int64_t elapsed_ns = frames.times_ns[frame] - frames.times_ns[frame - 1];
        left_ns += elapsed_ns;
        since_pass_ns += elapsed_ns;
        std::vector<std::int64_t> due;
        if (profile != GateProfile::Retail) {
            due = player_quanta(left_ns, profile == GateProfile::Single);
        } else if (since_pass_ns >= 33'333'333) {
            since_pass_ns = 0;
            due = retail_quanta(left_ns);
        }
        for (const std::int64_t quantum_ns : due) {
            all.push_back(quantum_ns);
            left_ns -= quantum_ns;
        }
    }
    return all;
}

std::vector<std::int64_t> gate_quanta(const FrameTimes& frames, GateProfile profile) {
    const QuantumGate gate(gate_config(profile));
    const SceneRun run = run_scene(scenes()[3], frames, gate);
    std::vector<std::int64_t> quanta;
    quanta.reserve(run.outbound.size());
    for (const Outbound& item : run.outbound) {
        quanta.push_back(item.tick.duration_ns);
    }
    return quanta;
}

TEST(LocalBodyScenes, TheGateRunsTheQuantaOfItsProfileAtEveryRate) {
    for (const FrameTimes& frames : make_frame_times(6.5)) {
        SCOPED_TRACE(frames.name);
        for (const GateProfile profile : kProfiles) {
            EXPECT_EQ(gate_quanta(frames, profile), expected_quanta(frames, profile));
        }
    }
}

TEST(LocalBodyScenes, AtEvenFramesEveryProfileGathersTheSameNumberOfThem) {
    // So many frames of 30, 60, 144 and 240 Hz reach 1/30 s.
    const std::array<std::size_t, 4> per_quantum = {1, 2, 5, 8};
    for (std::size_t rate = 0; rate < per_quantum.size(); ++rate) {
        const FrameTimes frames = frames_at(6.5, rate);
        SCOPED_TRACE(frames.name);
        const std::size_t count = per_quantum[rate];
        std::vector<std::int64_t> expected;
        for (std::size_t end = count; end < frames.times_ns.size(); end += count) {
            expected.push_back(frames.times_ns[end] - frames.times_ns[end - count]);
        }
        EXPECT_EQ(gate_quanta(frames, GateProfile::Player), expected);
        EXPECT_EQ(gate_quanta(frames, GateProfile::Single), expected);
        EXPECT_EQ(gate_quanta(frames, GateProfile::Retail), expected);
    }
}

/// What is left of a difference between speed and wish after `time_s` of quanta of at most
/// `longest_s`: each divides it by 1 + grip q, and log(1 + grip q) / q falls with q, so the longest
/// quanta leave most.
double lag_left(double time_s, double longest_s) {
    return std::pow(1.0 + SceneModel::kGrip * longest_s, -time_s / longest_s);
}

/// How far from Scene::rest a run may end.
///
/// On the ground the way from rest to rest is the integral of the wish, whatever the quanta. So
/// only these differ from continuous time, q being the longest quantum: the first quantum finds
/// the ground and does not walk yet (at most q too little); the stop is noticed at the next
/// quantum (less than q too much); a flight, at most 1.5 s, keeps the speed of its take-off,
/// which after at least 1 s - q of walking lacks the rest of the lag; and at the end some of the
/// speed is left, 1.5 s or more after the stop. Where a wall stops the body nothing of this
/// matters but the skin's rounding.
double rest_tolerance(const Scene& scene, double longest_s) {
    const double start_and_stop = scene.walk_mps * longest_s;
    const double flight = 1.5 * scene.walk_mps * lag_left(1.0 - longest_s, longest_s);
    const double end = scene.walk_mps / SceneModel::kGrip * lag_left(1.5 - longest_s, longest_s);
    return start_and_stop + flight + end + 1e-9;
}

TEST(LocalBodyScenes, ItComesToRestWhereContinuousTimeWouldBringIt) {
    for_every_run([](const Scene& scene, const SceneRun& run) {
        const double tolerance = rest_tolerance(scene, run.longest_s);
        EXPECT_LT(glm::distance(run.end.position, scene.rest), tolerance);
        EXPECT_LT(tolerance, 1.0);
        EXPECT_NEAR(run.end.position.y, scene.rest.y, 1e-9); // The ground is where it is.
        EXPECT_TRUE(run.end.grounded);
        EXPECT_LT(glm::length(run.end.velocity),
                  4.0 * lag_left(1.5 - run.longest_s, run.longest_s));
    });
}

} // namespace
} // namespace glissade
