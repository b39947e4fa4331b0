// SPDX-License-Identifier: MIT
#include "load.h"

namespace physics_thread {

namespace {

void spin(const std::atomic<bool>& stop) {
    while (!stop.load(std::memory_order_relaxed)) {
    }
}

} // namespace

Load::Load(std::size_t thread_count) {
    for (std::size_t i = 0; i < thread_count; ++i) {
        threads_.emplace_back([this] { spin(stop_); });
    }
}

Load::~Load() {
    stop_.store(true, std::memory_order_relaxed);
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

} // namespace physics_thread
