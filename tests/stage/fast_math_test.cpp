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

std::vector<Pose> make_wrong() {
    std::vector<Pose> wrong(5);
    wrong[0].position.y = kNan;
    wrong[1].position.x = kMinusNan;
    wrong[2].position.z = kInfinity;
    wrong[3].rotation.w = kNanF;
    wrong[4].rotation.x = kInfinityF;
    return wrong;
}

/// Every object is told wrongly, then rightly: the wrong one is the next of the run.
void run_tick(Stage& stage, const Tick& tick, const std::vector<Id>& ids) {
    const std::vector<Pose> wrong = make_wrong();
    for (std::size_t number = 0; number < ids.size(); ++number) {
        const std::size_t kind = number % wrong.size();
        EXPECT_EQ(stage.move(tick, ids[number], wrong[kind]),
                  kind < 3 ? StageStatus::BadPosition : StageStatus::BadRotation);
        const Pose right{.position = {static_cast<double>(number + 1), 0.0, 0.0}};
        EXPECT_EQ(stage.move(tick, ids[number], right), StageStatus::Ok);
    }
}

TEST(FastMath, WhatIsNotFiniteIsRefusedInTheMiddleOfARun) {
    Stage stage({.capacity = 64});
    std::vector<Id> ids(60);
    for (Id& id : ids) {
        id = stage.add({});
    }
    for (std::int64_t index = 1; index <= 4; ++index) {
        run_tick(stage, {.index = index, .time_ns = 20 * index, .duration_ns = 20}, ids);
        EXPECT_EQ(stage.present({.time_ns = 20 * index - 7, .now_ns = 20 * index}),
                  StageStatus::Ok);
    }
    for (std::size_t number = 0; number < ids.size(); ++number) {
        EXPECT_EQ(stage.logical(ids[number]).position.x, static_cast<double>(number + 1));
    }
}

} // namespace
} // namespace glissade::testing
