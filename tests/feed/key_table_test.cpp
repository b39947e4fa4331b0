// SPDX-License-Identifier: MIT
#include "feed/key_table.h"

#include <cstdint>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace glissade {
namespace {

TEST(KeyTable, FindsWhatWasSetAndNothingElse) {
    KeyTable table(4);
    EXPECT_FALSE(table.find(0).has_value());
    table.set(0, 3);
    table.set(~std::uint64_t{0}, 1);
    EXPECT_EQ(table.find(0), 3U);
    EXPECT_EQ(table.find(~std::uint64_t{0}), 1U);
    EXPECT_FALSE(table.find(1).has_value());
    table.set(0, 2);
    EXPECT_EQ(table.find(0), 2U);
    table.remove(0);
    table.remove(0);
    EXPECT_FALSE(table.find(0).has_value());
}

// Keys that share homes, added and removed at random, against a map of the standard library.
TEST(KeyTable, AgreesWithAMapThroughManyChanges) {
    constexpr std::size_t kCapacity = 50;
    KeyTable table(kCapacity);
    std::map<std::uint64_t, std::uint32_t> expected;
    std::mt19937_64 random(1);
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t key = random() % 80;
        if (random() % 2 == 0 && expected.size() < kCapacity) {
            const auto row = static_cast<std::uint32_t>(random() % 1000);
            table.set(key, row);
            expected[key] = row;
        } else {
            table.remove(key);
            expected.erase(key);
        }
        const std::uint64_t asked = random() % 80;
        const auto found = expected.find(asked);
        ASSERT_EQ(table.find(asked).has_value(), found != expected.end());
        if (found != expected.end()) {
            ASSERT_EQ(*table.find(asked), found->second);
        }
    }
}

} // namespace
} // namespace glissade
