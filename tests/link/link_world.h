// SPDX-License-Identifier: MIT
// Snapshots whose content follows from their number, for the tests of the link.
#pragma once

#include "glissade/link/link.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace glissade::testing {

/// splitmix64 (Steele, Lea, Flood 2014): the standard's distributions differ between libraries.
inline std::uint64_t mix(std::uint64_t value) noexcept {
    std::uint64_t z = value + 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
}

class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}
    /// Uniform in [0, end).
    std::uint64_t below(std::uint64_t end) noexcept { return mix(state_++) % end; }

private:
    std::uint64_t state_;
};

/// Calls `visit(column)` for every column of `columns`, the channels included.
template <class Columns, class Visit>
void for_each_column(Columns& columns, Visit visit) {
    const auto visit_all = [&visit](auto&... column) { (visit(column), ...); };
    visit_all(columns.ids, columns.x, columns.y, columns.z);
    visit_all(columns.qx, columns.qy, columns.qz, columns.qw, columns.cuts);
    visit_all(columns.scale_x, columns.scale_y, columns.scale_z);
    visit_all(columns.velocity_x, columns.velocity_y, columns.velocity_z);
    visit_all(columns.angular_velocity_x, columns.angular_velocity_y, columns.angular_velocity_z);
    visit_all(columns.shifts, columns.shift_x, columns.shift_y, columns.shift_z);
    visit_all(columns.shift_qx, columns.shift_qy, columns.shift_qz, columns.shift_qw);
    visit_all(columns.channels);
}

/// The value of a row in the column with this number: exact in a float, different in every place.
inline std::uint32_t content(std::uint64_t seed, std::size_t column, std::size_t row) noexcept {
    return static_cast<std::uint32_t>(mix(seed * 1'000'003 + column * 65'537 + row) >> 41U);
}

/// Fills every row of every column there is. The rows of the channels are those of each channel.
inline void fill(const SnapshotSlot& slot, std::uint64_t seed) {
    SnapshotSlot target = slot;
    std::size_t number = 0;
    for_each_column(target.columns, [&](auto column) {
        using Value = typename decltype(column)::element_type;
        for (std::size_t row = 0; row < column.size(); ++row) {
            column[row] = static_cast<Value>(content(seed, number, row));
        }
        ++number;
    });
    target.header->tick = static_cast<std::int64_t>(seed);
}

/// How many values are not those of fill(seed).
inline std::size_t count_wrong(const SnapshotView& view, std::uint64_t seed) {
    SnapshotView source = view;
    std::size_t wrong_count = view.header.tick == static_cast<std::int64_t>(seed) ? 0U : 1U;
    std::size_t number = 0;
    for_each_column(source.columns, [&](auto column) {
        using Value = typename decltype(column)::value_type;
        for (std::size_t row = 0; row < column.size(); ++row) {
            wrong_count += column[row] == static_cast<Value>(content(seed, number, row)) ? 0U : 1U;
        }
        ++number;
    });
    return wrong_count;
}

/// Publishes one snapshot with the content `seed`.
inline LinkStatus publish(LinkWriter& writer, std::uint64_t seed, std::size_t object_count = 1) {
    const LinkWriter::Begun begun = writer.begin(object_count);
    if (begun.status != LinkStatus::Ok) {
        return begun.status;
    }
    fill(begun.slot, seed);
    return writer.publish(static_cast<std::int64_t>(seed) * 10);
}

/// The sequences of all snapshots that the reader can get now.
inline std::vector<std::uint64_t> take_all(LinkReader& reader) {
    std::vector<std::uint64_t> sequences;
    while (const auto view = reader.next()) {
        sequences.push_back(view->header.sequence);
    }
    return sequences;
}

/// A link with both sides joined. Small, with every column.
struct JoinedLink {
    LinkConfig config;
    Link link;
    LinkWriter writer;
    LinkReader reader;

    explicit JoinedLink(const LinkConfig& wanted = {.capacity = 5,
                                                    .slot_count = 4,
                                                    .columns = LinkColumns::All,
                                                    .channel_count = 2})
        : config(wanted), link(wanted) {
        writer.join(link.memory());
        reader.join(link.memory());
    }
};

} // namespace glissade::testing
