// SPDX-License-Identifier: MIT
#include "stage/scatter_log.h"

namespace glissade {

ScatterLog::ScatterLog(StagedPose* memory, std::uint32_t row_capacity)
    : lists_((row_capacity + kGroupRows - 1) / kGroupRows),
      sorted_(std::min(row_capacity, kGroupRows)) {
    for (std::uint32_t group = 0; group < group_count(); ++group) {
        const std::uint32_t first_row = group * kGroupRows;
        StagedPose* const first = memory + first_row;
        lists_[group] = {first, first, first + std::min(row_capacity - first_row, kGroupRows)};
    }
}

} // namespace glissade
