// SPDX-License-Identifier: MIT
#include "glissade/feed/link_feed.h"

#include "glissade/feed/source_state.h"

#include "base/column.h"
#include "feed/snapshot_rows.h"

#include <array>
#include <new>

namespace glissade {

namespace {

constexpr std::uint32_t kSlotMask = 0xFFFFFF; // Of Id::index1; above it is the writer's tag.
constexpr std::uint32_t kHistory = 8;
// Of the state before the first: any will do.
constexpr std::int64_t kFirstDurationNs = 16'666'667;
constexpr double kNsToS = 1e-9;

} // namespace

/// What belongs to one link.
struct LinkFeed::Data {
    struct Entry {
        std::uint64_t writer_id = 0; // Id::bits(); 0: free.
        std::uint64_t sequence = 0;  // The snapshot that it was last seen in.
        std::uint32_t place = 0;     // In `used`.
        Follower follower{};
    };

    Data(Stage& the_stage, const LinkFeedConfig& the_config) noexcept
        : stage(&the_stage),
          config(the_config),
          timeline({.fixed_delay_ns = the_config.fixed_delay_ns}) {}

    void take(const SnapshotView& snapshot, std::int64_t cpu_ns) noexcept;
    void take_objects(const SnapshotView& snapshot) noexcept;
    void take_row(const SnapshotView& snapshot, std::size_t row) noexcept;
    void add(const SnapshotView& snapshot, std::size_t row, Entry& entry) noexcept;
    void end(Entry& entry) noexcept;
    void end_missing(std::uint64_t sequence) noexcept;
    void remove_all() noexcept;
    void note(StageStatus status) noexcept;
    [[nodiscard]] Entry* entry_of(Id id) noexcept;

