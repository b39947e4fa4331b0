// SPDX-License-Identifier: MIT
#include "glissade/stage/stage.h"
#include "glissade/time/fixed_step.h"

#include "pose/generators.h"
#include "pose/near.h"
#include "support/stage_runner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glissade::testing {
namespace {

int draw_int(int low, int high) {
    return *rc::gen::inRange(low, high + 1);
}

/// A duration on a grid, both ends included.
std::int64_t draw_ns(std::int64_t grid_ns, int low, int high) {
    return grid_ns * draw_int(low, high);
}

bool is_finite(const glm::dvec3& vector) {
    return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

bool is_sound(const Pose& pose) {
    return is_finite(pose.position) && is_unit(pose.rotation) && is_finite(glm::dvec3(pose.scale));
}

/// One state of the model: where the object was at a tick and how it got there.
struct ModelState {
    enum class Way { Straight, Cut, Shift };
    std::int64_t time_ns = 0;
    Pose pose{};
    Way way = Way::Straight;
    Rigid rigid{};
};

/// The states of one object of a delayed track, kept whole, as a stage keeps the last few.
class Model {
public:
    explicit Model(const Pose& pose) { states_.push_back({.pose = pose}); }

    [[nodiscard]] const ModelState& newest() const { return states_.back(); }
    void push(const ModelState& state) { states_.push_back(state); }

    /// What is drawn lies between the two states around it, and is the state at its very time.
    void check(const Pose& drawn, std::int64_t time_ns) const {
        const auto after = std::upper_bound(
            states_.begin(), states_.end(), time_ns,
            [](std::int64_t time, const ModelState& state) { return time < state.time_ns; });
        const ModelState& from = *std::prev(after);
        const bool held = after == states_.end() || after->way == ModelState::Way::Cut;
        if (held || from.time_ns == time_ns) {
            RC_ASSERT(drawn == from.pose);
            return;
        }
        const bool shifted = after->way == ModelState::Way::Shift;
        check_between(drawn, shifted ? apply(after->rigid, from.pose) : from.pose, after->pose);
    }

private:
    static void check_between(const Pose& drawn, const Pose& from, const Pose& to) {
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            const auto [low, high] = std::minmax(from.position[axis], to.position[axis]);
            // Positions are within a few kilometres: 1e-12 is a last place.
            RC_ASSERT(drawn.position[axis] >= low - 1e-12);
            RC_ASSERT(drawn.position[axis] <= high + 1e-12);
            const auto [small, large] = std::minmax(from.scale[axis], to.scale[axis]);
            RC_ASSERT(drawn.scale[axis] >= small - 1e-6F && drawn.scale[axis] <= large + 1e-6F);
        }
        // On the arc between the two, the two parts add up to the whole.
        const double whole_rad = compute_angle_rad(from.rotation, to.rotation);
        const double first_rad = compute_angle_rad(from.rotation, drawn.rotation);
        const double second_rad = compute_angle_rad(drawn.rotation, to.rotation);
        // Half a turn has no one arc; near it a float's error is a large part of the deviation.
        RC_ASSERT(first_rad + second_rad <= whole_rad + 4e-6);
    }

    std::vector<ModelState> states_;
};

/// A random event in the life of one object at one tick, told to the stage and to the model.
void act(Stage& stage, Id id, Model& model, const Tick& tick) {
    ModelState state{.time_ns = tick.time_ns, .pose = model.newest().pose};
    const int what = draw_int(0, 9);
    if (what >= 8) {
        model.push(state); // Rests.
        return;
    }
    if (what == 0) {
        state.way = ModelState::Way::Cut;
        state.pose = draw_pose();
        RC_ASSERT(stage.cut(tick, id, state.pose) == StageStatus::Ok);
    }
    if (what == 1) {
        state.way = ModelState::Way::Shift;
        state.rigid = draw_rigid();
        state.pose = apply(state.rigid, state.pose);
        RC_ASSERT(stage.shift(tick, id, state.rigid) == StageStatus::Ok);
    }
    if (what > 0 && draw_int(0, 4) > 0) {
        state.pose = draw_pose();
        RC_ASSERT(stage.move(tick, id, state.pose) == StageStatus::Ok);
    }
    RC_ASSERT(stage.logical(id) == state.pose);
    model.push(state);
}

void present(Stage& stage, std::int64_t time_ns) {
    RC_ASSERT(stage.present({.time_ns = time_ns}) == StageStatus::Ok);
    RC_ASSERT(stage.sample_time() == time_ns);
}

RC_GTEST_PROP(StageProperty, TheDrawnPathGoesThroughEveryStateAndStaysBetweenThem, ()) {
    Stage stage({.capacity = 4, .track = {.history = 8, .cuts = CutShows::AtStamp}});
    const Pose start = draw_pose();
    const Id id = stage.add(start);
    // Keeps the track's ticks going while the other one rests.
    const Id clock = stage.add({});
    Model model(start);
    std::vector<std::int64_t> stamps = {0};
    std::int64_t shown_ns = 0;
    for (std::int64_t index = 1; index < 30; ++index) {
        const std::int64_t duration_ns = draw_ns(1'000'000, 1, 60);
        const Tick tick{
            .index = index, .time_ns = stamps.back() + duration_ns, .duration_ns = duration_ns};
        RC_ASSERT(stage.move(tick, clock, at_x(static_cast<double>(index))) == StageStatus::Ok);
        act(stage, id, model, tick);
        stamps.push_back(tick.time_ns);
        // The picture is one to four ticks behind; it stops at a tick and twice on the way.
        const std::int64_t goal_ns =
            stamps[static_cast<std::size_t>(std::max<std::int64_t>(index - draw_int(1, 4), 0))];
        const std::int64_t way_ns = std::max<std::int64_t>(goal_ns - shown_ns, 0);
        for (const std::int64_t part : {33, 77, 100}) {
            const std::int64_t time_ns = shown_ns + way_ns * part / 100;
            present(stage, time_ns);
            model.check(stage.visual(id), time_ns);
        }
        shown_ns += way_ns;
    }
}

/// Two places far apart, each a few metres wide.
constexpr double kFar = 1000.0;
constexpr double kWide = 10.0;

bool is_on_side(double x, bool far) {
    return far ? x >= kFar && x <= kFar + kWide : x >= 0.0 && x <= kWide;
}

/// An object that is on one of the two sides.
struct Jumper {
    [[nodiscard]] Pose draw_place() const {
        return at_x((far ? kFar : 0.0) + draw_number(0.0, kWide));
    }

