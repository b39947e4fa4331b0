// SPDX-License-Identifier: MIT
// One object's row of a snapshot as a value, and back.
#pragma once

#include "glissade/feed/source_state.h"
#include "glissade/link/snapshot.h"

#include <cstddef>
#include <span>

namespace glissade {

/// Columns that the link does not have are left out.
void write_row(const BasicSnapshotColumns<true>& columns, std::size_t row,
               const SourceState& state) noexcept;
/// `values` has at least as many as the link has channels.
void write_channels(const BasicSnapshotColumns<true>& columns, std::size_t row,
                    std::span<const float> values) noexcept;

/// What the link does not have is at its default.
[[nodiscard]] SourceState read_row(const BasicSnapshotColumns<false>& columns,
                                   std::size_t row) noexcept;
/// Fills the first channel_count values and gives them back.
[[nodiscard]] std::span<const float> read_channels(const BasicSnapshotColumns<false>& columns,
                                                   std::size_t row,
                                                   std::span<float> values) noexcept;

} // namespace glissade
