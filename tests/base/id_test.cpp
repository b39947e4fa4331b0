// SPDX-License-Identifier: MIT
#include "glissade/base/id.h"

#include <cstdint>
#include <limits>
#include <set>
#include <type_traits>
#include <unordered_map>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();

static_assert(sizeof(Id) == 8 && std::is_trivially_copyable_v<Id>);

TEST(Id, KeysAnUnorderedMapByBothItsParts) {
    std::unordered_map<Id, int> names{{Id{1, 1}, 11}, {Id{1, 2}, 12}, {Id{2, 1}, 21}};
    EXPECT_EQ(names.size(), 3U);
    EXPECT_EQ((names[Id{1, 2}]), 12);
    EXPECT_FALSE(names.contains(Id{2, 2}));
}

TEST(Id, ADefaultMadeIdIsNull) {
    constexpr Id kNull;
    static_assert(kNull.is_null() && !kNull);
    EXPECT_EQ(kNull.bits(), 0U);
    EXPECT_EQ(kNull, Id::from_bits(0));
}

TEST(Id, AnIdWithAnIndexIsNotNullWhateverItsGeneration) {
    EXPECT_FALSE((Id{1, 0}.is_null()));
    EXPECT_TRUE(static_cast<bool>(Id{1, 0}));
    EXPECT_TRUE((Id{0, 7}.is_null()));
}

TEST(Id, BitsHoldBothFieldsAndComeBack) {
    EXPECT_EQ((Id{0x89ABCDEFU, 0x01234567U}.bits()), 0x0123456789ABCDEFU);
    for (const Id id : {Id{}, Id{1, 0}, Id{0, 1}, Id{kMax, 0}, Id{0, kMax}, Id{kMax, kMax}}) {
        EXPECT_EQ(Id::from_bits(id.bits()), id);
    }
}

TEST(Id, IdsOfOneSlotDifferByGenerationAndAreOrdered) {
    EXPECT_NE((Id{3, 1}), (Id{3, 2}));
    EXPECT_LT((Id{3, 1}), (Id{3, 2}));
    EXPECT_LT((Id{3, 9}), (Id{4, 0}));
    const std::set<Id> ids = {{2, 0}, {1, 5}, {2, 0}, {1, 4}};
    EXPECT_EQ(ids.size(), 3U);
}

} // namespace
} // namespace glissade
