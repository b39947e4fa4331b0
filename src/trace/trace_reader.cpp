// SPDX-License-Identifier: MIT
#include "glissade/trace/trace_reader.h"

#include "trace/line_order.h"
#include "trace/line_reader.h"
#include "trace/packet_fields.h"

#include <utility>

#include <fmt/format.h>

namespace glissade {
namespace {

using detail::Fields;
using detail::LineKind;
using detail::OrderFault;
using detail::OrderProblem;
using detail::Slot;
using detail::TraceKey;

std::optional<std::int64_t> optional_integer(const Fields& fields, TraceKey key) noexcept {
    return fields.has(key) ? std::optional(fields[key].integers[0]) : std::nullopt;
}

void take_header(const Fields& fields, const std::string& name, TraceHeader& header) {
    header.name = name;
    header.source = static_cast<TraceSource>(fields[TraceKey::Source].integers[0]);
    header.tick_ns = optional_integer(fields, TraceKey::TickLength);
    if (header.tick_ns == 0) { // Null.
        header.tick_ns.reset();
    }
    header.rate.reset();
    if (fields.has(TraceKey::RateParts)) {
        const Slot& slot = fields[TraceKey::RateParts];
        header.rate = Rate{slot.integers[0], slot.integers[1]};
    }
}

// Poses and ids are there already.
void take_tick(const Fields& fields, TraceTick& tick) noexcept {
    tick.tick = fields[TraceKey::Tick].integers[0];
    tick.sim_ns = fields[TraceKey::Sim].integers[0];
    tick.arrive_ns = fields[TraceKey::Arrive].integers[0];
    tick.due_ns = optional_integer(fields, TraceKey::Due);
    tick.stamp_ns = optional_integer(fields, TraceKey::Stamp);
    tick.epoch = optional_integer(fields, TraceKey::Epoch);
    tick.scale.reset();
    if (fields.has(TraceKey::Scale)) {
        tick.scale = fields[TraceKey::Scale].numbers[0];
    }
    tick.paused = fields.has(TraceKey::Paused) && fields[TraceKey::Paused].integers[0] != 0;
}

void take_frame(const Fields& fields, TraceFrame& frame) noexcept {
    frame.frame = fields[TraceKey::Frame].integers[0];
    frame.cpu_ns = fields[TraceKey::Cpu].integers[0];
    frame.present_ns = optional_integer(fields, TraceKey::Present);
}

void take_truth(const Fields& fields, TraceTruth& truth) noexcept {
    truth.time_ns = fields[TraceKey::Truth].integers[0];
    truth.id = fields[TraceKey::Id].integers[0];
    truth.position = vector_of(fields[TraceKey::Position]);
    truth.rotation.reset();
    if (fields.has(TraceKey::Rotation)) {
        truth.rotation = quaternion_of(fields[TraceKey::Rotation]);
    }
}

const char* find_missing_key(const TracePacket& packet) noexcept {
    const auto* const move_to = std::get_if<TraceMoveTo>(&packet);
    return move_to != nullptr ? detail::missing_key(*move_to) : nullptr;
}

std::string explain(const OrderFault& fault, const char* time_key, const char* line_name) {
    switch (fault.problem) {
        case OrderProblem::TimeRanBack:
            return fmt::format("\"{}\" is {}, before the {} of an earlier line", time_key,
                               fault.found, fault.limit);
        case OrderProblem::TickDidNotGrow:
            return fmt::format("\"tick\" is {} after {}, in the same epoch", fault.found,
                               fault.limit);
        case OrderProblem::SimRanBack:
            return fmt::format("\"sim\" is {} after {}, in the same epoch", fault.found,
                               fault.limit);
        case OrderProblem::FrameDidNotGrow:
            return fmt::format("\"frame\" is {} after {}", fault.found, fault.limit);
        case OrderProblem::TruthDidNotGrow:
            return fmt::format("\"truth\" is {} after {}, of the same id", fault.found,
                               fault.limit);
        case OrderProblem::NotNetwork:
            return fmt::format("{} stands in a trace whose source is not \"network\"", line_name);
        case OrderProblem::TooManyIds:
        case OrderProblem::None:
            break;
    }
    return "out of order";
}

} // namespace

class TraceReader::Impl {
public:
    explicit Impl(const TraceReaderConfig& config) : lines_(config, detail::trace_schema()) {}

