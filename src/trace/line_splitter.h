// SPDX-License-Identifier: MIT
// Cuts text that arrives in pieces into lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glissade::detail {

enum class Split : std::uint8_t {
    Line,
    NeedText,
    End,
    TooLong, ///< Longer than the limit; line_number() says which.
    Empty,   ///< Empty or blank, and not at the end; line_number() says which.
};

/// Lines end with \n or \r\n, the last one also with the text. Blank lines at the end are left out.
///
/// Thread safety: one thread at a time. Allocates: while the text that waits grows. Cost: each byte
/// is copied once, moved at most once on average, and looked at once.
class LineSplitter {
public:
    /// `max_line_bytes` counts without the line end.
    explicit LineSplitter(std::size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

    void push(std::string_view text);
    void finish() noexcept { finished_ = true; }
    /// The next line, without its end, into `line`: valid until the next call of push().
    [[nodiscard]] Split next(std::string_view& line);
    /// Of the line that next() spoke of last, from 1.
    [[nodiscard]] std::int64_t line_number() const noexcept { return line_number_; }

private:
    [[nodiscard]] Split cut(std::string_view& line);

    std::size_t max_line_bytes_;
    std::string buffer_;
    std::size_t begin_ = 0;   // Of the line that comes next; what is before it was read.
    std::size_t scanned_ = 0; // No line end between begin_ and here.
    std::int64_t line_number_ = 0;
    std::int64_t blank_line_ = 0; // The first of the blank lines just read; 0 for none.
    bool finished_ = false;
};

} // namespace glissade::detail
