// SPDX-License-Identifier: MIT
#include "glissade/time/rate.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

TEST(Rate, IsSixtyHertzByDefault) {
    EXPECT_TRUE(Rate{}.is_valid());
    EXPECT_EQ(Rate{}.period_ns(), 16'666'666);
    EXPECT_EQ(Rate{}.period_s(), 1.0 / 60.0);
}

TEST(Rate, NtscIsAFraction) {
    const Rate ntsc{30000, 1001};
    EXPECT_TRUE(ntsc.is_valid());
    EXPECT_EQ(ntsc.period_ns(), 33'366'666);
    EXPECT_EQ(ntsc.period_s(), 1001.0 / 30000.0);
}

TEST(Rate, BothEndsOfTheRangeAreValidAndWhatLiesBeyondIsNot) {
    EXPECT_TRUE((Rate{1'000'000, 1}.is_valid()));
    EXPECT_FALSE((Rate{1'000'001, 1}.is_valid()));
    EXPECT_TRUE((Rate{1, 1000}.is_valid()));
    EXPECT_FALSE((Rate{1, 1001}.is_valid()));
    EXPECT_TRUE((Rate{1'000'000'000, 1'000'000'000}.is_valid()));
    EXPECT_FALSE((Rate{1'000'000'001, 1'000'000'000}.is_valid()));
    EXPECT_FALSE((Rate{1'000'000'000, 1'000'000'001}.is_valid()));
}

TEST(Rate, ZeroAndNegativePartsAreInvalidAndHaveNoPeriod) {
    for (const Rate rate : {Rate{0, 1}, Rate{60, 0}, Rate{-60, 1}, Rate{60, -1}, Rate{-60, -1}}) {
        EXPECT_FALSE(rate.is_valid());
        EXPECT_EQ(rate.period_ns(), 0);
        EXPECT_EQ(rate.period_s(), 0.0);
    }
}

} // namespace
} // namespace glissade
