// SPDX-License-Identifier: MIT
// What the tests of large scenes share: random poses, and the matrices of a frame judged one by
// one.
#pragma once

#include "glissade/stage/stage.h"

#include "support/stage_runner.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade::testing {

inline constexpr std::int64_t kSceneTickNs = 20'000'000; ///< Of tick_at().

/// Uniform in [low, high), in steps of a millionth.
inline double draw_real(Random& random, double low, double high) {
    return low + (high - low) * 1e-6 * static_cast<double>(random.between(0, 999'999));
}

inline std::size_t draw_place(Random& random, std::size_t count) {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(count) - 1));
}

inline bool draw_chance(Random& random, std::int64_t one_in) {
    return random.between(1, one_in) == 1;
}

inline glm::dvec3 draw_position(Random& random, double reach_m = 10.0) {
    // Braces: their order of evaluation is the same with every compiler.
    return glm::dvec3{draw_real(random, -reach_m, reach_m), draw_real(random, -reach_m, reach_m),
                      draw_real(random, -reach_m, reach_m)};
}

inline glm::quat draw_turn(Random& random) {
    const glm::dvec3 axis = draw_position(random, 1.0);
    return normalised(quat_xyzw(static_cast<float>(axis.x), static_cast<float>(axis.y),
                                static_cast<float>(axis.z),
                                static_cast<float>(draw_real(random, 0.1, 1.0))));
}

inline Pose draw_scene_pose(Random& random) {
    const glm::dvec3 position = draw_position(random);
    return {.position = position, .rotation = draw_turn(random)};
}

inline Pose draw_scaled_pose(Random& random) {
    Pose pose = draw_scene_pose(random);
    pose.scale = glm::vec3(draw_position(random, 2.0));
    return pose;
}

inline Velocity draw_velocity(Random& random) {
    const glm::dvec3 linear = draw_position(random, 3.0);
    return {.linear = glm::vec3(linear), .angular = glm::vec3(draw_position(random, 3.0))};
}

/// How far two ways to compute the world matrix of an object may be apart.
struct MatrixTolerance {
    double linear = 0.0;
    double translation = 0.0;
};

/// In units of 2^-24, where a target has no fused multiply-add. An entry of a rotation matrix is
/// off by at most 3 in the kernels (two products up to 1, two differences) and 3.5 in glm (two
/// products, their sum, doubled, a difference). A product of two such matrices carries sqrt(3)
/// times that on, as rows are of length 1, and adds three roundings: 9.1 a level in glm, 8.2 in the
/// kernels, for each unit of scale. Without scales those multiply rotations: each part is rounded
/// seven times, together no more than 7, and a matrix is off by twice as much: 14 a level, and 3
/// when it is made. The rotations of a scene are of length 1 within 1, which matrices carry on
/// differently, by up to 8 a level. 34.1 is less than 2.1e-6. Translations are sums of such entries
/// times the place in the parent, in double or, with 17 more, in float, see StageArms: 51.1. Where
/// the parent is, is then rounded to float as well: 1 of the result and of that place. 52.1 is less
/// than 3.2e-6. The result is rounded to float once on either way (2^-23 of it), and doubles have
/// the size of the world's coordinates (2^-52 for each level on either way). Without a parent there
/// is nothing to add up: bit for bit.
inline MatrixTolerance compute_tolerance(const Stage& stage, Id id, const glm::dvec3& origin) {
    constexpr double kLinearError = 2.1e-6;
    constexpr double kArmError = 3.2e-6;
    double levels = 0.0;
    double stretch = 1.0;
    double reach_m = 0.0;
    for (Id at = id; !at.is_null(); at = stage.parent(at)) {
        const Pose pose = stage.visual(at);
        const glm::vec3 scale = glm::abs(pose.scale);
        const double most = std::max({scale.x, scale.y, scale.z, 1.0F});
        const bool is_root = stage.parent(at).is_null();
        levels += 1.0;
        stretch *= most;
        reach_m = reach_m * most + (is_root ? 0.0 : glm::length(pose.position));
    }
    const glm::dvec3 place = stage.world(id).translation;
    return {.linear = kLinearError * levels * stretch,
            .translation = levels == 1.0 ? 0.0
                                         : kArmError * levels * stretch * reach_m +
                                               0x1.8p-23 * glm::length(place - origin) +
                                               0x1p-51 * levels * glm::length(place)};
}

/// `matrix` is what world() says of this object, which makes no use of the kernels of matrices.
inline ::testing::AssertionResult is_placed_as(const Stage& stage, Id id, const glm::mat3x4& matrix,
                                               const glm::dvec3& origin) {
    const glm::mat3x4 due = to_mat3x4(stage.world(id), origin);
    const MatrixTolerance tolerance = compute_tolerance(stage, id, origin);
    for (glm::length_t cell = 0; cell < 12; ++cell) {
        const glm::length_t line = cell / 4;
        const glm::length_t column = cell % 4;
        const double apart = std::abs(static_cast<double>(matrix[line][column]) -
                                      static_cast<double>(due[line][column]));
        // Written so that NaN fails.
        if (!(apart <= (column == 3 ? tolerance.translation : tolerance.linear))) {
            return ::testing::AssertionFailure()
                   << "row " << line << ", column " << column << " is " << matrix[line][column]
                   << " and not " << due[line][column];
        }
    }
    return ::testing::AssertionSuccess();
}

inline const glm::mat3x4 kUntouchedMatrix(-7.0F);

/// The matrices of moved(track) are those of world(), and nothing behind them is written.
inline void expect_matrices(const Stage& stage, std::span<const glm::mat3x4> matrices,
                            const glm::dvec3& origin = glm::dvec3(0.0),
                            TrackId track = kDefaultTrack) {
    const std::span<const Id> ids = stage.moved(track).ids;
    ASSERT_LE(ids.size(), matrices.size());
    for (std::size_t row = 0; row < ids.size(); ++row) {
        ASSERT_TRUE(is_placed_as(stage, ids[row], matrices[row], origin))
            << "row " << row << " of " << ids.size() << ", frame " << stage.revision();
    }
    for (std::size_t row = ids.size(); row < matrices.size(); ++row) {
        ASSERT_EQ(matrices[row], kUntouchedMatrix) << row - ids.size() << " behind the last";
    }
}

/// A frame of the default track with a fresh target, which is a little longer than it has to be.
inline void present_and_check(Stage& stage, const SampleTime& sample,
                              const glm::dvec3& origin = glm::dvec3(0.0)) {
    std::vector<glm::mat3x4> matrices(stage.mover_count() + 3, kUntouchedMatrix);
    const MatrixTarget target{.matrices = matrices, .origin = origin};
    ASSERT_EQ(stage.present(sample, target), StageStatus::Ok);
    expect_matrices(stage, matrices, origin);
}

/// The same at a time, with the present moment one tick later.
inline void present_and_check(Stage& stage, std::int64_t time_ns,
                              const glm::dvec3& origin = glm::dvec3(0.0)) {
    present_and_check(stage, {.time_ns = time_ns, .now_ns = time_ns + kSceneTickNs}, origin);
}

} // namespace glissade::testing
