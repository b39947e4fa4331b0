// SPDX-License-Identifier: MIT
// The two-thread stress as a program without GoogleTest, for WebAssembly with threads.
#include "link/stress.h"

#include <cstdio>

int main() {
    using glissade::testing::StressConfig;
    constexpr StressConfig kConfigs[] = {
        {.publish_count = 1'000'000, .slot_count = 4},
        // Few, because a thread that waits here does not give its core away.
        {.publish_count = 3'000, .slot_count = 8, .capacity = 4, .max_behind = 6},
        {.publish_count = 300'000, .slot_count = 4, .hold_every = 3, .rejoin_every = 7},
    };
    int failed_count = 0;
    for (const StressConfig& config : kConfigs) {
        const auto result = glissade::testing::run_stress(config);
        const bool complete = result.last_sequence == config.publish_count &&
                              (config.max_behind == 0 || result.skipped_count == 0);
        failed_count += result.sound() && complete ? 0 : 1;
        std::printf("%llu published, %llu read, %llu skipped, %llu torn, %llu out of order\n",
                    static_cast<unsigned long long>(config.publish_count),
                    static_cast<unsigned long long>(result.read_count),
                    static_cast<unsigned long long>(result.skipped_count),
                    static_cast<unsigned long long>(result.torn_count),
                    static_cast<unsigned long long>(result.disorder_count));
    }
    return failed_count == 0 ? 0 : 1;
}