    Stage* stage;
    LinkFeedConfig config;
    LinkReader reader{};
    Timeline timeline;
    ClockOffset offset{};
    Column<Entry> entries{};      // By the writer's slot number.
    Column<std::uint32_t> used{}; // The entries in use, packed.
    std::size_t used_count = 0;
    std::optional<Tick> newest{};
    std::uint64_t refused_count = 0;
    StageStatus last_refusal = StageStatus::Ok;
};

void LinkFeed::Data::take(const SnapshotView& snapshot, std::int64_t cpu_ns) noexcept {
    const SnapshotHeader& header = snapshot.header;
    if (!config.same_clock) {
        offset.add(header.published_ns, cpu_ns);
    }
    Arrival arrival{.source_ns = header.time_ns,
                    .arrival_ns = offset.to_reader(header.published_ns),
                    .time_scale = header.time_scale,
                    .paused = header.paused != 0,
                    .epoch = header.epoch};
    if (header.has_due != 0) {
        arrival.due_ns = offset.to_reader(header.due_ns);
    }
    const ArrivalStatus status = timeline.add(arrival);
    const bool same_state = newest && header.time_ns == newest->time_ns;
    if (status == ArrivalStatus::Stale || status == ArrivalStatus::Absurd || same_state) {
        return;
    }
    if (status == ArrivalStatus::Restarted) {
        note(stage->restart(config.track, -kMaxTimeNs));
    }
    const bool goes_on = newest && header.time_ns > newest->time_ns;
    const std::int64_t duration = goes_on ? header.time_ns - newest->time_ns : kFirstDurationNs;
    newest = Tick{newest ? newest->index + 1 : 1, header.time_ns, duration,
                  static_cast<double>(duration) * kNsToS};
    take_objects(snapshot);
}

void LinkFeed::Data::take_objects(const SnapshotView& snapshot) noexcept {
    const std::size_t count = snapshot.header.object_count;
    for (std::size_t row = 0; row < count; ++row) {
        take_row(snapshot, row);
    }
    end_missing(snapshot.header.sequence);
}

void LinkFeed::Data::take_row(const SnapshotView& snapshot, std::size_t row) noexcept {
    const std::uint64_t writer_id = snapshot.columns.ids[row];
    Entry* const entry = entry_of(Id::from_bits(writer_id));
    if (entry == nullptr) {
        note(StageStatus::ForeignHandle);
        return;
    }
    if (entry->writer_id != writer_id) {
        if (entry->writer_id != 0) {
            end(*entry);
        }
        add(snapshot, row, *entry);
        return;
    }
    std::array<float, kMaxChannels> channels{};
    entry->sequence = snapshot.header.sequence;
    note(entry->follower.follow(*stage, *newest, read_row(snapshot.columns, row),
                                read_channels(snapshot.columns, row, channels)));
}

void LinkFeed::Data::add(const SnapshotView& snapshot, std::size_t row, Entry& entry) noexcept {
    const std::uint64_t writer_id = snapshot.columns.ids[row];
    std::array<float, kMaxChannels> channels{};
    const SourceState state = read_row(snapshot.columns, row);
    const ObjectConfig object{.track = config.track,
                              .blend = config.blend,
                              .user = writer_id,
                              .channels = read_channels(snapshot.columns, row, channels)};
    const Extra extra{.velocity = state.velocity, .channels = object.channels};
    const AddResult added = newest->index == 1 ? stage->add(state.pose, object)
                                               : stage->spawn(*newest, state.pose, object, extra);
    note(added.status);
    if (added.status != StageStatus::Ok) {
        return;
    }
    entry = {writer_id, snapshot.header.sequence, static_cast<std::uint32_t>(used_count),
             Follower(added.id, state)};
    used[used_count++] = (Id::from_bits(writer_id).index1 & kSlotMask) - 1;
}

void LinkFeed::Data::end(Entry& entry) noexcept {
    note(stage->despawn(*newest, entry.follower.id()));
    const std::uint32_t moved = used[--used_count];
    used[entry.place] = moved;
    entries[moved].place = entry.place;
    entry = {};
}

void LinkFeed::Data::end_missing(std::uint64_t sequence) noexcept {
    for (std::size_t i = used_count; i-- > 0;) {
        Entry& entry = entries[used[i]];
        if (entry.sequence != sequence) {
            end(entry);
        }
    }
}

void LinkFeed::Data::remove_all() noexcept {
    for (std::size_t i = 0; i < used_count; ++i) {
        stage->remove(entries[used[i]].follower.id());
    }
    used_count = 0;
}

void LinkFeed::Data::note(StageStatus status) noexcept {
    if (status != StageStatus::Ok) {
        ++refused_count;
        last_refusal = status;
    }
}

LinkFeed::Data::Entry* LinkFeed::Data::entry_of(Id id) noexcept {
    const std::uint32_t slot = (id.index1 & kSlotMask) - 1; // Wraps for null, and is refused.
    return slot < entries.capacity() ? &entries[slot] : nullptr;
}

LinkFeed::LinkFeed(Stage& stage, const LinkFeedConfig& config) noexcept
    : data_(new (std::nothrow) Data(stage, config)) {
    if (!data_) {
        detail::out_of_memory(sizeof(Data));
    }
}
LinkFeed::~LinkFeed() = default;
LinkFeed::LinkFeed(LinkFeed&&) noexcept = default;
LinkFeed& LinkFeed::operator=(LinkFeed&&) noexcept = default;

TrackConfig LinkFeed::track_config() noexcept {
    return {.history = kHistory,
            .cuts = CutShows::AtStamp,
            .underrun_extrapolation_ns = Playout::kMaxExtrapolationNs};
}

LinkStatus LinkFeed::join(std::span<std::byte> memory) noexcept {
    Data& data = *data_;
    data.remove_all();
    const LinkStatus status = data.reader.join(memory);
    const std::size_t capacity = status == LinkStatus::Ok ? data.reader.config().capacity : 0;
    data.entries = Column<Data::Entry>(capacity);
    for (std::size_t i = 0; i < capacity; ++i) {
        new (&data.entries[i]) Data::Entry{};
    }
    data.used = Column<std::uint32_t>(capacity);
    return status;
}

std::optional<TrackSample> LinkFeed::frame(std::int64_t cpu_ns,
                                           std::optional<std::int64_t> stamp_ns) noexcept {
    Data& data = *data_;
    while (const SnapshotView* const snapshot = data.reader.next()) {
        data.take(*snapshot, cpu_ns);
    }
    std::optional<SampleTime> sample = data.timeline.frame(cpu_ns, stamp_ns);
    if (!sample) {
        return std::nullopt;
    }
    sample->newest = data.newest;
    return TrackSample{data.config.track, *sample};
}

void LinkFeed::present(std::int64_t cpu_ns, std::optional<std::int64_t> stamp_ns) noexcept {
    const std::optional<TrackSample> sample = frame(cpu_ns, stamp_ns);
    if (sample) {
        data_->note(data_->stage->present({&*sample, 1}));
    }
}

Id LinkFeed::find(Id writer_id) const noexcept {
    const Data::Entry* const entry = data_->entry_of(writer_id);
    return entry != nullptr && entry->writer_id == writer_id.bits() && !writer_id.is_null()
               ? entry->follower.id()
               : Id{};
}

LinkFeedReport LinkFeed::report() const noexcept {
    return {.timeline = data_->timeline.report(),
            .link = data_->reader.stats(),
            .refused_count = data_->refused_count,
            .last_refusal = data_->last_refusal,
            .clock_offset_ns = data_->offset.offset_ns()};
}

} // namespace glissade
