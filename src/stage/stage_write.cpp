// SPDX-License-Identifier: MIT
// The calls of a tick: move, cut, shift, amend; and events.
#include "stage/offset.h"
#include "stage/stage_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace glissade {

namespace {

void count(BatchResult& result, std::size_t item, StageStatus status) noexcept {
    if (status == StageStatus::Ok) {
        ++result.accepted_count;
    } else if (result.status == StageStatus::Ok) {
        result.status = status;
        result.first_refused = item;
    }
}

/// Fewer items are not worth a kernel's call.
constexpr std::size_t kMinRun = 8;
/// Rows of a run are looked at before poses are, in vain behind a pose that is not plain. A run is
/// at most as long as this at first, so that batches with many such poses stay linear, and twice as
/// long after each that had none.
constexpr std::size_t kFirstRun = 2 * kBlockRows;
constexpr std::size_t kLongestRun = 16384;
/// From this many bytes on a batch is written past the caches, as a frame's picture is: what it
/// writes is gone from them when the frame reads it.
constexpr std::size_t kStreamBytes = std::size_t{8} << 20U;
constexpr std::size_t kStateBytes = 3 * sizeof(double) + 4 * sizeof(float);
/// How far ahead of a batch its handles and rows are asked for: a few times the latency of memory.
constexpr std::size_t kKeyAhead = 24;
constexpr std::size_t kRowAhead = 12;

/// A part of a value's bits, to compare several floats at once.
template <class Word>
Word word_at(const void* value, std::size_t offset) noexcept {
    Word word{};
    std::memcpy(&word, static_cast<const std::byte*>(value) + offset, sizeof word);
    return word;
}

/// Needs no further work at the door: what check() accepts, of unit length, without a scale. Few
/// and cheap tests, because every move pays for them, and so a little stricter than store_plain();
/// what fails one of them goes the long way.
bool is_plain(const Pose& pose) noexcept {
    const glm::dvec3& p = pose.position;
    const bool is_placed = std::abs(p.x) + std::abs(p.y) + std::abs(p.z) <= kMaxPosition;
    constexpr std::uint32_t kOne = 0x3F800000U; // 1.0F
    constexpr std::uint64_t kTwoOnes = std::uint64_t{kOne} << 32U | kOne;
    const bool is_unscaled = word_at<std::uint64_t>(&pose.scale, 0) == kTwoOnes &&
                             word_at<std::uint32_t>(&pose.scale, 8) == kOne;
    return is_placed && is_unit(pose.rotation) && is_unscaled;
}

/// Zero in every bit, which all that move without a velocity have.
bool is_zero(const Velocity& velocity) noexcept {
    static_assert(sizeof velocity == 24);
    return (word_at<std::uint64_t>(&velocity, 0) | word_at<std::uint64_t>(&velocity, 8) |
            word_at<std::uint64_t>(&velocity, 16)) == 0;
}

/// Read, written, and read again with the state before it.
bool is_streamed(std::size_t item_count) noexcept {
    return item_count * 3 * kStateBytes > kStreamBytes;
}

std::size_t store(std::span<const Pose> poses, const Run& run, const PoseTarget& out,
                  std::uint32_t row) noexcept {
    return store_plain(poses.subspan(run.first, run.count), out, row, run.form.stream);
}

std::size_t store(const PoseColumns& poses, const Run& run, const PoseTarget& out,
                  std::uint32_t row) noexcept {
    return store_plain(poses, run.first, run.count, out, row, run.form);
}

Pose pose_at(std::span<const Pose> poses, std::size_t item) noexcept {
    return poses[item];
}

Pose pose_at(const PoseColumns& poses, std::size_t item) noexcept {
    Pose pose{
        .position = {poses.x[item], poses.y[item], poses.z[item]},
        .rotation = quat_xyzw(poses.qx[item], poses.qy[item], poses.qz[item], poses.qw[item])};
    if (!poses.scale_x.empty()) {
        pose.scale = {poses.scale_x[item], poses.scale_y[item], poses.scale_z[item]};
    }
    return pose;
}

bool has_length(const PoseColumns& poses, std::size_t size, bool has_scale) noexcept {
    const bool scale_fits = poses.scale_x.size() == size && poses.scale_y.size() == size &&
                            poses.scale_z.size() == size;
    return poses.x.size() == size && poses.y.size() == size && poses.z.size() == size &&
           poses.qx.size() == size && poses.qy.size() == size && poses.qz.size() == size &&
           poses.qw.size() == size && (!has_scale || scale_fits);
}

} // namespace

