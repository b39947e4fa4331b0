// SPDX-License-Identifier: MIT
// Rows of poses for the tests of the vector kernels, and the targets to run them on.
#pragma once

#include "glissade/pose/affine.h"
#include "glissade/pose/blend.h"

#include "base/column.h"
#include "stage/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <glm/ext/quaternion_common.hpp>
#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/quaternion_geometric.hpp>
#include <gtest/gtest.h>
#ifndef __EMSCRIPTEN__
#include <hwy/targets.h>
#endif

namespace glissade::test {

inline constexpr std::size_t kMatrixFloats = 12;

/// Runs `function` on every target that the library and the machine have, best first.
template <class Function>
void for_each_target(const Function& function) {
#ifdef __EMSCRIPTEN__
    function();
#else
    std::string names;
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
        hwy::SetSupportedTargetsForTest(left & -left);
        const std::string name = kernel_target();
        // A target that the library was not compiled for falls back to one that it was.
        if (names.find(name + " ") == std::string::npos) {
            names += name + " ";
            SCOPED_TRACE(name);
            function();
        }
    }
    hwy::SetSupportedTargetsForTest(0);
#endif
}

inline std::size_t round_to_blocks(std::size_t rows) {
    return (rows + kBlockRows - 1) / kBlockRows * kBlockRows;
}

/// Columns of poses, whole blocks of them.
class PoseRows {
public:
    explicit PoseRows(std::size_t rows) : size_(round_to_blocks(rows)) {
        for (auto& column : position_) {
            column = Column<double>(size_);
        }
        for (auto& column : rotation_) {
            column = Column<float>(size_);
        }
        for (auto& column : scale_) {
            column = Column<float>(size_);
        }
        for (std::size_t row = 0; row < size_; ++row) {
            set(row, Pose{});
        }
    }

    void set(std::size_t row, const Pose& pose) {
        for (std::size_t i = 0; i < 3; ++i) {
            position_[i][row] = pose.position[static_cast<glm::length_t>(i)];
            scale_[i][row] = pose.scale[static_cast<glm::length_t>(i)];
        }
        rotation_[0][row] = pose.rotation.x;
        rotation_[1][row] = pose.rotation.y;
        rotation_[2][row] = pose.rotation.z;
        rotation_[3][row] = pose.rotation.w;
    }

    [[nodiscard]] Pose get(std::size_t row) const {
        return {
            {position_[0][row], position_[1][row], position_[2][row]},
            quat_xyzw(rotation_[0][row], rotation_[1][row], rotation_[2][row], rotation_[3][row]),
            {scale_[0][row], scale_[1][row], scale_[2][row]}};
    }

    [[nodiscard]] PoseSource source() const {
        return {
            {position_[0].data(), position_[1].data(), position_[2].data()},
            {rotation_[0].data(), rotation_[1].data(), rotation_[2].data(), rotation_[3].data()},
            {scale_[0].data(), scale_[1].data(), scale_[2].data()}};
    }

    [[nodiscard]] PoseTarget target() {
        return {
            {position_[0].data(), position_[1].data(), position_[2].data()},
            {rotation_[0].data(), rotation_[1].data(), rotation_[2].data(), rotation_[3].data()},
            {scale_[0].data(), scale_[1].data(), scale_[2].data()}};
    }

    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::size_t size_;
    Column<double> position_[3];
    Column<float> rotation_[4];
    Column<float> scale_[3];
};

/// Columns of velocities.
class VelocityRows {
public:
    explicit VelocityRows(std::size_t rows) {
        for (std::size_t i = 0; i < 3; ++i) {
            linear_[i] = Column<float>(round_to_blocks(rows));
            angular_[i] = Column<float>(round_to_blocks(rows));
        }
        for (std::size_t row = 0; row < round_to_blocks(rows); ++row) {
            set(row, Velocity{});
        }
    }

    void set(std::size_t row, const Velocity& velocity) {
        for (std::size_t i = 0; i < 3; ++i) {
            linear_[i][row] = velocity.linear[static_cast<glm::length_t>(i)];
            angular_[i][row] = velocity.angular[static_cast<glm::length_t>(i)];
        }
    }

    [[nodiscard]] Velocity get(std::size_t row) const {
        return {{linear_[0][row], linear_[1][row], linear_[2][row]},
                {angular_[0][row], angular_[1][row], angular_[2][row]}};
    }

    [[nodiscard]] VelocitySource source() const {
        return {{linear_[0].data(), linear_[1].data(), linear_[2].data()},
                {angular_[0].data(), angular_[1].data(), angular_[2].data()}};
    }

private:
    Column<float> linear_[3];
    Column<float> angular_[3];
};

/// Columns of world placements.
class WorldRows {
public:
    explicit WorldRows(std::size_t rows) {
        const std::size_t size = round_to_blocks(rows);
        for (auto& column : basis_) {
            column = Column<float>(size);
            std::memset(column.data(), 0, size * sizeof(float));
        }
        for (auto& column : translation_) {
            column = Column<double>(size);
            std::memset(column.data(), 0, size * sizeof(double));
        }
    }

    void set(std::size_t row, const Affine& affine) {
        for (std::size_t i = 0; i < 9; ++i) {
            basis_[i][row] =
                affine.linear[static_cast<glm::length_t>(i % 3)][static_cast<glm::length_t>(i / 3)];
        }
        for (std::size_t i = 0; i < 3; ++i) {
            translation_[i][row] = affine.translation[static_cast<glm::length_t>(i)];
        }
    }

