// SPDX-License-Identifier: MIT
#include "render_thread.h"

#include "clock.h"

#include <cmath>

namespace physics_thread {

namespace {

constexpr glissade::Channel kProofChannels[] = {glissade::Channel::Step, glissade::Channel::Linear};

glissade::StageConfig make_config(std::size_t object_count) {
    return {.capacity = static_cast<std::uint32_t>(object_count),
            .channels = kProofChannels,
            .track = glissade::LinkFeed::track_config()};
}

} // namespace

RenderThread::RenderThread(glissade::Link& link, std::vector<glissade::Id> ids)
    : ids_(std::move(ids)), stage_(make_config(ids_.size())) {
    feed_.join(link.memory());
}

void RenderThread::run(double rate_hz, const std::atomic<bool>& stop, RunLog& log) {
    const double period_ns = 1e9 / rate_hz;
    const std::int64_t start_ns = now_ns();
    double refresh = 0.0;
    while (!stop.load(std::memory_order_relaxed)) {
        // A frame that took too long misses refreshes; it never moves them.
        const auto passed_ns = static_cast<double>(now_ns() - start_ns);
        refresh = std::max(refresh, std::floor(passed_ns / period_ns)) + 1.0;
        const std::int64_t stamp_ns = start_ns + std::llround(refresh * period_ns);
        sleep_until(stamp_ns);
        draw(stamp_ns, log);
    }
    log.report = feed_.report();
}

void RenderThread::draw(std::int64_t stamp_ns, RunLog& log) {
    FrameEntry entry{.cpu_ns = now_ns(), .stamp_ns = stamp_ns};
    feed_.present(entry.cpu_ns, stamp_ns);

    const glissade::LinkFeedReport report = feed_.report();
    entry.skipped_count = report.link.skipped_count;
    entry.tick_count = report.link.snapshot_count + report.link.skipped_count;
    entry.delay_ns = report.timeline.delay_ns;
    entry.sample_ns = stage_.sample_time();
    for (std::size_t i = 0; i < kRecordedCount; ++i) {
        entry.drawn[i] = stage_.visual(feed_.find(ids_[i]));
    }
    log.torn_count += entry.sample_ns && is_torn(stage_, feed_, ids_, fade_) ? 1U : 0U;
    if (log.frames.size() < log.frames.capacity()) {
        log.frames.push_back(entry);
    }
}

} // namespace physics_thread
