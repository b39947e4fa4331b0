// SPDX-License-Identifier: MIT
#include "glissade/remote/sequence.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

TEST(Sequence, TheNextStampIsNewerAlsoAcrossTheWrap) {
    EXPECT_TRUE(is_newer(1, 0));
    EXPECT_TRUE(is_newer(0, 0xFFFF));
    EXPECT_TRUE(is_newer(3, 0xFFFE));
    EXPECT_FALSE(is_newer(0, 1));
    EXPECT_FALSE(is_newer(0xFFFF, 0));
}

TEST(Sequence, EqualIsNeitherNewerNorOlder) {
    for (const int stamp : {0, 1, 0x7FFF, 0x8000, 0xFFFF}) {
        const auto value = static_cast<std::uint16_t>(stamp);
        EXPECT_FALSE(is_newer(value, value));
        EXPECT_FALSE(is_older(value, value));
    }
}

TEST(Sequence, HalfOfTheCircleIsTheLimit) {
    EXPECT_TRUE(is_newer(0x7FFF, 0));
    EXPECT_FALSE(is_newer(0x8001, 0));
    EXPECT_TRUE(is_older(0x8001, 0));
}

TEST(Sequence, AtExactlyHalfTheSmallerNumberIsNewerBothWays) {
    EXPECT_TRUE(is_newer(0, 0x8000));
    EXPECT_FALSE(is_newer(0x8000, 0));
    EXPECT_TRUE(is_newer(0x7FFF, 0xFFFF));
    EXPECT_FALSE(is_newer(0xFFFF, 0x7FFF));
}

TEST(Sequence, OlderIsNewerWithTheTwoSwapped) {
    for (const int gap : {1, 2, 0x7FFF, 0x8000, 0x8001, 0xFFFF}) {
        const auto stored = static_cast<std::uint16_t>(40'000);
        const auto incoming = static_cast<std::uint16_t>(stored + gap);
        EXPECT_EQ(is_older(incoming, stored), is_newer(stored, incoming));
        EXPECT_NE(is_older(incoming, stored), is_newer(incoming, stored));
    }
}

TEST(Sequence, OnlyANewerStampIsStored) {
    std::uint16_t stored = 0xFFFF;
    EXPECT_FALSE(accept_newer(stored, 0xFFFF));
    EXPECT_FALSE(accept_newer(stored, 0xFFFE));
    EXPECT_EQ(stored, 0xFFFF);
    EXPECT_TRUE(accept_newer(stored, 2));
    EXPECT_EQ(stored, 2);
}

} // namespace
} // namespace glissade
