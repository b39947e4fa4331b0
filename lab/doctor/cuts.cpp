// SPDX-License-Identifier: MIT
// Teleports that were blended across.
#include "lab/doctor/examination.h"

#include <fmt/format.h>

namespace glissade::lab {

namespace {

// All streaks, and where the first one is.
struct Streaks {
    std::size_t count = 0;
    std::size_t first_frame = 0; ///< Index into Trace::frames.
    std::int64_t first_id = 0;
};

void add_streaks(const JudgedObject& object, Streaks& streaks) {
    for (const JudgedFrame& frame : object.frames) {
        const bool first = streaks.count == 0 || frame.frame < streaks.first_frame;
        if (frame.streak && first) {
            streaks.first_frame = frame.frame;
            streaks.first_id = object.id;
        }
        streaks.count += frame.streak ? 1U : 0U;
    }
}

} // namespace

void examine_cuts(const Examination& exam, Diagnosis& diagnosis) {
    Streaks streaks;
    for (const JudgedObject& object : exam.judged) {
        add_streaks(object, streaks);
    }
    if (streaks.count == 0) {
        return;
    }
    constexpr double kWorst = 2.0; // An object across the whole screen: nothing is seen more.
    diagnosis.findings.push_back(
        {Disease::MissedCut, kWorst,
         "A teleport is blended across: the object streaks over the screen.",
         fmt::format(
             "{} frames draw an object between the two sides of a cut or portal, the first one is "
             "frame {}, object {}.",
             streaks.count, exam.trace.frames[streaks.first_frame].frame, streaks.first_id),
         "Make the cut part of the state (a counter that grows with each teleport), and blend only "
         "between states of the same count."});
}

} // namespace glissade::lab
