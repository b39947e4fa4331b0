// SPDX-License-Identifier: MIT
// What goes into a Stage and what comes out of it: settings, statuses, events, columns, counters.
#pragma once

#include "glissade/base/id.h"
#include "glissade/pose/blend.h"
#include "glissade/pose/channel.h"
#include "glissade/pose/pose.h"
#include "glissade/time/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <glm/ext/matrix_float3x4.hpp>
#include <glm/ext/vector_double3.hpp>

namespace glissade {

/// Names one timeline of a stage.
enum class TrackId : std::uint16_t {};
inline constexpr TrackId kDefaultTrack{0}; ///< The track that every stage has from the start.

/// Why a stage refused something. Whatever is refused leaves the stage unchanged and is counted.
enum class StageStatus : std::uint8_t {
    Ok,
    NullHandle,
    StaleHandle,   ///< The object was removed; its slot may belong to another one now.
    ForeignHandle, ///< Never given out by this stage (its tag differs, or there is no such slot).
    BadPosition,   ///< See PoseStatus for this and the next four.
    BadRotation,
    ZeroRotation,
    BadScale,
    BadVelocity,
    BadChannel, ///< Not finite, or not as many values as the stage has channels.
    BadTick,    ///< Duration not positive, or time or index beyond +-2^61.
    StaleTick,  ///< Not newer than the track's newest tick.
    TooOld,     ///< amend() of a tick that the history no longer holds, or that lies before a cut.
    Full,       ///< No slot, mover row, shift or event place left.
    NoSuchTrack,
    TimeWentBack,   ///< A sample time before the track's last one; see restart().
    AbsurdTime,     ///< A time beyond +-2^61 ns.
    WouldCycle,     ///< An object below itself.
    TooDeep,        ///< More than kMaxDepth parents.
    SingularParent, ///< A parent with a scale of zero has no inside to move into.
    SizeMismatch,   ///< Spans of one call differ in length.
};
inline constexpr std::size_t kStageStatusCount = 21;
inline constexpr int kMaxDepth = 128;
inline constexpr std::size_t kMaxChannels = 8;

/// A short English name for logs, never null.
[[nodiscard]] const char* to_string(StageStatus status) noexcept;

/// When a cut shows.
enum class CutShows : std::uint8_t {
    AtOnce,  ///< In the next frame: for clocks on this thread, where a teleport must answer the
             ///< player.
    AtStamp, ///< When the picture reaches its tick: for delayed sources, where everything keeps its
             ///< order.
};

/// Settings of one track.
struct TrackConfig {
    std::uint32_t history = 2; ///< States kept per mover, 2 to 64. Two for clocks on this thread.
    CutShows cuts = CutShows::AtOnce;
    std::uint32_t mover_capacity =
        0; ///< Objects that can move at a time; 0: as many as the stage holds.
    /// How long motion is carried on past the newest tick when a frame needs it (an underrun); then
    /// it holds. 0 holds at once, the right choice on this thread.
    std::int64_t underrun_extrapolation_ns = 0;
    /// How far Blend::Extrapolate may guess.
    std::int64_t extrapolation_cap_ns = 100'000'000;
};

/// Settings of a Stage.
struct StageConfig {
    std::uint32_t capacity =
        1024; ///< Objects, up to 2^24 - 2. All memory is taken at construction.
    std::uint32_t event_capacity = 256; ///< Events waiting at a time, per track.
    std::uint32_t shift_capacity = 256; ///< Shifts inside the histories at a time, whole stage.
    std::uint8_t tag = 0; ///< Goes into every Id. Give two stages different tags and their handles
                          ///< cannot be mixed up.
    std::span<const Channel>
        channels{};      ///< Rules of the values that ride along, at most kMaxChannels. Copied.
    TrackConfig track{}; ///< Settings of kDefaultTrack.
};

/// Settings of one object.
struct ObjectConfig {
    TrackId track = kDefaultTrack;
    Id parent{}; ///< Null: the world. May be on another track.
    Blend blend = Blend::Linear;
    std::uint64_t user = 0;            ///< Yours: an entity, a pointer, an instance number.
    std::span<const float> channels{}; ///< First values; empty: zeros.
};

/// What may come with a new state beside the pose.
struct Extra {
    Velocity velocity{};               ///< For Blend::Hermite, HermitePath and Extrapolate.
    std::span<const float> channels{}; ///< Empty: as they were.
};

/// The answer of add() and spawn(): an Id, or a null one and the reason.
struct AddResult {
    Id id{};
    StageStatus status = StageStatus::Ok;
    // Implicit on purpose: `const Id box = stage.add(pose);` is how everybody wants to write it.
    operator Id() const noexcept { return id; } // NOLINT(google-explicit-constructor)
};

/// The answer of a batch: every item is judged alone, refused ones are left out.
struct BatchResult {
    std::size_t accepted_count = 0;
    std::size_t first_refused = 0;        ///< Its place in the spans, if status is not Ok.
    StageStatus status = StageStatus::Ok; ///< Why that one was refused.
};

/// Poses as columns, all of one length; `scale_*` may be empty, which means 1.
struct PoseColumns {
    std::span<const double> x{}, y{}, z{};
    std::span<const float> qx{}, qy{}, qz{}, qw{};
    std::span<const float> scale_x{}, scale_y{}, scale_z{};
};

/// The visual poses of the objects that move on one track, packed, in no particular order.
struct MovedColumns {
    std::span<const Id> ids;
    PoseColumns visual{};   ///< What this frame shows, in the space of each object's parent.
    PoseColumns previous{}; ///< What the frame before showed.
};

/// The sample time of one track.
struct TrackSample {
    TrackId track = kDefaultTrack;
    SampleTime time{};
};

/// Where present() puts the world matrices of what moves on one track.
struct MatrixTarget {
    TrackId track = kDefaultTrack;
    /// One for each of moved(track).ids as they are after the call, in that order; at least
    /// mover_count(track) of them. Written only, never read, so it may be memory of a GPU. Fastest
    /// when aligned to 64 bytes.
    std::span<glm::mat3x4> matrices{};
    glm::dvec3 origin{0.0}; ///< What they are relative to: the camera, or a corner of the map.
    /// False: matrices are all that is made of this frame, which is a tenth to a quarter faster.
    /// visual() of what moves is then worked out when it is asked for, from the states of that
    /// moment, so ask before the next tick, and give parents before it. previous() is the same as
    /// visual(), as it is in the next frame, and moved() has no columns but its ids; for motion
    /// vectors keep the matrices of the frame before. Stages with children, and frames that guess
    /// beyond the newest tick, make poses all the same.
    bool poses = true;
};

/// Something that is to happen when the picture gets there: a sound, a spawn, a hit mark.
struct Event {
    TrackId track = kDefaultTrack;
    std::int64_t time_ns = 0; ///< On the track's own timeline.
    std::uint64_t value = 0;  ///< Yours.
};

/// What one track has seen.
struct TrackStats {
    std::uint64_t tick_count = 0;
    std::uint64_t underrun_count = 0; ///< Frames whose sample time was later than the newest tick.
    std::uint64_t snap_count = 0;     ///< Histories re-snapped because the clock's epoch changed.
};

/// What a stage has done since it was made.
struct StageStats {
    std::uint64_t present_count = 0;
    std::uint64_t add_count = 0;
    std::uint64_t remove_count = 0;
    std::uint64_t move_count = 0; ///< Accepted states, in motion or not.
    std::uint64_t cut_count = 0;
    std::uint64_t shift_count = 0;
    std::uint64_t amend_count = 0;
    std::uint64_t wake_count = 0;          ///< Objects that began to move.
    std::uint64_t settle_count = 0;        ///< Objects that came to rest at their exact final pose.
    std::uint64_t event_count = 0;         ///< Events that came out.
    std::uint64_t dropped_event_count = 0; ///< Events that restart() threw away.
    std::array<std::uint64_t, kStageStatusCount> refused_count{}; ///< By StageStatus.
};

} // namespace glissade
