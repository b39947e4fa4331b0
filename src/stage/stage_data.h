// SPDX-License-Identifier: MIT
// The inside of a Stage: its tables, and the operations that several of its calls share.
#pragma once

#include "glissade/stage/stage.h"

#include "stage/shift_pool.h"
#include "stage/slot_table.h"
#include "stage/track.h"
#include "time/absurd.h"

#include <vector>

namespace glissade {

struct Run;

/// Everything a Stage holds. Its public calls are in stage*.cpp; what they share is here.
class StageData {
public:
    explicit StageData(const StageConfig& config);

    void add_track(const TrackConfig& config);
    void reserve_ranges();
    /// A new object at rest. Precondition: check_add() is Ok.
    std::uint32_t add(const Pose& pose, const ObjectConfig& config) noexcept;

    /// Counts a refusal and returns it.
    StageStatus refuse(StageStatus status) noexcept;
    [[nodiscard]] Track* find_track(TrackId track) noexcept;
    [[nodiscard]] const Track* find_track(TrackId track) const noexcept;
    [[nodiscard]] Track& track_of(std::uint32_t index) noexcept {
        return tracks[static_cast<std::size_t>(slots[index].track)];
    }
    [[nodiscard]] const Track& track_of(std::uint32_t index) const noexcept {
        return tracks[static_cast<std::size_t>(slots[index].track)];
    }

    // What may enter (doors.cpp). `pose` comes back with a unit rotation.
    [[nodiscard]] StageStatus check_state(Pose& pose, const Extra& extra) const noexcept;
    [[nodiscard]] static StageStatus check_shift(Rigid& rigid) noexcept;
    [[nodiscard]] static StageStatus check_tick(const Track& track, const Tick& tick) noexcept;
    [[nodiscard]] StageStatus check_add(Pose& pose, const ObjectConfig& config,
                                        const Extra& extra) const noexcept;
    [[nodiscard]] StageStatus check_write(Id id, const Tick& tick, Pose& pose,
                                          const Extra& extra) const noexcept;
    [[nodiscard]] StageStatus check_amend(Id id, const Tick& tick, Pose& pose,
                                          const Extra& extra) const noexcept;
    /// Its next state has a place: a row it has, can have, or does not need.
    [[nodiscard]] bool has_room(std::uint32_t index) const noexcept;
    /// A cut of it shows in the next frame, whatever its tick.
    [[nodiscard]] bool cuts_at_once(std::uint32_t index) const noexcept;
    [[nodiscard]] StageStatus check_sample(const TrackSample& sample) const noexcept;
    /// Begins the tick if it is new. Precondition: check_tick() is Ok.
    void enter_tick(Track& track, const Tick& tick) noexcept;

    // Rows (record.cpp).
    [[nodiscard]] bool has_row(std::uint32_t index) const noexcept {
        return slots.row(index) != MoverTable::kNone;
    }
    [[nodiscard]] std::uint32_t row_of(std::uint32_t index) const noexcept {
        return slots.row(index);
    }
    /// The long way of Stage::move(), for everything.
    [[gnu::noinline]] StageStatus move(const Tick& tick, Id id, const Pose& pose,
                                       const Extra& extra) noexcept;
    [[nodiscard]] detail::MoveCursor& cursor() noexcept {
        return tracks[cursor_track].movers.cursor();
    }
    /// Where an object is in motion. What follows the last that was told needs no look at its key,
    /// which may be far away. After one out of order, what is compared would be far away as well.
    [[nodiscard]] MoverPlace find_mover(Id id) noexcept {
        const Track& track = tracks[cursor_track];
        const std::uint32_t row = cursor().row();
        const bool follows = row < track.movers.size() && row != track.order.last_row() + 1 &&
                             track.movers.id(row) == id;
        return follows ? MoverPlace{row, TrackId{cursor_track}} : slots.find_mover(id);
    }
    /// The short way: the object moves already, in a tick that is open, and its pose and
    /// velocity need no further work. False if it is not so; nothing has happened then.
    [[nodiscard]] bool try_move(const Tick& tick, Id id, const Pose& pose) noexcept;
    /// The same for objects that have, or may have had, velocities.
    [[nodiscard]] bool try_move(const Tick& tick, Id id, const Pose& pose,
                                const Velocity& velocity) noexcept;
    /// Whichever of the two it takes.
    [[nodiscard]] bool try_move(const Tick& tick, Id id, const Pose& pose,
                                const Extra& extra) noexcept;
    /// Whether the track of a run takes moves of the tick; begins the tick with the run's first
    /// item, which is in motion, if it is sure to be accepted.
    [[nodiscard]] bool begin_run(const Tick& tick, const Run& run, const Pose& pose,
                                 const Velocity& velocity) noexcept;
    /// try_move() for as many items as the kernels can take. Precondition: begin_run().
    template <class Poses>
    std::size_t try_move_run(std::span<const Id> ids, const Poses& poses, Run& run) noexcept;
    /// The same for rows and poses that have scales or velocities, as far as they are whole.
    template <class Poses>
    std::size_t try_move_states(std::span<const Id> ids, const Poses& poses,
                                std::span<const Velocity> velocities, Run run) noexcept;
    /// The place of an item that seems to begin a run of rows, else nowhere.
    [[nodiscard]] MoverPlace find_run(std::span<const Id> ids, std::size_t first,
                                      std::size_t length) const noexcept;
    /// All items: in runs where there are some, scattered where there is no order, else by
    /// `stage.move()`. No velocities: none have.
    template <class Poses>
    BatchResult move_batch(Stage& stage, const Tick& tick, std::span<const Id> ids,
                           const Poses& poses, std::span<const Velocity> velocities) noexcept;

