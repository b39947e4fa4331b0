// SPDX-License-Identifier: MIT
// Blends of position and rotation for two ways to store positions, with the machine's vectors.
#pragma once

#include <array>
#include <cstddef>

namespace glissade::bench {

/// Two states in, a picture out. T: double for positions, or float for offsets from an anchor that
/// the blend need not touch. Columns are aligned to cache lines, rows whole blocks of 64.
template <class T>
struct StorageRows {
    std::array<const T*, 3> from_position{};
    std::array<const T*, 3> to_position{};
    std::array<T*, 3> position{};
    std::array<const float*, 4> from_rotation{}; ///< x, y, z, w
    std::array<const float*, 4> to_rotation{};
    std::array<float*, 4> rotation{};
    std::size_t row_count = 0;
};

// Position linearly. Rotation linearly and normalised: about as much arithmetic as the polynomials
// of the stage, and the same in both.

/// 120 bytes a row.
void blend_storage(const StorageRows<double>& rows, float t, bool stream) noexcept;
/// 84 bytes a row.
void blend_storage(const StorageRows<float>& rows, float t, bool stream) noexcept;

} // namespace glissade::bench
