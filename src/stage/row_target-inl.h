// SPDX-License-Identifier: MIT
// Where poses go in columns, and single ones on their way there. Included once for each target.
#if defined(GLISSADE_STAGE_ROW_TARGET_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_ROW_TARGET_INL_H
#undef GLISSADE_STAGE_ROW_TARGET_INL_H
#else
#define GLISSADE_STAGE_ROW_TARGET_INL_H
#endif

#include "stage/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

/// The columns of positions and rotations from some row on.
struct RowTarget {
    double* position[3];
    float* rotation[4];
};

HWY_INLINE RowTarget find_row(const PoseTarget& out, std::size_t row) {
    return {{out.position[0] + row, out.position[1] + row, out.position[2] + row},
            {out.rotation[0] + row, out.rotation[1] + row, out.rotation[2] + row,
             out.rotation[3] + row}};
}

HWY_INLINE void store_one(const Pose& pose, const RowTarget& out, std::size_t row) {
    out.position[0][row] = pose.position.x;
    out.position[1][row] = pose.position.y;
    out.position[2][row] = pose.position.z;
    out.rotation[0][row] = pose.rotation.x;
    out.rotation[1][row] = pose.rotation.y;
    out.rotation[2][row] = pose.rotation.z;
    out.rotation[3][row] = pose.rotation.w;
}

// What is_unit() is finite and not zero.
HWY_INLINE bool is_plain_one(const Pose& pose) {
    const auto is_within = [](double value) {
        return -kMaxPosition <= value && value <= kMaxPosition;
    };
    return is_within(pose.position.x) && is_within(pose.position.y) && is_within(pose.position.z) &&
           is_unit(pose.rotation) && pose.scale == glm::vec3(1.0F);
}

static_assert(sizeof(Pose) == 56 && offsetof(Pose, rotation) == 24 && offsetof(Pose, scale) == 40);

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
