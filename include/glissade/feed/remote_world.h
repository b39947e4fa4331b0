// SPDX-License-Identifier: MIT
// Many remote entities on a stage: packets in, smooth bodies out.
#pragma once

#include "glissade/base/id.h"
#include "glissade/remote/remote_entity.h"
#include "glissade/stage/stage.h"
#include "glissade/time/quantum_gate.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace glissade {

/// Settings of a RemoteWorld.
struct RemoteWorldConfig {
    std::uint32_t capacity = 256; ///< Entities at a time. All memory is taken at construction.
    /// Out of range is a broken precondition; without asserts it is client().
    RemoteTuning tuning{};
    /// How frames become quanta, of at most 1 s. QuantumGateConfig::even() is smoother at display
    /// rates whose quanta do not divide a second (144 Hz).
    QuantumGateConfig gate = QuantumGateConfig::retail();
    TrackId track = kDefaultTrack; ///< Made with RemoteWorld::track_config().
};

/// What became of RemoteWorld::add().
enum class RemoteAdd : std::uint8_t {
    Ok,
    Full,         ///< As many entities as the world or the stage holds.
    DuplicateKey, ///< An entity of this world has that key.
    BadNumber,    ///< Of the place or the size: not finite or out of range.
    NoSuchTrack,  ///< The stage does not have the world's track.
};

/// A short English name for logs, never null.
[[nodiscard]] const char* to_string(RemoteAdd status) noexcept;

/// The answer of add(): the entity's name, or a null one and the reason.
struct RemoteAdded {
    Id id{};
    RemoteAdd status = RemoteAdd::Ok;
    // Implicit on purpose, as that of AddResult.
    operator Id() const noexcept { return id; } // NOLINT(google-explicit-constructor)
};

/// How the entities are doing.
struct RemoteWorldReport {
    std::size_t entity_count = 0;
    std::size_t chasing_count = 0;     ///< Entities with something to chase, now.
    std::size_t queued_node_count = 0; ///< Of all of them, now.
    std::size_t longest_queue = 0;     ///< Now.
    std::array<std::uint64_t, kRoutedCount> routed_count{}; ///< Position updates, by Routed.
    std::uint64_t stale_count = 0; ///< Packets that came too late, of any kind.
    std::uint64_t held_count = 0;  ///< Position updates handed back to the caller.
    std::uint64_t bad_count = 0;   ///< Packets refused for their numbers or their entity.
    std::uint64_t stall_count = 0; ///< Chases without progress,
    std::uint64_t blip_count = 0;  ///< and the snaps that ended them.
    std::uint64_t refused_blip_count = 0;
    std::uint64_t snap_count = 0; ///< Hard sets by updates: snaps and teleports.
    std::uint64_t landing_count = 0;
    std::uint64_t arrival_count = 0;   ///< Move-to orders carried out,
    std::uint64_t cancelled_count = 0; ///< and those that ended otherwise.
    std::uint64_t quantum_count = 0;
    std::int64_t delay_ns = 0;       ///< How far the picture is behind the newest quantum's end.
    std::uint64_t refused_count = 0; ///< What the stage refused,
    StageStatus last_refusal = StageStatus::Ok; ///< and why, the last time.
};

/// Steps remote entities by one gate and feeds a track of a stage with them: receive() packets as
/// they come, present() once a frame, read the stage.
///
/// Bodies are drawn at frame rate between their quanta, about one quantum behind; what snaps is a
/// cut. Thread safety: one thread at a time, that of the stage. Allocates: the constructor only.
/// Cost: linear in the entities, per quantum.
class RemoteWorld {
public:
    /// The stage must stay where it is while the world lives.
    explicit RemoteWorld(Stage& stage, const RemoteWorldConfig& config = {}) noexcept;
    ~RemoteWorld();
    RemoteWorld(RemoteWorld&&) noexcept;
    RemoteWorld& operator=(RemoteWorld&&) noexcept;
    RemoteWorld(const RemoteWorld&) = delete;
    RemoteWorld& operator=(const RemoteWorld&) = delete;

    /// What a track needs: 10 states, cuts at their stamps.
    [[nodiscard]] static TrackConfig track_config() noexcept;

    /// An entity; its name is that of its object on the stage. Hidden until it has a place. Keys
    /// must differ: they are how move-to and sticky name their targets.
    RemoteAdded add(const RemoteEntityConfig& config) noexcept;
    /// Also takes it off the stage, at once. Entities go only this way: one that was removed from
    /// the stage directly is stepped on, and the stage's refusals are counted. A world that ends
    /// leaves its objects on the stage.
    StageStatus remove(Id id) noexcept;

    // Packets. What became of them may be ignored, report() counts it; only Routed::Held asks for
    // something: keep the packet and offer it again.

    Routed receive(Id id, const PositionPacket& packet, const RemoteScene& scene = {}) noexcept;
    Received receive(Id id, const MotionPacket& packet) noexcept;
    Received receive(Id id, const MoveToPacket& packet, const RemoteScene& scene = {}) noexcept;
    Received receive(Id id, const VectorPacket& packet) noexcept;

    /// Runs the quanta that are due and presents the world's track. Targets that are entities of
    /// this world are known to it; for others the scene's find_target is asked.
    void present(std::int64_t now_ns, const RemoteScene& scene = {}) noexcept;
    /// The same, but leaves it to the caller to present: for stages with several tracks. Nothing
    /// before the first quantum.
    [[nodiscard]] std::optional<TrackSample> frame(std::int64_t now_ns,
                                                   const RemoteScene& scene = {}) noexcept;

    /// Null if there is no such entity.
    [[nodiscard]] const RemoteEntity* find(Id id) const noexcept;
    /// By its key; null if there is none.
    [[nodiscard]] Id find_key(std::uint64_t key) const noexcept;
    /// As of RemoteEntity. False: no such entity.
    bool set_root_velocity(Id id, const std::optional<RootVelocity>& root) noexcept;
    bool set_motions_pending(Id id, bool pending) noexcept;

    [[nodiscard]] const RemoteTuning& tuning() const noexcept;
    /// Linear in the entities.
    [[nodiscard]] RemoteWorldReport report() const noexcept;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace glissade
