// SPDX-License-Identifier: MIT
// What is written and read again keeps every bit, in every locale.
#include "glissade/trace/trace_reader.h"
#include "glissade/trace/trace_writer.h"

#include "fuzz/trace_property.h"
#include "trace/read_back.h"

#include <clocale>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

std::uint64_t bits_of(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

constexpr double kSpecial[] = {
    0.0,
    -0.0,
    0.1,
    -0.1,
    1.0 / 3.0,
    1e15,
    1e16,
    1e22,
    1e23,
    123456789012345680.0,
    9007199254740993.0,
    18446744073709551616.0,
    -9223372036854775808.0,
    5e-324,
    -5e-324,
    2.2250738585072011e-308, // Largest denormal; the number that hung PHP and Java.
    2.2250738585072014e-308,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    std::numeric_limits<double>::epsilon(),
    6.02214076e23,
};

void expect_same_bits(double value) {
    std::string text;
    ASSERT_EQ(append_line(text, TraceHeader{}), TraceWrite::Ok);
    ASSERT_EQ(append_line(text, TraceTruth{.position = {value, 0.0, value}}), TraceWrite::Ok);
    const auto read = read_trace(text);
    ASSERT_EQ(read.lines.size(), 2U) << read.error.cause << "\n" << text;
    EXPECT_EQ(bits_of(read.lines[1].truth.position.x), bits_of(value)) << text;
    EXPECT_EQ(bits_of(read.lines[1].truth.position.z), bits_of(value)) << text;
    EXPECT_EQ(write(read.lines), text);
}

TEST(RoundTrip, SpecialNumbersKeepEveryBit) {
    for (const double value : kSpecial) {
        expect_same_bits(value);
    }
}

TEST(RoundTrip, EveryPowerOfTwoKeepsEveryBit) {
    for (double value = 5e-324; value < 1e308; value *= 2.0) {
        expect_same_bits(value);
        expect_same_bits(-value);
    }
}

// NOLINTBEGIN(concurrency-mt-unsafe): this program has one thread, and the locale is what it tests.

/// Sets the locale of C for a scope.
class ScopedLocale {
public:
    explicit ScopedLocale(const char* name) : before_(std::setlocale(LC_ALL, nullptr)) {
        is_set_ = std::setlocale(LC_ALL, name) != nullptr;
    }
    ~ScopedLocale() { std::setlocale(LC_ALL, before_.c_str()); }
    ScopedLocale(const ScopedLocale&) = delete;
    ScopedLocale& operator=(const ScopedLocale&) = delete;
    ScopedLocale(ScopedLocale&&) = delete;
    ScopedLocale& operator=(ScopedLocale&&) = delete;

    [[nodiscard]] bool is_set() const noexcept { return is_set_; }

private:
    std::string before_;
    bool is_set_ = false;
};

// The build makes this locale with localedef where the system has the sources of locales.
TEST(RoundTrip, ADecimalCommaInTheLocaleChangesNothing) {
    const ScopedLocale locale("de_DE.UTF-8");
    if (!locale.is_set() || std::strcmp(std::localeconv()->decimal_point, ",") != 0) {
        GTEST_SKIP() << "no locale de_DE.UTF-8 here: install the package locales";
    }
    for (const double value : kSpecial) {
        expect_same_bits(value);
    }
    std::string text;
    ASSERT_EQ(append_line(text, TraceTruth{.time_ns = 1'234'567, .position = {1234567.5, 0, 0}}),
              TraceWrite::Ok);
    EXPECT_EQ(text, "{\"truth\":1234567,\"id\":0,\"p\":[1234567.5,0,0]}\n");
}

// NOLINTEND(concurrency-mt-unsafe)

TEST(RoundTrip, AForeignTraceKeepsEveryValue) {
    const auto first = read_trace(
        "{ \"trace\": 1, \"name\": \"\\u0041\\/\", \"source\": \"local\", \"tick_ns\": 1 }\n"
        "{\"poses\": [ {\"p\": [1.0, 1E2, 0.1000000000000000055511151231257827], \"id\": -0} ],"
        " \"paused\": false, \"gone\": [], \"tick\": 1, \"sim\": 0, \"arrive\": 0}\n");
    ASSERT_EQ(first.lines.size(), 2U) << first.error.cause;
    const std::string text = write(first.lines);
    EXPECT_EQ(text,
              "{\"trace\":1,\"name\":\"A/\",\"source\":\"local\",\"tick_ns\":1}\n"
              "{\"tick\":1,\"sim\":0,\"arrive\":0,\"poses\":[{\"id\":0,\"p\":[1,100,0.1]}]}\n");
    EXPECT_TRUE(has_same_lines(read_trace(text).lines, first.lines));
}

// The fuzzer's inputs, in every ordinary run.
TEST(RoundTrip, TheCorpusOfTheFuzzerHoldsTheProperty) {
    std::size_t file_count = 0;
    std::size_t accepted_count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(GLISSADE_TEST_FOLDER "/fuzz/corpus")) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        EXPECT_EQ(broken_property(bytes), "") << entry.path();
        accepted_count += read_trace(bytes).error.problem == TraceProblem::None ? 1U : 0U;
        ++file_count;
    }
    EXPECT_GE(file_count, 20U);
    EXPECT_GE(accepted_count, 10U);
}

} // namespace
} // namespace glissade::testing
