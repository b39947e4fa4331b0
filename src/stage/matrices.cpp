// SPDX-License-Identifier: MIT
// World matrices of a frame's movers that the blend cannot write: slow rows, and rows below others.
#include "stage/stage_data.h"

namespace glissade {

namespace {

/// From this many bytes on a frame writes past the caches: it is larger than what they keep until
/// somebody reads it, and reading lines only to overwrite them is a third of the traffic.
constexpr std::size_t kStreamBytes = std::size_t{16} << 20U;
constexpr std::size_t kBlendBytes = 3 * (3 * sizeof(double) + 4 * sizeof(float));

} // namespace

void StageData::aim(Frame& frame) noexcept {
    BlendBatch& batch = frame.batch;
    batch.stream = batch.row_count * kBlendBytes > kStreamBytes;
    if (frame.target && !frame.target->matrices.empty()) {
        batch.matrices = &frame.target->matrices.data()[0][0][0];
        batch.origin = frame.target->origin;
    }
}

void StageData::write_matrix(Track& track, std::uint32_t row) noexcept {
    const MatrixTarget& target = *track.frame.target;
    target.matrices[row] =
        to_mat3x4(world(SlotTable::index_of(track.movers.id(row))), target.origin);
}

void StageData::write_slow_matrices(Track& track) noexcept {
    if (!track.frame.target) {
        return;
    }
    for (std::uint32_t row = 0; row < track.movers.size(); ++row) {
        if (track.movers.test(RowMask::Below, row)) {
            write_matrix(track, row);
        }
    }
}

} // namespace glissade
