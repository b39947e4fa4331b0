// SPDX-License-Identifier: MIT
// How smooth a picture is: rate error and animation error of the times that its frames showed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glissade {

/// One frame as a judge sees it.
struct ShownFrame {
    std::int64_t present_ns = 0; ///< When it was on the screen.
    std::int64_t shown_ns = 0;   ///< The source time at which the object was where it was drawn.
    /// Whether the step from the frame before to this one is judged: not at the start, across a
    /// cut, or while the object rests.
    bool scored = true;
    /// Source time per real time that the source declared for this step (slow motion), > 0.
    double scale = 1.0;
};

/// How evenly shown time advances. A rate is the change of shown time over the change of present
/// time (at the declared scale), divided by its mean over the run: 1 in every frame is perfect.
struct RateMetrics {
    std::size_t scored_count = 0;        ///< Steps that were judged; with 0 all else is 0.
    double mean_rate = 0.0;              ///< Source time per present time.
    double rate_rms = 0.0;               ///< RMS of rate - 1: the rate error.
    double rate_p99 = 0.0;               ///< 99 % of |rate - 1| lie at or below it.
    std::size_t hold_count = 0;          ///< Rate below 0.05: a frame that stood.
    std::size_t jump_count = 0;          ///< Rate above 1.5.
    std::size_t backward_count = 0;      ///< Shown time ran back.
    double animation_error_rms_ms = 0.0; ///< Change of shown time minus change of present time.
    double animation_error_p99_ms = 0.0;
};

/// Judges the frames of one object, in order. A step without elapsed present time is left out.
/// Linear in the number of frames; allocates working memory.
[[nodiscard]] RateMetrics compute_rate_metrics(std::span<const ShownFrame> frames);

/// The smallest value that at least the part `fraction` (0 to 1) of `values` does not exceed; 0 if
/// there are none. Sorts a copy.
[[nodiscard]] double compute_quantile(std::vector<double> values, double fraction);

/// Root of the mean of squares; 0 if there are no values.
[[nodiscard]] double compute_rms(std::span<const double> values) noexcept;

} // namespace glissade
