// SPDX-License-Identifier: MIT
// Breaks the precondition named by the only argument. The assert handler must end the program; to
// come back from a case is a failure. A new case is a row of the table below and a line with
// glissade_add_assert_test() in tests/CMakeLists.txt.
#include "glissade/base/hooks.h"
#include "glissade/feed/remote_world.h"
#include "glissade/link/link.h"
#include "glissade/pose/blend.h"
#include "glissade/pose/quaternion.h"
#include "glissade/remote/remote_entity.h"
#include "glissade/rig/follow_camera.h"
#include "glissade/stage/stage.h"
#include "glissade/time/fixed_step.h"
#include "glissade/time/quantum_gate.h"
#include "glissade/time/tick_pacer.h"
#include "glissade/trace/recorder.h"
#include "glissade/trace/trace_reader.h"

#include <array>
#include <cstdio>
#include <limits>
#include <string_view>

namespace {

using namespace glissade;

struct Case {
    std::string_view name;
    void (*run)();
};

constexpr std::array<Channel, kMaxChannels + 1> kNineChannels{};

constexpr Case kCases[] = {
    {"hooks_false_condition", [] { GLISSADE_ASSERT(1 + 1 == 3); }},
    {"quaternion_normalise_zero",
     [] { static_cast<void>(normalised(quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F))); }},
    {"blend_hermite_zero_duration",
     [] { static_cast<void>(blend_hermite(Motion{}, Motion{}, 0.0, 0.5)); }},
    {"fixed_step_rate_of_zero",
     [] {
         FixedStep({.rate = {0, 1}});
     }},
    {"fixed_step_no_ticks", [] { FixedStep({.max_ticks = 0}); }},
    {"fixed_step_no_budget", [] { FixedStep({.budget_ns = 0}); }},
    {"fixed_step_no_believable_frame", [] { FixedStep({.discard_after_ns = 0}); }},
    {"fixed_step_absurd_start", [] { FixedStep({.start_ns = -kMaxTimeNs - 1}); }},
    {"tick_pacer_rate_of_zero",
     [] {
         TickPacer({.rate = {0, 1}});
     }},
    {"tick_pacer_no_ticks", [] { TickPacer({.max_ticks = 0}); }},
    {"tick_pacer_absurd_start", [] { TickPacer({.start_ns = kMaxTimeNs + 1}); }},
    {"quantum_gate_max_below_min", [] { QuantumGate({.max_quantum_ns = 1}); }},
    {"stage_too_large", [] { Stage({.capacity = 1U << 24U}); }},
    {"stage_too_many_channels", [] { Stage({.channels = kNineChannels}); }},
    {"stage_history_of_one", [] { Stage({.track = {.history = 1}}); }},
    {"link_capacity_of_zero", [] { const Link link({.capacity = 0}); }},
    {"remote_entity_bad_place",
     [] {
         const double nan = std::numeric_limits<double>::quiet_NaN();
         RemoteEntity({.place = RemotePlace{.heading_deg = nan}});
     }},
    {"remote_world_bad_tuning",
     [] {
         Stage stage;
         const RemoteWorld world(stage, {.tuning = {.friction = 2.0}});
     }},
    {"follow_camera_no_up", [] { FollowCamera({.up = glm::dvec3(0.0)}); }},
    {"trace_reader_no_line", [] { TraceReader({.max_line_bytes = 0}); }},
    {"recorder_small_buffer", [] { Recorder({.buffer_bytes = 100}); }},
    {"recorder_tick_of_zero", [] { Recorder({.header = {.tick_ns = 0}}); }},
    {"recorder_rate_of_zero",
     [] {
         Recorder({.header = {.rate = Rate{0, 1}}});
     }},
};

} // namespace

int main(int argc, char** argv) {
    const std::string_view wanted = argc == 2 ? argv[1] : "";
    for (const Case& entry : kCases) {
        if (entry.name == wanted) {
            entry.run();
            std::fputs("the precondition was broken and nothing happened\n", stderr);
            return 1;
        }
    }
    std::fputs("usage: glissade_asserts CASE, one of:\n", stderr);
    for (const Case& entry : kCases) {
        std::fprintf(stderr, "    %.*s\n", static_cast<int>(entry.name.size()), entry.name.data());
    }
    return 2;
}