StageStatus StageData::check_write(Id id, const Tick& tick, Pose& pose,
                                   const Extra& extra) const noexcept {
    if (const StageStatus status = slots.check(id); status != StageStatus::Ok) {
        return status;
    }
    const std::uint32_t index = SlotTable::index_of(id);
    const Track& track = track_of(index);
    if (const StageStatus status = check_tick(track, tick); status != StageStatus::Ok) {
        return status;
    }
    return check_state(pose, extra);
}

bool StageData::has_room(std::uint32_t index) const noexcept {
    return slots[index].hidden || has_row(index) || !track_of(index).movers.full();
}

bool StageData::cuts_at_once(std::uint32_t index) const noexcept {
    const Track& track = track_of(index);
    return track.config.cuts == CutShows::AtOnce || track.ring.empty();
}

inline bool StageData::try_move(const Tick& tick, Id id, const Pose& pose) noexcept {
    const SlotKey* const key = slots.find_mover(id);
    if (key == nullptr) {
        return false;
    }
    Track& track = tracks[static_cast<std::size_t>(key->track)];
    if (!track.accepts(tick) || !track.movers.is_plain(key->row) || !is_plain(pose)) {
        return false;
    }
    track.movers.put(key->row, pose);
    ++stats.move_count;
    return true;
}

bool StageData::try_move(const Tick& tick, Id id, const Pose& pose,
                         const Velocity& velocity) noexcept {
    const SlotKey* const key = slots.find_mover(id);
    if (key == nullptr) {
        return false;
    }
    Track& track = tracks[static_cast<std::size_t>(key->track)];
    if (!track.accepts(tick) || track.movers.test(RowMask::Special, key->row) ||
        !is_unit(pose.rotation) || glissade::check(pose) != PoseStatus::Ok ||
        glissade::check(velocity) != PoseStatus::Ok) {
        return false;
    }
    track.movers.put(key->row, pose, velocity);
    ++stats.move_count;
    return true;
}

