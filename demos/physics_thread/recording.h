// SPDX-License-Identifier: MIT
// A run as the two files that `glissade doctor` reads.
#pragma once

#include "logs.h"

#include <string>

namespace physics_thread {

struct Recording {
    std::string trace{};  ///< What came and when frames were made.
    std::string drawn{};  ///< What was drawn.
    bool complete = true; ///< No line was refused.
};

/// The character is object 1, the boxes are 2 and up.
inline constexpr std::int64_t kCharacterId = 1;

[[nodiscard]] Recording make_recording(const RunLog& log, const std::string& name);

/// Writes NAME.ndjson and NAME-drawn.ndjson; false if one of them cannot be written.
[[nodiscard]] bool save(const Recording& recording, const std::string& folder,
                        const std::string& name);

} // namespace physics_thread
