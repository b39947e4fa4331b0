// SPDX-License-Identifier: MIT
// What a link costs: a snapshot handed from one core to another, against a memcpy of the same bytes
// into one buffer and out again, handed over through one flag. Publishing and reading are timed,
// waiting for the other side is not: a link never waits, and a flag does nothing else.
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
#include <optional>
#include <thread>
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

using Clock = std::chrono::steady_clock;

double since_ns(Clock::time_point start) {
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// One flag and one buffer: the least that a hand-over can cost, and who reads blocks who writes.
/// With two buffers in turn it has the footprint of a link whose writer goes on while the reader
/// still reads.
class FlagExchange {
public:
    FlagExchange(std::size_t count, std::size_t buffer_count)
        : size_bytes_(count * kPoseBytes + sizeof(SnapshotHeader)),
          buffer_count_(buffer_count),
          source_(size_bytes_),
          buffers_(size_bytes_ * buffer_count),
          target_(size_bytes_) {}

    /// Both give the time that their part took, without the wait for the other side.
    double write() {
        while (full_.load(std::memory_order_acquire)) {
        }
        const Clock::time_point start = Clock::now();
        std::memcpy(buffer(written_count_++), source_.data(), size_bytes_);
        full_.store(true, std::memory_order_release);
        return since_ns(start);
    }
    double read() {
        Clock::time_point start = Clock::now();
        while (!full_.load(std::memory_order_acquire)) {
            start = Clock::now();
        }
        std::memcpy(target_.data(), buffer(read_count_++), size_bytes_);
        full_.store(false, std::memory_order_release);
        return since_ns(start);
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

/// The same through a link, whose columns the two sides keep as they lie in a slot. The reader asks
/// until nothing is left, as once a frame: the last time gives its slot back, and is timed, too.
/// The writer waits for the reader, though it need not: so both take turns in the same way, and
/// only the hand-over differs.
class LinkExchange {
public:
    LinkExchange(std::size_t count, std::uint32_t slot_count)
        : link_({.capacity = static_cast<std::uint32_t>(count),
                 .slot_count = slot_count,
                 .columns = LinkColumns::None}),
          count_(count) {
        writer_.join(link_.memory());
        reader_.join(link_.memory());
        source_.emplace(writer_.begin(count).slot.bytes.size());
        target_.emplace(source_->size());
    }

    double write() {
        while (!turn_.load(std::memory_order_acquire)) {
        }
        turn_.store(false, std::memory_order_relaxed);
        const Clock::time_point start = Clock::now();
        const LinkWriter::Begun begun = writer_.begin(count_);
        std::memcpy(begun.slot.bytes.data(), source_->data(), source_->size());
        writer_.publish(0);
        return since_ns(start);
    }
    double read() {
        Clock::time_point start = Clock::now();
        auto view = reader_.next();
        while (!view) {
            start = Clock::now();
            view = reader_.next();
        }
        std::memcpy(target_->data(), view->bytes.data(), target_->size());
        static_cast<void>(reader_.next());
        const double time_ns = since_ns(start);
        turn_.store(true, std::memory_order_release);
        return time_ns;
    }

private:
    Link link_;
    LinkWriter writer_;
    LinkReader reader_;
    std::size_t count_;
    std::optional<Pages> source_{};
    std::optional<Pages> target_{};
    alignas(64) std::atomic<bool> turn_{true}; // The writer's.
};

/// The time of each hand-over. Each by itself, because a machine that also does other work takes
/// a core away for milliseconds now and then: the median does not see those.
class Times {
public:
    template <class Exchange>
    void measure(Exchange& exchange, int count) {
        constexpr int kWarmUp = 12; // Once through every slot.
        std::vector<double> write_ns(static_cast<std::size_t>(count + kWarmUp));
        std::vector<double> read_ns(write_ns.size());
        std::thread writer([&exchange, &write_ns] {
            pin_to_core(0);
            for (double& time_ns : write_ns) {
                time_ns = exchange.write();
            }
        });
        pin_to_core(1);
        for (double& time_ns : read_ns) {
            time_ns = exchange.read();
        }
        writer.join();
        for (std::size_t i = kWarmUp; i < write_ns.size(); ++i) {
            times_ns_.push_back(write_ns[i] + read_ns[i]);
        }
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
        "One snapshot published on one core and read on another, 52 bytes a pose: median (fastest\n"
        "tenth) in microseconds, and the ratios of the medians to one flag and one buffer\n"
        "  poses one flag, one buffer        two buffers      link, 4 slots      link, 8 "
        "slots   two  link4  link8\n");
    for (const std::size_t count : {100U, 1'000U, 10'000U, 100'000U}) {
        glissade::compare(count);
    }
    return 0;
}
