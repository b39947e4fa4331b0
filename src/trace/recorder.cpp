// SPDX-License-Identifier: MIT
#include "glissade/trace/recorder.h"

#include "glissade/base/hooks.h"
#include "glissade/time/tick.h"
#include "glissade/trace/trace_reader.h"
#include "glissade/trace/trace_writer.h"

#include "base/column.h"
#include "trace/line_format.h"
#include "trace/line_order.h"

#include <algorithm>
#include <cstring>

namespace glissade {
namespace {

using detail::LineOrder;
using detail::LineSink;
using detail::OrderProblem;

constexpr std::size_t kMinBufferBytes = 4096;
// The shortest text of a pose with its comma: {"id":1,"p":[0,0,0]},
constexpr std::size_t kMinPoseBytes = 21;

bool is_time(std::int64_t time_ns) noexcept {
    return time_ns >= -kMaxTimeNs && time_ns <= kMaxTimeNs;
}

bool is_time(std::optional<std::int64_t> time_ns) noexcept {
    return !time_ns || is_time(*time_ns);
}

bool is_in_range(const TracePose& pose) noexcept {
    return pose.cut.value_or(0) >= 0 && (!pose.shift || pose.shift->count >= 0);
}

bool is_in_range(const DrawnPose& /*pose*/) noexcept {
    return true;
}

RecorderConfig checked(RecorderConfig config) {
    GLISSADE_ASSERT(config.buffer_bytes >= kMinBufferBytes);
    config.buffer_bytes = std::max(config.buffer_bytes, kMinBufferBytes);
    TraceHeader& header = config.header;
    const bool tick_in_range = !header.tick_ns || (*header.tick_ns > 0 && is_time(header.tick_ns));
    GLISSADE_ASSERT(tick_in_range);
    if (!tick_in_range) {
        header.tick_ns.reset();
    }
    const bool rate_in_range = !header.rate || header.rate->is_valid();
    GLISSADE_ASSERT(rate_in_range);
    if (!rate_in_range) {
        header.rate.reset();
    }
    return config;
}

/// Whole lines in memory of a fixed size.
class TextBuffer {
public:
    explicit TextBuffer(std::size_t size_bytes) noexcept : bytes_(size_bytes) {}

    /// The line that `format` writes, or nothing if it is not finite or does not fit.
    template <class Format>
    [[nodiscard]] RecordStatus add(const Format& format) noexcept {
        const std::size_t room = std::min(bytes_.capacity() - size_, kMaxLineBytes);
        LineSink sink(std::span(bytes_.data() + size_, room));
        format(sink);
        if (!sink.is_finite()) {
            return RecordStatus::NotFinite;
        }
        if (sink.is_full()) {
            return RecordStatus::Full;
        }
        size_ += sink.size();
        return RecordStatus::Ok;
    }

    [[nodiscard]] std::string_view text() const noexcept { return {bytes_.data(), size_}; }
    void clear() noexcept { size_ = 0; }

private:
    // Longer lines would not be read with the reader's defaults.
    static constexpr std::size_t kMaxLineBytes = TraceReaderConfig{}.max_line_bytes;

    Column<char> bytes_;
    std::size_t size_ = 0;
};

} // namespace

class Recorder::Impl {
public:
    Impl(const RecorderConfig& config, const std::string& header_line)
        : trace_(std::max(config.buffer_bytes, header_line.size())),
          drawn_(config.buffer_bytes),
          ids_(std::max(config.buffer_bytes, header_line.size()) / kMinPoseBytes + 1),
          order_(kMaxTruthIds) {
        order_.set_source(config.header.source);
        static_cast<void>(count(trace_.add([&](LineSink& sink) { sink.text(header_line); })));
    }

    [[nodiscard]] RecordStatus tick(const TraceTick& tick,
                                    std::span<const TracePose> poses) noexcept {
        const bool in_range = is_time(tick.sim_ns) && is_time(tick.arrive_ns) &&
                              is_time(tick.due_ns) && is_time(tick.stamp_ns) &&
                              !(tick.scale.value_or(0.0) < 0.0);
        const RecordStatus status = check_poses<TracePose>(in_range, tick.poses, poses);
        return record(status, tick, [&](LineSink& sink) { format_line(sink, tick, poses); });
    }

    [[nodiscard]] RecordStatus frame(const TraceFrame& frame) noexcept {
        const bool in_range = is_time(frame.cpu_ns) && is_time(frame.present_ns);
        return record(in_range ? RecordStatus::Ok : RecordStatus::OutOfRange, frame,
                      [&](LineSink& sink) { format_line(sink, frame); });
    }

    [[nodiscard]] RecordStatus truth(const TraceTruth& truth) noexcept {
        return record(is_time(truth.time_ns) ? RecordStatus::Ok : RecordStatus::OutOfRange, truth,
                      [&](LineSink& sink) { format_line(sink, truth); });
    }

    [[nodiscard]] RecordStatus packet(const TracePacket& packet) noexcept {
        const bool in_range = is_time(arrive_of(packet));
        return record(in_range ? RecordStatus::Ok : RecordStatus::OutOfRange, packet,
                      [&](LineSink& sink) { format_line(sink, packet); });
    }