    void act(const Tick& tick) {
        if (draw_int(0, 4) == 0) {
            far = !far;
            RC_ASSERT(stage.cut(tick, id, draw_place()) == StageStatus::Ok);
        }
        if (draw_int(0, 3) > 0) {
            RC_ASSERT(stage.move(tick, id, draw_place()) == StageStatus::Ok);
        }
    }

    /// Between ticks.
    void jump() {
        far = !far;
        RC_ASSERT(stage.cut(id, draw_place()) == StageStatus::Ok);
    }

    Stage& stage;
    Id id = stage.add(at_x(1.0));
    bool far = false;
};

RC_GTEST_PROP(StageProperty, NothingIsDrawnBetweenTheTwoSidesOfACut, ()) {
    const bool at_once = *rc::gen::arbitrary<bool>();
    const Rate rate{draw_int(10, 120), 1};
    FixedStep step({.rate = rate});
    Stage stage({.capacity = 2, .track = {.cuts = at_once ? CutShows::AtOnce : CutShows::AtStamp}});
    Jumper jumper{.stage = stage};
    std::int64_t now_ns = 0;
    for (int frame = 0; frame < 60; ++frame) {
        now_ns += draw_ns(1'000, 500, 60'000);
        for (const Tick& tick : step.advance_to(now_ns)) {
            jumper.act(tick);
        }
        if (draw_int(0, 9) == 0) {
            jumper.jump();
        }
        RC_ASSERT(stage.present(step.sample()) == StageStatus::Ok);
        const double x = stage.visual(jumper.id).position.x;
        RC_ASSERT(is_on_side(x, jumper.far) || (!at_once && is_on_side(x, !jumper.far)));
        const double last = stage.previous(jumper.id).position.x;
        RC_ASSERT(is_on_side(last, true) || is_on_side(last, false));
    }
}

RC_GTEST_PROP(StageProperty, PausesAndTimeScalesNeverTakeThePictureBack, ()) {
    const Rate rate{draw_int(5, 240), 1};
    FixedStep step({.rate = rate, .view = draw_int(0, 1) == 0 ? View::Behind : View::Ahead});
    Stage stage({.capacity = 2});
    const Blend blend = draw_int(0, 1) == 0 ? Blend::Linear : Blend::Hold;
    const Id id = stage.add(at_x(0.0), {.blend = blend});
    double last = 0.0;
    std::int64_t now_ns = 0;
    for (int frame = 0; frame < 100; ++frame) {
        switch (draw_int(0, 19)) {
            case 0:
                step.pause();
                break;
            case 1:
            case 2:
                step.resume();
                break;
            case 3:
                RC_ASSERT(step.set_time_scale(draw_number(0.0, 4.0)));
                break;
            case 4:
                RC_ASSERT(step.set_rate({draw_int(5, 240), 1}));
                break;
            default:
                break;
        }
        now_ns += draw_ns(1'000, 0, 50'000);
        for (const Tick& tick : step.advance_to(now_ns)) {
            RC_ASSERT(stage.move(tick, id, at_x(to_s(tick.time_ns))) == StageStatus::Ok);
        }
        const SampleTime sample = step.sample();
        RC_ASSERT(stage.present(sample) == StageStatus::Ok);
        const double x = stage.visual(id).position.x;
        RC_ASSERT(x >= last);
        // The line x = t is drawn as it is, but for an eighth of a nanosecond's rounding.
        RC_ASSERT(blend == Blend::Hold || std::abs(x - std::max(to_s(sample.time_ns), 0.0)) < 1e-9);
        last = x;
    }
}

/// A stage to which anything may happen.
class Chaos {
public:
    void act_often(const Tick& tick) {
        for (int number = draw_int(0, 5); number > 0; --number) {
            act(tick);
        }
    }

