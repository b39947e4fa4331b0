// SPDX-License-Identifier: MIT
// The simulation's end of a link: objects by handle, and one publish() a tick.
#pragma once

#include "glissade/base/id.h"
#include "glissade/link/link.h"
#include "glissade/pose/pose.h"
#include "glissade/time/tick.h"
#include "glissade/time/tick_pacer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace glissade {

/// Why a Publisher refused something. Nothing has changed then.
enum class PublishStatus : std::uint8_t {
    Ok,
    BadHandle, ///< Null, of an object that was removed, or never given out.
    BadValue,  ///< A pose, velocity or transform that check() refuses, or a channel not finite.
    Full,      ///< As many objects as the link holds.
    NotJoined, ///< Never joined a link, or left it.
};
[[nodiscard]] const char* to_string(PublishStatus status) noexcept;

/// The answer of Publisher::add(): an Id, or a null one and the reason.
struct PublishResult {
    Id id{};
    PublishStatus status = PublishStatus::Ok;
    // Implicit on purpose, as with AddResult of a stage.
    operator Id() const noexcept { return id; } // NOLINT(google-explicit-constructor)
};

/// The times of one snapshot.
struct PublishTimes {
    Tick tick{};                          ///< As a TickPacer gives it.
    std::int64_t published_ns = 0;        ///< The writer's clock, now.
    std::optional<std::int64_t> due_ns{}; ///< TickPacer::due_ns(); empty if there is no schedule.
    double time_scale = 1.0;              ///< Source time per real time, >= 0.
    bool paused = false;                  ///< No further tick until further notice.
    std::uint32_t epoch = 0;              ///< TickPacer::epoch().

    /// All of it for the tick that `pacer` runs just now. Declares a pause, too, if you publish
    /// once more when it begins; its end is told by the first tick after it.
    [[nodiscard]] static PublishTimes of(const TickPacer& pacer,
                                         std::int64_t published_ns) noexcept;
};

/// Holds what a simulation thread shows of its objects, and publishes it as whole snapshots.
///
/// Readers may miss snapshots, so cuts and shifts are counted and composed here, once and for all.
/// An object that nobody moves costs its copy into the snapshot.
/// Thread safety: one thread at a time, that of the simulation; never waits for the reader.
/// Allocates: in join() only. Cost: constant per call, linear in the objects for publish().
class Publisher {
public:
    Publisher() noexcept;
    ~Publisher();
    Publisher(Publisher&&) noexcept;
    Publisher& operator=(Publisher&&) noexcept;
    Publisher(const Publisher&) = delete;
    Publisher& operator=(const Publisher&) = delete;

    /// Becomes the writer of the link in `memory`. Objects of a link joined before are gone.
    LinkStatus join(std::span<std::byte> memory) noexcept;

    /// A new object, in the snapshots from the next one on.
    PublishResult add(const Pose& pose, const Velocity& velocity = {}) noexcept;
    /// The object is not in the next snapshot.
    PublishStatus remove(Id id) noexcept;
    /// The object is at `pose` after this tick.
    PublishStatus move(Id id, const Pose& pose, const Velocity& velocity = {}) noexcept;
    /// The same, and it was not on the way there: teleport, respawn.
    PublishStatus cut(Id id, const Pose& pose, const Velocity& velocity = {}) noexcept;
    /// A portal or a lift: in this tick the object was displaced by `rigid` and kept moving. move()
    /// it to its new place as well. Needs LinkColumns::Shift; without them it is a cut().
    PublishStatus shift(Id id, const Rigid& rigid) noexcept;
    /// A further number that rides along, below the link's channel_count.
    PublishStatus set_channel(Id id, std::size_t number, float value) noexcept;

    /// Hands the state of all objects over.
    LinkStatus publish(const PublishTimes& times) noexcept;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    [[nodiscard]] const LinkStats& stats() const noexcept;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace glissade
