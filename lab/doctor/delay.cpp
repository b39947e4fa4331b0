// SPDX-License-Identifier: MIT
// A picture further behind than the lateness of the ticks asks for, or not far enough.
#include "lab/doctor/examination.h"

#include <algorithm>

#include <fmt/format.h>

namespace glissade::lab {

namespace {

constexpr double kMarginMs = 0.5;

double needed_delay_ms(const Examination& exam) {
    return exam.tick_ms + exam.lateness.p995_ms + kMarginMs;
}

// Every state waits before anybody can read it.
void examine_waiting(const Examination& exam, Diagnosis& diagnosis) {
    const double wait_ms = exam.lateness.p1_ms;
    constexpr double kLeastMs = 4.0;
    if (!exam.lateness.has_schedule || wait_ms <= std::max(exam.tick_ms / 2.0, kLeastMs)) {
        return;
    }
    diagnosis.findings.push_back(
        {Disease::NeedlessDelay, wait_ms / 1000.0,
         "Every state waits a good while before it can be read.",
         fmt::format(
             "99 % of the ticks can be read {:.1f} ms after they were due or later; a tick is "
             "{:.1f} ms long.",
             wait_ms, exam.tick_ms),
         "Look for a queue or a buffer between simulation and renderer, and publish each state as "
         "soon as it is complete."});
}

// The least that it is behind, not the mean: a delay that was measured comes down only slowly after
// a source was late, perhaps before the recording began.
void examine_lag(const Examination& exam, Diagnosis& diagnosis) {
    const double behind_ms = *exam.subject_score->lag_ms_p10 + exam.lateness.mean_ms;
    const double needed_ms = needed_delay_ms(exam);
    const double excess_ms = behind_ms - needed_ms;
    constexpr double kLeastMs = 8.0;
    if (excess_ms <= std::max(kLeastMs, exam.tick_ms / 2.0)) {
        return;
    }
    diagnosis.findings.push_back(
        {Disease::NeedlessDelay, excess_ms / 1000.0,
         "The picture is further behind than the lateness of the ticks asks for.",
         fmt::format(
             "It shows the world {:.1f} ms late or more; one tick ({:.1f} ms) plus the lateness of "
             "99.5 % of the ticks ({:.1f} ms) and a margin of {} ms would be {:.1f} ms.",
             behind_ms, exam.tick_ms, exam.lateness.p995_ms, kMarginMs, needed_ms),
         fmt::format(
             "Lower the delay to about {:.0f} ms. If there is none, it is smoothing that lags: "
             "play stamped states back instead.",
             needed_ms)});
}

std::size_t count_beyond(const Examination& exam) {
    if (exam.subject_score->underrun_count) {
        return *exam.subject_score->underrun_count;
    }
    std::size_t count = 0;
    constexpr std::int64_t kBeyondNs = 100'000;
    for (const JudgedFrame& frame : exam.subject->frames) {
        const std::int64_t newest = exam.scorer.newest_known()[frame.frame].sim_ns;
        count += frame.shown.scored && frame.shown.shown_ns > newest + kBeyondNs ? 1U : 0U;
    }
    return count;
}

// A drawing of a server's objects that says of most frames that it carries them on by itself does
// not wait for states at all.
bool carries_on(const Examination& exam) {
    if (exam.trace.header.source != TraceSource::Network) {
        return false;
    }
    const auto count = std::count_if(
        exam.drawn.begin(), exam.drawn.end(),
        [](const DrawnFrame& frame) { return frame.state == DrawnState::Extrapolate; });
    return static_cast<std::size_t>(count) * 2 > exam.drawn.size();
}

void examine_underruns(const Examination& exam, Diagnosis& diagnosis) {
    if (carries_on(exam)) {
        return;
    }
    const std::size_t count = count_beyond(exam);
    const double share =
        static_cast<double>(count) / static_cast<double>(exam.subject_score->frame_count);
    constexpr double kMaxShare = 0.005;
    if (share < kMaxShare) {
        return;
    }
    diagnosis.findings.push_back(
        {Disease::Underruns, share, "The picture asks for states that have not arrived yet.",
         fmt::format(
             "{} of {} frames ({:.1f} %) show a time later than the newest tick; 99.5 % of the "
             "ticks are at most {:.1f} ms late.",
             count, exam.subject_score->frame_count, 100.0 * share, exam.lateness.p995_ms),
         fmt::format(
             "Draw further behind: about {:.0f} ms for this source. Prediction past the newest "
             "state is seen at every change of velocity.",
             needed_delay_ms(exam))});
}

} // namespace

void examine_delay(const Examination& exam, Diagnosis& diagnosis) {
    examine_waiting(exam, diagnosis);
    if (exam.subject != nullptr && exam.subject_score->lag_ms_mean) {
        examine_lag(exam, diagnosis);
        examine_underruns(exam, diagnosis);
    }
}

} // namespace glissade::lab
