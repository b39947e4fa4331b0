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
    glm::dvec3 position{0.0};      ///< Metres.
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
    int refused_count = 0;           ///< Those of them whose result was refused.
};

/// The picture of one body: a stage of one object, so that it blends, cuts and re-snaps as
/// everything else. A part of LocalBody; of no use alone.
class BodyPicture {
public:
    BodyPicture() noexcept;
    void cut(const glm::dvec3& position) noexcept;
    void move(const Tick& tick, const glm::dvec3& position) noexcept;
    /// Shows a sample time; where the body is in it.
    glm::dvec3 show(const SampleTime& sample) noexcept;
    [[nodiscard]] glm::dvec3 shown_position() const noexcept;
    [[nodiscard]] glm::dvec3 previous_position() const noexcept;
    [[nodiscard]] std::uint32_t shown_cuts() const noexcept;

private:
    Stage stage_;
    Id id_;
};

/// A body on a clock of its own: FixedStep (the same motion at every frame rate, to the bit) or
/// QuantumGate (the Asheron's Call client's). What is drawn lies between its last two ticks, so it
/// is up to one tick late; see AlphaBasis for the gate's choices.
///
/// Thread safety: one thread at a time. Allocates: in the constructor. Cost: your model's, and
/// about a microsecond per frame.
template <class Clock>
class LocalBody {
public:
    /// Takes its own copy of the clock, which should not have run yet. A position that
    /// set_position() would refuse leaves the body at the origin.
    explicit LocalBody(const Clock& clock = Clock(),
                       const glm::dvec3& position = glm::dvec3(0.0)) noexcept
        : clock_(clock) {
        set_position(position);
    }

    /// Spawn, teleport, or the server's word: body, both ends of the picture and what is drawn are
    /// there at once, time gathered in a gate is forgotten. Velocity and contact stay until the
    /// next tick; set_velocity() changes the one. False, nothing changes: not finite, or beyond
    /// kMaxPosition.
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

    /// Metres per second, from the next tick on. False, nothing changes: not finite.
    bool set_velocity(const glm::dvec3& velocity) noexcept {
        if (!is_finite(velocity)) {
            return false;
        }
        state_.velocity = velocity;
        return true;
    }

    /// Runs the ticks that are due when the frame of `present_ns` is shown, all with this input. A
    /// result of the model that is not finite is refused and counted: the body stays what it was
    /// when the tick began. A time that the clock refuses runs no tick. Throws what the model
    /// throws; the body is then as the last whole tick left it.
    template <class Input, BodyModel<Input> Model>
    BodyFrame update(std::int64_t present_ns, const Input& input, Model&& model) {
        BodyFrame frame;
        for (const Tick& tick : clock_.advance_to(present_ns)) {
            ++frame.tick_count;
            frame.refused_count += step(tick, input, model) ? 0 : 1;
        }
        frame.state = state_;
        frame.render_position = picture_.show(clock_.sample());
        frame.yaw_rad = static_cast<float>(input.yaw_rad);
        return frame;
    }

    /// Of the newest tick, or of set_position() after it.
    [[nodiscard]] const BodyState& state() const noexcept { return state_; }
    /// Where it was one tick before the newest: the other end of the picture.
    [[nodiscard]] glm::dvec3 previous_position() const noexcept {
        return picture_.previous_position();
    }
    /// Where the last frame drew it, or set_position() after it put it.
    [[nodiscard]] glm::dvec3 render_position() const noexcept { return picture_.shown_position(); }
    /// Counts the calls of set_position(); a follow camera cuts when it changes.
    [[nodiscard]] std::uint32_t shown_cuts() const noexcept { return picture_.shown_cuts(); }
    /// For pause, time scale, stats. Do not advance it.
    [[nodiscard]] Clock& clock() noexcept { return clock_; }
    [[nodiscard]] const Clock& clock() const noexcept { return clock_; }

private:
    [[nodiscard]] static bool is_finite(const glm::dvec3& vector) noexcept {
        return check(Pose{.position = vector}) == PoseStatus::Ok;
    }

    /// One tick. False: the model's result was refused.
    template <class Input, class Model>
    bool step(const Tick& tick, const Input& input, Model& model) {
        const glm::dvec3 before = state_.position;
        BodyState next = state_;
        model.integrate(next, model.acceleration(std::as_const(state_), input), tick.step_s);
        touch(next, model.resolve(before, std::as_const(next.position)));
        const bool taken =
            is_finite(next.position) && is_finite(next.velocity) && is_finite(next.ground_normal);
        if (taken) {
            state_ = next;
        }
        picture_.move(tick, state_.position);
        if constexpr (requires { model.ticked(tick, std::as_const(state_)); }) {
            model.ticked(tick, std::as_const(state_));
        }
        return taken;
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
