// SPDX-License-Identifier: MIT
// One frame: every mover of every track gets its visual pose, and what is due comes out.
#include "stage/stage_data.h"

#include <algorithm>
#include <bit>

namespace glissade {

namespace {

constexpr double kNsToS = 1e-9;

/// Blocks of one present_range(), at least: enough work for a job.
constexpr std::uint32_t kMinRangeBlocks = 64;
/// Of many rows about so many ranges, to share out evenly. More would be slower: each waits for
/// what it has written past the caches (10^6 rows on one thread 2.35 ns each with 245 of them, 2.2
/// with 65).
constexpr std::uint32_t kUsualRanges = 64;

std::uint32_t find_range_blocks(std::uint32_t block_count) noexcept {
    return std::max(kMinRangeBlocks, block_count / kUsualRanges);
}

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
/// Few frames have any, so this is a loop of its own without calls.
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
        const std::size_t most = (track.movers.capacity() / kBlockRows) / kMinRangeBlocks;
        count += std::min<std::size_t>(most, kUsualRanges) + 1;
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
    const std::uint32_t range_blocks = find_range_blocks(block_count);
    for (std::uint32_t first = 0; has_rows && first < block_count; first += range_blocks) {
        ranges.push_back({.track = static_cast<std::uint16_t>(number),
                          .first_block = first,
                          .block_count = std::min(range_blocks, block_count - first)});
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
