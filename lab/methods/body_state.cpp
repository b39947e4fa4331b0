// SPDX-License-Identifier: MIT
#include "lab/methods/body_state.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace glissade::lab {

namespace {

glm::dquat from_rotation_vector(const glm::dvec3& vector) {
    const double angle = glm::length(vector);
    if (angle == 0.0) {
        return {1.0, 0.0, 0.0, 0.0};
    }
    const glm::dvec3 part = vector * (std::sin(angle / 2.0) / angle);
    return {std::cos(angle / 2.0), part.x, part.y, part.z};
}

// The shorter rotation from one to the other.
glm::dvec3 rotation_between(const glm::dquat& from, const glm::dquat& to) {
    glm::dquat step = to * glm::conjugate(from);
    if (step.w < 0.0) {
        step = -step;
    }
    const glm::dvec3 axis{step.x, step.y, step.z};
    const double sine = glm::length(axis);
    return sine == 0.0 ? glm::dvec3{0.0} : axis * (2.0 * std::atan2(sine, step.w) / sine);
}

glm::dvec3 mean_velocity(const BodyState& from, const BodyState& to, double duration_s) {
    return duration_s > 0.0 ? (to.position - from.position) / duration_s : glm::dvec3{0.0};
}

} // namespace

BodyState make_state(const TracePose& pose) {
    BodyState state{.position = pose.position,
                    .velocity = pose.velocity,
                    .angular_velocity = pose.angular_velocity};
    if (pose.rotation && glm::length(*pose.rotation) > 0.0) {
        state.rotation = glm::normalize(*pose.rotation);
    }
    return state;
}

BodyState blend(const BodyState& from, const BodyState& to, double alpha) {
    BodyState result = to;
    result.position = from.position + (to.position - from.position) * alpha;
    const glm::dvec3 turn = rotation_between(from.rotation, to.rotation) * alpha;
    result.rotation = glm::normalize(from_rotation_vector(turn) * from.rotation);
    return result;
}

BodyState blend_cubic(const BodyState& from, const BodyState& to, double duration_s, double alpha) {
    BodyState result = blend(from, to, alpha);
    const glm::dvec3 mean = mean_velocity(from, to, duration_s);
    const glm::dvec3 start = from.velocity.value_or(mean) * duration_s;
    const glm::dvec3 end = to.velocity.value_or(mean) * duration_s;
    const double a2 = alpha * alpha;
    const double a3 = a2 * alpha;
    // The cubic Hermite basis; the two position weights are written as one step from `from`.
    result.position = from.position + (to.position - from.position) * (3.0 * a2 - 2.0 * a3) +
                      start * (a3 - 2.0 * a2 + alpha) + end * (a3 - a2);
    return result;
}

BodyState carry_on(const BodyState& previous, const BodyState& current, double duration_s,
                   double elapsed_s) {
    BodyState result = current;
    const glm::dvec3 velocity =
        current.velocity.value_or(mean_velocity(previous, current, duration_s));
    result.position += velocity * elapsed_s;
    glm::dvec3 turn = current.angular_velocity.value_or(glm::dvec3{0.0});
    if (!current.angular_velocity && duration_s > 0.0) {
        turn = rotation_between(previous.rotation, current.rotation) / duration_s;
    }
    result.rotation = glm::normalize(from_rotation_vector(turn * elapsed_s) * current.rotation);
    return result;
}

} // namespace glissade::lab
