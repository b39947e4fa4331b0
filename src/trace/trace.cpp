// SPDX-License-Identifier: MIT
#include "glissade/trace/trace.h"

namespace glissade {

const char* to_string(TraceSource source) noexcept {
    switch (source) {
        case TraceSource::Local:
            return "local";
        case TraceSource::Thread:
            return "thread";
        case TraceSource::Network:
            return "network";
    }
    return "unknown";
}

const char* to_string(DrawnState state) noexcept {
    switch (state) {
        case DrawnState::Interpolate:
            return "interpolate";
        case DrawnState::Extrapolate:
            return "extrapolate";
        case DrawnState::Hold:
            return "hold";
        case DrawnState::Empty:
            return "empty";
    }
    return "unknown";
}

} // namespace glissade
