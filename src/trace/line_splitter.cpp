// SPDX-License-Identifier: MIT
#include "trace/line_splitter.h"

namespace glissade::detail {

void LineSplitter::push(std::string_view text) {
    // Only when at least half was read: so a byte moves at most once for each byte that was read.
    if (begin_ > 0 && begin_ >= buffer_.size() / 2) {
        buffer_.erase(0, begin_);
        scanned_ -= begin_;
        begin_ = 0;
    }
    buffer_.append(text);
}

Split LineSplitter::next(std::string_view& line) {
    for (;;) {
        const Split split = cut(line);
        if (split != Split::Line) {
            return split;
        }
        const bool is_blank = line.find_first_not_of(" \t") == std::string_view::npos;
        if (!is_blank && blank_line_ != 0) {
            line_number_ = blank_line_;
            return Split::Empty;
        }
        if (!is_blank) {
            return Split::Line;
        }
        blank_line_ = blank_line_ != 0 ? blank_line_ : line_number_;
    }
}

Split LineSplitter::cut(std::string_view& line) {
    const std::size_t found = buffer_.find('\n', scanned_);
    const bool has_end = found != std::string::npos;
    const std::size_t end = has_end ? found : buffer_.size();
    scanned_ = end;
    line = std::string_view(buffer_).substr(begin_, end - begin_);
    if (!line.empty() && line.back() == '\r') {
        line.remove_suffix(1);
    }
    if (line.size() > max_line_bytes_) {
        ++line_number_;
        return Split::TooLong;
    }
    if (!has_end && !finished_) {
        return Split::NeedText;
    }
    if (!has_end && begin_ == end) {
        return Split::End;
    }
    begin_ = has_end ? end + 1 : end;
    scanned_ = begin_;
    ++line_number_;
    return Split::Line;
}

} // namespace glissade::detail
