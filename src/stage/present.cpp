// SPDX-License-Identifier: MIT
// One frame: every mover of every track gets its visual pose, and what is due comes out.
#include "stage/offset.h"
#include "stage/stage_data.h"

#include <algorithm>
#include <bit>

namespace glissade {

namespace {

constexpr double kNsToS = 1e-9;

/// Rows of one present_range(): enough work for a job, and small enough to share out evenly.
constexpr std::uint32_t kRangeBlocks = 64;

/// The last one counts, as with everything that is said twice.
const SampleTime* find_sample(std::span<const TrackSample> samples, TrackId track) noexcept {
    const SampleTime* found = nullptr;
    for (const TrackSample& sample : samples) {
        found = sample.track == track ? &sample.time : found;
    }
    return found;
}

const MatrixTarget* find_target(std::span<const MatrixTarget> targets, TrackId track) noexcept {
    const MatrixTarget* found = nullptr;
    for (const MatrixTarget& target : targets) {
        found = target.track == track ? &target : found;
    }
    return found;
}

/// All rows but slow ones have changed, if the picture moves. Returns whether there are slow ones.
/// A loop without calls: it is a hundredth of a frame of 10^4 rows.
bool mark_changed(MoverTable& movers, bool moves) noexcept {
    if (movers.size() == 0) {
        return false;
    }
    const std::uint64_t* const special = movers.words(RowMask::Special);
    const std::uint64_t* const look = movers.words(RowMask::Look);
    std::uint64_t* const changed = movers.words(RowMask::Changed);
    const std::uint64_t plain = moves ? ~std::uint64_t{0} : 0;
    const std::size_t last = movers.block_count() - 1;
    std::uint64_t any_slow = 0;
    for (std::size_t block = 0; block < last; ++block) {
        const std::uint64_t slow = special[block] | look[block];
        changed[block] = plain & ~slow;
        any_slow |= slow;
    }
    // Behind the last row the masks may have bits, too.
    const std::uint64_t rows = movers.rows_of(last);
    const std::uint64_t slow = rows & (special[last] | look[last]);
    changed[last] = rows & plain & ~slow;
    return (any_slow | slow) != 0;
}

} // namespace

void StageData::touch(std::uint32_t index) noexcept {
    Slot& slot = slots[index];
    if (!slot.touched) {
        slot.touched = true;
        touched.push_back(index);
    }
}

void StageData::accept_sample(Track& track, const SampleTime& sample) noexcept {
    if (sample.newest && check_tick(track, *sample.newest) == StageStatus::Ok) {
        enter_tick(track, *sample.newest);
    }
    if (track.shown && sample.epoch != track.sample.epoch) {
        snap_all(track);
    }
    if (!track.ring.empty() && sample.time_ns > track.ring.newest_tick().time_ns) {
        ++track.stats.underrun_count;
    }
}

void StageData::snap_all(Track& track) noexcept {
    for (std::uint32_t row = 0; row < track.movers.size(); ++row) {
        if (track.movers.info(row).pending_cut != 0) {
            show_cut(SlotTable::index_of(track.movers.id(row)));
        }
        snap_row(track, row);
    }
    track.dirty = true;
    ++track.stats.snap_count;
}

void StageData::retire_settled(Track& track) noexcept {
    if (!track.has_settled) {
        return;
    }
    track.has_settled = false;
    // From the end: what moves into the place of a row that leaves has been looked at.
    for (std::size_t block = track.movers.block_count(); block > 0; --block) {
        retire_block(track, block - 1);
    }
}

void StageData::retire_block(Track& track, std::size_t block) noexcept {
    std::uint64_t word = track.movers.rows_of(block) & track.movers.words(RowMask::Special)[block];
    while (word != 0) {
        const auto bit = static_cast<std::uint32_t>(std::bit_width(word) - 1);
        const std::uint32_t row = static_cast<std::uint32_t>(block * kBlockRows) + bit;
        word &= ~BitColumns::bit_of(row);
        if (track.movers.info(row).settled) {
            drop_row(SlotTable::index_of(track.movers.id(row)));
            ++stats.settle_count;
        }
    }
}

void StageData::begin_track(Track& track, const SampleTime* sample,
                            const MatrixTarget* target) noexcept {
    if (sample != nullptr) {
        accept_sample(track, *sample);
    }
    track.seal(shifts);
    retire_settled(track);
    follow_order(track);
    rejoin(track);
    const bool moves =
        sample != nullptr && (!track.shown || sample->time_ns != track.sample.time_ns ||
                              sample->now_ns != track.sample.now_ns);
    const Bracket before = track.frame.bracket;
    track.frame = {.bracket = before,
                   .elapsed_ns = moves && track.shown ? sample->time_ns - track.sample.time_ns : 0};
    if (target != nullptr) {
        track.frame.target = *target;
    }
    if (sample != nullptr) {
        track.sample = *sample;
        track.shown = true;
    }
    // Pictures that were left out are made up for by whatever is asked of the track next.
    const bool lacks_pictures = !track.has_pictures && (sample != nullptr || target != nullptr);
    track.still = !track.shown || (!moves && !track.dirty && !lacks_pictures);
    if (target != nullptr) {
        prepare_family(track);
    }
    if (!track.still && !track.ring.empty()) {
        begin_rows(track, before);
        aim(track);
        return;
    }
    track.movers.clear_all(RowMask::Changed);
    if (target != nullptr) {
        track.batch = track.movers.make_still_batch();
    }
    aim(track);
}

void StageData::begin_rows(Track& track, const Bracket& before) noexcept {
    Frame& frame = track.frame;
    const TickRing& ring = track.ring;
    frame.shows = true;
    frame.bracket = ring.resolve(track.sample.time_ns);
    frame.moves = track.dirty || frame.bracket.a != before.a || frame.bracket.b != before.b ||
                  frame.bracket.t != before.t;
    frame.guesses = frame.bracket.beyond_ns > 0 && track.config.underrun_extrapolation_ns > 0;
    track.guessed = frame.guesses ? ring.newest() : 0;
    track.dirty = false;
    track.movers.swap_visual();
    track.had_pictures = track.has_pictures;
    // What is guessed cannot be worked out again, and who gets another parent has to know where
    // that one was shown.
    track.has_pictures =
        !frame.target || frame.target->poses || frame.guesses || slots.has_families();
    // On a tick, too, the kernel gets two states: whether they differ tells what has come to rest.
    frame.from = frame.bracket.a;
    frame.to = frame.bracket.b;
    double t = frame.bracket.t;
    if (frame.from == frame.to && frame.from < ring.newest()) {
        ++frame.to;
    } else if (frame.from == frame.to && frame.from > ring.oldest()) {
        --frame.from;
        t = 1.0;
    }
    if (track.movers.size() == 0) {
        return;
    }
    track.batch = track.movers.make_batch(track.place(frame.from), track.place(frame.to));
    track.batch.has_pictures = track.has_pictures;
    track.batch.t = t;
    track.batch.weights = fit_slerp_weights(t);
    track.batch.duration_s =
        static_cast<double>(ring[frame.to].time_ns - ring[frame.from].time_ns) * kNsToS;
}

void StageData::show_slow_blocks(Track& track) noexcept {
    MoverTable& movers = track.movers;
    for (std::size_t block = 0; block < movers.block_count(); ++block) {
        const std::uint64_t rows = movers.rows_of(block);
        const std::uint64_t slow = track.frame.guesses
                                       ? rows
                                       : rows & (movers.words(RowMask::Special)[block] |
                                                 movers.words(RowMask::Look)[block]);
        if (slow != 0) {
            movers.words(RowMask::Changed)[block] &= ~slow;
            show_slow_rows(track, block, slow);
        }
        movers.words(RowMask::Shown)[block] = slow;
    }
}

void StageData::end_track(Track& track) noexcept {
    const Frame& frame = track.frame;
    MoverTable& movers = track.movers;
    if (!frame.shows) {
        return;
    }
    if (mark_changed(movers, frame.moves) || frame.guesses) {
        show_slow_blocks(track);
    } else {
        movers.clear_all(RowMask::Shown);
    }
    for (std::uint32_t row = 0; row < movers.size() && !channel_rules.empty(); ++row) {
        show_channels(track, row);
    }
    if (frame.moves) {
        movers.set_plain_revision(revision);
    }
}

void StageData::show_slow_rows(Track& track, std::size_t block, std::uint64_t slow) noexcept {
    for_each_row(block, slow, [&](std::uint32_t row) { show_row(track, row); });
    if (track.frame.target) {
        for_each_row(block, slow & ~track.movers.words(RowMask::Below)[block],
                     [&](std::uint32_t row) { write_matrix(track, row); });
    }
}

bool StageData::stands_still(const Track& track, std::uint32_t row) const noexcept {
    const MoverTable& movers = track.movers;
    const std::size_t from = track.place(track.frame.from);
    const State first = movers.load(row, from);
    bool still = track.frame.from < track.ring.newest() && first.velocity == Velocity{};
    for (std::uint64_t sequence = track.frame.from + 1; still && sequence <= track.ring.newest();
         ++sequence) {
        const std::size_t place = track.place(sequence);
        const State state = movers.load(row, place);
        still = state.pose == first.pose && state.velocity == Velocity{} &&
                state.marks == kPlainState && movers.has_equal_channels(row, from, place);
    }
    return still;
}

Pose StageData::show_offset(Track& track, std::uint32_t row, const Pose& pose) noexcept {
    RowInfo& info = track.movers.edit(row);
    Offset& offset = track.movers.offset(row);
    offset = fade(offset, track.frame.elapsed_ns);
    info.offset = !is_negligible(offset);
    return info.offset ? apply_offset(offset, pose) : pose;
}

void StageData::show_row(Track& track, std::uint32_t row) noexcept {
    const Frame& frame = track.frame;
    RowInfo& info = track.movers.edit(row);
    // A shift takes the previous pose along, so comparing the two would not show it.
    bool changed_now = info.shifts != ShiftPool::kNone && cross_shifts(track, row);
    if (info.pending_cut != 0) {
        cross_cuts(track, row);
    }
    Pose pose = evaluate(track, row, frame.bracket, track.sample.now_ns);
    if (info.offset) {
        pose = show_offset(track, row, pose);
    }
    if (info.waiting && track.sample.time_ns >= info.appear_ns) {
        info.waiting = false;
        info.cut_shown = true;
        changed_now = true;
    }
    // A last write that has left the history is in the past for sure.
    const bool arrived = info.resting && (info.written < track.ring.oldest() ||
                                          track.sample.time_ns >= track.ring[info.written].time_ns);
    if ((arrived || stands_still(track, row)) && !info.offset && !info.waiting) {
        info.settled = true;
        track.has_settled = true;
        pose = track.newest_state(row).pose;
    }
    if (info.cut_shown) {
        info.cut_shown = false;
        changed_now = true;
        track.movers.set_previous(row, pose);
    }
    track.movers.set_visual(row, pose);
    const bool has_previous = track.had_pictures || track.movers.test(RowMask::Shown, row);
    if (changed_now || !has_previous || !(pose == track.movers.previous(row))) {
        info.revision = revision;
        track.movers.assign(RowMask::Changed, row, true);
        // What did not change stays special: the revision of all others says that they did.
        track.movers.judge(row);
    }
}

void StageData::show_channels(Track& track, std::uint32_t row) noexcept {
    const Bracket& bracket = track.frame.bracket;
    const bool cut = (track.state(row, bracket.b).marks & kCutState) != 0;
    for (std::uint32_t number = 0; number < channel_rules.size(); ++number) {
        const float from = track.movers.load_channel(row, track.place(bracket.a), number);
        const float to = track.movers.load_channel(row, track.place(bracket.b), number);
        const Channel rule = channel_rules[number];
        const float value = rule == Channel::Never ? track.newest_channel(row, number)
                            : cut                  ? from
                                                   : blend_channel(rule, from, to, bracket.t);
        if (value != track.movers.visual_channel(row, number)) {
            track.movers.set_visual_channel(row, number, value);
            track.movers.assign(RowMask::Changed, row, true);
            track.movers.edit(row).revision = revision;
        }
    }
}

void StageData::cross_cuts(Track& track, std::uint32_t row) noexcept {
    RowInfo& info = track.movers.edit(row);
    const std::uint64_t reached = track.frame.bracket.a;
    if (reached < info.pending_cut) {
        return;
    }
    Slot& slot = slots[SlotTable::index_of(track.movers.id(row))];
    if (info.pending_cut < track.ring.oldest()) {
        ++slot.shown_cuts; // Cuts that left the history while nobody looked count as one.
    }
    std::uint64_t sequence = std::max(info.pending_cut, track.ring.oldest());
    info.pending_cut = 0;
    for (; sequence <= track.ring.newest(); ++sequence) {
        if ((track.state(row, sequence).marks & kCutState) == 0) {
            continue;
        }
        if (sequence > reached) {
            info.pending_cut = sequence;
            break;
        }
        ++slot.shown_cuts;
    }
    // A correction of the path before the cut has nothing to do with the one after it.
    info.offset = false;
    track.movers.offset(row) = {};
    info.cut_shown = true;
}

bool StageData::cross_shifts(Track& track, std::uint32_t row) noexcept {
    const RowInfo& info = track.movers.info(row);
    bool crossed = false;
    // Oldest first: each maps what the one before it left.
    while (ShiftRecord* record = shifts.find_reached(info.shifts, track.frame.bracket.b)) {
        record->shown = true;
        crossed = true;
        track.movers.set_previous(row, apply(record->pending, track.movers.previous(row)));
        Offset& offset = track.movers.offset(row);
        offset = map_offset(record->pending, offset);
    }
    return crossed;
}

void StageData::vanish(Id gone) noexcept {
    if (slots.check(gone) != StageStatus::Ok) {
        return;
    }
    const std::uint32_t index = SlotTable::index_of(gone);
    changed.push_back(gone);
    remove_object(index);
}

void StageData::release_due(Track& track, TrackId id, const SampleTime* sample) noexcept {
    if (!track.shown && sample == nullptr) {
        return;
    }
    const std::int64_t time_ns = sample != nullptr ? sample->time_ns : track.sample.time_ns;
    while (const DueQueue::Item* item = track.vanishing.find_due(time_ns)) {
        const Id gone = Id::from_bits(item->value);
        track.vanishing.pop();
        vanish(gone);
    }
    while (const DueQueue::Item* item = track.events.find_due(time_ns)) {
        due_events.push_back({.track = id, .time_ns = item->time_ns, .value = item->value});
        track.events.pop();
        ++stats.event_count;
    }
}

StageStatus StageData::check_target(const MatrixTarget& target) const noexcept {
    const Track* track = find_track(target.track);
    if (track == nullptr) {
        return StageStatus::NoSuchTrack;
    }
    if (glissade::check(Pose{.position = target.origin}) != PoseStatus::Ok) {
        return StageStatus::BadPosition;
    }
    return target.matrices.size() < track->movers.size() ? StageStatus::SizeMismatch
                                                         : StageStatus::Ok;
}

void StageData::reserve_ranges() {
    std::size_t count = 0;
    for (const Track& track : tracks) {
        count += (track.movers.capacity() / kBlockRows) / kRangeBlocks + 1;
    }
    ranges.reserve(count);
}

bool StageData::has_ranges(const Track& track) noexcept {
    return track.movers.size() > 0 && !track.frame.guesses &&
           (track.frame.shows || track.frame.target);
}

void StageData::split(const Track& track, std::size_t number) noexcept {
    const bool has_rows = has_ranges(track);
    const auto block_count = static_cast<std::uint32_t>(track.movers.block_count());
    for (std::uint32_t first = 0; has_rows && first < block_count; first += kRangeBlocks) {
        ranges.push_back({.track = static_cast<std::uint16_t>(number),
                          .first_block = first,
                          .block_count = std::min(kRangeBlocks, block_count - first)});
    }
}

StageStatus Stage::begin_present(std::span<const TrackSample> samples,
                                 std::span<const MatrixTarget> targets) noexcept {
    StageData& data = *data_;
    GLISSADE_ASSERT(!data.presenting);
    finish_moves(); // A writer that is still open may have streamed what other threads will read.
    data.ranges.clear();
    for (const TrackSample& sample : samples) {
        if (const StageStatus status = data.check_sample(sample); status != StageStatus::Ok) {
            return data.refuse(status);
        }
    }
    for (const MatrixTarget& target : targets) {
        if (const StageStatus status = data.check_target(target); status != StageStatus::Ok) {
            return data.refuse(status);
        }
    }
    data.presenting = true;
    ++data.revision;
    ++data.stats.present_count;
    data.changed.clear();
    data.due_events.clear();
    // What leaves in this frame leaves before its rows are counted out to kernels and matrices.
    for (std::size_t number = 0; number < data.tracks.size(); ++number) {
        const TrackId id{static_cast<std::uint16_t>(number)};
        data.release_due(data.tracks[number], id, find_sample(samples, id));
    }
    for (std::size_t number = 0; number < data.tracks.size(); ++number) {
        const TrackId id{static_cast<std::uint16_t>(number)};
        data.begin_track(data.tracks[number], find_sample(samples, id), find_target(targets, id));
        data.split(data.tracks[number], number);
    }
    return StageStatus::Ok;
}

std::size_t Stage::range_count() const noexcept {
    return data_->ranges.size();
}

void Stage::present_range(std::size_t number) noexcept {
    GLISSADE_ASSERT(number < data_->ranges.size());
    if (number < data_->ranges.size()) {
        const PresentRange& range = data_->ranges[number];
        blend_blocks(data_->tracks[range.track].batch, range.first_block, range.block_count);
    }
}

void Stage::end_present() noexcept {
    StageData& data = *data_;
    if (!data.presenting) {
        return;
    }
    data.presenting = false;
    data.ranges.clear();
    for (Track& track : data.tracks) {
        data.end_track(track);
    }
    data.list_touched();
    data.list_families();
    for (Track& track : data.tracks) {
        data.write_family_matrices(track);
    }
    data.collect_changed();
}

StageStatus Stage::present(std::span<const TrackSample> samples,
                           std::span<const MatrixTarget> targets) noexcept {
    const StageStatus status = begin_present(samples, targets);
    // Whole tracks: long stretches of memory are faster than the ranges of jobs.
    for (const Track& track : data_->tracks) {
        if (status == StageStatus::Ok && StageData::has_ranges(track)) {
            blend_blocks(track.batch, 0, track.movers.block_count());
        }
    }
    end_present();
    return status;
}

StageStatus Stage::present(std::span<const TrackSample> samples) noexcept {
    return present(samples, {});
}

StageStatus Stage::present(const SampleTime& sample) noexcept {
    const TrackSample only{.track = kDefaultTrack, .time = sample};
    return present({&only, 1}, {});
}

StageStatus Stage::present(const SampleTime& sample, const MatrixTarget& target) noexcept {
    const TrackSample only{.track = kDefaultTrack, .time = sample};
    return present({&only, 1}, {&target, 1});
}

} // namespace glissade
