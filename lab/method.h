// SPDX-License-Identifier: MIT
// A way to draw frames from ticks, known only as far as they have arrived. What the lab compares.
#pragma once

#include "glissade/remote/remote_tuning.h"
#include "glissade/trace/trace.h"
#include "glissade/trace/trace_packets.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glissade::lab {

/// Settings of a method.
struct MethodConfig {
    /// How far behind the source's present to draw, nanoseconds of source time, >= 0. Empty: the
    /// method's own choice. Methods without a delay ignore it.
    std::optional<std::int64_t> delay_ns{};
    std::uint32_t max_objects = 16384; ///< At a time, >= 1. Methods without a stage ignore it.
    RemoteTuning tuning{};             ///< Of `chase` and `chase-add`; the others ignore it.
};

/// Draws frames. Told the lines of a trace in their order.
///
/// Virtual, unlike the library: a method is chosen by name on the command line.
class Method {
public:
    Method() = default;
    virtual ~Method() = default;
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;
    Method(Method&&) = delete;
    Method& operator=(Method&&) = delete;

    /// A state arrived.
    virtual void tick(const TraceTick& tick) = 0;
    /// A server said something besides positions. Most methods pass it over.
    virtual void packet(const TracePacket& /*packet*/) {}
    /// What this frame shows, into `out`; `out.frame` is set, poses are by id.
    virtual void frame(const TraceFrame& frame, DrawnFrame& out) = 0;
    /// Why the drawing cannot be trusted, for people; empty if all went well.
    [[nodiscard]] virtual std::string problem() const { return {}; }
};

/// Empties `out` for a frame in which nothing is drawn yet: its times are 0, so that every line has
/// the same keys. For methods.
void begin_drawing(const TraceFrame& frame, DrawnFrame& out);

/// One row of `glissade methods`.
struct MethodInfo {
    const char* name = "";
    const char* line = ""; ///< What it does and what is seen, one line.
    bool ours = false;     ///< Made with this library; the others are the well-known attempts.
    std::unique_ptr<Method> (*make)(const TraceHeader&, const MethodConfig&) = nullptr;
};

/// All methods, `playout`, the default, first.
[[nodiscard]] std::span<const MethodInfo> methods() noexcept;
/// Those among them that draw ticks as they come. The others are for a server's sparse updates and
/// have no place in a table of dense ticks.
[[nodiscard]] std::span<const MethodInfo> tick_methods() noexcept;
/// By name; null if there is none.
[[nodiscard]] const MethodInfo* find_method(std::string_view name) noexcept;
[[nodiscard]] const MethodInfo* find_method(std::span<const MethodInfo> among,
                                            std::string_view name) noexcept;

} // namespace glissade::lab
