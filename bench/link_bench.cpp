// SPDX-License-Identifier: MIT
// What a link costs: a snapshot handed from one core to another, against a memcpy of the same bytes
// into one buffer and out again, handed over through one flag.
#include "glissade/link/link.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <thread>
#include <type_traits>
#include <vector>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace glissade {
namespace {

constexpr int kRoundCount = 15;

void pin_to_core(int core) {
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(core), &set);
    // Only a wish: a machine with one core measures, too.
    static_cast<void>(pthread_setaffinity_np(pthread_self(), sizeof set, &set));
#else
    static_cast<void>(core);
#endif
}

/// Whole pages, so that the distance between arrays is the same in every run.
class Pages {
public:
    explicit Pages(std::size_t size_bytes)
        : data_(static_cast<std::byte*>(::operator new(size_bytes, kAlignment))),
          size_bytes_(size_bytes) {
        std::memset(data_, 1, size_bytes);
    }
    ~Pages() { ::operator delete(data_, kAlignment); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    Pages(Pages&&) = delete;
    Pages& operator=(Pages&&) = delete;

    [[nodiscard]] std::byte* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_bytes_; }

private:
    static constexpr std::align_val_t kAlignment{4096};
    std::byte* data_;
    std::size_t size_bytes_;
};

constexpr std::size_t kPoseBytes = 8 + 3 * 8 + 4 * 4 + 4;

/// Copies the columns of a pose to or from an array of the caller, one after the other.
template <class Columns>
void copy_poses(const Columns& columns, std::byte* own, std::size_t count) {
    const auto copy = [&own, count](auto column) {
        using Value = typename decltype(column)::element_type;
        if constexpr (std::is_const_v<Value>) {
            std::memcpy(own, column.data(), count * sizeof(Value));
        } else {
            std::memcpy(column.data(), own, count * sizeof(Value));
        }
        own += count * sizeof(Value);
    };
    copy(columns.ids);
    copy(columns.x);
    copy(columns.y);
    copy(columns.z);
    copy(columns.qx);
    copy(columns.qy);
    copy(columns.qz);
    copy(columns.qw);
    copy(columns.cuts);
}

/// One flag and one buffer: the least that a hand-over can cost, and who reads blocks who writes.
/// With two buffers in turn it has the footprint of a link whose reader keeps up: there one is
/// read while the other is written.
class FlagExchange {
public:
    FlagExchange(std::size_t count, std::size_t buffer_count)
        : size_bytes_(count * kPoseBytes + sizeof(SnapshotHeader)),
          buffer_count_(buffer_count),
          source_(size_bytes_),
          buffers_(size_bytes_ * buffer_count),
          target_(size_bytes_) {}

    void write() {
        while (full_.load(std::memory_order_acquire)) {
        }
        std::memcpy(buffer(written_count_++), source_.data(), size_bytes_);
        full_.store(true, std::memory_order_release);
    }
    void read() {
        while (!full_.load(std::memory_order_acquire)) {
        }
        std::memcpy(target_.data(), buffer(read_count_++), size_bytes_);
        full_.store(false, std::memory_order_release);
    }

private:
    [[nodiscard]] std::byte* buffer(std::size_t number) const noexcept {
        return buffers_.data() + number % buffer_count_ * size_bytes_;
    }

    std::size_t size_bytes_;
    std::size_t buffer_count_;
    Pages source_;
    Pages buffers_;
    Pages target_;
    alignas(64) std::size_t written_count_ = 0;
    alignas(64) std::size_t read_count_ = 0;
    alignas(64) std::atomic<bool> full_{false};
};

/// The same through a link. The writer waits for the reader, too, though it need not: so both take
/// turns in the same way, and only the hand-over differs.
class LinkExchange {
public:
    LinkExchange(std::size_t count, std::uint32_t slot_count)
        : link_({.capacity = static_cast<std::uint32_t>(count),
                 .slot_count = slot_count,
                 .columns = LinkColumns::None}),
          count_(count),
          source_(count * kPoseBytes),
          target_(count * kPoseBytes) {
        writer_.join(link_.memory());
        reader_.join(link_.memory());
    }

    void write() {
        while (full_.load(std::memory_order_acquire)) {
        }
        full_.store(true, std::memory_order_relaxed);
        const LinkWriter::Begun begun = writer_.begin(count_);
        copy_poses(begun.slot.columns, source_.data(), count_);
        writer_.publish(0);
    }
    void read() {
        auto view = reader_.next();
        while (!view) {
            view = reader_.next();
        }
        copy_poses(view->columns, target_.data(), count_);
        full_.store(false, std::memory_order_release);
    }

private:
    Link link_;
    LinkWriter writer_;
    LinkReader reader_;
    std::size_t count_;
    Pages source_;
    Pages target_;
    alignas(64) std::atomic<bool> full_{false};
};

/// The time of each hand-over. Each by itself, because a machine that also does other work takes
/// a core away for milliseconds now and then: the median does not see those.
class Times {
public:
    template <class Exchange>
    void measure(Exchange& exchange, int count) {
        constexpr int kWarmUp = 12; // Once through every slot.
        std::thread writer([&exchange, count] {
            pin_to_core(0);
            for (int i = 0; i < count + kWarmUp; ++i) {
                exchange.write();
            }
        });
        pin_to_core(1);
        for (int i = 0; i < kWarmUp; ++i) {
            exchange.read();
        }
        auto before = std::chrono::steady_clock::now();
        for (int i = 0; i < count; ++i) {
            exchange.read();
            const auto now = std::chrono::steady_clock::now();
            times_ns_.push_back(std::chrono::duration<double, std::nano>(now - before).count());
            before = now;
        }
        writer.join();
    }
    [[nodiscard]] double quantile_ns(double part) {
        std::sort(times_ns_.begin(), times_ns_.end());
        return times_ns_[static_cast<std::size_t>(part *
                                                  static_cast<double>(times_ns_.size() - 1))];
    }

private:
    std::vector<double> times_ns_;
};

void compare(std::size_t count) {
    FlagExchange one(count, 1);
    FlagExchange two(count, 2);
    LinkExchange link4(count, 4);
    LinkExchange link8(count, 8);
    std::array<Times, 4> times;
    const int repeats = static_cast<int>(std::clamp<std::size_t>(1'000'000 / count, 20, 1'000));
    for (int round = 0; round < kRoundCount; ++round) {
        times[0].measure(one, repeats);
        times[1].measure(two, repeats);
        times[2].measure(link4, repeats);
        times[3].measure(link8, repeats);
    }
    std::printf("%7zu", count);
    for (Times& each : times) {
        std::printf(" %9.2f (%7.2f)", each.quantile_ns(0.5) / 1e3, each.quantile_ns(0.1) / 1e3);
    }
    for (std::size_t i = 1; i < times.size(); ++i) {
        std::printf(" %6.2f", times[i].quantile_ns(0.5) / times[0].quantile_ns(0.5));
    }
    std::printf("\n");
}

} // namespace
} // namespace glissade

int main() {
    std::printf(
        "One snapshot from one core to another, 52 bytes a pose: median (fastest tenth) in\n"
        "microseconds, and the ratios of the medians to one flag and one buffer\n"
        "  poses one flag, one buffer        two buffers      link, 4 slots      link, 8 "
        "slots   two  link4  link8\n");
    for (const std::size_t count : {100U, 1'000U, 10'000U, 100'000U}) {
        glissade::compare(count);
    }
    return 0;
}
