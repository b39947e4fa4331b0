// SPDX-License-Identifier: MIT
// Counts the frames in which an object visibly pops: steps far longer than the usual one.
#pragma once

#include "lab/score.h"

#include <cstddef>
#include <span>

namespace glissade::lab {

/// How many of the speeds are above three times their median; with a median of 0, a picture that
/// mostly stands, all that are not 0. Metres per second of the display, >= 0.
[[nodiscard]] std::size_t count_pops(std::span<const double> speeds);

/// Fills pop_count: of the steps between successive drawn frames, each over the time between them,
/// while the truth moves and not across a true cut or shift.
void score_pops(const Scorer& scorer, const JudgedObject& object, ObjectScore& result);

} // namespace glissade::lab
