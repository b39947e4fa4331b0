// SPDX-License-Identifier: MIT
// What a present() reports as changed: rows by a bit, objects that rest by a list.
#include "stage/stage_data.h"

#include <bit>

namespace glissade {

bool ChangedIds::Iterator::find_in_part() noexcept {
    while (part_->mask != nullptr && item_ < part_->ids.size()) {
        const std::uint64_t rest = part_->mask[item_ / kBlockRows] >> (item_ % kBlockRows);
        if (rest != 0) {
            item_ += static_cast<std::size_t>(std::countr_zero(rest));
            return true;
        }
        item_ = (item_ / kBlockRows + 1) * kBlockRows;
    }
    return item_ < part_->ids.size();
}

void ChangedIds::Iterator::find_next() noexcept {
    while (part_ != end_ && !find_in_part()) {
        ++part_;
        item_ = 0;
    }
}

std::size_t ChangedIds::size() const noexcept {
    std::size_t size = 0;
    for (const Part& part : parts_) {
        const std::size_t block_count = (part.ids.size() + kBlockRows - 1) / kBlockRows;
        for (std::size_t block = 0; part.mask != nullptr && block < block_count; ++block) {
            size += static_cast<std::size_t>(std::popcount(part.mask[block]));
        }
        size += part.mask == nullptr ? part.ids.size() : 0;
    }
    return size;
}

void StageData::list_one(std::uint32_t index) noexcept {
    if (has_row(index)) {
        track_of(index).movers.assign(RowMask::Changed, row_of(index), true);
    } else if (slots[index].changed_mark != revision) {
        slots[index].changed_mark = revision;
        changed.push_back(slots.id_of(index));
    }
}

void StageData::list_resters(std::uint32_t index) noexcept {
    for (std::uint32_t child = slots[index].first_child; child != Slot::kNone;
         child = slots[child].next) {
        if (!has_row(child)) {
            list_one(child);
            list_resters(child);
        }
    }
}

void StageData::list_changed(std::uint32_t index) noexcept {
    list_one(index);
    list_resters(index);
}

void StageData::list_touched() noexcept {
    const auto list = [this](std::uint32_t index) noexcept {
        if (slots[index].alive) {
            slots[index].revision = revision;
            list_changed(index);
        }
    };
    for (const std::uint32_t index : touched) {
        slots[index].touched = false;
        slots[index].fresh = false;
        list(index);
    }
    touched.clear();
    for (std::uint32_t index = 0; all_changed && index < slots.used_end(); ++index) {
        list(index);
    }
    all_changed = false;
}

bool StageData::is_listed(std::uint32_t index) const noexcept {
    return has_row(index) ? track_of(index).movers.test(RowMask::Changed, row_of(index))
                          : slots[index].changed_mark == revision;
}

void StageData::list_carried(std::uint32_t index) noexcept {
    std::uint32_t above = slots[index].parent;
    while (above != Slot::kNone && !is_listed(above)) {
        above = slots[above].parent;
    }
    if (above != Slot::kNone) {
        list_changed(index);
    }
}

void StageData::list_resters_of(const MoverTable& movers) noexcept {
    for (std::size_t block = 0; block < movers.family_block_count(); ++block) {
        const std::uint64_t listed = movers.rows_of(block) & movers.words(RowMask::Changed)[block];
        for_each_row(block, listed & movers.words(RowMask::Resters)[block],
                     [&](std::uint32_t row) { list_resters(SlotTable::index_of(movers.id(row))); });
    }
}

void StageData::list_carried_of(const MoverTable& movers) noexcept {
    for (std::size_t block = 0; block < movers.family_block_count(); ++block) {
        const std::uint64_t unlisted =
            movers.rows_of(block) & ~movers.words(RowMask::Changed)[block];
        for_each_row(block, unlisted & movers.words(RowMask::Below)[block],
                     [&](std::uint32_t row) { list_carried(SlotTable::index_of(movers.id(row))); });
    }
}

void StageData::list_families() noexcept {
    // Rows are listed by themselves. What remains is what rests below one of them, and rows that
    // did not move below something that did: few, in a scene where most of what is below moves.
    for (const Track& track : tracks) {
        list_resters_of(track.movers);
    }
    for (const Track& track : tracks) {
        list_carried_of(track.movers);
    }
}

void StageData::collect_changed() noexcept {
    changed_parts.clear();
    for (const Track& track : tracks) {
        changed_parts.push_back(
            {.ids = track.movers.ids(), .mask = track.movers.words(RowMask::Changed)});
    }
    changed_parts.push_back({.ids = changed});
}

} // namespace glissade
