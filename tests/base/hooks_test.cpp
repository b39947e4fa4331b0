// SPDX-License-Identifier: MIT
// Checks the macro in its active form, whatever the build type.
#undef GLISSADE_ENABLE_ASSERT
#define GLISSADE_ENABLE_ASSERT 1
#include "glissade/base/hooks.h"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>

namespace glissade {
namespace {

struct Report {
    std::string condition;
    std::string file;
    int line = 0;
    int call_count = 0;
};

Report& last_report() {
    static Report report;
    return report;
}

void record(const char* condition, const char* file, int line) {
    last_report() = {condition, file, line, last_report().call_count + 1};
}

class Hooks : public testing::Test {
protected:
    void SetUp() override { last_report() = {}; }
    void TearDown() override {
        set_assert_handler(nullptr);
        set_out_of_memory_handler(nullptr);
    }
};

TEST_F(Hooks, AFalseConditionReachesTheHandlerWithItsTextAndPlace) {
    set_assert_handler(record);
    const int zero = 0;
    const int line = __LINE__ + 1;
    GLISSADE_ASSERT(zero > 0);
    EXPECT_EQ(last_report().condition, "zero > 0");
    EXPECT_EQ(last_report().file, __FILE__);
    EXPECT_EQ(last_report().line, line);
    EXPECT_EQ(last_report().call_count, 1);
}

TEST_F(Hooks, ATrueConditionIsEvaluatedOnceAndReportsNothing) {
    set_assert_handler(record);
    int count = 0;
    const auto increment = [&count] { return ++count; };
    GLISSADE_ASSERT(increment() == 1);
    EXPECT_EQ(count, 1);
    EXPECT_EQ(last_report().call_count, 0);
}

TEST_F(Hooks, AHandlerThatReturnsLetsTheCallGoOn) {
    set_assert_handler(record);
    detail::assert_failed("first", "file", 1);
    detail::assert_failed("second", "file", 2);
    EXPECT_EQ(last_report().condition, "second");
    EXPECT_EQ(last_report().call_count, 2);
}

#if GTEST_HAS_DEATH_TEST
using HooksDeathTest = Hooks;

TEST_F(HooksDeathTest, TheDefaultAssertHandlerNamesTheConditionAndAborts) {
    EXPECT_DEATH(detail::assert_failed("rate > 0", "some_file.cpp", 42),
                 "some_file.cpp:42: glissade: .*rate > 0");
}

TEST_F(HooksDeathTest, NullRestoresTheDefaultHandlers) {
    set_assert_handler(record);
    set_assert_handler(nullptr);
    set_out_of_memory_handler([](std::size_t) {});
    set_out_of_memory_handler(nullptr);
    EXPECT_DEATH(detail::assert_failed("condition", "file", 1), "condition");
    EXPECT_DEATH(detail::out_of_memory(123), "out of memory: 123 bytes");
}

TEST_F(HooksDeathTest, OutOfMemoryAbortsEvenIfItsHandlerReturns) {
    set_out_of_memory_handler([](std::size_t) {});
    EXPECT_DEATH(detail::out_of_memory(1), "");
}
#endif

} // namespace
} // namespace glissade
