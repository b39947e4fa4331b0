// SPDX-License-Identifier: MIT
#include "rig/scene_world.h"

#include "glissade/time/rate.h"

#include "time/frame_series.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include <glm/geometric.hpp>

namespace glissade::testing {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr glm::dvec3 kUp{0.0, 1.0, 0.0};
constexpr double kWalkable = 0.7; // Of the normal's y: 45 degrees.
constexpr int kPieces = 4;
constexpr int kSlides = 4;
constexpr double kRounding = 1e-9; // Metres; a place on a skin may be this far off it.

constexpr double kWalk = 4.0; // Metres per second.

/// Negative: outside.
double depth_in(const Solid& solid, const glm::dvec3& point) {
    double depth = kInfinity;
    for (const Plane& plane : solid) {
        depth = std::min(depth, plane.offset - glm::dot(plane.normal, point));
    }
    return depth;
}

struct Hit {
    double fraction = 2.0; // Of the way; above 1: none.
    glm::dvec3 normal{0.0};
};

// Cyrus and Beck's clipping of a segment by a convex solid, here with its skin: it enters through
// the last plane that it crosses inwards, unless it has left through another one before.
Hit find_hit(const Solid& solid, const glm::dvec3& from, const glm::dvec3& to) {
    Hit enter{.fraction = -kInfinity};
    double enter_distance = -kInfinity;
    double leave = kInfinity;
    for (const Plane& plane : solid) {
        const double start = glm::dot(plane.normal, from) - plane.offset - kSkin;
        const double approach = glm::dot(plane.normal, from - to);
        if (approach > 0.0 && start / approach > enter.fraction) {
            enter = {start / approach, plane.normal};
            enter_distance = start;
        } else if (approach < 0.0) {
            leave = std::min(leave, start / approach);
        } else if (approach == 0.0 && start > 0.0) {
            return {};
        }
    }
    const bool ahead = enter_distance >= -kRounding && enter.fraction <= 1.0;
    return ahead && enter.fraction < leave ? enter : Hit{};
}

Solid ground(double height) {
    return {{kUp, height}};
}

Solid box(const glm::dvec3& low, const glm::dvec3& high) {
    return {{{1, 0, 0}, high.x},  {{0, 1, 0}, high.y},  {{0, 0, 1}, high.z},
            {{-1, 0, 0}, -low.x}, {{0, -1, 0}, -low.y}, {{0, 0, -1}, -low.z}};
}

} // namespace

double SceneWorld::depth(const glm::dvec3& point) const {
    double deepest = -kInfinity;
    for (const Solid& solid : solids_) {
        deepest = std::max(deepest, depth_in(solid, point));
    }
    return deepest;
}

double SceneWorld::depth_in_half_spaces(const glm::dvec3& point) const {
    double deepest = -kInfinity;
    for (const Solid& solid : solids_) {
        deepest = solid.size() == 1 ? std::max(deepest, depth_in(solid, point)) : deepest;
    }
    return deepest;
}

glm::dvec3 SceneWorld::slide(const glm::dvec3& from, const glm::dvec3& way) const {
    glm::dvec3 position = from;
    glm::dvec3 rest = way;
    for (int number = 0; number < kSlides; ++number) {
        Hit first;
        for (const Solid& solid : solids_) {
            const Hit hit = find_hit(solid, position, position + rest);
            first = hit.fraction < first.fraction ? hit : first;
        }
        if (first.fraction > 1.0) {
            return position + rest;
        }
        const double fraction = std::max(first.fraction, 0.0);
        position += rest * fraction;
        rest *= 1.0 - fraction;
        rest -= first.normal * glm::dot(first.normal, rest);
    }
    return position;
}

Resolved SceneWorld::resolve(const glm::dvec3& before, const glm::dvec3& after) const {
    glm::dvec3 position = before;
    const glm::dvec3 piece = (after - before) / static_cast<double>(kPieces);
    for (int number = 0; number < kPieces; ++number) {
        position = slide(position, piece);
    }
    return touching(position);
}

Resolved SceneWorld::touching(const glm::dvec3& position) const {
    Resolved resolved{.position = position};
    for (const Solid& solid : solids_) {
        const Plane face =
            *std::max_element(solid.begin(), solid.end(), [&](const Plane& a, const Plane& b) {
                return glm::dot(a.normal, position) - a.offset <
                       glm::dot(b.normal, position) - b.offset;
            });
        const double distance = glm::dot(face.normal, position) - face.offset;
        // Of two surfaces the one that it stands on counts.
        if (distance <= kSkin + kRounding && !resolved.walkable) {
            resolved.normal = face.normal;
            resolved.walkable = face.normal.y >= kWalkable;
        }
    }
    return resolved;
}

glm::dvec3 SceneModel::acceleration(const BodyState& state, const SceneInput& /*input*/) {
    const Wish wish = wish_now();
    jumps_ = state.grounded && wish.jump;
    const glm::dvec3 drive = state.grounded ? wish.velocity * kGrip : glm::dvec3(0.0);
    return drive - kUp * kGravity;
}

void SceneModel::integrate(BodyState& state, const glm::dvec3& acceleration, double step_s) const {
    if (jumps_) {
        state.velocity.y = kJumpSpeed;
    }
    const glm::dvec3 fall = kUp * acceleration.y;
    const glm::dvec3 drive = acceleration - fall;
    glm::dvec3 level(state.velocity.x, 0.0, state.velocity.z);
    if (state.grounded) {
        level = (level + drive * step_s) / (1.0 + kGrip * step_s);
    }
    const glm::dvec3 rise = kUp * state.velocity.y;
    state.position += (level + rise) * step_s + fall * (0.5 * step_s * step_s);
    state.velocity = level + rise + fall * step_s;
}

