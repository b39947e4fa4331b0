// SPDX-License-Identifier: MIT
// Large batches whose items come in no order of rows.
#include "stage/batch_items.h"
#include "stage/stage_data.h"

#include <algorithm>
#include <array>

namespace glissade {

namespace {

/// Fewer items are moved one by one.
constexpr std::size_t kMinScatter = 512;
/// So many items are moved before the next look for a run, and it must be as long: what is
/// scattered is gathered before it.
constexpr std::size_t kItemsBetweenLooks = 1024;

/// The poses of so many items are checked together.
constexpr std::size_t kChunk = MoverTable::kScatterItems;
/// So many of a chunk are found and put down in turn where rows are past the caches: the keys of
/// the next ones come from memory while the poses of these go to it. With whole chunks a frame of
/// a million takes an eighth longer.
constexpr std::size_t kFarItems = 16;
/// So many items before its turn the key of an item is asked for.
constexpr std::size_t kScatterKeysAhead = 32;

/// Items in no order, one after the other. The next move follows the last of them.
void note_all(Track& track, std::span<const Id> ids, std::span<const std::uint32_t> rows) noexcept {
    track.note_order(ids[0], rows[0]);
    for (std::size_t i = 1; i < ids.size(); ++i) {
        track.order.note(SlotTable::index_of(ids[i]), rows[i]);
    }
    track.movers.cursor().go_to(rows.back() + 1);
}

} // namespace

bool StageData::is_worth_scattering(const Tick& tick, std::span<const Id> ids,
                                    std::size_t first) const noexcept {
    const MoverPlace place = slots.find_mover(ids[first]);
    if (!place.exists()) {
        return false;
    }
    const Track& track = tracks[place.track_number()];
    const std::size_t least = std::max<std::size_t>(kMinScatter, track.movers.size() / 16);
    return track.accepts(tick) && ids.size() - first >= least;
}

StageStatus StageData::scatter_one(Stage& stage, const Tick& tick, Id id,
                                   const Pose& pose) noexcept {
    const MoverPlace before = slots.find_mover(id);
    if (before.exists()) {
        Track& track = tracks[before.track_number()];
        if (track.accepts(tick) && track.movers.is_plain(before.row) && is_plain(pose)) {
            const std::span<const Pose> only(&pose, 1);
            track.note_order(id, before.row);
            track.movers.scatter({&before.row, 1}, only, 0);
            track.movers.cursor().go_to(before.row + 1);
            ++stats.move_count;
            return StageStatus::Ok;
        }
        // The long way has to find what was told of the row before, and leaves nothing staged.
        track.movers.gather(ScatterLog::group_of(before.row));
    }
    const StageStatus status = stage.move(tick, id, pose);
    if (const MoverPlace after = slots.find_mover(id); after.exists()) {
        tracks[after.track_number()].movers.unstage(after.row);
    }
    return status;
}

Track* StageData::find_rows(const Tick& tick, std::span<const Id> ids, bool is_any_busy,
                            std::span<std::uint32_t> rows) noexcept {
    const TrackId first = slots.find_mover(ids[0]).track;
    Track& track = tracks[static_cast<std::size_t>(first)];
    bool are_plain = track.accepts(tick);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        // One at a time: many at once are more than the processor has in flight.
        slots.prefetch(ids[std::min(i + kScatterKeysAhead, ids.size() - 1)]);
        const MoverPlace place = slots.find_mover(ids[i]);
        rows[i] = place.row;
        are_plain = are_plain && place.exists() && place.track == first &&
                    (!is_any_busy || track.movers.is_plain(place.row));
    }
    return are_plain ? &track : nullptr;
}

template <class Poses>
bool StageData::try_scatter(const Tick& tick, std::span<const Id> ids, const Poses& poses,
                            std::size_t first, std::size_t count, bool is_any_busy) noexcept {
    std::array<std::uint32_t, kChunk> memory;
    const std::span<std::uint32_t> rows(memory.data(), count);
    Track* const track = find_rows(tick, ids.subspan(first), is_any_busy, rows);
    if (track == nullptr) {
        return false;
    }
    note_all(*track, ids.subspan(first, count), rows);
    track->movers.scatter(rows, poses, first);
    stats.move_count += count;
    return true;
}

template <class Poses>
std::size_t StageData::move_scattered(Stage& stage, const Tick& tick, std::span<const Id> ids,
                                      const Poses& poses, std::size_t first,
                                      BatchResult& result) noexcept {
    bool is_any_busy = false;
    bool is_any_far = false;
    for (Track& track : tracks) {
        track.movers.unstage_all();
        is_any_busy = is_any_busy || track.movers.is_any_busy();
        is_any_far = is_any_far || is_streamed(track.movers.size());
    }
    const std::size_t step = is_any_far ? kFarItems : kChunk;
    const std::size_t end = ids.size() - (ids.size() - first) % kChunk;
    bool are_poses_plain = false;
    std::size_t item = first;
    for (; item < end; item += step) {
        if ((item - first) % kItemsBetweenLooks == kItemsBetweenLooks - kChunk &&
            find_run(ids, item, kItemsBetweenLooks).exists()) {
            break;
        }
        if ((item - first) % kChunk == 0) {
            are_poses_plain = are_plain(poses, item, kChunk);
        }
        if (are_poses_plain && try_scatter(tick, ids, poses, item, step, is_any_busy)) {
            result.accepted_count += step;
            continue;
        }
        for (std::size_t i = item; i < item + step; ++i) {
            count(result, i, scatter_one(stage, tick, ids[i], pose_at(poses, i)));
        }
        is_any_busy = true;
    }
    for (Track& track : tracks) {
        track.movers.gather_all();
    }
    has_streamed = true; // Perhaps; one fence a batch is nothing.
    return item;
}

template std::size_t StageData::move_scattered(Stage&, const Tick&, std::span<const Id>,
                                               const PoseColumns&, std::size_t,
                                               BatchResult&) noexcept;
template std::size_t StageData::move_scattered(Stage&, const Tick&, std::span<const Id>,
                                               const std::span<const Pose>&, std::size_t,
                                               BatchResult&) noexcept;

} // namespace glissade
