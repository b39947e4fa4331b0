// SPDX-License-Identifier: MIT
// The simulation's side: steps the world and publishes every tick.
#pragma once

#include "glissade/feed/publisher.h"
#include "glissade/link/link.h"
#include "glissade/time/rate.h"

#include "logs.h"
#include "world.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace physics_thread {

inline constexpr glissade::Rate kTickRate = {60, 1};

/// How the loop waits for the next tick.
enum class Pacing : std::uint8_t {
    Absolute, ///< TickPacer: tick k is due at T0 + k * h, and says so.
    Free,     ///< step(); sleep_for(h): what everybody writes first. The rate is what comes out.
};

// Channels of each object, by which a reader can prove that a picture is of one moment: the number
// of the tick, which is a step and must be the same for all, and x + y + z, which is blended as the
// position is.
inline constexpr std::size_t kTickChannel = 0;
inline constexpr std::size_t kPlaceChannel = 1;
inline constexpr std::uint32_t kProofChannelCount = 2;

/// Steps a world on the thread that calls run().
class SimulationThread {
public:
    SimulationThread(glissade::Link& link, std::size_t box_count);

    /// Publishes until `stop`; every tick goes into `log` as well, as far as its capacity reaches.
    void run(Pacing pacing, const std::atomic<bool>& stop, std::vector<TickEntry>& log);

    /// The objects in the link, in the order of World::bodies().
    [[nodiscard]] const std::vector<glissade::Id>& ids() const noexcept { return ids_; }

private:
    void run_absolute(const std::atomic<bool>& stop, std::vector<TickEntry>& log);
    void run_free(const std::atomic<bool>& stop, std::vector<TickEntry>& log);
    /// Steps the world and shows it to the publisher.
    void step(const glissade::Tick& tick);
    void publish(glissade::PublishTimes times, std::vector<TickEntry>& log);

    World world_;
    glissade::Publisher publisher_;
    std::vector<glissade::Id> ids_;
    std::array<std::int64_t, kRecordedCount> cut_counts_{};
};

} // namespace physics_thread