    void act(const Tick& tick) {
        const Id id = draw_id();
        const Extra extra{.velocity = draw_motion().velocity};
        switch (draw_int(0, 15)) {
            case 0:
                return note(stage.cut(tick, id, draw_scaled(), extra));
            case 1:
                return note(stage.shift(tick, id, draw_rigid()));
            case 2:
                return note(stage.amend(tick, id, draw_scaled(), extra));
            case 3:
                return note(stage.hide(id));
            case 4:
                return note(stage.show(id));
            case 5:
            case 6:
                return note(stage.set_parent(id, draw_int(0, 2) == 0 ? Id{} : draw_id()));
            case 7:
                ids.push_back(
                    stage.add(draw_scaled(), {.parent = draw_id(), .blend = draw_blend()}));
                return;
            case 8:
                ids.push_back(stage.spawn(tick, draw_scaled(), {.blend = draw_blend()}, extra));
                return;
            case 9:
                return note(draw_int(0, 1) == 0 ? stage.remove(id) : stage.despawn(tick, id));
            case 10:
                return note(stage.set_blend(id, draw_blend()));
            case 11:
                return note(stage.rebase(draw_vector(100.0)));
            default:
                return note(stage.move(tick, id, draw_scaled(), extra));
        }
    }

    void check() {
        worlds_.resize(ids.size());
        for (std::size_t number = 0; number < ids.size(); ++number) {
            const Id id = ids[number];
            RC_ASSERT(is_sound(stage.visual(id)));
            RC_ASSERT(is_sound(stage.previous(id)));
            RC_ASSERT(is_sound(stage.logical(id)));
            RC_ASSERT(is_finite(stage.world(id).translation));
            RC_ASSERT(is_finite(stage.previous_world(id).translation));
            RC_ASSERT(is_finite(glm::dvec3(stage.world(id).linear * glm::vec3(1.0F))));
            RC_ASSERT(stage.world_revision(id) <= stage.revision());
            // What looks different from the last frame was listed.
            const Affine world = stage.world(id);
            const bool same = world.linear == worlds_[number].linear &&
                              world.translation == worlds_[number].translation;
            RC_ASSERT(same || !stage.contains(id) || stage.world_revision(id) == stage.revision());
            worlds_[number] = world;
        }
        std::vector<Id> listed(stage.changed().begin(), stage.changed().end());
        std::sort(listed.begin(), listed.end());
        RC_ASSERT(std::adjacent_find(listed.begin(), listed.end()) == listed.end());
        for (const Id id : ids) {
            const bool is_new = stage.world_revision(id) == stage.revision();
            RC_ASSERT(!stage.contains(id) ||
                      is_new == std::binary_search(listed.begin(), listed.end(), id));
        }
    }

    Stage stage{{.capacity = 12, .shift_capacity = 4, .track = {.mover_capacity = 10}}};
    std::vector<Id> ids = {stage.add({}), stage.add(at_x(1.0))};

private:
    [[nodiscard]] Id draw_id() const {
        return ids[static_cast<std::size_t>(draw_int(0, static_cast<int>(ids.size()) - 1))];
    }

    [[nodiscard]] static Blend draw_blend() { return static_cast<Blend>(draw_int(0, 3)); }

    /// Even scales, zero and mirrored ones among them: uneven ones below turned parents shear.
    [[nodiscard]] static Pose draw_scaled() {
        constexpr std::array<float, 6> kScales = {1.0F, 1.0F, 2.0F, 0.5F, -1.0F, 0.0F};
        Pose pose = draw_pose();
        pose.scale = glm::vec3(kScales[static_cast<std::size_t>(draw_int(0, 5))]);
        return pose;
    }

    /// Accepted or refused for a reason that has a name.
    static void note(StageStatus status) { RC_ASSERT(std::string(to_string(status)) != "unknown"); }

    std::vector<Affine> worlds_; // What the frame before showed.
};

RC_GTEST_PROP(StageProperty, WhateverHappensThePictureIsFiniteAndTurnsAreUnit, ()) {
    Chaos chaos;
    FixedStep step({.rate = {draw_int(20, 60), 1}});
    std::int64_t now_ns = 0;
    for (int frame = 0; frame < 40; ++frame) {
        now_ns += draw_ns(1'000, 1'000, 60'000);
        for (const Tick& tick : step.advance_to(now_ns)) {
            chaos.act_often(tick);
        }
        RC_ASSERT(chaos.stage.present(step.sample()) == StageStatus::Ok);
        chaos.check();
    }
}

} // namespace
} // namespace glissade::testing
