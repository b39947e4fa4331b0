// SPDX-License-Identifier: MIT
// The store of moving objects: takes logical poses at ticks, gives visual poses at frames.
#pragma once

#include "glissade/pose/affine.h"
#include "glissade/stage/changed_ids.h"
#include "glissade/stage/move_cursor.h"
#include "glissade/stage/stage_types.h"

#include <memory>
#include <optional>

namespace glissade {

class StageData;

/// Holds objects that move in ticks and says where each one is in this frame.
///
/// Each tick, tell it what moved; each frame, present() the time that the frame shows and read.
/// What is not moved rests and costs nothing. Every pose is local to the object's parent. Logical
/// poses go in and are never changed by presenting, so a simulation runs the same with or without a
/// stage.
///
/// Thread safety: one thread at a time; const calls may run side by side. Allocates: the
/// constructor and make_track() only. Cost: present() follows what moves, all calls on one object
/// are constant unless said. Bad input: refused with a StageStatus, nothing changes, counted in
/// stats().
class Stage {
public:
    explicit Stage(const StageConfig& config = {}) noexcept;
    ~Stage();
    Stage(Stage&&) noexcept;
    Stage& operator=(Stage&&) noexcept;
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    // Objects.

    /// Puts an object at rest, shown from the next frame on.
    AddResult add(const Pose& pose, const ObjectConfig& config = {}) noexcept;
    /// Puts an object into the scene in motion: first shown when the picture reaches `tick`, and
    /// already under way then.
    AddResult spawn(const Tick& tick, const Pose& pose, const ObjectConfig& config = {},
                    const Extra& extra = {}) noexcept;
    /// Takes an object away at once. Its children stay where they are, as roots. Linear in their
    /// number.
    StageStatus remove(Id id) noexcept;
    /// Takes an object away when the picture reaches `tick`.
    StageStatus despawn(const Tick& tick, Id id) noexcept;

    // Each tick: what is true now.

