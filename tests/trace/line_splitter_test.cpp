// SPDX-License-Identifier: MIT
#include "trace/line_splitter.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::detail {
namespace {

constexpr std::size_t kLongest = 1000;

std::vector<std::string> lines_of(std::string_view text, std::size_t piece_bytes) {
    LineSplitter splitter(kLongest);
    std::vector<std::string> lines;
    std::string_view line;
    while (!text.empty()) {
        splitter.push(text.substr(0, piece_bytes));
        text.remove_prefix(std::min(piece_bytes, text.size()));
        while (splitter.next(line) == Split::Line) {
            lines.emplace_back(line);
        }
    }
    splitter.finish();
    while (splitter.next(line) == Split::Line) {
        lines.emplace_back(line);
    }
    EXPECT_EQ(splitter.next(line), Split::End);
    return lines;
}

TEST(LineSplitter, PiecesOfAnySizeGiveTheSameLines) {
    for (std::size_t piece = 1; piece < 20; ++piece) {
        EXPECT_EQ(lines_of("one\ntwo\r\nx\nthree", piece),
                  (std::vector<std::string>{"one", "two", "x", "three"}));
        EXPECT_EQ(lines_of("one\n\r\n  \n", piece), std::vector<std::string>{"one"});
        EXPECT_TRUE(lines_of("\n\n", piece).empty());
    }
}

TEST(LineSplitter, AnEmptyLineBeforeAnotherIsReportedWithItsNumber) {
    LineSplitter splitter(kLongest);
    splitter.push("a\n\n\nb\n");
    std::string_view line;
    EXPECT_EQ(splitter.next(line), Split::Line);
    EXPECT_EQ(splitter.next(line), Split::Empty);
    EXPECT_EQ(splitter.line_number(), 2);
}

TEST(LineSplitter, TheLimitCountsWithoutTheLineEnd) {
    LineSplitter splitter(3);
    std::string_view line;
    splitter.push("abc\r\nabcd");
    EXPECT_EQ(splitter.next(line), Split::Line);
    EXPECT_EQ(line, "abc");
    EXPECT_EQ(splitter.next(line), Split::TooLong);
    EXPECT_EQ(splitter.line_number(), 2);
}

// Quadratic work would move 20 GB here. In WebAssembly the tests have 16 MB of memory.
TEST(LineSplitter, TheCostIsLinear) {
    LineSplitter many(kLongest);
    std::string_view line;
    const std::string text = std::string(99, 'x') + "\n";
    std::size_t line_count = 0;
    for (int i = 0; i < 20'000; ++i) {
        many.push(text);
        // Falls behind by half of the text, so that a long rest waits.
        line_count += i % 2 == 0 && many.next(line) == Split::Line ? 1U : 0U;
    }
    while (many.next(line) == Split::Line) {
        ++line_count;
    }
    EXPECT_EQ(line_count, 20'000U);

    LineSplitter one(std::size_t{2} << 20U);
    for (int i = 0; i < 500'000; ++i) {
        one.push("x");
        ASSERT_EQ(one.next(line), Split::NeedText);
    }
    one.push("\n");
    ASSERT_EQ(one.next(line), Split::Line);
    EXPECT_EQ(line.size(), 500'000U);
}

} // namespace
} // namespace glissade::detail
