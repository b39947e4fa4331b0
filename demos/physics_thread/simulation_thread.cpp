// SPDX-License-Identifier: MIT
#include "simulation_thread.h"

#include "glissade/time/tick_pacer.h"

#include "clock.h"

#include <cmath>

namespace physics_thread {

SimulationThread::SimulationThread(glissade::Link& link, std::size_t box_count)
    : world_(box_count) {
    publisher_.join(link.memory());
    for (const BodyState& body : world_.bodies()) {
        ids_.push_back(publisher_.add(body.pose, body.velocity));
    }
}

void SimulationThread::run(Pacing pacing, const std::atomic<bool>& stop,
                           std::vector<TickEntry>& log) {
    if (pacing == Pacing::Absolute) {
        run_absolute(stop, log);
    } else {
        run_free(stop, log);
    }
}

void SimulationThread::run_absolute(const std::atomic<bool>& stop, std::vector<TickEntry>& log) {
    glissade::TickPacer pacer({.rate = kTickRate});
    while (!stop.load(std::memory_order_relaxed)) {
        for (const glissade::Tick& tick : pacer.wake(now_ns())) {
            step(tick);
            publish(glissade::PublishTimes::of(pacer, now_ns()), log);
        }
        sleep_until(pacer.next_due_ns());
    }
}

void SimulationThread::run_free(const std::atomic<bool>& stop, std::vector<TickEntry>& log) {
    const std::int64_t step_ns = std::llround(kTickRate.period_s() * 1e9);
    glissade::Tick tick{.duration_ns = step_ns, .step_s = kTickRate.period_s()};
    while (!stop.load(std::memory_order_relaxed)) {
        ++tick.index;
        tick.time_ns += step_ns;
        step(tick);
        publish({.tick = tick, .published_ns = now_ns()}, log);
        std::this_thread::sleep_for(std::chrono::nanoseconds(step_ns));
    }
}

void SimulationThread::step(const glissade::Tick& tick) {
    world_.step(static_cast<double>(tick.time_ns) * 1e-9, tick.step_s);
    const std::span<const BodyState> bodies = world_.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BodyState& body = bodies[i];
        if (body.lifted) {
            publisher_.cut(ids_[i], body.pose, body.velocity);
        } else {
            publisher_.move(ids_[i], body.pose, body.velocity);
        }
        const glm::dvec3& p = body.pose.position;
        publisher_.set_channel(ids_[i], kTickChannel, static_cast<float>(tick.index));
        publisher_.set_channel(ids_[i], kPlaceChannel, static_cast<float>(p.x + p.y + p.z));
        if (i < kRecordedCount) {
            cut_counts_[i] += body.lifted ? 1 : 0;
        }
    }
}

void SimulationThread::publish(glissade::PublishTimes times, std::vector<TickEntry>& log) {
    publisher_.publish(times);
    if (log.size() == log.capacity()) {
        return; // The run is longer than planned; nothing may be allocated now.
    }
    TickEntry entry{.tick = times.tick,
                    .published_ns = times.published_ns,
                    .due_ns = times.due_ns,
                    .epoch = times.epoch};
    for (std::size_t i = 0; i < kRecordedCount; ++i) {
        entry.bodies[i] = {world_.bodies()[i].pose, cut_counts_[i]};
    }
    log.push_back(entry);
}

} // namespace physics_thread
