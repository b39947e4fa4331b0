// SPDX-License-Identifier: MIT
#include "glissade/time/clock_status.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

TEST(ClockStatus, EveryValueHasItsName) {
    EXPECT_STREQ(to_string(ClockStatus::Ok), "Ok");
    EXPECT_STREQ(to_string(ClockStatus::Started), "Started");
    EXPECT_STREQ(to_string(ClockStatus::TimeWentBack), "TimeWentBack");
    EXPECT_STREQ(to_string(ClockStatus::AbsurdTime), "AbsurdTime");
    EXPECT_STREQ(to_string(ClockStatus::Discarded), "Discarded");
    EXPECT_STREQ(to_string(static_cast<ClockStatus>(99)), "unknown");
}

} // namespace
} // namespace glissade
