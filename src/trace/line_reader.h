// SPDX-License-Identifier: MIT
// What the readers of traces and of drawn frames share: text in, checked lines out, first error
// kept.
#pragma once

#include "glissade/trace/trace_reader.h"

#include "trace/line_parser.h"
#include "trace/line_splitter.h"

#include <string>
#include <string_view>
#include <vector>

namespace glissade::detail {

class LineReader {
public:
    LineReader(const TraceReaderConfig& config, const LineSchema& schema);

    void push(std::string_view text);
    void finish() noexcept;
    /// Parses the next line: then kind, fields and text are in parser().
    [[nodiscard]] TraceRead next(std::vector<TracePose>& poses, std::vector<std::int64_t>& gone);
    /// Stops at the line that was read last.
    [[nodiscard]] TraceRead refuse(TraceProblem problem, std::string cause);

    [[nodiscard]] const LineParser& parser() const noexcept { return parser_; }
    [[nodiscard]] const TraceError& error() const noexcept { return error_; }
    [[nodiscard]] std::int64_t line_number() const noexcept { return splitter_.line_number(); }

private:
    TraceReaderConfig config_;
    LineSplitter splitter_;
    LineParser parser_;
    TraceError error_;
    bool finished_ = false;
};

} // namespace glissade::detail
