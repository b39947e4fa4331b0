// SPDX-License-Identifier: MIT
// Small traces by hand: ticks of 20 ms, and what a method draws of them.
#pragma once

#include "lab/method.h"
#include "lab/trace_data.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace glissade::lab::testing {

inline constexpr std::int64_t kMs = 1'000'000;
inline constexpr std::int64_t kTickNs = 20 * kMs;

/// Of ticks of 20 ms.
[[nodiscard]] TraceHeader make_header();

/// Tick `number` at 20 ms times that, arriving at once.
[[nodiscard]] TraceTick make_tick(std::int64_t number, std::vector<TracePose> poses = {});

/// The same with object 1 at `x`.
[[nodiscard]] TraceTick make_tick_at(std::int64_t number, double x);

[[nodiscard]] TracePose make_pose(std::int64_t id, double x);

/// The pose of an object in a frame; null if it is not drawn.
[[nodiscard]] const DrawnPose* find_pose(const DrawnFrame& frame, std::int64_t id);

/// A method, told ticks and frames one by one.
class Screen {
public:
    explicit Screen(const char* method_name, const TraceHeader& header = make_header(),
                    const MethodConfig& config = {});

    void tick(const TraceTick& tick) { method_->tick(tick); }
    void packet(const TracePacket& packet) { method_->packet(packet); }
    /// Of object 1, one tick after the other from number 0 on.
    void tick_at(double x);
    /// The frame at this time; its display's stamp is `present_ns`, if given.
    const DrawnFrame& draw(std::int64_t cpu_ns, std::optional<std::int64_t> present_ns = {});
    /// The same in whole milliseconds; where object 1 is along x. A test failure if it is not
    /// drawn.
    double draw_x(std::int64_t cpu_ms);
    [[nodiscard]] const DrawnFrame& last() const noexcept { return frame_; }
    [[nodiscard]] std::string problem() const { return method_->problem(); }

private:
    std::unique_ptr<Method> method_;
    DrawnFrame frame_{};
    std::int64_t next_tick_ = 0;
    std::int64_t next_frame_ = 0;
};

} // namespace glissade::lab::testing