    [[nodiscard]] RecordStatus drawn(const DrawnFrame& frame,
                                     std::span<const DrawnPose> poses) noexcept {
        const bool in_range = is_time(frame.sample_ns) && is_time(frame.delay_ns);
        RecordStatus status = check_poses<DrawnPose>(in_range, frame.poses, poses);
        if (status == RecordStatus::Ok && drawn_frame_ && frame.frame <= *drawn_frame_) {
            status = RecordStatus::OutOfOrder;
        }
        if (status == RecordStatus::Ok) {
            status = drawn_.add([&](LineSink& sink) { format_line(sink, frame, poses); });
        }
        if (status == RecordStatus::Ok) {
            drawn_frame_ = frame.frame;
        }
        return count(status);
    }

    [[nodiscard]] TextBuffer& trace_text() noexcept { return trace_; }
    [[nodiscard]] TextBuffer& drawn_text() noexcept { return drawn_; }
    [[nodiscard]] const RecorderStats& stats() const noexcept { return stats_; }

private:
    // Checks the order, writes the line, and only then lets it count for the order.
    template <class Line, class Format>
    [[nodiscard]] RecordStatus record(RecordStatus status, const Line& line,
                                      const Format& format) noexcept {
        if (status == RecordStatus::Ok) {
            status = check_order(line);
        }
        if (status == RecordStatus::Ok) {
            status = trace_.add(format);
        }
        if (status == RecordStatus::Ok) {
            order_.accept(line);
        }
        return count(status);
    }

    template <class Line>
    [[nodiscard]] RecordStatus check_order(const Line& line) const noexcept {
        switch (order_.check(line).problem) {
            case OrderProblem::None:
                return RecordStatus::Ok;
            case OrderProblem::TooManyIds:
                return RecordStatus::Full;
            case OrderProblem::NotNetwork:
                return RecordStatus::WrongSource;
            default:
                return RecordStatus::OutOfOrder;
        }
    }

    // Ranges, and that no id stands twice. More poses than ids_ holds cannot fit as text either.
    template <class Pose>
    [[nodiscard]] RecordStatus check_poses(bool in_range, std::span<const Pose> first,
                                           std::span<const Pose> more) noexcept {
        if (first.size() + more.size() > ids_.capacity()) {
            return RecordStatus::Full;
        }
        std::size_t id_count = 0;
        bool is_growing = true;
        for (const std::span<const Pose> poses : {first, more}) {
            for (const Pose& pose : poses) {
                in_range = in_range && is_in_range(pose);
                is_growing = is_growing && (id_count == 0 || ids_[id_count - 1] < pose.id);
                ids_[id_count++] = pose.id;
            }
        }
        if (!in_range) {
            return RecordStatus::OutOfRange;
        }
        if (is_growing) {
            return RecordStatus::Ok;
        }
        std::int64_t* const end = ids_.data() + id_count;
        std::sort(ids_.data(), end);
        return std::adjacent_find(ids_.data(), end) == end ? RecordStatus::Ok
                                                           : RecordStatus::OutOfRange;
    }

    RecordStatus count(RecordStatus status) noexcept {
        ++(status == RecordStatus::Ok ? stats_.line_count : stats_.dropped_count);
        return status;
    }

    TextBuffer trace_;
    TextBuffer drawn_;
    Column<std::int64_t> ids_; // Of the line that is checked.
    LineOrder order_;
    std::optional<std::int64_t> drawn_frame_;
    RecorderStats stats_;
};

Recorder::Recorder(const RecorderConfig& config) {
    const RecorderConfig usable = checked(config);
    std::string header_line;
    static_cast<void>(append_line(header_line, usable.header)); // It has no number to refuse.
    impl_ = std::make_unique<Impl>(usable, header_line);
}
Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

RecordStatus Recorder::tick(const TraceTick& tick, std::span<const TracePose> poses) noexcept {
    return impl_->tick(tick, poses);
}

RecordStatus Recorder::frame(const TraceFrame& frame) noexcept {
    return impl_->frame(frame);
}

RecordStatus Recorder::truth(const TraceTruth& truth) noexcept {
    return impl_->truth(truth);
}

RecordStatus Recorder::packet(const TracePacket& packet) noexcept {
    return impl_->packet(packet);
}

RecordStatus Recorder::drawn(const DrawnFrame& frame, std::span<const DrawnPose> poses) noexcept {
    return impl_->drawn(frame, poses);
}

std::string_view Recorder::trace_text() const noexcept {
    return impl_->trace_text().text();
}

void Recorder::clear_trace() noexcept {
    impl_->trace_text().clear();
}

std::string_view Recorder::drawn_text() const noexcept {
    return impl_->drawn_text().text();
}

void Recorder::clear_drawn() noexcept {
    impl_->drawn_text().clear();
}

const RecorderStats& Recorder::stats() const noexcept {
    return impl_->stats();
}

const char* to_string(RecordStatus status) noexcept {
    switch (status) {
        case RecordStatus::Ok:
            return "ok";
        case RecordStatus::Full:
            return "full";
        case RecordStatus::NotFinite:
            return "not finite";
        case RecordStatus::OutOfOrder:
            return "out of order";
        case RecordStatus::OutOfRange:
            return "out of range";
        case RecordStatus::WrongSource:
            return "wrong source";
    }
    return "unknown";
}

} // namespace glissade
