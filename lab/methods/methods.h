// SPDX-License-Identifier: MIT
// What makes each method; the table of them is in methods.cpp.
#pragma once

#include "lab/method.h"

#include <memory>

namespace glissade::lab {

using MethodPointer = std::unique_ptr<Method>;

MethodPointer make_accumulator(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_camera_only(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_chase(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_chase_add(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_chase_target(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_constant_interval(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_exponential(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_extrapolate(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_hermite(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_hybrid(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_measured_interval(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_newest(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_playout(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_predict(const TraceHeader& header, const MethodConfig& config);
MethodPointer make_soft_snap(const TraceHeader& header, const MethodConfig& config);

} // namespace glissade::lab