Resolved SceneModel::resolve(const glm::dvec3& before, const glm::dvec3& after) const {
    return scene_->world.resolve(before, after);
}

void SceneModel::ticked(const Tick& tick, const BodyState& state) {
    now_ns_ = tick.time_ns;
    outbound_.push_back({tick, state});
}

Wish SceneModel::wish_now() const {
    Wish wish;
    for (const ScriptLine& line : scene_->script) {
        const auto from_ns = static_cast<std::int64_t>(line.from_s * 1e9);
        wish = now_ns_ >= from_ns ? line.wish : wish;
    }
    return wish;
}

void step_bare(BodyState& state, SceneModel& model, const Tick& tick) {
    BodyState next = state;
    model.integrate(next, model.acceleration(state, SceneInput{}), tick.step_s);
    const Resolved resolved = model.resolve(state.position, next.position);
    const double into = glm::dot(next.velocity, resolved.normal);
    next.velocity -= resolved.normal * std::min(into, 0.0);
    state = {resolved.position, next.velocity, resolved.normal, resolved.walkable};
    model.ticked(tick, state);
}

std::uint64_t compute_hash(const std::vector<Outbound>& stream) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const Outbound& item : stream) {
        const std::array<double, 6> values = {item.state.position.x, item.state.position.y,
                                              item.state.position.z, item.state.velocity.x,
                                              item.state.velocity.y, item.state.velocity.z};
        for (const double value : values) {
            std::uint64_t bits = 0;
            const double positive_zero = value + 0.0; // -0 and 0 are the same place.
            std::memcpy(&bits, &positive_zero, sizeof(bits));
            hash = (hash ^ bits) * 0x100000001B3U;
        }
    }
    return hash;
}

const std::vector<Scene>& scenes() {
    const glm::dvec3 walk(kWalk, 0.0, 0.0);
    // Jumps are held for longer than the longest quantum, 0.2 s, and shorter than the flight.
    static const std::vector<Scene> kScenes = {
        {.name = "up a slope too steep to walk and falling back",
         .world = SceneWorld({ground(0.0),
                              {{{-0.8, 0.6, 0.0}, -0.8 * 4.0}}, // 53 degrees, from x = 4 on.
                              {{{1.0, 0.0, 0.0}, -1.0}}}),      // A wall.
         .start = {0.0, kSkin, 0.0},
         .script = {{0.0, {walk}}, {3.0, {-walk}}, {5.0, {}}},
         .end_s = 6.5,
         .rest = {-1.0 + kSkin, kSkin, 0.0},
         .tick_hash = 0x947AEA912354C470U},
        {.name = "jumping on a rooftop",
         .world = SceneWorld({ground(0.0), box({5.5, -1.0, -2.0}, {30.0, 0.8, 2.0})}),
         .start = {0.0, kSkin, 0.0},
         .script = {{0.0, {walk}},
                    {1.0, {walk, true}},
                    {1.25, {walk}},
                    {3.0, {}},
                    {3.5, {{}, true}},
                    {3.75, {}}},
         .end_s = 6.5,
         .rest = {kWalk * 3.0, 0.8 + kSkin, 0.0},
         .walk_mps = kWalk,
         .tick_hash = 0x076F89B16C7C91D1U},
        {.name = "along a roof edge and off it",
         .world = SceneWorld({ground(0.0), box({-10.0, -1.0, -20.0}, {100.0, 3.0, 2.0})}),
         .start = {0.0, 3.0 + kSkin, 1.9},
         .script = {{0.0, {{kWalk, 0.0, 0.05}}}, {4.0, {}}},
         .end_s = 6.5,
         .rest = {kWalk * 4.0, kSkin, 1.9 + 0.05 * 4.0},
         .walk_mps = kWalk,
         .tick_hash = 0x17EC8AD7792767EFU},
        {.name = "off a cliff",
         .world = SceneWorld({ground(0.0), {{kUp, 10.0}, {{1.0, 0.0, 0.0}, 6.0}}}),
         .start = {0.0, 10.0 + kSkin, 0.0},
         .script = {{0.0, {walk}}, {4.0, {}}},
         .end_s = 6.5,
         .rest = {kWalk * 4.0, kSkin, 0.0},
         .walk_mps = kWalk,
         .tick_hash = 0x47395391CBE7B3C4U},
    };
    return kScenes;
}

std::vector<FrameTimes> make_frame_times(double length_s) {
    const auto length_ns = static_cast<std::int64_t>(length_s * 1e9);
    std::vector<FrameTimes> all;
    for (const std::int64_t rate_hz : {30, 60, 144, 240}) {
        FrameTimes frames{std::to_string(rate_hz) + " Hz", {}};
        for (std::int64_t index = 0; frames.times_ns.empty() || frames.times_ns.back() < length_ns;
             ++index) {
            frames.times_ns.push_back(frame_time_ns({rate_hz, 1}, index));
        }
        all.push_back(frames);
    }
    Random random(20);
    FrameTimes irregular{"irregular", {0}};
    while (irregular.times_ns.back() < length_ns) {
        const bool hitch = random.between(1, 40) == 1;
        const std::int64_t most_ns = hitch ? 250'000'000 : 40'000'000;
        irregular.times_ns.push_back(irregular.times_ns.back() +
                                     random.between(2'000'000, most_ns));
    }
    all.push_back(irregular);
    return all;
}

QuantumGateConfig gate_config(GateProfile profile) {
    return profile == GateProfile::Retail ? QuantumGateConfig::retail()
                                          : QuantumGateConfig{.profile = profile};
}

} // namespace glissade::testing
