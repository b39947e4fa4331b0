// SPDX-License-Identifier: MIT
// Teleports that were blended across.
#include "lab/doctor/examination.h"

#include <fmt/format.h>

namespace glissade::lab {

void examine_cuts(const Examination& exam, Diagnosis& diagnosis) {
    std::size_t count = 0;
    std::optional<std::int64_t> first_frame;
    std::int64_t id = 0;
    for (const JudgedObject& object : exam.judged) {
        for (const JudgedFrame& frame : object.frames) {
            if (!frame.streak) {
                continue;
            }
            ++count;
            const std::int64_t number = exam.trace.frames[frame.frame].frame;
            if (!first_frame || number < *first_frame) {
                first_frame = number;
                id = object.id;
            }
        }
    }
    if (count == 0) {
        return;
    }
    constexpr double kWorst = 2.0; // An object across the whole screen: nothing is seen more.
    diagnosis.findings.push_back(
        {Disease::MissedCut, kWorst,
         "A teleport is blended across: the object streaks over the screen.",
         fmt::format(
             "{} frames draw an object between the two sides of a cut or portal, the first one is "
             "frame {}, object {}.",
             count, *first_frame, id),
         "Make the cut part of the state (a counter that grows with each teleport), and blend only "
         "between states of the same count."});
}

} // namespace glissade::lab
