// SPDX-License-Identifier: MIT
// The local player's body: ticked by a clock, drawn between its ticks, the two never mixed up.
#pragma once

#include "glissade/pose/pose.h"
#include "glissade/stage/stage.h"
#include "glissade/time/tick.h"

#include <concepts>
#include <cstdint>
#include <utility>

namespace glissade {

/// The truth of a body at a tick: for collision, network and gameplay.
struct BodyState {
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0};      ///< Metres per second.
    glm::dvec3 ground_normal{0.0}; ///< Of the surface it touches; zero in the air.
    bool grounded = false;         ///< Stands on something it can walk on.

    friend bool operator==(const BodyState&, const BodyState&) noexcept = default;
};

/// What a collision test found at the end of a step.
struct Resolved {
    glm::dvec3 position{0.0}; ///< Outside of all geometry.
    glm::dvec3 normal{0.0};   ///< Unit normal of the surface touched; zero: nothing touched.
    bool walkable = false;    ///< That surface can be stood on.
};

/// Your physics, called in this order for every tick; then the body updates contact and velocity.
///
/// `model.acceleration(state, input)` says how it wants to move; `model.integrate(state,
/// acceleration, step_s)` moves it freely; `model.resolve(before, after)` gets the positions before
/// and after that and keeps it out of the geometry. If it has `model.ticked(tick, state)`, that is
/// called last: the place to send state to a server.
template <class Model, class Input>
concept BodyModel = requires(Model& model, BodyState& state, const Input& input,
                             const glm::dvec3& vector, double step_s) {
    { model.acceleration(std::as_const(state), input) } -> std::convertible_to<glm::dvec3>;
    model.integrate(state, vector, step_s);
    { model.resolve(vector, vector) } -> std::convertible_to<Resolved>;
    { input.yaw_rad } -> std::convertible_to<float>;
};

/// What one frame needs to know of the body.
struct BodyFrame {
    BodyState state;                 ///< Of the newest tick. `state.position` goes to the network.
    glm::dvec3 render_position{0.0}; ///< For mesh and camera only. Never written back.
    float yaw_rad = 0.0F;            ///< Of this frame's input, untouched by the clock.
    int tick_count = 0;              ///< Ticks that ran in this frame.
};

/// The picture of one body: a stage of one object, so that it blends, cuts and re-snaps as
/// everything else.
class BodyPicture {
public:
    BodyPicture() noexcept;
    void cut(const glm::dvec3& position) noexcept;
    void move(const Tick& tick, const glm::dvec3& position) noexcept;
    [[nodiscard]] glm::dvec3 show(const SampleTime& sample) noexcept;
    /// Where it was one tick before the newest.
    [[nodiscard]] glm::dvec3 previous_position() const noexcept;
    /// Counts cuts; a follow camera cuts when it changes.
    [[nodiscard]] std::uint32_t shown_cuts() const noexcept;

private:
    Stage stage_;
    Id id_;
};

/// A body on a clock of its own: FixedStep (the same motion at every frame rate, to the bit) or
/// QuantumGate (the Asheron's Call client's).
///
/// Thread safety: one thread at a time. Allocates: in the constructor. Cost: your model's, and
/// about a microsecond.
template <class Clock>
class LocalBody {
public:
    /// Takes its own copy of the clock, which should not have run yet.
    explicit LocalBody(const Clock& clock = Clock(),
                       const glm::dvec3& position = glm::dvec3(0.0)) noexcept
        : clock_(clock) {
        set_position(position);
    }

    /// Spawn, teleport, or the server's word: body, both ends of the picture and what is drawn are
    /// there at once, time gathered in a gate is forgotten. Velocity stays; set_velocity() changes
    /// it. A position that is not finite is refused: false, nothing changes.
    bool set_position(const glm::dvec3& position) noexcept {
        if (check(Pose{.position = position}) != PoseStatus::Ok) {
            return false;
        }
        state_.position = position;
        picture_.cut(position);
        if constexpr (requires(Clock & clock) { clock.drop_leftover(); }) {
            clock_.drop_leftover();
        }
        return true;
    }
    void set_velocity(const glm::dvec3& velocity) noexcept { state_.velocity = velocity; }

    /// Runs the ticks that are due when the frame of `present_ns` is shown. A result of the model
    /// that is not finite is not taken: the body stays where the tick began.
    template <class Input, BodyModel<Input> Model>
    BodyFrame update(std::int64_t present_ns, const Input& input,
                     Model&& model) noexcept(noexcept(model.integrate(std::declval<BodyState&>(),
                                                                      glm::dvec3(), 0.0))) {
        BodyFrame frame;
        for (const Tick& tick : clock_.advance_to(present_ns)) {
            step(tick, input, model);
            ++frame.tick_count;
        }
        frame.state = state_;
        frame.render_position = picture_.show(clock_.sample());
        frame.yaw_rad = static_cast<float>(input.yaw_rad);
        return frame;
    }

    [[nodiscard]] const BodyState& state() const noexcept { return state_; }
    [[nodiscard]] glm::dvec3 previous_position() const noexcept {
        return picture_.previous_position();
    }
    [[nodiscard]] std::uint32_t shown_cuts() const noexcept { return picture_.shown_cuts(); }
    /// For pause, time scale, stats. Do not advance it.
    [[nodiscard]] Clock& clock() noexcept { return clock_; }
    [[nodiscard]] const Clock& clock() const noexcept { return clock_; }

private:
    template <class Input, class Model>
    void step(const Tick& tick, const Input& input, Model& model) {
        const glm::dvec3 before = state_.position;
        BodyState next = state_;
        model.integrate(next, model.acceleration(std::as_const(state_), input), tick.step_s);
        touch(next, model.resolve(before, std::as_const(next.position)));
        if (check(Pose{.position = next.position}) == PoseStatus::Ok &&
            check(Pose{.position = next.velocity}) == PoseStatus::Ok) {
            state_ = next;
        }
        picture_.move(tick, state_.position);
        if constexpr (requires { model.ticked(tick, std::as_const(state_)); }) {
            model.ticked(tick, std::as_const(state_));
        }
    }

    /// Takes over the contact: what moves into a surface stops moving into it.
    static void touch(BodyState& state, const Resolved& resolved) noexcept {
        state.position = resolved.position;
        state.ground_normal = resolved.normal;
        state.grounded = resolved.walkable;
        const double into = state.velocity.x * resolved.normal.x +
                            state.velocity.y * resolved.normal.y +
                            state.velocity.z * resolved.normal.z;
        if (into < 0.0) {
            state.velocity -= into * resolved.normal;
        }
    }

    Clock clock_;
    BodyState state_;
    BodyPicture picture_;
};

} // namespace glissade
