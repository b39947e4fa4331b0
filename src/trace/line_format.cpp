// SPDX-License-Identifier: MIT
#include "trace/line_format.h"

#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/compile.h>
#include <fmt/format.h>

namespace glissade::detail {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

/// Length of the UTF-8 sequence at the beginning of `text`, or 0 if it is none (Unicode 15, table
/// 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). Precondition: not empty.
std::size_t utf8_length(std::string_view text) noexcept {
    const auto byte = [&](std::size_t index) {
        return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U;
    };
    const auto within = [](unsigned value, unsigned lowest, unsigned highest) {
        return value >= lowest && value <= highest;
    };
    const auto continues = [&](std::size_t index) { return within(byte(index), 0x80, 0xBF); };
    const unsigned lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    if (within(lead, 0xC2, 0xDF)) {
        return continues(1) ? 2 : 0;
    }
    if (within(lead, 0xE0, 0xEF)) {
        const bool second = within(byte(1), lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
        return second && continues(2) ? 3 : 0;
    }
    if (within(lead, 0xF0, 0xF4)) {
        const bool second = within(byte(1), lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
        return second && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

void optional_integer(LineSink& sink, std::string_view key, std::optional<std::int64_t> value) {
    if (value) {
        sink.text(key);
        sink.integer(*value);
    }
}

void vector(LineSink& sink, std::string_view key, const glm::dvec3& value) {
    sink.text(key);
    sink.text("[");
    sink.number(value.x);
    sink.text(",");
    sink.number(value.y);
    sink.text(",");
    sink.number(value.z);
    sink.text("]");
}

void optional_vector(LineSink& sink, std::string_view key, const std::optional<glm::dvec3>& value) {
    if (value) {
        vector(sink, key, *value);
    }
}

void quaternion(LineSink& sink, std::string_view key, const glm::dquat& value) {
    sink.text(key);
    sink.text("[");
    sink.number(value.x);
    sink.text(",");
    sink.number(value.y);
    sink.text(",");
    sink.number(value.z);
    sink.text(",");
    sink.number(value.w);
    sink.text("]");
}

void optional_number(LineSink& sink, std::string_view key, std::optional<double> value) {
    if (value) {
        sink.text(key);
        sink.number(*value);
    }
}

void name(LineSink& sink, std::string_view key, std::string_view value) {
    sink.text(key);
    sink.text("\"");
    sink.text(value);
    sink.text("\"");
}

void optional_quaternion(LineSink& sink, std::string_view key,
                         const std::optional<glm::dquat>& value) {
    if (value) {
        quaternion(sink, key, *value);
    }
}

void place(LineSink& sink, const TracePose& pose) {
    sink.text(R"({"id":)");
    sink.integer(pose.id);
    vector(sink, R"(,"p":)", pose.position);
    optional_quaternion(sink, R"(,"q":)", pose.rotation);
    optional_vector(sink, R"(,"s":)", pose.scale);
    optional_vector(sink, R"(,"v":)", pose.velocity);
    optional_vector(sink, R"(,"w":)", pose.angular_velocity);
    optional_integer(sink, R"(,"cut":)", pose.cut);
    if (pose.shift) {
        sink.text(R"(,"shift":{"n":)");
        sink.integer(pose.shift->count);
        vector(sink, R"(,"p":)", pose.shift->translation);
        quaternion(sink, R"(,"q":)", pose.shift->rotation);
        sink.text("}");
    }
    sink.text(pose.camera ? R"(,"role":"camera")" : "");
    sink.text(pose.contact ? "}" : R"(,"contact":false})");
}

void place(LineSink& sink, const DrawnPose& pose) {
    sink.text(R"({"id":)");
    sink.integer(pose.id);
    vector(sink, R"(,"p":)", pose.position);
    optional_quaternion(sink, R"(,"q":)", pose.rotation);
    sink.text("}");
}

// What begins every packet of an object.
void begin_packet(LineSink& sink, std::string_view key, std::int64_t stamp, std::int64_t id,
                  std::int64_t arrive_ns) {
    sink.text(key);
    sink.integer(stamp);
    sink.text(R"(,"id":)");
    sink.integer(id);
    sink.text(R"(,"arrive":)");
    sink.integer(arrive_ns);
}

void packet(LineSink& sink, const TraceMotion& motion) {
    begin_packet(sink, R"({"motion":)", motion.stamp, motion.id, motion.arrive_ns);
    name(sink, R"(,"gait":)", to_string(motion.gait));
    optional_number(sink, R"(,"speed":)", motion.speed);
    optional_number(sink, R"(,"sidestep":)", motion.sidestep);
    optional_number(sink, R"(,"turn":)", motion.turn_deg_s);
}

void packet(LineSink& sink, const TraceVector& update) {
    begin_packet(sink, R"({"vector":)", update.stamp, update.id, update.arrive_ns);
    vector(sink, R"(,"v":)", update.velocity);
    optional_vector(sink, R"(,"w":)", update.angular_velocity);
}

void packet(LineSink& sink, const TraceMoveTo& order) {
    begin_packet(sink, R"({"moveto":)", order.stamp, order.id, order.arrive_ns);
    name(sink, R"(,"kind":)", to_string(order.kind));
    optional_integer(sink, R"(,"target":)", order.target);
    optional_vector(sink, R"(,"p":)", order.position);
    optional_integer(sink, R"(,"flags":)", order.flags);
    optional_number(sink, R"(,"distance":)", order.distance_m);
    optional_number(sink, R"(,"min":)", order.min_distance_m);
    optional_number(sink, R"(,"fail":)", order.fail_distance_m);
    optional_number(sink, R"(,"speed":)", order.speed);
    optional_number(sink, R"(,"threshold":)", order.threshold_m);
    optional_number(sink, R"(,"heading":)", order.heading_deg);
    optional_number(sink, R"(,"run_rate":)", order.run_rate);
}

void packet(LineSink& sink, const TracePlayer& player) {
    sink.text(R"({"player":)");
    sink.integer(player.arrive_ns);
    vector(sink, R"(,"p":)", player.position);
}

void packet(LineSink& sink, const TraceBlocked& blocked) {
    sink.text(blocked.blocked ? R"({"blocked":true,"id":)" : R"({"blocked":false,"id":)");
    sink.integer(blocked.id);
    sink.text(R"(,"arrive":)");
    sink.integer(blocked.arrive_ns);
}

template <class Pose>
void list(LineSink& sink, std::span<const Pose> first, std::span<const Pose> more) {
    std::string_view separator;
    for (const std::span<const Pose> poses : {first, more}) {
        for (const Pose& pose : poses) {
            sink.text(separator);
            place(sink, pose);
            separator = ",";
        }
    }
}

} // namespace

void LineSink::text(std::string_view text) {
    if (out_ != nullptr) {
        out_->append(text);
        return;
    }
    if (is_full_ || text.size() > room_.size() - size_) {
        is_full_ = true;
        return;
    }
    if (text.empty()) {
        return; // Of no text the address may be null, which memcpy() does not take.
    }
    std::memcpy(room_.data() + size_, text.data(), text.size());
    size_ += text.size();
}

void LineSink::integer(std::int64_t value) {
    const fmt::format_int digits(value);
    text({digits.data(), digits.size()});
}

void LineSink::number(double value) {
    if (!std::isfinite(value)) {
        is_finite_ = false;
        return;
    }
    if (value == 0.0) {
        text(std::signbit(value) ? "-0.0" : "0");
        return;
    }
    std::array<char, 32> digits; // NOLINT(cppcoreguidelines-pro-type-member-init): written below.
    const char* const end = fmt::format_to(digits.data(), FMT_COMPILE("{}"), value);
    text({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void LineSink::quoted(std::string_view value) {
    text("\"");
    while (!value.empty()) {
        const std::size_t length = utf8_length(value);
        const char lead = value.front();
        if (length == 0) {
            text(kReplacement);
        } else if (lead == '"' || lead == '\\') {
            text(lead == '"' ? "\\\"" : "\\\\");
        } else if (length == 1 && static_cast<unsigned char>(lead) < 0x20U) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            const auto code = static_cast<unsigned char>(lead);
            const char escaped[] = {'\\', 'u', '0', '0', kDigits[code >> 4U], kDigits[code & 15U]};
            text({escaped, std::size(escaped)});
        } else {
            text(value.substr(0, length));
        }
        value.remove_prefix(length == 0 ? 1 : length);
    }
    text("\"");
}

void format_line(LineSink& sink, const TraceHeader& header) {
    sink.text(R"({"trace":1,"name":)");
    sink.quoted(header.name);
    sink.text(R"(,"source":")");
    sink.text(to_string(header.source));
    sink.text(R"(","tick_ns":)");
    if (header.tick_ns) {
        sink.integer(*header.tick_ns);
    } else {
        sink.text("null");
    }
    if (header.rate) {
        sink.text(R"(,"rate":[)");
        sink.integer(header.rate->numerator);
        sink.text(",");
        sink.integer(header.rate->denominator);
        sink.text("]");
    }
    sink.text("}\n");
}

void format_line(LineSink& sink, const TraceTick& tick, std::span<const TracePose> more) {
    sink.text(R"({"tick":)");
    sink.integer(tick.tick);
    sink.text(R"(,"sim":)");
    sink.integer(tick.sim_ns);
    sink.text(R"(,"arrive":)");
    sink.integer(tick.arrive_ns);
    optional_integer(sink, R"(,"due":)", tick.due_ns);
    optional_integer(sink, R"(,"stamp":)", tick.stamp_ns);
    optional_integer(sink, R"(,"epoch":)", tick.epoch);
    if (tick.scale) {
        sink.text(R"(,"scale":)");
        sink.number(*tick.scale);
    }
    if (tick.paused) {
        sink.text(R"(,"paused":true)");
    }
    sink.text(R"(,"poses":[)");
    list<TracePose>(sink, tick.poses, more);
    sink.text("]");
    if (!tick.gone.empty()) {
        std::string_view separator = R"(,"gone":[)";
        for (const std::int64_t id : tick.gone) {
            sink.text(separator);
            sink.integer(id);
            separator = ",";
        }
        sink.text("]");
    }
    sink.text("}\n");
}

void format_line(LineSink& sink, const TraceFrame& frame) {
    sink.text(R"({"frame":)");
    sink.integer(frame.frame);
    sink.text(R"(,"cpu":)");
    sink.integer(frame.cpu_ns);
    optional_integer(sink, R"(,"present":)", frame.present_ns);
    sink.text("}\n");
}

void format_line(LineSink& sink, const TraceTruth& truth) {
    sink.text(R"({"truth":)");
    sink.integer(truth.time_ns);
    sink.text(R"(,"id":)");
    sink.integer(truth.id);
    vector(sink, R"(,"p":)", truth.position);
    optional_quaternion(sink, R"(,"q":)", truth.rotation);
    sink.text("}\n");
}

void format_line(LineSink& sink, const TracePacket& line) {
    std::visit([&](const auto& alternative) { packet(sink, alternative); }, line);
    sink.text("}\n");
}

void format_line(LineSink& sink, const DrawnFrame& frame, std::span<const DrawnPose> more) {
    sink.text(R"({"frame":)");
    sink.integer(frame.frame);
    optional_integer(sink, R"(,"sample":)", frame.sample_ns);
    optional_integer(sink, R"(,"delay":)", frame.delay_ns);
    if (frame.state) {
        name(sink, R"(,"state":)", to_string(*frame.state));
    }
    sink.text(R"(,"poses":[)");
    list<DrawnPose>(sink, frame.poses, more);
    sink.text("]}\n");
}

} // namespace glissade::detail
