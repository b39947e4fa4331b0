// SPDX-License-Identifier: MIT
// The columns of a mover table by themselves.
#include "stage/mover_columns.h"

#include <cmath>

#include <glm/ext/quaternion_geometric.hpp>
#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

TEST(MoverColumns, UnusedRowsTurnAsUsualBetweenNeighbouringStates) {
    for (std::size_t history = 2; history <= 64; ++history) {
        const MoverColumns columns(kBlockRows, history);
        columns.clear_block(0);
        for (std::size_t place = 0; place < history; ++place) {
            const Pose from = load_pose(columns.state(place).pose, kBlockRows - 1);
            const Pose to = load_pose(columns.state((place + 1) % history).pose, kBlockRows - 1);
            const float dot = std::abs(glm::dot(from.rotation, to.rotation));
            EXPECT_GT(dot, kUsualDot) << place << " of " << history;
            EXPECT_LT(dot, 1.0F - kUsualDot) << place << " of " << history;
        }
    }
}

} // namespace
} // namespace glissade::testing