    [[nodiscard]] TraceRead next(TraceLine& line) {
        const TraceRead read = lines_.next(line.tick.poses, line.tick.gone);
        if (!has_header_) {
            return take_first(read, line);
        }
        if (read != TraceRead::Line) {
            return read;
        }
        const auto kind = static_cast<LineKind>(lines_.parser().kind());
        const Fields& fields = lines_.parser().fields();
        switch (kind) {
            case LineKind::Header:
                return lines_.refuse(TraceProblem::NoHeader, "\"trace\": a second header");
            case LineKind::Tick:
                line.kind = TraceLineKind::Tick;
                take_tick(fields, line.tick);
                return in_order(line.tick, "arrive");
            case LineKind::Frame:
                line.kind = TraceLineKind::Frame;
                take_frame(fields, line.frame);
                return in_order(line.frame, "cpu");
            case LineKind::Truth:
                line.kind = TraceLineKind::Truth;
                take_truth(fields, line.truth);
                return in_order(line.truth, "truth");
            default:
                line.kind = TraceLineKind::Packet;
                line.packet = detail::take_packet(kind, fields);
                if (const char* const key = find_missing_key(line.packet)) {
                    return lines_.refuse(
                        TraceProblem::MissingKey,
                        fmt::format(R"("{}" of a moveto line of this "kind" is missing)", key));
                }
                return in_order(line.packet, kind == LineKind::Player ? "player" : "arrive");
        }
    }

    [[nodiscard]] detail::LineReader& lines() noexcept { return lines_; }

private:
    // The first line, or the want of it.
    [[nodiscard]] TraceRead take_first(TraceRead read, TraceLine& line) {
        if (read == TraceRead::NeedText) {
            return read;
        }
        if (read == TraceRead::End) {
            return lines_.refuse(TraceProblem::NoHeader, "there is no line at all");
        }
        // Whatever else is wrong with it, that it is no header comes first.
        const detail::LineParser& parser = lines_.parser();
        if (parser.is_whole() && !parser.fields().has(TraceKey::Trace)) {
            return lines_.refuse(TraceProblem::NoHeader, "the first line has no \"trace\"");
        }
        if (read == TraceRead::Error) {
            return read;
        }
        line.kind = TraceLineKind::Header;
        take_header(parser.fields(), parser.text(), line.header);
        order_.set_source(line.header.source);
        has_header_ = true;
        return read;
    }

    template <class Line>
    [[nodiscard]] TraceRead in_order(const Line& line, const char* time_key) {
        const OrderFault fault = order_.check(line);
        if (fault.problem != OrderProblem::None) {
            const bool misplaced = fault.problem == OrderProblem::NotNetwork;
            const char* const name = detail::trace_schema().kinds[lines_.parser().kind()];
            return lines_.refuse(misplaced ? TraceProblem::WrongSource : TraceProblem::OutOfOrder,
                                 explain(fault, time_key, name));
        }
        order_.accept(line);
        return TraceRead::Line;
    }

    detail::LineReader lines_;
    detail::LineOrder order_;
    bool has_header_ = false;
};

TraceReader::TraceReader(const TraceReaderConfig& config) : impl_(std::make_unique<Impl>(config)) {}
TraceReader::~TraceReader() = default;
TraceReader::TraceReader(TraceReader&&) noexcept = default;
TraceReader& TraceReader::operator=(TraceReader&&) noexcept = default;

void TraceReader::push(std::string_view text) {
    impl_->lines().push(text);
}

void TraceReader::finish() {
    impl_->lines().finish();
}

TraceRead TraceReader::next(TraceLine& line) {
    return impl_->next(line);
}

const TraceError& TraceReader::error() const noexcept {
    return impl_->lines().error();
}

std::int64_t TraceReader::line_number() const noexcept {
    return impl_->lines().line_number();
}

} // namespace glissade