    // Batches in no order (stage_scatter.cpp).
    /// Whether there are enough items from `first` on, against the rows they may be in, and the
    /// first of them is in motion.
    [[nodiscard]] bool is_worth_scattering(const Tick& tick, std::span<const Id> ids,
                                           std::size_t first) const noexcept;
    /// The rows of the first rows.size() ids, if all are plain, in motion and on one track that
    /// takes moves of the tick: that track, else null. Asks for the keys of the ids behind them.
    [[nodiscard]] Track* find_rows(const Tick& tick, std::span<const Id> ids, bool is_any_busy,
                                   std::span<std::uint32_t> rows) noexcept;
    /// Items with plain poses, if find_rows() finds their rows; else nothing has happened.
    template <class Poses>
    [[nodiscard]] bool try_scatter(const Tick& tick, std::span<const Id> ids, const Poses& poses,
                                   std::size_t first, std::size_t count, bool is_any_busy) noexcept;
    /// One item of any kind among scattered ones.
    StageStatus scatter_one(Stage& stage, const Tick& tick, Id id, const Pose& pose) noexcept;
    /// Items from `first` on that are in no order: until the end, or until there seems to be one.
    /// Returns the item after them.
    template <class Poses>
    std::size_t move_scattered(Stage& stage, const Tick& tick, std::span<const Id> ids,
                               const Poses& poses, std::size_t first, BatchResult& result) noexcept;
    void prefetch_row(Id id) const noexcept;

