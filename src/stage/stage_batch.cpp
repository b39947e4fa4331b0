// SPDX-License-Identifier: MIT
// Many moves in one call: in runs of rows where that is possible.
#include "stage/batch_items.h"
#include "stage/plain_pose.h"
#include "stage/stage_data.h"

#include <algorithm>
#include <array>

namespace glissade {

namespace {

/// Fewer items are not worth a kernel's call.
constexpr std::size_t kMinRun = 8;
/// Rows of a run are looked at before poses are, in vain behind a pose that is not plain. A run is
/// at most as long as this at first, so that batches with many such poses stay linear, and twice as
/// long after each that had none.
constexpr std::size_t kFirstRun = 2 * kBlockRows;
constexpr std::size_t kLongestRun = 16384;
/// After so many items without a run there seems to be no order: a few of them may lie between two
/// runs where rows came and went.
constexpr std::size_t kMaxApart = 64;
constexpr Velocity kNoVelocity{};
/// How far ahead of a batch its handles and rows are asked for: a few times the latency of memory.
constexpr std::size_t kKeyAhead = 24;
constexpr std::size_t kRowAhead = 12;

std::size_t store(std::span<const Pose> poses, const Run& run, const PoseTarget& out,
                  std::uint32_t row) noexcept {
    return store_plain(poses.subspan(run.first, run.count), out, row, run.form.stream);
}

std::size_t store(const PoseColumns& poses, const Run& run, const PoseTarget& out,
                  std::uint32_t row) noexcept {
    return store_plain(poses, run.first, run.count, out, row, run.form);
}

/// Whether no part of some values is beyond a limit.
template <class T>
bool are_all_within(std::span<const T> values, float limit) noexcept {
    // Of numbers without their sign the bits are in order; NaN and infinity come last. All at once
    // and as integers, which compilers do in vectors.
    constexpr std::int32_t kNotSign = 0x7FFF'FFFF;
    std::int32_t most = 0;
    for (std::size_t at = 0; at < values.size_bytes(); at += sizeof most) {
        most = std::max(most, word_at<std::int32_t>(values.data(), at) & kNotSign);
    }
    return most <= word_at<std::int32_t>(&limit, 0);
}

using ScaleColumns = std::array<std::span<const float>, 3>;

/// None of poses: those with a scale are none that store_places() takes.
ScaleColumns scales_of(std::span<const Pose> /*poses*/) noexcept {
    return {};
}

ScaleColumns scales_of(const PoseColumns& poses) noexcept {
    return {poses.scale_x, poses.scale_y, poses.scale_z};
}

bool are_scales_within(const ScaleColumns& scales, const Run& run) noexcept {
    return scales[0].empty() ||
           std::all_of(scales.begin(), scales.end(), [&run](std::span<const float> column) {
               return are_all_within(column.subspan(run.first, run.count), kMaxScale);
           });
}

/// As store(), whatever the scales in columns are.
std::size_t store_places(std::span<const Pose> poses, const Run& run, const PoseTarget& out,
                         std::uint32_t row) noexcept {
    return store(poses, run, out, row);
}

std::size_t store_places(PoseColumns poses, const Run& run, const PoseTarget& out,
                         std::uint32_t row) noexcept {
    poses.scale_x = poses.scale_y = poses.scale_z = {};
    return store(poses, run, out, row);
}

const Velocity& velocity_at(std::span<const Velocity> velocities, std::size_t item) noexcept {
    return velocities.empty() ? kNoVelocity : velocities[item];
}

/// Of no scales: all are 1.
void store_scales(const ScaleColumns& scales, const Run& run, MoverTable& movers) noexcept {
    const std::uint32_t row = run.place.row;
    const MoverTable::Share share = movers.share_of(RowMask::Scaled, row, run.count);
    const PoseTarget& out = movers.open_columns();
    if (scales[0].empty()) {
        for (std::size_t axis = 0; share.some && axis < scales.size(); ++axis) {
            std::fill_n(out.scale[axis] + row, run.count, 1.0F);
        }
        return;
    }
    for (std::size_t axis = 0; axis < scales.size(); ++axis) {
        std::copy_n(scales[axis].data() + run.first, run.count, out.scale[axis] + row);
    }
    if (!share.all) {
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const std::size_t item = run.first + i;
            movers.set_scaled(row + i, {scales[0][item], scales[1][item], scales[2][item]});
        }
    }
}

/// Of no velocities: all are 0.
void store_velocities(std::span<const Velocity> velocities, const Run& run,
                      MoverTable& movers) noexcept {
    const std::uint32_t row = run.place.row;
    const MoverTable::Share share = movers.share_of(RowMask::Velocity, row, run.count);
    const StateColumns& out = movers.open_state();
    if (velocities.empty()) {
        for (std::uint32_t i = 0; share.some && i < run.count; ++i) {
            store_velocity(out, row + i, kNoVelocity);
        }
        return;
    }
    for (std::uint32_t i = 0; i < run.count; ++i) {
        store_velocity(out, row + i, velocities[run.first + i]);
    }
    if (!share.all) {
        for (std::uint32_t i = 0; i < run.count; ++i) {
            movers.set_moving(row + i, velocities[run.first + i]);
        }
    }
}

/// Leading items of a run that kernels know, if all scales and velocities are within the limits.
/// Returns how many were stored, and leaves it to the caller to mark them as written.
template <class Poses>
std::size_t store_states(const Poses& poses, std::span<const Velocity> velocities, Run run,
                         MoverTable& movers) noexcept {
    const bool fits = are_scales_within(scales_of(poses), run) &&
                      (velocities.empty() ||
                       are_all_within(velocities.subspan(run.first, run.count), kMaxVelocity));
    if (!fits) {
        return 0;
    }
    run.count = store_places(poses, run, movers.open_columns(), run.place.row);
    store_scales(scales_of(poses), run, movers);
    store_velocities(velocities, run, movers);
    return run.count;
}

/// Leading items that need no further work at the door, of every other kind.
template <class Poses>
std::size_t store_one_by_one(const Poses& poses, std::span<const Velocity> velocities,
                             const Run& run, MoverTable& movers) noexcept {
    const StateColumns columns = movers.open_state();
    std::size_t count = 0;
    for (; count < run.count; ++count) {
        const std::size_t item = run.first + count;
        const std::uint32_t row = run.place.row + static_cast<std::uint32_t>(count);
        const Pose& pose = pose_at(poses, item);
        const Velocity& velocity = velocity_at(velocities, item);
        if (!is_whole(pose, velocity)) {
            break;
        }
        store_pose(columns.pose, row, pose);
        if (movers.widen(row, pose, velocity)) {
            store_velocity(columns, row, velocity);
        }
    }
    return count;
}

/// How a run is stored.
StoreForm form_of(const Run& run, const MoverTable& movers) noexcept {
    return {.stream = is_streamed(movers.size()),
            .keeps_rest = movers.is_any_written(run.place.row, run.count)};
}

bool has_length(const PoseColumns& poses, std::size_t size, bool has_scale) noexcept {
    const bool scale_fits = poses.scale_x.size() == size && poses.scale_y.size() == size &&
                            poses.scale_z.size() == size;
    return poses.x.size() == size && poses.y.size() == size && poses.z.size() == size &&
           poses.qx.size() == size && poses.qy.size() == size && poses.qz.size() == size &&
           poses.qw.size() == size && (!has_scale || scale_fits);
}

} // namespace

