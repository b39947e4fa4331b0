// SPDX-License-Identifier: MIT
// The parts of present() on two threads against all of it on one.
#include "stage_scene.h"

#include <atomic>
#include <thread>

#include <benchmark/benchmark.h>

namespace glissade::bench {
namespace {

/// Runs the ranges of a stage on the calling thread and on one more that is kept running, as the
/// workers of a job system are. It spins while it waits: waking a thread would cost more than the
/// work at 10^4 objects.
class RangePair {
public:
    explicit RangePair(Stage& stage) : stage_(&stage), worker_([this] { work(); }) {}

    ~RangePair() {
        // Pairs with the acquire in work().
        asked_.store(kStop, std::memory_order_release);
        worker_.join();
    }
    RangePair(const RangePair&) = delete;
    RangePair& operator=(const RangePair&) = delete;
    RangePair(RangePair&&) = delete;
    RangePair& operator=(RangePair&&) = delete;

    /// Between begin_present() and end_present().
    void run() {
        next_.store(0, std::memory_order_relaxed);
        const int round = done_.load(std::memory_order_relaxed) + 1;
        // Pairs with the acquire in work(): the worker sees the stage as begin_present() left it.
        asked_.store(round, std::memory_order_release);
        take_ranges();
        // Pairs with the release in work(): end_present() sees what the worker wrote.
        while (done_.load(std::memory_order_acquire) != round) {
        }
    }

private:
    static constexpr int kStop = -1;

    void take_ranges() {
        const std::size_t count = stage_->range_count();
        // Relaxed: only the number matters, the results are handed over by done_.
        for (std::size_t number = next_.fetch_add(1, std::memory_order_relaxed); number < count;
             number = next_.fetch_add(1, std::memory_order_relaxed)) {
            stage_->present_range(number);
        }
    }

    void work() {
        int last = 0;
        for (;;) {
            const int asked = asked_.load(std::memory_order_acquire);
            if (asked == kStop) {
                return;
            }
            if (asked != last) {
                take_ranges();
                last = asked;
                done_.store(last, std::memory_order_release);
            }
        }
    }

    Stage* stage_;
    alignas(64) std::atomic<std::size_t> next_{0};
    alignas(64) std::atomic<int> asked_{0};
    alignas(64) std::atomic<int> done_{0};
    std::thread worker_; // Last: it uses all of the above.
};

void one_thread(benchmark::State& state) {
    StageScene& scene = scene_of({.object_count = size_argument(state)});
    run_frames(state, scene, [&] { scene.present_matrices(); });
}
BENCHMARK(one_thread)->Name("threads/one")->Apply(all_sizes)->UseRealTime();

void two_threads(benchmark::State& state) {
    StageScene& scene = scene_of({.object_count = size_argument(state)});
    RangePair pair(scene.stage());
    run_frames(state, scene, [&] {
        scene.begin_present();
        pair.run();
        scene.stage().end_present();
    });
}
BENCHMARK(two_threads)->Name("threads/two")->Apply(all_sizes)->UseRealTime();

} // namespace
} // namespace glissade::bench
