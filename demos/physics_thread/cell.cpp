// SPDX-License-Identifier: MIT
#include "cell.h"

#include "load.h"
#include "picture_check.h"
#include "render_thread.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

namespace physics_thread {

namespace {

// Room for what the threads write down, with plenty to spare.
std::size_t entry_count(double seconds, double rate_hz) {
    return static_cast<std::size_t>(seconds * rate_hz * 2.0) + 200;
}

RunLog run_threads(const Condition& condition, const RunConfig& config) {
    glissade::Link link({.capacity = static_cast<std::uint32_t>(config.box_count + 1),
                         .channel_count = kProofChannelCount});
    SimulationThread simulation(link, config.box_count);
    RenderThread renderer(link, simulation.ids());
    RunLog log;
    log.ticks.reserve(entry_count(config.seconds, 60.0));
    log.frames.reserve(entry_count(config.seconds, condition.rate_hz));

    const Load load(condition.loaded ? config.load_thread_count : 0);
    std::atomic<bool> stop = false;
    std::thread simulating([&] { simulation.run(condition.pacing, stop, log.ticks); });
    std::thread rendering([&] { renderer.run(condition.rate_hz, stop, log); });
    std::this_thread::sleep_for(std::chrono::duration<double>(config.seconds));
    stop = true;
    simulating.join();
    rendering.join();
    mark_skipped(log);
    return log;
}

// A busy machine makes a picture late or uneven; none of these.
std::vector<std::string> find_faults(const RunLog& log) {
    std::vector<std::string> faults;
    const auto note = [&faults](std::size_t count, const char* what) {
        if (count > 0) {
            faults.push_back(fmt::format("{} {}", count, what));
        }
    };
    note(log.torn_count, "frames mixed two snapshots");
    note(count_misplaced(log), "frames drew a body where it never was");
    note(count_backward(log), "frames went back");
    note(log.report.refused_count, "objects or frames were refused by the stage");
    note(log.report.link.damaged_count, "snapshots were damaged");
    note(count_drawn(log) == 0 ? 1 : 0, "run drew nothing at all");
    return faults;
}

} // namespace

std::string name_of(const Condition& condition) {
    return fmt::format("{}-{:.0f}-{}", condition.loaded ? "loaded" : "idle", condition.rate_hz,
                       condition.pacing == Pacing::Absolute ? "absolute" : "free");
}

CellResult run_cell(const Condition& condition, const RunConfig& config) {
    const std::string name = name_of(condition);
    const RunLog log = run_threads(condition, config);
    CellResult result{.condition = condition, .report = log.report, .faults = find_faults(log)};
    const Recording recording = make_recording(log, name);
    if (!recording.complete) {
        result.faults.emplace_back("the recorder refused lines");
    }
    if (!config.folder.empty() && !save(recording, config.folder, name)) {
        result.faults.push_back(fmt::format("{} cannot be written", config.folder));
    }
    // The delay is learnt in the first half second, the refresh and the rate go on for another.
    result.verdict = judge(recording, std::min(1.0, config.seconds / 4.0));
    return result;
}

} // namespace physics_thread
