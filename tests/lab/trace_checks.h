// SPDX-License-Identifier: MIT
// What holds for every trace that the lab makes.
#pragma once

#include "lab/trace_data.h"

namespace glissade::lab::testing {

/// Numbers, order, finite values, and that a frame knows just the ticks that had arrived.
void expect_valid(const Trace& trace);

} // namespace glissade::lab::testing