bool StageData::try_move(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept {
    return extra.channels.empty() && ((is_zero(extra.velocity) && try_move(tick, id, pose)) ||
                                      try_move(tick, id, pose, extra.velocity));
}

template <class Poses>
std::size_t StageData::try_move_run(const Tick& tick, std::span<const Id> ids, const Poses& poses,
                                    Run& run) noexcept {
    const std::size_t first = run.first;
    // The keys of what follows are at hand or asked for; its rows are not, so the rows are looked
    // at only where they promise a run.
    const SlotKey* const key = slots.find_mover(ids[first]);
    const SlotKey* const last =
        first + kMinRun <= ids.size() ? slots.find_mover(ids[first + kMinRun - 1]) : nullptr;
    if (key == nullptr || last == nullptr || last->track != key->track ||
        last->row != key->row + kMinRun - 1 || !is_plain(pose_at(poses, first))) {
        return 0;
    }
    Track& track = tracks[static_cast<std::size_t>(key->track)];
    if (!track.accepts(tick)) {
        return 0;
    }
    MoverTable& movers = track.movers;
    // The next run begins with a block.
    const std::size_t limit = std::min(ids.size() - first, run.limit - key->row % kBlockRows);
    run.count = movers.count_run(key->row, ids.subspan(first, limit));
    if (run.count < kMinRun) {
        return 0;
    }
    run.form = {.stream = is_streamed(movers.size()),
                .keeps_rest = movers.is_any_written(key->row, run.count)};
    has_streamed = has_streamed || run.form.stream;
    const std::size_t stored = store(poses, run, movers.open_columns(), key->row);
    run.limit = stored < run.count ? kFirstRun : std::min(run.limit * 2, kLongestRun);
    movers.mark_written(key->row, stored);
    stats.move_count += stored;
    return stored;
}

template <class Poses>
BatchResult StageData::move_batch(Stage& stage, const Tick& tick, std::span<const Id> ids,
                                  const Poses& poses) noexcept {
    BatchResult result;
    Run run{.limit = kFirstRun};
    std::size_t& item = run.first;
    while (item < ids.size()) {
        if (const std::size_t stored = try_move_run(tick, ids, poses, run); stored > 0) {
            result.accepted_count += stored;
            item += stored;
            continue;
        }
        // Where there is no run, there is none for a while.
        for (const std::size_t end = std::min(item + kMinRun, ids.size()); item < end; ++item) {
            slots.prefetch(ids[std::min(item + kKeyAhead, ids.size() - 1)]);
            prefetch_row(ids[std::min(item + kRowAhead, ids.size() - 1)]);
            count(result, item, stage.move(tick, ids[item], pose_at(poses, item)));
        }
    }
    return result;
}

void StageData::prefetch_row(Id id) const noexcept {
    if (const SlotKey* const key = slots.find_mover(id); key != nullptr) {
        tracks[static_cast<std::size_t>(key->track)].movers.prefetch(key->row);
    }
}

StageStatus StageData::move(const Tick& tick, Id id, const Pose& pose,
                            const Extra& extra) noexcept {
    if (extra.channels.empty() && try_move(tick, id, pose, extra.velocity)) {
        return StageStatus::Ok;
    }
    Pose unit = pose;
    if (const StageStatus status = check_write(id, tick, unit, extra); status != StageStatus::Ok) {
        return refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    if (!has_room(index) && !rests_at(index, unit, extra)) {
        return refuse(StageStatus::Full);
    }
    const TickRing& ring = track_of(index).ring;
    const std::uint64_t newest = ring.newest();
    enter_tick(track_of(index), tick);
    // What opens a tick then goes the way of all others: which of them is first must not count.
    if (ring.newest() != newest && try_move(tick, id, pose, extra)) {
        return StageStatus::Ok;
    }
    record_move(index, unit, extra);
    return StageStatus::Ok;
}

StageStatus Stage::move(const Tick& tick, Id id, const Pose& pose) noexcept {
    return data_->try_move(tick, id, pose) ? StageStatus::Ok : data_->move(tick, id, pose, {});
}

StageStatus Stage::move(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept {
    if (is_zero(extra.velocity) && extra.channels.empty() && data_->try_move(tick, id, pose)) {
        return StageStatus::Ok;
    }
    return data_->move(tick, id, pose, extra);
}

BatchResult Stage::move(const Tick& tick, std::span<const Id> ids,
                        std::span<const Pose> poses) noexcept {
    if (ids.size() != poses.size()) {
        return {.status = data_->refuse(StageStatus::SizeMismatch)};
    }
    BatchResult result;
    move_some(tick, ids, poses, 0, result);
    finish_moves();
    return result;
}

void Stage::move_some(const Tick& tick, std::span<const Id> ids, std::span<const Pose> poses,
                      std::size_t first, BatchResult& result) noexcept {
    const BatchResult some = data_->move_batch(*this, tick, ids, poses);
    result.accepted_count += some.accepted_count;
    if (result.status == StageStatus::Ok && some.status != StageStatus::Ok) {
        result.status = some.status;
        result.first_refused = first + some.first_refused;
    }
}

void Stage::finish_moves() noexcept {
    if (data_->has_streamed) {
        data_->has_streamed = false;
        flush_streams();
    }
}

BatchResult Stage::move(const Tick& tick, std::span<const Id> ids, std::span<const Pose> poses,
                        std::span<const Velocity> velocities) noexcept {
    if (ids.size() != poses.size() || ids.size() != velocities.size()) {
        return {.status = data_->refuse(StageStatus::SizeMismatch)};
    }
    BatchResult result;
    for (std::size_t item = 0; item < ids.size(); ++item) {
        count(result, item, move(tick, ids[item], poses[item], {.velocity = velocities[item]}));
    }
    return result;
}

BatchResult Stage::move(const Tick& tick, std::span<const Id> ids,
                        const PoseColumns& poses) noexcept {
    const bool has_scale =
        !poses.scale_x.empty() || !poses.scale_y.empty() || !poses.scale_z.empty();
    if (!has_length(poses, ids.size(), has_scale)) {
        return {.status = data_->refuse(StageStatus::SizeMismatch)};
    }
    const BatchResult result = data_->move_batch(*this, tick, ids, poses);
    finish_moves();
    return result;
}

StageStatus Stage::cut(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept {
    Pose unit = pose;
    if (const StageStatus status = data_->check_write(id, tick, unit, extra);
        status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    // What rests and is cut at once goes on resting: it needs no row.
    if (!data_->has_room(index) && !data_->cuts_at_once(index)) {
        return data_->refuse(StageStatus::Full);
    }
    data_->enter_tick(data_->track_of(index), tick);
    data_->record_cut(index, unit, extra);
    return StageStatus::Ok;
}

StageStatus Stage::cut(Id id, const Pose& pose, const Extra& extra) noexcept {
    Pose unit = pose;
    StageStatus status = check(id);
    status = status == StageStatus::Ok ? data_->check_state(unit, extra) : status;
    const std::uint32_t index = SlotTable::index_of(id);
    if (status == StageStatus::Ok && !data_->has_room(index) && !data_->cuts_at_once(index)) {
        status = StageStatus::Full;
    }
    if (status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    data_->record_cut(index, unit, extra);
    return StageStatus::Ok;
}

StageStatus Stage::shift(const Tick& tick, Id id, const Rigid& rigid) noexcept {
    StageData& data = *data_;
    Rigid unit = rigid;
    StageStatus status = check(id);
    const std::uint32_t index = SlotTable::index_of(id);
    if (status == StageStatus::Ok) {
        status = StageData::check_tick(data.track_of(index), tick);
    }
    if (status == StageStatus::Ok) {
        status = StageData::check_shift(unit);
    }
    if (status == StageStatus::Ok && glissade::check(apply(unit, logical(id))) != PoseStatus::Ok) {
        status = StageStatus::BadPosition;
    }
    if (status == StageStatus::Ok && (!data.has_room(index) || data.shifts.full())) {
        status = StageStatus::Full;
    }
    if (status != StageStatus::Ok) {
        return data.refuse(status);
    }
    data.enter_tick(data.track_of(index), tick);
    data.record_shift(index, unit);
    return StageStatus::Ok;
}

StageStatus StageData::check_amend(Id id, const Tick& tick, Pose& pose,
                                   const Extra& extra) const noexcept {
    if (const StageStatus status = slots.check(id); status != StageStatus::Ok) {
        return status;
    }
    const std::uint32_t index = SlotTable::index_of(id);
    const Track& track = track_of(index);
    const std::uint64_t sequence = track.ring.find(tick);
    if (sequence == 0) {
        const bool older =
            !track.ring.empty() && tick.time_ns < track.ring[track.ring.oldest()].time_ns;
        return older ? StageStatus::TooOld : StageStatus::BadTick;
    }
    // A cut that shows at once has overwritten the states before it, and what rests has none.
    if (sequence < slots[index].cut && (track.config.cuts == CutShows::AtOnce || !has_row(index))) {
        return StageStatus::TooOld;
    }
    const StageStatus status = check_state(pose, extra);
    return status == StageStatus::Ok && !has_room(index) ? StageStatus::Full : status;
}

StageStatus Stage::amend(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept {
    Pose unit = pose;
    if (const StageStatus status = data_->check_amend(id, tick, unit, extra);
        status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    data_->record_amend(index, data_->track_of(index).ring.find(tick), unit, extra);
    return StageStatus::Ok;
}

void StageData::record_amend(std::uint32_t index, std::uint64_t sequence, const Pose& pose,
                             const Extra& extra) noexcept {
    Track& track = track_of(index);
    ++stats.amend_count;
    if (slots[index].hidden) {
        if (sequence == track.ring.newest()) {
            write_hidden(index, pose, extra);
        }
        return;
    }
    if (!has_row(index)) {
        wake(index);
    }
    const std::uint32_t row = row_of(index);
    track.seal_row(row);
    const Pose shown = visual_now(index);
    const std::size_t place = track.place(sequence);
    track.movers.store(
        row, place,
        {.pose = pose, .velocity = extra.velocity, .marks = track.movers.load(row, place).marks});
    track.movers.store_channels(row, place, extra.channels);
    track.mark_written(row);
    keep_picture(track, row, shown);
}

StageStatus Stage::post(const Event& event) noexcept {
    Track* track = data_->find_track(event.track);
    if (track == nullptr) {
        return data_->refuse(StageStatus::NoSuchTrack);
    }
    if (is_absurd(event.time_ns)) {
        return data_->refuse(StageStatus::AbsurdTime);
    }
    if (track->events.full()) {
        return data_->refuse(StageStatus::Full);
    }
    track->events.push({.time_ns = event.time_ns, .value = event.value});
    return StageStatus::Ok;
}

} // namespace glissade