    // The order of rows (stage_order.cpp).
    void swap_rows(Track& track, std::uint32_t a, std::uint32_t b) noexcept;
    /// Brings some rows into the order in which they are told, if it is the same in every tick.
    /// Precondition: the tick is closed.
    void follow_order(Track& track) noexcept;
    /// It has no row and is at exactly this pose: nothing to record.
    [[nodiscard]] bool rests_at(std::uint32_t index, const Pose& pose,
                                const Extra& extra) const noexcept;
    /// It has a row that was not written in the newest tick, and this state would change nothing of
    /// it.
    [[nodiscard]] bool stays_at(std::uint32_t index, const Pose& pose,
                                const Extra& extra) const noexcept;
    /// Gives a resting object a row in which it rested for all of the history. Precondition: room,
    /// and the track has had a tick.
    void wake(std::uint32_t index) noexcept;
    /// Takes an object's row away; it rests where it logically is.
    void drop_row(std::uint32_t index) noexcept;
    void write_rest(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept;
    void write_hidden(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept;
    /// Writes the state of the newest tick. Precondition: has a row.
    void write_state(std::uint32_t index, const Pose& pose, const Extra& extra,
                     std::uint8_t marks) noexcept;
    void record_move(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept;
    void record_cut(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept;
    void record_shift(std::uint32_t index, const Rigid& rigid) noexcept;
    void record_amend(std::uint32_t index, std::uint64_t sequence, const Pose& pose,
                      const Extra& extra) noexcept;
    /// All states become the newest one; nothing of before is blended.
    void snap_row(Track& track, std::uint32_t row) noexcept;
    /// Counts a cut that the picture shows from now on.
    void show_cut(std::uint32_t index) noexcept;
    void remove_object(std::uint32_t index) noexcept;

    // The picture (evaluate.cpp, present.cpp, slow_rows.cpp).
    /// Where a row is at a place of its history, without its offset.
    [[nodiscard]] Pose evaluate(const Track& track, std::uint32_t row, const Bracket& bracket,
                                std::int64_t now_ns) const noexcept;
    /// The same at the track's last sample time.
    [[nodiscard]] Pose evaluate_shown(const Track& track, std::uint32_t row) const noexcept;
    /// What the last frame guessed beyond the newest tick is known now: the picture goes on from
    /// there, and the difference fades.
    void rejoin(Track& track) const noexcept;
    /// Makes the picture go on from `shown` although the row now evaluates to something else.
    void keep_picture(Track& track, std::uint32_t row, const Pose& shown) const noexcept;
    /// The three steps of a frame. The first gathers what the rows depend on, the second is the
    /// kernels' and may run in ranges, the third does what is not theirs.
    void begin_track(Track& track, const SampleTime* sample, const MatrixTarget* target) noexcept;
    void end_track(Track& track) noexcept;
    [[nodiscard]] StageStatus check_target(const MatrixTarget& target) const noexcept;
    /// Whether its rows are for kernels in this frame.
    [[nodiscard]] static bool has_ranges(const Track& track) noexcept;
    /// Adds the ranges of a track to those of this frame.
    void split(const Track& track, std::size_t number) noexcept;
    /// What is due at the track's new sample time: objects leave, events come out.
    void release_due(Track& track, TrackId id, const SampleTime* sample) noexcept;
    /// The next present() reports the object in changed().
    void touch(std::uint32_t index) noexcept;

    // The family (hierarchy.cpp).
    using LocalPose = Pose (StageData::*)(std::uint32_t) const noexcept;
    [[nodiscard]] Pose visual(std::uint32_t index) const noexcept;
    /// What another present() of the same sample time would show.
    [[nodiscard]] Pose visual_now(std::uint32_t index) const noexcept;
    [[nodiscard]] Pose previous(std::uint32_t index) const noexcept;
    [[nodiscard]] Pose logical(std::uint32_t index) const noexcept;
    /// `local` of the object and all its parents, composed. kNone is the world itself.
    [[nodiscard]] Pose world_pose(std::uint32_t index, LocalPose local) const noexcept;
    /// The true one at a tick of one track; what is on other tracks counts as it is shown.
    [[nodiscard]] Pose world_pose_at(std::uint32_t index, TrackId track,
                                     std::uint64_t sequence) const noexcept;
    [[nodiscard]] Affine world(std::uint32_t index) const noexcept;
    [[nodiscard]] Affine previous_world(std::uint32_t index) const noexcept;
    [[nodiscard]] std::uint64_t world_revision(std::uint32_t index) const noexcept;
    /// Its world scale is zero now or at a tick that `track` holds: nothing can be put inside.
    [[nodiscard]] bool is_singular(std::uint32_t index, TrackId track) const noexcept;
    [[nodiscard]] StageStatus can_move_below(std::uint32_t index,
                                             std::uint32_t parent) const noexcept;
    /// Precondition: can_move_below() is Ok.
    void move_below(std::uint32_t index, std::uint32_t parent) noexcept;
    void link(std::uint32_t child, std::uint32_t parent) noexcept;
    void unlink(std::uint32_t child) noexcept;
    /// The masks of an object's row that tell of its family are what its slot says.
    void mark_family(std::uint32_t index) noexcept;
    /// One of the children of `parent` has begun (-1) or ceased (+1) to move.
    void count_resting_child(std::uint32_t parent, int change) noexcept;

    // What changed (changes.cpp).
    /// Puts an object and all below it that rests on the list of this present().
    void list_changed(std::uint32_t index) noexcept;
    void list_touched() noexcept;
    /// What hangs below listed objects, on whatever track, is listed as well.
    void list_families() noexcept;
    void collect_changed() noexcept;

    // Matrices (matrices.cpp).
    /// Makes the order in which rows below others are placed; may put the rows in another order.
    void prepare_family(Track& track) noexcept;
    /// Those of rows below others.
    void write_family_matrices(Track& track) noexcept;
    void rebase(std::uint32_t index, const glm::dvec3& offset) noexcept;
    /// All roots, or those of one track.
    StageStatus rebase_roots(const TrackId* only, const glm::dvec3& offset) noexcept;

    SlotTable slots;
    ShiftPool shifts;
    std::vector<Track> tracks;
    std::vector<Channel> channel_rules;
    std::vector<std::uint32_t> touched;          ///< Slots; each at most once.
    std::vector<Id> changed;                     ///< Of what changed, objects without a row.
    std::vector<ChangedIds::Part> changed_parts; ///< That, and the rows of each track.
    std::vector<PresentRange> ranges;            ///< Of the frame that has begun.
    std::uint16_t cursor_track = 0;              ///< The one that was last moved on in order.
    bool has_streamed = false; ///< Moves may be on their way to memory, see flush_streams().
    bool presenting = false;   ///< Between begin_present() and end_present().
    std::vector<Event> due_events;
    bool all_changed = false;   ///< rebase(): the next present() reports everything.
    std::uint64_t revision = 0; ///< Number of the last present().
    std::uint32_t event_capacity;
    StageStats stats;

private:
    /// The velocity that a row had on its way to the newest tick; zero if it was not on one.
    [[nodiscard]] Velocity compute_way(const Track& track, std::uint32_t row) const noexcept;
    [[nodiscard]] Pose evaluate_underrun(const Track& track, std::uint32_t row,
                                         std::int64_t beyond_ns) const noexcept;
    void map_through_shift(const Track& track, std::uint32_t row, std::uint64_t sequence,
                           State& state) const noexcept;
    void accept_sample(Track& track, const SampleTime& sample) noexcept;
    void snap_all(Track& track) noexcept;
    void retire_settled(Track& track) noexcept;
    void retire_block(Track& track, std::size_t block) noexcept;
    void show_slow_blocks(Track& track) noexcept;
    void show_slow_rows(Track& track, std::size_t block, std::uint64_t slow) noexcept;
    void vanish(Id gone) noexcept;
    void begin_rows(Track& track, const Bracket& before) noexcept;
    void show_row(Track& track, std::uint32_t row) noexcept;
    /// Both states of the frame and all after them are one and the same.
    [[nodiscard]] bool stands_still(const Track& track, std::uint32_t row) const noexcept;
    [[nodiscard]] Pose show_offset(Track& track, std::uint32_t row, const Pose& pose) noexcept;
    void show_channels(Track& track, std::uint32_t row) noexcept;
    void cross_cuts(Track& track, std::uint32_t row) noexcept;
    /// True if the picture went through a shift.
    [[nodiscard]] bool cross_shifts(Track& track, std::uint32_t row) noexcept;
    void list_one(std::uint32_t index) noexcept;
    void list_resters(std::uint32_t index) noexcept;
    /// Lists an object that did not move below something that did.
    void list_carried(std::uint32_t index) noexcept;
    void list_resters_of(const MoverTable& movers) noexcept;
    void list_carried_of(const MoverTable& movers) noexcept;
    [[nodiscard]] bool is_listed(std::uint32_t index) const noexcept;
    void aim(Track& track) noexcept;
    /// See WorldBatch.
    [[nodiscard]] bool is_rigid(const Track& track) const noexcept;
    /// How an object is turned in the world. As long as it comes out, as the kernels have it.
    [[nodiscard]] glm::quat world_rotation(std::uint32_t index) const noexcept;
    void store_placement(const Track& track, std::size_t row, std::uint32_t index,
                         const Affine& placed) noexcept;
    void write_matrix(Track& track, std::uint32_t row) noexcept;
    void plan_family(Track& track) noexcept;
    /// The row of its parent, of the guest that stands for it, or kNone if there are too many.
    [[nodiscard]] std::uint32_t find_parent_row(Track& track, std::uint32_t row) noexcept;
    void sort_family(Track& track) noexcept;
    /// Puts the rows of an object's children behind the first `size` of the order.
    void append_children(Track& track, std::uint32_t index, std::uint32_t& size) noexcept;
    /// The run that begins at place `first` of the order.
    void place_run(Track& track, const WorldBatch& batch, std::uint32_t first) noexcept;
    [[nodiscard]] bool chain_moves(std::uint32_t index) const noexcept;
    void move_row_below(std::uint32_t index, std::uint32_t parent) noexcept;
};

} // namespace glissade
