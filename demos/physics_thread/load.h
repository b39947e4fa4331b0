// SPDX-License-Identifier: MIT
// Work for the other cores: threads that never sleep.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace physics_thread {

/// Spins on `thread_count` threads as long as it lives.
class Load {
public:
    explicit Load(std::size_t thread_count);
    ~Load();
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;
    Load(Load&&) = delete;
    Load& operator=(Load&&) = delete;

private:
    std::atomic<bool> stop_ = false;
    std::vector<std::thread> threads_{};
};

} // namespace physics_thread