    /// The object is at `pose` after `tick`. Motion begins at the tick before, and ends by not
    /// being moved in a tick. Moving twice in a tick: the last one counts.
    /// Fastest where objects are told in the same order in every tick: then it is some comparisons
    /// and a line in the cache, inline.
    StageStatus move(const Tick& tick, Id id, const Pose& pose) noexcept {
        return cursor_->try_move(tick, id, pose) ? StageStatus::Ok : move_any(tick, id, pose);
    }
    StageStatus move(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept;
    /// The same for many, without velocities or channels. Items are judged one by one.
    BatchResult move(const Tick& tick, std::span<const Id> ids,
                     std::span<const Pose> poses) noexcept;
    BatchResult move(const Tick& tick, std::span<const Id> ids, const PoseColumns& poses) noexcept;
    /// The same with velocities, for Blend::Hermite and HermitePath.
    BatchResult move(const Tick& tick, std::span<const Id> ids, std::span<const Pose> poses,
                     std::span<const Velocity> velocities) noexcept;

    /// The object is at `pose` now and was not on the way there: teleport, respawn. Never blended
    /// across.
    StageStatus cut(const Tick& tick, Id id, const Pose& pose, const Extra& extra = {}) noexcept;
    /// The same at the track's newest tick, for cuts made between ticks.
    StageStatus cut(Id id, const Pose& pose, const Extra& extra = {}) noexcept;

    /// A portal or a lift: during `tick` the object was displaced by `rigid` and kept moving.
    /// Applies to what the stage holds; a move() of the same tick after it is in the new space. The
    /// picture goes through at the start of the tick, without a change of speed.
    StageStatus shift(const Tick& tick, Id id, const Rigid& rigid) noexcept;

    /// Corrects the state of a past tick (rollback). The picture does not jump: the difference
    /// fades with a half-life of 50 ms of sample time. BadTick if the track never had that tick.
    StageStatus amend(const Tick& tick, Id id, const Pose& pose, const Extra& extra = {}) noexcept;

    // Each frame: what is shown.

    /// Shows `sample` on kDefaultTrack; other tracks stay where they are.
    StageStatus present(const SampleTime& sample) noexcept;
    /// Shows a sample time on each track listed; refused as a whole if one of them is bad.
    StageStatus present(std::span<const TrackSample> samples) noexcept;
    /// The same, and writes world matrices of what moves straight into your memory, in the same
    /// pass. SizeMismatch if a target is shorter than mover_count() of its track; where an object
    /// with resting children leaves in this very frame, matrices for those may be left out.
    StageStatus present(const SampleTime& sample, const MatrixTarget& target) noexcept;
    StageStatus present(std::span<const TrackSample> samples,
                        std::span<const MatrixTarget> targets) noexcept;

    // The same in parts, for a job system of yours. begin_present(), then present_range() once for
    // every number below range_count(), on any threads and in any order, then end_present() on this
    // one. The result is that of present(), bit for bit. Nothing else may be called in between.

    /// Refuses what present() refuses; there is nothing to run or end then.
    StageStatus begin_present(std::span<const TrackSample> samples,
                              std::span<const MatrixTarget> targets = {}) noexcept;
    [[nodiscard]] std::size_t range_count() const noexcept;
    void present_range(std::size_t number) noexcept;
    void end_present() noexcept;

    /// Where to draw it, local to its parent. The identity for a bad handle, as in all readers
    /// below.
    [[nodiscard]] Pose visual(Id id) const noexcept;
    /// What the frame before showed, for motion vectors. The same as visual() after a cut.
    [[nodiscard]] Pose previous(Id id) const noexcept;
    /// The newest truth.
    [[nodiscard]] Pose logical(Id id) const noexcept;
    /// The value of a channel in this frame; 0 if there is no such channel.
    [[nodiscard]] float channel(Id id, std::size_t number) const noexcept;
    /// Where it is at another time of its track, as far as the history reaches. Changes nothing.
    [[nodiscard]] Pose sample(Id id, std::int64_t time_ns) const noexcept;

    /// Where to draw it in the world. Linear in the number of parents.
    [[nodiscard]] Affine world(Id id) const noexcept;
    [[nodiscard]] Affine previous_world(Id id) const noexcept;
    /// World matrices of `ids` relative to `origin`, straight into your memory, in order: those of
    /// world(), within the rounding of floats. Bad handles give the identity. SizeMismatch if `out`
    /// is shorter than `ids`. Fastest for objects without parents in the order of moved().ids; see
    /// MatrixTarget for what moves anyway.
    // NOLINTNEXTLINE(modernize-use-nodiscard): as with every status of a stage, it may be ignored.
    StageStatus write_matrices(std::span<const Id> ids, std::span<glm::mat3x4> out,
                               const glm::dvec3& origin = glm::dvec3(0.0)) const noexcept;
    // NOLINTNEXTLINE(modernize-use-nodiscard)
    StageStatus write_matrices(std::span<const Id> ids, std::span<glm::mat4> out,
                               const glm::dvec3& origin = glm::dvec3(0.0)) const noexcept;

    /// Everything whose place in the world or visibility changed in the last present(), what hangs
    /// below movers included. Valid until the next call that is not const: do not remove or hide
    /// while you go through it. Where ticks come in but the picture stands still, movers may be
    /// listed although they have not changed.
    [[nodiscard]] ChangedIds changed() const noexcept;
    /// The movers of a track as columns. Valid until the next call that is not const. Ids only
    /// after a frame without poses, see MatrixTarget.
    [[nodiscard]] MovedColumns moved(TrackId track = kDefaultTrack) const noexcept;
    /// The number of the present() in which the object's place in the world last changed.
    [[nodiscard]] std::uint64_t world_revision(Id id) const noexcept;
    /// The number of the last present().
    [[nodiscard]] std::uint64_t revision() const noexcept;
    /// How many cuts of the object the picture has shown; cameras cut when it changes.
    [[nodiscard]] std::uint32_t shown_cuts(Id id) const noexcept;

    // Properties of an object.

    /// The object is in the scene and this handle is its name.
    [[nodiscard]] bool contains(Id id) const noexcept;
    /// Why a handle is no good, or Ok.
    [[nodiscard]] StageStatus check(Id id) const noexcept;
    /// Shown in this frame: not hidden, and the picture has reached its spawn. Parents do not
    /// matter.
    [[nodiscard]] bool visible(Id id) const noexcept;
    /// A hidden object is moved without being blended, and costs nothing per frame.
    StageStatus hide(Id id) noexcept;
    /// Shows it at its logical pose, or cuts it to `pose`; nothing of the time before is blended.
    StageStatus show(Id id) noexcept;
    StageStatus show(Id id, const Pose& pose) noexcept;
    /// Moves an object below another parent (null: the world). Its path in the world goes on
    /// unbroken; poses are in the new parent's space from now on. Linear in depth and in the
    /// objects below it.
    StageStatus set_parent(Id id, Id parent) noexcept;
    [[nodiscard]] Id parent(Id id) const noexcept;
    StageStatus set_blend(Id id, Blend blend) noexcept;
    [[nodiscard]] std::uint64_t user(Id id) const noexcept;
    StageStatus set_user(Id id, std::uint64_t user) noexcept;

    // Tracks.

    /// A further timeline; nothing if its settings are out of range or 65535 exist. Allocates.
    [[nodiscard]] std::optional<TrackId> make_track(const TrackConfig& config) noexcept;
    /// The source time that the picture shows, for lag compensation. Nothing before the first
    /// present().
    [[nodiscard]] std::optional<std::int64_t> sample_time(
        TrackId track = kDefaultTrack) const noexcept;
    [[nodiscard]] std::optional<Tick> newest(TrackId track = kDefaultTrack) const noexcept;
    /// Moves all of the stage, or the roots of one track, history and picture, at once (floating
    /// origin). Linear in the number of objects.
    StageStatus rebase(const glm::dvec3& offset) noexcept;
    StageStatus rebase(TrackId track, const glm::dvec3& offset) noexcept;
    /// Forgets history and events and sets the sample time: the only way back in time (load, seek).
    /// Everything stands at its logical pose, ticks may be of any time again. Linear in the number
    /// of objects.
    StageStatus restart(TrackId track, std::int64_t time_ns) noexcept;

    // Events on the drawn timeline.

    /// Comes out of events() in the frame whose picture reaches `time_ns`; at the next one if it
    /// has passed.
    StageStatus post(const Event& event) noexcept;
    /// What became due in the last present(), in order of time per track. Valid until the next one.
    [[nodiscard]] std::span<const Event> events() const noexcept;

    // Counting.

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] std::size_t capacity() const noexcept;
    [[nodiscard]] std::size_t mover_count(TrackId track = kDefaultTrack) const noexcept;
    [[nodiscard]] const StageStats& stats() const noexcept;
    [[nodiscard]] TrackStats track_stats(TrackId track = kDefaultTrack) const noexcept;

private:
    friend class TickWriter;
    /// Every move() that does not fit the cursor.
    StageStatus move_any(const Tick& tick, Id id, const Pose& pose) noexcept;
    /// A part of a batch that begins with item `first`. Precondition: spans of one length;
    /// finish_moves() follows the last part.
    void move_some(const Tick& tick, std::span<const Id> ids, std::span<const Pose> poses,
                   std::size_t first, BatchResult& result) noexcept;
    void finish_moves() noexcept;

    std::unique_ptr<StageData> data_;
    detail::MoveCursor* cursor_; ///< Of a track of `data_` on which moves came in order.
};

} // namespace glissade
