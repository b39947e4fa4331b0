// SPDX-License-Identifier: MIT
// What is inline is judged rightly in programs that are compiled with -ffast-math, as this one is.
// An executable of its own.
#include "glissade/stage/stage.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

/// By its bits: such a compiler may do as it likes with a NaN that it knows.
template <class Value, class Word>
Value make(Word word) {
    Value value{};
    std::memcpy(&value, &word, sizeof value);
    return value;
}

const double kNan = make<double>(std::uint64_t{0x7FF8000000000000});
const double kMinusNan = make<double>(std::uint64_t{0xFFF8000000000001});
const double kInfinity = make<double>(std::uint64_t{0x7FF0000000000000});
const float kNanF = make<float>(std::uint32_t{0x7FC00000});
const float kInfinityF = make<float>(std::uint32_t{0xFF800000});

TEST(FastMath, WhatIsNotFiniteIsRefusedInTheMiddleOfARun) {
    std::vector<Pose> wrong(5);
    wrong[0].position.y = kNan;
    wrong[1].position.x = kMinusNan;
    wrong[2].position.z = kInfinity;
    wrong[3].rotation.w = kNanF;
    wrong[4].rotation.x = kInfinityF;
    Stage stage({.capacity = 64});
    std::vector<Id> ids(60);
    for (Id& id : ids) {
        id = stage.add({});
    }
    for (std::int64_t index = 1; index <= 4; ++index) {
        const Tick tick{.index = index, .time_ns = 20 * index, .duration_ns = 20};
        for (std::size_t number = 0; number < ids.size(); ++number) {
            const Pose right{.position = {static_cast<double>(number + 1), 0.0, 0.0}};
            EXPECT_EQ(stage.move(tick, ids[number], right), StageStatus::Ok);
            const StageStatus status = stage.move(tick, ids[number], wrong[number % wrong.size()]);
            EXPECT_EQ(status, number % wrong.size() < 3 ? StageStatus::BadPosition
                                                        : StageStatus::BadRotation);
            // The next one of the run is wrong itself.
            if (number + 1 < ids.size()) {
                EXPECT_NE(stage.move(tick, ids[number + 1], wrong[number % wrong.size()]),
                          StageStatus::Ok);
            }
        }
        EXPECT_EQ(stage.present({.time_ns = 20 * index, .now_ns = 20 * index}), StageStatus::Ok);
    }
    for (std::size_t number = 0; number < ids.size(); ++number) {
        EXPECT_EQ(stage.logical(ids[number]).position.x, static_cast<double>(number + 1));
    }
}

} // namespace
} // namespace glissade::testing
