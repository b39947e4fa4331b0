// SPDX-License-Identifier: MIT
#include "link/stress.h"

#include "link/link_world.h"

#include <atomic>
#include <cstring>
#include <thread>

namespace glissade::testing {
namespace {

/// What the threads tell each other beside the link. Relaxed: it must not order anything that the
/// link does not order by itself.
struct Progress {
    std::atomic<std::uint64_t> read_sequence{0};
    std::atomic<bool> written{false};
};

std::uint64_t bits_of(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

std::uint64_t bits_of(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// Of all that is in the rows of a snapshot.
template <class Columns>
std::uint64_t compute_checksum(const Columns& columns, std::size_t object_count) {
    std::uint64_t sum = object_count;
    for (std::size_t row = 0; row < object_count; ++row) {
        sum = sum * 31 + columns.ids[row];
        sum += bits_of(columns.x[row]) ^ bits_of(columns.y[row]) * 3 ^ bits_of(columns.z[row]) * 5;
        sum += bits_of(columns.qx[row]) ^ bits_of(columns.qy[row]) * 7;
        sum += bits_of(columns.qz[row]) ^ bits_of(columns.qw[row]) * 11;
        sum += columns.cuts[row];
    }
    return sum;
}

std::size_t object_count_of(std::uint64_t sequence, std::uint32_t capacity) {
    return sequence % capacity + 1;
}

void write_snapshot(LinkWriter& writer, std::uint64_t sequence, StressResult& result) {
    const std::size_t object_count = object_count_of(sequence, writer.config().capacity);
    const LinkWriter::Begun begun = writer.begin(object_count);
    if (begun.status != LinkStatus::Ok) {
        ++result.refused_count;
        return;
    }
    const auto& columns = begun.slot.columns;
    for (std::size_t row = 0; row < object_count; ++row) {
        const std::uint64_t value = mix(sequence + row);
        columns.ids[row] = value;
        columns.x[row] = static_cast<double>(value >> 20U);
        columns.y[row] = static_cast<double>(sequence);
        columns.z[row] = static_cast<double>(value & 0xFFFFU);
        columns.qx[row] = static_cast<float>(value >> 40U);
        columns.qy[row] = static_cast<float>(row);
        columns.qz[row] = static_cast<float>(value >> 50U);
        columns.qw[row] = static_cast<float>(sequence & 0xFFFFU);
        columns.cuts[row] = static_cast<std::uint32_t>(sequence);
    }
    begun.slot.header->tick = static_cast<std::int64_t>(sequence);
    begun.slot.header->due_ns = static_cast<std::int64_t>(compute_checksum(columns, object_count));
    const auto published_ns = static_cast<std::int64_t>(sequence * 3);
    result.refused_count += writer.publish(published_ns) == LinkStatus::Ok ? 0U : 1U;
}

bool is_intact(const SnapshotView& view, std::uint32_t capacity) {
    const SnapshotHeader& header = view.header;
    const std::uint64_t sequence = header.sequence;
    return header.tick == static_cast<std::int64_t>(sequence) &&
           header.published_ns == static_cast<std::int64_t>(sequence * 3) &&
           header.object_count == object_count_of(sequence, capacity) &&
           view.columns.ids[0] == mix(sequence) &&
           header.due_ns ==
               static_cast<std::int64_t>(compute_checksum(view.columns, header.object_count));
}

bool is_due(std::uint64_t number, std::uint64_t every) {
    return every != 0 && number % every == 0;
}

void write_all(Link& link, const StressConfig& config, Progress& progress, StressResult& result) {
    LinkWriter writer;
    result.refused_count += writer.join(link.memory()) == LinkStatus::Ok ? 0U : 1U;
    for (std::uint64_t sequence = 1; sequence <= config.publish_count; ++sequence) {
        while (config.max_behind != 0 &&
               progress.read_sequence.load(std::memory_order_relaxed) + config.max_behind <
                   sequence) {
            std::this_thread::yield();
        }
        if (is_due(sequence, config.rejoin_every)) {
            writer.leave();
            result.refused_count += writer.join(link.memory()) == LinkStatus::Ok ? 0U : 1U;
        }
        write_snapshot(writer, sequence, result);
        if (mix(sequence) % 32 == 0) { // Both threads may have to share one core.
            std::this_thread::yield();
        }
    }
    progress.written.store(true, std::memory_order_release);
}

class StressReader {
public:
    StressReader(Link& link, const StressConfig& config, Progress& progress)
        : link_(link), config_(config), progress_(progress) {
        join();
    }

    /// Reads until nothing is left after the writer has ended.
    void run() {
        bool ended = false;
        std::uint64_t empty_count = 0;
        while (!ended) {
            ended = progress_.written.load(std::memory_order_acquire);
            while (const auto view = reader_.next()) {
                check(*view);
                empty_count = 0;
            }
            if (++empty_count % 100 == 0) { // The writer may be waiting for this core.
                std::this_thread::yield();
            }
        }
        count_skipped();
    }
    [[nodiscard]] const StressResult& result() const noexcept { return result_; }

private:
    void join() {
        result_.refused_count += reader_.join(link_.memory()) == LinkStatus::Ok ? 0U : 1U;
    }
    void count_skipped() {
        result_.skipped_count += reader_.stats().skipped_count;
        result_.refused_count += reader_.stats().damaged_count;
        const bool adds_up = result_.read_count + result_.skipped_count == result_.last_sequence;
        result_.miscount += adds_up ? 0U : 1U;
    }
    void check(const SnapshotView& view) {
        ++result_.read_count;
        result_.torn_count += is_intact(view, config_.capacity) ? 0U : 1U;
        result_.disorder_count += view.header.sequence > result_.last_sequence ? 0U : 1U;
        result_.last_sequence = view.header.sequence;
        if (is_due(result_.read_count, config_.hold_every)) {
            std::this_thread::yield();
            result_.torn_count += is_intact(view, config_.capacity) ? 0U : 1U;
        }
        progress_.read_sequence.store(view.header.sequence, std::memory_order_relaxed);
        if (is_due(result_.read_count, config_.rejoin_every)) {
            count_skipped();
            reader_.leave();
            join();
        }
    }

    Link& link_;
    const StressConfig& config_;
    Progress& progress_;
    LinkReader reader_;
    StressResult result_;
};

} // namespace

StressResult run_stress(const StressConfig& config) {
    Link link({.capacity = config.capacity,
               .slot_count = config.slot_count,
               .columns = LinkColumns::None});
    Progress progress;
    StressResult written;
    std::thread thread([&] { write_all(link, config, progress, written); });
    StressReader reader(link, config, progress);
    reader.run();
    thread.join();
    StressResult result = reader.result();
    result.refused_count += written.refused_count;
    return result;
}

} // namespace glissade::testing