MoverPlace StageData::find_run(std::span<const Id> ids, std::size_t first,
                               std::size_t length) const noexcept {
    // The keys of what follows are at hand or asked for; its rows are not, so the rows are looked
    // at only where they promise a run.
    const MoverPlace place = slots.find_mover(ids[first]);
    const MoverPlace last =
        first + length <= ids.size() ? slots.find_mover(ids[first + length - 1]) : MoverPlace{};
    const bool is_run = place.exists() && last.exists() && last.track == place.track &&
                        last.row == place.row + length - 1;
    return is_run ? place : MoverPlace{};
}

bool StageData::begin_run(const Tick& tick, const Run& run, const Pose& pose,
                          const Velocity& velocity) noexcept {
    Track& track = tracks[run.place.track_number()];
    const bool begins = !track.accepts(tick) && is_whole(pose, velocity) &&
                        check_tick(track, tick) == StageStatus::Ok;
    if (begins) {
        enter_tick(track, tick);
    }
    return track.accepts(tick);
}

template <class Poses>
std::size_t StageData::try_move_run(std::span<const Id> ids, const Poses& poses,
                                    Run& run) noexcept {
    const std::size_t first = run.first;
    const std::uint32_t row = run.place.row;
    if (!is_plain(pose_at(poses, first))) {
        return 0;
    }
    MoverTable& movers = tracks[run.place.track_number()].movers;
    movers.close_cursor();
    // The next run begins with a block.
    const std::size_t limit = std::min(ids.size() - first, run.limit - row % kBlockRows);
    run.count = movers.count_plain_run(row, ids.subspan(first, limit));
    if (run.count < kMinRun) {
        return 0;
    }
    run.form = form_of(run, movers);
    has_streamed = has_streamed || run.form.stream;
    const std::size_t stored = store(poses, run, movers.open_columns(), row);
    run.limit = stored < run.count ? kFirstRun : std::min(run.limit * 2, kLongestRun);
    movers.mark_written(row, stored);
    stats.move_count += stored;
    return stored;
}

