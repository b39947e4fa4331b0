// SPDX-License-Identifier: MIT
#include "trace/line_reader.h"

#include "glissade/base/hooks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace glissade::detail {
namespace {

TraceReaderConfig checked(TraceReaderConfig config) noexcept {
    GLISSADE_ASSERT(config.max_line_bytes >= 1);
    config.max_line_bytes = std::max(config.max_line_bytes, std::size_t{1});
    return config;
}

} // namespace

LineReader::LineReader(const TraceReaderConfig& config, const LineSchema& schema)
    : config_(checked(config)), splitter_(config_.max_line_bytes), parser_(schema) {}

void LineReader::push(std::string_view text) {
    if (!finished_ && error_.problem == TraceProblem::None) {
        splitter_.push(text);
    }
}

void LineReader::finish() noexcept {
    finished_ = true;
    splitter_.finish();
}

TraceRead LineReader::refuse(TraceProblem problem, std::string cause) {
    error_.problem = problem;
    error_.line = std::max(splitter_.line_number(), std::int64_t{1});
    error_.cause = std::move(cause);
    return TraceRead::Error;
}

TraceRead LineReader::next(std::vector<TracePose>& poses, std::vector<std::int64_t>& gone) {
    if (error_.problem != TraceProblem::None) {
        return TraceRead::Error;
    }
    std::string_view text;
    switch (splitter_.next(text)) {
        case Split::Line:
            break;
        case Split::NeedText:
            return TraceRead::NeedText;
        case Split::End:
            return TraceRead::End;
        case Split::TooLong:
            return refuse(TraceProblem::LineTooLong,
                          fmt::format("the line is longer than {} bytes", config_.max_line_bytes));
        case Split::Empty:
            return refuse(TraceProblem::NotJson, "the line is empty, and more lines follow");
    }
    if (!parser_.parse(text, poses, gone)) {
        return refuse(parser_.fault().problem, parser_.fault().cause);
    }
    return TraceRead::Line;
}

} // namespace glissade::detail
