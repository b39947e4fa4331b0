// SPDX-License-Identifier: MIT
// Every constant of the pipeline for remote entities, in one place.
#pragma once

#include <cstdint>

namespace glissade {

/// How a step of the chase and the root motion of the animation make one step.
enum class RootMotion : std::uint8_t {
    Replace, ///< While the chase moves the body the animation only looks. Arrives, then runs on.
    Add,     ///< Both move it. A runner ahead of its sample stands still one root step short of it.
};

/// What a position update does that repeats the newest node of the chase.
enum class DuplicateTail : std::uint8_t {
    Replace, ///< Takes its place: the newest heading counts.
    Drop,    ///< Is ignored.
};

/// Which distance decides that a body is too far from the player to be chased.
enum class FarTest : std::uint8_t {
    Body,   ///< From the body, as of its last quantum: at physics_distance_m and beyond it snaps.
    Update, ///< From the received position: it snaps only beyond physics_distance_m.
};

/// The numbers by which remote entities move. The defaults are those of client(); all are finite
/// and, but for gravity, >= 0. docs/concepts/remote-tuning.md says what each one does to the
/// picture.
struct RemoteTuning {
    // Which updates are chased.
    double physics_distance_m = 96.0; ///< From here on nobody sees a glide: updates snap.
    FarTest far_test = FarTest::Body;
    double far_gap_outdoors_m = 100.0;    ///< A larger gap between nodes blips at once.
    double far_gap_indoors_m = 20.0;      ///< Likewise indoors: walls are near.
    double far_gap_local_player_m = 25.0; ///< Likewise indoors, for the local player.

    // The chase.
    double catch_up_factor = 2.0;      ///< Chase speed / adjusted max speed. Higher: catches up
                                       ///< sooner, looks more hurried.
    double fallback_speed_m_s = 7.5;   ///< Chase speed of a body without any.
    double reach_m = 0.05;             ///< Closer than this a node is reached. > 0.
    double near_m = 0.20;              ///< A stalled node closer than this counts as reached.
    std::uint32_t queue_cap = 20;      ///< Nodes; the oldest goes first. 1 to kChaseCapacity.
    std::uint32_t stall_window = 5;    ///< Quanta between two looks at the progress. >= 1.
    double progress_ratio = 0.30;      ///< Of the chase speed; slower over a window is a failure.
    std::uint32_t blip_after = 3;      ///< More failures than this, and it snaps. Up to 1000000.
    double first_distance_m = 999999.; ///< Stands for "not measured": the first window passes.
    RootMotion root_motion = RootMotion::Replace;
    DuplicateTail duplicate_tail = DuplicateTail::Replace;
    bool progress_resets_failures = false; ///< A window that passes forgets earlier failures.
    bool orientation_always_snaps =
        false; ///< Every update turns the body at once, even in the air.

    // How far a body may go by itself.
    double leash_start_outdoors_m = 10.0; ///< Travel since the last update from which steps shrink,
    double leash_max_outdoors_m = 50.0;   ///< and at which they are 0. > start.
    double leash_start_indoors_m = 5.0;
    double leash_max_indoors_m = 20.0;

    // Sticking to a target.
    double sticky_gap_m = 0.3;             ///< Kept between the two surfaces.
    double sticky_factor = 5.0;            ///< Speed / max speed.
    double sticky_fallback_speed_m_s = 15; ///< Of a body without any.
    double sticky_timeout_s = 1.0;         ///< Without renewal it lets go.

    // Speeds at a rate of 1.
    double run_speed_m_s = 4.0;
    double walk_speed_m_s = 3.12;
    double backward_factor = 0.65; ///< Of the walking speed.
    double sidestep_speed_m_s = 1.25;
    double max_running_sidestep = 3.0; ///< Limit of the sidestep speed number while running.
    double turn_rate_deg_s = 90.0;     ///< Of a move-to's turns, walking.
    double running_turn_factor = 1.5;  ///< The same, running.

    // Flight.
    double max_velocity_m_s = 50.0; ///< Velocities are clamped to it. > 0.
    double gravity_m_s2 = -9.8;     ///< Along +Z; negative falls.
    double friction = 0.95;       ///< Share of the speed that a second on the ground takes. [0, 1].
    double stop_speed_m_s = 0.25; ///< Slower than this it stands.
    double landing_chase_m =
        1.0; ///< A landing nearer than this is chased, else it snaps. 0: always.
    bool omega_bends_flight = true; ///< A turn about +Z in the air turns the velocity too: the arc
                                    ///< curves. False: only the body turns.

    // Moving to a target.
    double watch_period_s = 0.5;      ///< Between two looks at the target.
    double watch_radius_m = 0.5;      ///< It must have moved more than this to matter.
    double watch_timeout_s = 10.0;    ///< A target that was never seen is given up.
    double steer_dead_band_deg = 20.; ///< Smaller errors of heading are not steered. [0, 180].
    double min_progress_m_s = 0.25;   ///< Closing slower than this is no progress.
    double progress_period_s = 1.0;   ///< Younger samples always count as progress.

    double epsilon = 0.0002; ///< Metres, degrees, metres per second: smaller is nothing.

    /// Whether every number is in its range. RemoteWorld asserts it; the types of this layer rely
    /// on it.
    [[nodiscard]] bool is_valid() const noexcept;

    /// What the shipped client does; the default.
    [[nodiscard]] static RemoteTuning client() noexcept { return {}; }
    /// The reference description of that client, word for word: root motion and chase add up, good
    /// progress forgives, duplicates are dropped, the received position is measured against the
    /// player, every update turns the body, landings snap. Here to be compared, not to be used.
    [[nodiscard]] static RemoteTuning literal() noexcept;
};

} // namespace glissade
