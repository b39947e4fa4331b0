// SPDX-License-Identifier: MIT
// The renderer's end of a link: fills a track of a Stage and says what time each frame shows.
#pragma once

#include "glissade/base/id.h"
#include "glissade/feed/timeline.h"
#include "glissade/link/link.h"
#include "glissade/stage/stage.h"
#include "glissade/time/clock_offset.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace glissade {

/// Settings of a LinkFeed.
struct LinkFeedConfig {
    TrackId track = kDefaultTrack; ///< Made with LinkFeed::track_config().
    Blend blend = Blend::Linear;   ///< Of every object. Hermite needs velocities in the link.
    /// False: the writer's clock has another origin (a browser's worker, another machine), and the
    /// offset is found from when snapshots are seen.
    bool same_clock = true;
    std::optional<std::int64_t> fixed_delay_ns{}; ///< As TimelineConfig has it.
};

/// How a link and its source are doing.
struct LinkFeedReport {
    TimelineReport timeline{};
    LinkStats link{};
    std::uint64_t refused_count = 0;            ///< Objects that the stage refused to take in,
    StageStatus last_refusal = StageStatus::Ok; ///< and why, the last time.
    std::int64_t clock_offset_ns = 0;           ///< Reader's clock minus writer's.
};

/// Plays the snapshots of a link on a stage: present() once a frame, and read the stage.
///
/// Objects of the snapshots are spawned, moved, cut, shifted and despawned at their stamps; those
/// whose pose does not change rest and cost nothing per frame.
/// Thread safety: one thread at a time, that of the stage; never waits for the writer. Allocates:
/// in join() only. Cost: linear in the objects per snapshot.
class LinkFeed {
public:
    /// The stage must stay where it is while the feed lives.
    explicit LinkFeed(Stage& stage, const LinkFeedConfig& config = {}) noexcept;
    ~LinkFeed();
    LinkFeed(LinkFeed&&) noexcept;
    LinkFeed& operator=(LinkFeed&&) noexcept;
    LinkFeed(const LinkFeed&) = delete;
    LinkFeed& operator=(const LinkFeed&) = delete;

    /// What a track needs for a delayed source: 8 states, cuts at their stamps.
    [[nodiscard]] static TrackConfig track_config() noexcept;

    /// Becomes the reader of the link in `memory`. Objects of a link joined before are removed.
    LinkStatus join(std::span<std::byte> memory) noexcept;

    /// Takes in what was published, and presents the feed's track as it is on the screen in this
    /// frame. `cpu_ns`: the clock, now; `stamp_ns`: the display's own time of the frame, where the
    /// platform has one. Nothing happens before the first snapshot.
    void present(std::int64_t cpu_ns, std::optional<std::int64_t> stamp_ns = {}) noexcept;
    /// The same, but leaves it to the caller to present: for stages with several tracks.
    [[nodiscard]] std::optional<TrackSample> frame(
        std::int64_t cpu_ns, std::optional<std::int64_t> stamp_ns = {}) noexcept;

    /// The stage's name for an object of the writer; null if it is not (or no longer) there. The
    /// other way round, Stage::user() of the object is the writer's Id::bits().
    [[nodiscard]] Id find(Id writer_id) const noexcept;

    [[nodiscard]] LinkFeedReport report() const noexcept;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace glissade
