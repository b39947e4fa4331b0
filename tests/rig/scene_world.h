// SPDX-License-Identifier: MIT
// A small analytic world, a character in it, and the four scenes that it walks through.
#pragma once

#include "glissade/rig/local_body.h"
#include "glissade/time/quantum_gate.h"

#include <cstdint>
#include <string>
#include <vector>

#include <glm/ext/vector_double3.hpp>

namespace glissade::testing {

/// The half space below a plane: dot(normal, p) < offset is inside.
struct Plane {
    glm::dvec3 normal{0.0}; ///< Unit, outward.
    double offset = 0.0;
};

/// What is below all of its planes. Convex.
using Solid = std::vector<Plane>;

/// How far the character stays away from every surface. Twelve orders of magnitude above the
/// rounding of a step, so "outside" can be asserted with no tolerance at all.
inline constexpr double kSkin = 1e-4;

/// Solids that nothing gets into.
class SceneWorld {
public:
    explicit SceneWorld(std::vector<Solid> solids) : solids_(std::move(solids)) {}

    /// How far a point is below the nearest face of the solid that it is deepest in; negative:
    /// outside of all.
    [[nodiscard]] double depth(const glm::dvec3& point) const;
    /// The same for the solids with one face only. They have no edge that a chord could cut.
    [[nodiscard]] double depth_in_half_spaces(const glm::dvec3& point) const;

    /// Goes from `before` (outside) to `after` in four pieces, each swept and then slid along what
    /// it hits, as character controllers do. Surfaces of up to 45 degrees can be walked on.
    [[nodiscard]] Resolved resolve(const glm::dvec3& before, const glm::dvec3& after) const;

private:
    [[nodiscard]] glm::dvec3 slide(const glm::dvec3& from, const glm::dvec3& way) const;
    [[nodiscard]] Resolved touching(const glm::dvec3& position) const;

    std::vector<Solid> solids_;
};

/// What the player wants at one time of the script.
struct Wish {
    glm::dvec3 velocity{0.0}; ///< Horizontal, metres per second.
    bool jump = false;
};

/// One entry of a script: holds until the next one.
struct ScriptLine {
    double from_s = 0.0;
    Wish wish;
};

/// A place, a start and what the player does there.
struct Scene {
    std::string name;
    SceneWorld world;
    glm::dvec3 start{0.0};
    std::vector<ScriptLine> script;
    double end_s = 0.0;          ///< At rest well before.
    glm::dvec3 rest{0.0};        ///< Where continuous time would bring it.
    double walk_mps = 0.0;       ///< How fast it was before it stopped by itself; 0: a wall did it.
    std::uint64_t tick_hash = 0; ///< Of the tick trajectory with FixedStep at 30 Hz.
};

[[nodiscard]] const std::vector<Scene>& scenes();

/// A tick as a server would get it.
struct Outbound {
    Tick tick;
    BodyState state;

    friend bool operator==(const Outbound&, const Outbound&) noexcept = default;
};

/// FNV-1a over the bits of all positions and velocities.
[[nodiscard]] std::uint64_t compute_hash(const std::vector<Outbound>& stream);

/// A frame's input. What the player wants comes from the script, by the time of the tick, so that
/// it is the same at every frame rate.
struct SceneInput {
    float yaw_rad = 0.0F;
};

/// The character. On the ground its velocity follows the wish with a first-order lag, implicitly
/// integrated: from rest to rest it covers exactly the integral of the wish, whatever the steps
/// are. In the air and on slopes only gravity acts, and a parabola is integrated exactly.
class SceneModel {
public:
    static constexpr double kGravity = 9.8;   // Metres per second squared.
    static constexpr double kGrip = 8.0;      // 1/s.
    static constexpr double kJumpSpeed = 5.0; // Metres per second.

    explicit SceneModel(const Scene& scene) : scene_(&scene) {}

    [[nodiscard]] glm::dvec3 acceleration(const BodyState& state, const SceneInput& input);
    void integrate(BodyState& state, const glm::dvec3& acceleration, double step_s) const;
    [[nodiscard]] Resolved resolve(const glm::dvec3& before, const glm::dvec3& after) const;
    void ticked(const Tick& tick, const BodyState& state);

    /// What went out, tick by tick.
    [[nodiscard]] const std::vector<Outbound>& outbound() const { return outbound_; }

private:
    [[nodiscard]] Wish wish_now() const;

    const Scene* scene_;
    std::int64_t now_ns_ = 0; // Of the script: the end of the last tick is the start of the next.
    bool jumps_ = false;
    std::vector<Outbound> outbound_;
};

/// One tick of the same rules without LocalBody and without a picture.
void step_bare(BodyState& state, SceneModel& model, const Tick& tick);

/// Present times of a display, starting at 0, a little longer than `length_s`.
struct FrameTimes {
    std::string name;
    std::vector<std::int64_t> times_ns;
};
/// 30, 60, 144 and 240 Hz, and irregular (2 to 40 ms, and one frame in forty a hitch of up to
/// 250 ms, which is the most that eight ticks of 30 Hz can make up for).
[[nodiscard]] std::vector<FrameTimes> make_frame_times(double length_s);

/// The gate of each profile with its own limits.
[[nodiscard]] QuantumGateConfig gate_config(GateProfile profile);

} // namespace glissade::testing