    [[nodiscard]] Affine get(std::size_t row) const {
        Affine affine;
        for (std::size_t i = 0; i < 9; ++i) {
            affine.linear[static_cast<glm::length_t>(i % 3)][static_cast<glm::length_t>(i / 3)] =
                basis_[i][row];
        }
        affine.translation = {translation_[0][row], translation_[1][row], translation_[2][row]};
        return affine;
    }

    /// As rows of rigid families are placed.
    void set_rigid(std::size_t row, const Pose& pose) {
        basis_[0][row] = pose.rotation.x;
        basis_[1][row] = pose.rotation.y;
        basis_[2][row] = pose.rotation.z;
        basis_[3][row] = pose.rotation.w;
        for (std::size_t i = 0; i < 3; ++i) {
            translation_[i][row] = pose.position[static_cast<glm::length_t>(i)];
        }
    }

    [[nodiscard]] Affine get_rigid(std::size_t row) const {
        return to_affine(
            {.position = {translation_[0][row], translation_[1][row], translation_[2][row]},
             .rotation = {basis_[3][row], basis_[0][row], basis_[1][row], basis_[2][row]}});
    }

    [[nodiscard]] WorldTarget target() {
        WorldTarget target;
        for (std::size_t i = 0; i < 9; ++i) {
            target.basis[i] = basis_[i].data();
        }
        for (std::size_t i = 0; i < 3; ++i) {
            target.translation[i] = translation_[i].data();
        }
        return target;
    }

private:
    Column<float> basis_[9];
    Column<double> translation_[3];
};

/// Poses and velocities from a seed.
class RandomPoses {
public:
    explicit RandomPoses(std::uint32_t seed) : rng_(seed) {}

    double draw(double size) { return size * uniform_(rng_); }

    glm::dvec3 draw_vector(double size) { return {draw(size), draw(size), draw(size)}; }

    glm::quat draw_rotation() {
        const glm::dquat q(normal_(rng_), normal_(rng_), normal_(rng_), normal_(rng_));
        return normalised(glm::quat(q));
    }

    Pose draw_pose() { return {draw_vector(100.0), draw_rotation(), glm::vec3(1.0F)}; }

    std::mt19937& rng() { return rng_; }

private:
    std::mt19937 rng_;
    std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
    std::normal_distribution<double> normal_;
};

inline glm::dquat to_double_unit(const glm::quat& q) {
    const glm::dquat wide(q.w, q.x, q.y, q.z);
    return wide / glm::length(wide);
}

/// The angle between two rotations in double precision, small ones included.
inline double angle_between(const glm::dquat& a, const glm::quat& b) {
    const glm::dquat turn = a * glm::conjugate(to_double_unit(b));
    return 2.0 * std::asin(std::min(1.0, std::hypot(turn.x, turn.y, turn.z)));
}

template <class T>
bool same_bits(const T& a, const T& b) {
    // Bits are what is asked for: -0 is not 0 here.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

inline bool same_bits(const Pose& a, const Pose& b) {
    return same_bits(a.position, b.position) && same_bits(a.rotation, b.rotation) &&
           same_bits(a.scale, b.scale);
}

inline bool is_finite(const Pose& pose) {
    return check(pose) == PoseStatus::Ok;
}

/// Everything that a blend needs, for tests that change a part of it.
struct BlendRows {
    explicit BlendRows(std::size_t rows)
        : row_count(rows),
          from(rows),
          to(rows),
          out(rows),
          from_velocity(rows),
          to_velocity(rows),
          world(rows),
          scaled(round_to_blocks(rows) / kBlockRows),
          hermite(scaled.size()),
          look(scaled.size()),
          below(scaled.size()),
          above(scaled.size()) {}

    [[nodiscard]] BlendBatch batch(double t) {
        BlendBatch batch;
        batch.from = from.source();
        batch.to = to.source();
        batch.from_velocity = from_velocity.source();
        batch.to_velocity = to_velocity.source();
        batch.out = out.target();
        batch.t = t;
        batch.duration_s = duration_s;
        batch.weights = fit_slerp_weights(t);
        batch.scaled = scaled.data();
        batch.hermite = hermite.data();
        batch.spin = has_spin ? hermite.data() : nullptr;
        batch.look = look.data();
        batch.row_count = row_count;
        batch.below = below.data();
        batch.above = above.data();
        batch.world = world.target();
        return batch;
    }

    void blend(double t) { run(batch(t)); }
    void run(const BlendBatch& batch) const { blend_blocks(batch, 0, scaled.size()); }

    [[nodiscard]] bool is_looked_at(std::size_t row) const { return is_set(look, row); }
    [[nodiscard]] static bool is_set(const std::vector<std::uint64_t>& mask, std::size_t row) {
        return ((mask[row / kBlockRows] >> (row % kBlockRows)) & 1U) != 0;
    }
    static void set_bit(std::vector<std::uint64_t>& mask, std::size_t row) {
        mask[row / kBlockRows] |= std::uint64_t{1} << (row % kBlockRows);
    }

    std::size_t row_count;
    double duration_s = 1.0 / 60.0;
    PoseRows from;
    PoseRows to;
    PoseRows out;
    VelocityRows from_velocity;
    VelocityRows to_velocity;
    WorldRows world;
    std::vector<std::uint64_t> scaled;
    std::vector<std::uint64_t> hermite;
    bool has_spin = true; ///< Those follow angular velocities as well.
    std::vector<std::uint64_t> look;
    std::vector<std::uint64_t> below;
    std::vector<std::uint64_t> above;
};

} // namespace glissade::test
