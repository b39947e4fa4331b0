// SPDX-License-Identifier: MIT
// Judges what was drawn against what really happened. docs/concepts/smoothness.md says why so.
#pragma once

#include "glissade/trace/metrics.h"
#include "glissade/trace/motion_path.h"

#include "lab/trace_data.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glissade::lab {

/// Settings of score().
struct ScoreConfig {
    double warmup_s = 2.0; ///< Frames of the first seconds are not judged. >= 0.
};

/// Figures of one object. What cannot be judged is empty.
struct ObjectScore {
    std::int64_t id = 0;
    std::size_t frame_count = 0; ///< Frames after the warm-up that drew it.
    std::optional<RateMetrics> rate{};
    std::size_t streak_count = 0;
    std::size_t pop_count = 0; ///< Steps above three times the median one.
    double off_path_m_max = 0.0;
    std::optional<std::size_t> underrun_count{};
    std::optional<double> lag_ms_p10{}; ///< What a delay that comes down comes down to.
    std::optional<double> lag_ms_mean{};
    std::optional<double> lag_ms_p99{};
    std::optional<double> best_lag_ms{};
    std::optional<double> position_error_m_rms{};
    std::optional<double> angle_error_deg_rms{};
    std::optional<double> velocity_error_ratio{};
};

/// One frame of one object: what the doctor and the plots look at.
struct JudgedFrame {
    std::size_t frame = 0; ///< Index into Trace::frames.
    ShownFrame shown{};
    bool found = false; ///< A shown time exists.
    bool streak = false;
    bool moving = false;   ///< The object is under way at the shown time.
    double off_path = 0.0; ///< Metres, or radians.
    DrawnPose drawn{};
    std::optional<std::int64_t> sample_ns{}; ///< What the drawing itself says.
};

/// All frames of one object, the warm-up included (`scored` is false there).
struct JudgedObject {
    std::int64_t id = 0;
    const MotionPath* path = nullptr; ///< Of the Scorer.
    std::vector<JudgedFrame> frames{};
};

struct Score {
    std::vector<ObjectScore> objects{}; ///< By id.
    std::optional<std::size_t> worst{}; ///< Index of the largest rate error; empty without objects.
    std::string problem{};              ///< Why the two files do not belong together, or empty.
};

/// The newest source time that a frame could know, and when it arrived.
struct NewestKnown {
    std::int64_t sim_ns = 0;
    std::int64_t arrive_ns = 0;
    bool any = false;
};

/// Judges drawings of one trace. Building it is linear in the trace, judging in the drawing.
///
/// The trace must outlive it. Thread safety: const calls may run side by side.
class Scorer {
public:
    explicit Scorer(const Trace& trace, const ScoreConfig& config = {});

    /// Figures for each object that was drawn.
    [[nodiscard]] Score score(std::span<const DrawnFrame> drawn) const;
    /// The shown time of each frame and object. Frames that the trace does not have are skipped;
    /// score() reports them.
    [[nodiscard]] std::vector<JudgedObject> judge(std::span<const DrawnFrame> drawn) const;

    [[nodiscard]] const Trace& trace() const noexcept { return trace_; }
    /// The true path of each object: truth lines where there are any, else the tick states.
    [[nodiscard]] const std::map<std::int64_t, MotionPath>& paths() const noexcept {
        return paths_;
    }
    /// For each frame of the trace.
    [[nodiscard]] const std::vector<NewestKnown>& newest_known() const noexcept { return newest_; }
    /// The end of the warm-up, by the CPU clock of the frames.
    [[nodiscard]] std::int64_t start_ns() const noexcept { return start_ns_; }

private:
    const Trace& trace_;
    std::map<std::int64_t, MotionPath> paths_;
    std::vector<NewestKnown> newest_;
    std::map<std::int64_t, std::size_t> places_{}; ///< Of frames in the trace, by their number.
    std::int64_t start_ns_ = 0;
};

[[nodiscard]] std::map<std::int64_t, MotionPath> make_paths(const Trace& trace);

/// Null if it was not drawn.
[[nodiscard]] const JudgedObject* find_object(std::span<const JudgedObject> objects,
                                              std::int64_t id) noexcept;

/// The frames of an object as compute_rate_metrics() takes them.
[[nodiscard]] std::vector<ShownFrame> collect_shown(const JudgedObject& object);

/// When a frame was on the screen: `present`, or `cpu` where there is none.
[[nodiscard]] std::int64_t present_of(const TraceFrame& frame) noexcept;

} // namespace glissade::lab
