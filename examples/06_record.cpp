// SPDX-License-Identifier: MIT
// Records a game whose motion stutters, so that `glissade doctor` can say why.
#include "glissade/glissade.h"

#include "example_args.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

constexpr std::int64_t kTickNs = 16'666'667;
constexpr std::int64_t kFrameNs = 6'944'444; // A display of 144 Hz.

// A physics thread, seen from the renderer: its ticks can be read up to 12 ms late.
struct Physics {
    std::int64_t tick = 0;

    [[nodiscard]] std::int64_t arrive_ns(std::int64_t number) const {
        const std::int64_t late_ns = number * number % 13 * 1'000'000;
        return number * kTickNs + late_ns;
    }
    // Whether the next tick is there.
    bool poll(std::int64_t now_ns) {
        const bool there = arrive_ns(tick + 1) <= now_ns;
        tick += there ? 1 : 0;
        return there;
    }
    [[nodiscard]] double x(std::int64_t number) const {
        return 3.0 * static_cast<double>(number) / 60.0;
    }
};

// What everybody writes first: from the previous state to the newest one, by time since it came.
double draw_naively(const Physics& physics, std::int64_t now_ns) {
    const auto since_ns = static_cast<double>(now_ns - physics.arrive_ns(physics.tick));
    const double alpha = std::clamp(since_ns / static_cast<double>(kTickNs), 0.0, 1.0);
    const double from = physics.x(physics.tick - 1);
    return from + alpha * (physics.x(physics.tick) - from);
}

bool save(const std::string& path, std::string_view text) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    const bool written =
        file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = file == nullptr || std::fclose(file) == 0;
    if (!written || !closed) {
        std::fprintf(stderr, "%s cannot be written\n", path.c_str());
    }
    return written && closed;
}

// Takes --out=FOLDER out of the arguments that all examples share.
std::string take_folder(int& argc, char** argv) {
    constexpr std::string_view kOut = "--out=";
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.substr(0, kOut.size()) == kOut) {
            std::rotate(argv + i, argv + i + 1, argv + argc);
            --argc;
            return std::string(argument.substr(kOut.size()));
        }
    }
    return {};
}

} // namespace

int main(int argc, char** argv) {
    const std::string folder = take_folder(argc, argv);
    const example::Args args = example::parse_args(
        argc, argv, 1440,
        "Records a game that stutters. With --out=FOLDER, which must exist, it writes\n"
        "FOLDER/game.ndjson and FOLDER/drawn.ndjson for `glissade doctor`.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    Physics physics;

    // [record]
    glissade::Recorder recorder(
        {.header = {
             .name = "my game", .source = glissade::TraceSource::Thread, .tick_ns = kTickNs}});
    for (std::int64_t frame = 0; frame < args.frames; ++frame) {
        const std::int64_t now_ns = frame * kFrameNs;
        while (physics.poll(now_ns)) { // Each tick, when the renderer first sees it.
            const glissade::TracePose pose{.id = 1,
                                           .position = {physics.x(physics.tick), 0.0, 0.0}};
            recorder.tick({.tick = physics.tick,
                           .sim_ns = physics.tick * kTickNs,
                           .arrive_ns = physics.arrive_ns(physics.tick)},
                          {&pose, 1});
        }
        recorder.frame({.frame = frame, .cpu_ns = now_ns, .present_ns = now_ns});
        const glissade::DrawnPose drawn{.id = 1,
                                        .position = {draw_naively(physics, now_ns), 0.0, 0.0}};
        recorder.drawn({.frame = frame}, {&drawn, 1});
    }
    // [/record]

    std::printf("%llu lines recorded, %llu dropped\n",
                static_cast<unsigned long long>(recorder.stats().line_count),
                static_cast<unsigned long long>(recorder.stats().dropped_count));
    if (folder.empty()) {
        return 0;
    }
    const bool saved = save(folder + "/game.ndjson", recorder.trace_text()) &&
                       save(folder + "/drawn.ndjson", recorder.drawn_text());
    return saved ? 0 : 1;
}
