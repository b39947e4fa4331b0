// SPDX-License-Identifier: MIT
// A simulation on a thread of its own, and a picture that does not vibrate.
#include "glissade/glissade.h"

#include "example_args.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <thread>

namespace {

// [clock]
using Clock = std::chrono::steady_clock; // One clock for both threads.

std::int64_t now_ns() {
    return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
}
void sleep_until(std::int64_t time_ns) {
    std::this_thread::sleep_until(Clock::time_point(std::chrono::nanoseconds(time_ns)));
}
// [/clock]

// Runs in circles of 5 m, one in two seconds, about (0, 0) or about (100, 0).
struct Runner {
    static constexpr double kRadius = 5.0;
    static constexpr double kFar = 100.0;
    double angle_rad = 0.0;
    double centre = 0.0;

    void step(double step_s) { angle_rad += 3.14 * step_s; }
    [[nodiscard]] glissade::Pose pose() const {
        return {.position = {centre + kRadius * std::cos(angle_rad), kRadius * std::sin(angle_rad),
                             0.0}};
    }
};

struct Simulation {
    explicit Simulation(glissade::Link& link) {
        publisher.join(link.memory());
        body = publisher.add(runner.pose());
    }

    // [loop]
    void run() { // On its own thread.
        while (!stop) {
            for (const glissade::Tick& tick : pacer.wake(now_ns())) {
                step(tick);
                publish(); // After the step: from here on the tick can be seen.
            }
            obey();
            sleep_until(pacer.next_due_ns()); // Not sleep_for(): lateness would add up.
        }
    }
    // [/loop]

    void step(const glissade::Tick& tick) {
        runner.step(tick.step_s);
        const bool teleport = tick.index == 20;
        runner.centre = teleport ? Runner::kFar : runner.centre;
        teleport ? publisher.cut(body, runner.pose()) : publisher.move(body, runner.pose());
    }

    // [publish]
    void publish() {
        // The tick's own time, when it was due, and when it can be seen: three different times.
        publisher.publish(glissade::PublishTimes::of(pacer, now_ns()));
    }
    // [/publish]

    void obey() {
        if (pause && !pacer.paused()) {
            pacer.pause();
            publish(); // Says so. The end of the pause shows in the next tick.
        } else if (!pause && pacer.paused()) {
            pacer.resume();
        }
    }

    glissade::TickPacer pacer{{.rate = {60, 1}}};
    glissade::Publisher publisher;
    Runner runner;
    glissade::Id body;
    std::atomic<bool> pause = false;
    std::atomic<bool> stop = false;
};

// Stands for a display of 144 Hz. Yours has a swap chain that waits, and perhaps a present stamp.
struct Display {
    static constexpr std::int64_t kFrameNs = 6'944'444;
    std::int64_t stamp_ns = now_ns();

    void wait() {
        // A frame that took too long misses refreshes; it never moves them.
        stamp_ns += ((now_ns() - stamp_ns) / kFrameNs + 1) * kFrameNs;
        sleep_until(stamp_ns);
    }
};

// Stands for drawing: is what is drawn on one of the circles, and does it go forward only?
struct Screen {
    int print_every = 1;
    int fault_count = 0;
    double angle_rad = 0.0;
    double turned_rad = 0.0;

    void draw(int frame, const glissade::Pose& pose) {
        const double centre = pose.position.x > Runner::kFar / 2.0 ? Runner::kFar : 0.0;
        const double x = pose.position.x - centre;
        const double angle = std::atan2(pose.position.y, x);
        const double step = std::remainder(angle - angle_rad, 6.283185307179586);
        const double off = std::abs(std::hypot(x, pose.position.y) - Runner::kRadius);
        // A machine that stalls for many ticks cuts a corner; only real faults count here.
        fault_count += step < -0.1 || off > 1.0 ? 1 : 0;
        turned_rad += step;
        angle_rad = angle;
        if (frame % print_every == 0) {
            std::printf("frame %3d: drawn at (%7.3f, %6.3f)\n", frame, pose.position.x,
                        pose.position.y);
        }
    }
};

void print_report(const glissade::LinkFeedReport& report) {
    const glissade::TimelineReport& timeline = report.timeline;
    std::printf("\n%llu snapshots, %llu skipped; %llu frames, stamps: %s\n",
                static_cast<unsigned long long>(report.link.snapshot_count),
                static_cast<unsigned long long>(report.link.skipped_count),
                static_cast<unsigned long long>(timeline.frame_count),
                to_string(timeline.frame_timing));
    std::printf("delay %.1f ms, lateness %.2f ms (half), %.2f ms (99.5 %%), rate %.4f\n",
                double(timeline.delay_ns) * 1e-6, double(timeline.lateness_p50_ns) * 1e-6,
                double(timeline.lateness_p995_ns) * 1e-6, timeline.rate);
    std::printf("underruns %llu, held frames %llu, re-locks %llu\n",
                static_cast<unsigned long long>(timeline.underrun_count),
                static_cast<unsigned long long>(timeline.held_count),
                static_cast<unsigned long long>(timeline.relock_count));
}

} // namespace

int main(int argc, char** argv) {
    const example::Args args = example::parse_args(
        argc, argv, 288, "A simulation on its own thread, drawn at 144 Hz in real time.");
    if (args.exit_code) {
        return *args.exit_code;
    }

    // [start]
    glissade::Link link({.capacity = 16});
    Simulation simulation(link);
    std::thread thread([&simulation] { simulation.run(); });
    // [/start]
    Display display;
    Screen screen{.print_every = args.frames / 12 + 1};

    // [render]
    glissade::Stage stage({.capacity = 16, .track = glissade::LinkFeed::track_config()});
    glissade::LinkFeed feed(stage);
    feed.join(link.memory());
    for (int frame = 0; frame < args.frames; ++frame) {
        display.wait();
        feed.present(now_ns(), display.stamp_ns); // Leave the stamp out if there is none.
        const glissade::Id body = feed.find(simulation.body);
        if (stage.contains(body)) { // The first snapshot is there.
            screen.draw(frame, stage.visual(body));
        }
        simulation.pause = frame >= args.frames / 2 && frame < args.frames * 5 / 8;
    }
    // [/render]

    simulation.stop = true;
    thread.join();
    print_report(feed.report());
    const bool moved = screen.turned_rad > 0.1 || args.frames < 60;
    if (!moved || screen.fault_count > 0) {
        std::fprintf(stderr, "turned by %.3f rad, %d frames drawn in the wrong place\n",
                     screen.turned_rad, screen.fault_count);
        return 1;
    }
    return 0;
}