template <class Poses>
std::size_t StageData::try_move_states(std::span<const Id> ids, const Poses& poses,
                                       std::span<const Velocity> velocities, Run run) noexcept {
    const std::size_t first = run.first;
    const std::uint32_t first_row = run.place.row;
    MoverTable& movers = tracks[run.place.track_number()].movers;
    movers.close_cursor();
    // The next run begins with a block.
    const std::size_t limit = std::min(ids.size() - first, kFirstRun - first_row % kBlockRows);
    run.count = movers.count_run(first_row, ids.subspan(first, limit));
    run.form = form_of(run, movers);
    has_streamed = has_streamed || run.form.stream;
    std::size_t count = run.count < kMinRun ? 0 : store_states(poses, velocities, run, movers);
    // Only where kernels take none, so that a bad item has no more than its own run looked at anew.
    if (count == 0) {
        count = store_one_by_one(poses, velocities, run, movers);
    }
    movers.mark_written(first_row, count);
    stats.move_count += count;
    return count;
}

template <class Poses>
BatchResult StageData::move_batch(Stage& stage, const Tick& tick, std::span<const Id> ids,
                                  const Poses& poses,
                                  std::span<const Velocity> velocities) noexcept {
    BatchResult result;
    Run run{.limit = kFirstRun};
    std::size_t& item = run.first;
    std::size_t apart_count = 0; // Items since the last run.
    while (item < ids.size()) {
        run.place = find_run(ids, item, kMinRun);
        const bool takes_run = run.place.exists() && begin_run(tick, run, pose_at(poses, item),
                                                               velocity_at(velocities, item));
        std::size_t stored = takes_run && velocities.empty() ? try_move_run(ids, poses, run) : 0;
        if (takes_run && stored == 0) {
            stored = try_move_states(ids, poses, velocities, run);
        }
        result.accepted_count += stored;
        item += stored;
        apart_count = stored > 0 ? 0 : apart_count + kMinRun;
        if (stored > 0) {
            continue;
        }
        if (apart_count > kMaxApart && velocities.empty() && is_worth_scattering(tick, ids, item)) {
            item = move_scattered(stage, tick, ids, poses, item, result);
            continue;
        }
        // Where there is no run, there is none for a while.
        for (const std::size_t end = std::min(item + kMinRun, ids.size()); item < end; ++item) {
            slots.prefetch(ids[std::min(item + kKeyAhead, ids.size() - 1)]);
            prefetch_row(ids[std::min(item + kRowAhead, ids.size() - 1)]);
            const Pose& pose = pose_at(poses, item);
            count(result, item,
                  velocities.empty()
                      ? stage.move(tick, ids[item], pose)
                      : stage.move(tick, ids[item], pose, {.velocity = velocities[item]}));
        }
    }
    return result;
}

void StageData::prefetch_row(Id id) const noexcept {
    if (const MoverPlace place = slots.find_mover(id); place.exists()) {
        tracks[place.track_number()].movers.prefetch(place.row);
    }
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
    const BatchResult some = data_->move_batch(*this, tick, ids, poses, {});
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
    const BatchResult result = data_->move_batch(*this, tick, ids, poses, velocities);
    finish_moves();
    return result;
}

BatchResult Stage::move(const Tick& tick, std::span<const Id> ids,
                        const PoseColumns& poses) noexcept {
    const bool has_scale =
        !poses.scale_x.empty() || !poses.scale_y.empty() || !poses.scale_z.empty();
    if (!has_length(poses, ids.size(), has_scale)) {
        return {.status = data_->refuse(StageStatus::SizeMismatch)};
    }
    const BatchResult result = data_->move_batch(*this, tick, ids, poses, {});
    finish_moves();
    return result;
}

} // namespace glissade
