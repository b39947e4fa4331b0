// SPDX-License-Identifier: MIT
#include "glissade/trace/trace_reader.h"

#include "trace/line_reader.h"

#include <optional>

#include <fmt/format.h>

namespace glissade {
namespace {

using detail::DrawnKey;
using detail::Fields;

std::optional<std::int64_t> optional_integer(const Fields& fields, DrawnKey key) noexcept {
    return fields.has(key) ? std::optional(fields[key].integers[0]) : std::nullopt;
}

} // namespace

class DrawnReader::Impl {
public:
    explicit Impl(const TraceReaderConfig& config) : lines_(config, detail::drawn_schema()) {}

    [[nodiscard]] TraceRead next(DrawnFrame& frame) {
        const TraceRead read = lines_.next(poses_, gone_);
        if (read != TraceRead::Line) {
            return read;
        }
        const Fields& fields = lines_.parser().fields();
        frame.frame = fields[DrawnKey::Frame].integers[0];
        if (newest_frame_ && frame.frame <= *newest_frame_) {
            return lines_.refuse(
                TraceProblem::OutOfOrder,
                fmt::format("\"frame\" is {} after {}", frame.frame, *newest_frame_));
        }
        newest_frame_ = frame.frame;
        frame.sample_ns = optional_integer(fields, DrawnKey::Sample);
        frame.delay_ns = optional_integer(fields, DrawnKey::Delay);
        frame.state.reset();
        if (fields.has(DrawnKey::State)) {
            frame.state = static_cast<DrawnState>(fields[DrawnKey::State].integers[0]);
        }
        frame.poses.clear();
        for (const TracePose& pose : poses_) {
            frame.poses.push_back(
                {.id = pose.id, .position = pose.position, .rotation = pose.rotation});
        }
        return read;
    }

    [[nodiscard]] detail::LineReader& lines() noexcept { return lines_; }

private:
    detail::LineReader lines_;
    std::optional<std::int64_t> newest_frame_;
    std::vector<TracePose> poses_;
    std::vector<std::int64_t> gone_; // No key of a drawn frame fills it.
};

DrawnReader::DrawnReader(const TraceReaderConfig& config) : impl_(std::make_unique<Impl>(config)) {}
DrawnReader::~DrawnReader() = default;
DrawnReader::DrawnReader(DrawnReader&&) noexcept = default;
DrawnReader& DrawnReader::operator=(DrawnReader&&) noexcept = default;

void DrawnReader::push(std::string_view text) {
    impl_->lines().push(text);
}

void DrawnReader::finish() {
    impl_->lines().finish();
}

TraceRead DrawnReader::next(DrawnFrame& frame) {
    return impl_->next(frame);
}

const TraceError& DrawnReader::error() const noexcept {
    return impl_->lines().error();
}

std::int64_t DrawnReader::line_number() const noexcept {
    return impl_->lines().line_number();
}

} // namespace glissade
