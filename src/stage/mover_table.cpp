// SPDX-License-Identifier: MIT
#include "stage/mover_table.h"

#include <type_traits>

namespace glissade {

namespace {

std::size_t to_blocks(std::uint32_t rows) noexcept {
    return (static_cast<std::size_t>(rows) + kBlockRows - 1) / kBlockRows;
}

/// `width` values a row; `scratch` has room for one a row.
template <class Value>
void permute(Value* column, std::size_t width, std::span<const std::uint32_t> order,
             Value* scratch) noexcept {
    for (std::size_t part = 0; part < width; ++part) {
        for (std::size_t row = 0; row < order.size(); ++row) {
            scratch[row] = column[order[row] * width + part];
        }
        for (std::size_t row = 0; row < order.size(); ++row) {
            column[row * width + part] = scratch[row];
        }
    }
}

} // namespace

MoverTable::MoverTable(std::uint32_t capacity, std::uint32_t history, std::uint32_t channel_count)
    : capacity_(capacity),
      history_(history),
      channel_count_(channel_count),
      columns_(capacity, history),
      log_(columns_.staged(), capacity),
      masks_(kRowMaskCount, to_blocks(capacity)),
      gates_(to_blocks(capacity)),
      cuts_(history, to_blocks(capacity)),
      shifts_(history, to_blocks(capacity)),
      channels_(static_cast<std::size_t>(capacity) * channel_count * history),
      visual_channels_(static_cast<std::size_t>(capacity) * channel_count),
      ids_(capacity),
      cursor_(std::make_unique<detail::MoveCursor>(ids_.data())),
      info_(capacity),
      offsets_(capacity) {}

std::uint32_t MoverTable::push(Id id, const Pose& pose, std::span<const float> channels) noexcept {
    const std::uint32_t row = size_++;
    if (row % kBlockRows == 0) {
        // Kernels work on whole blocks, so the rows behind the last one hold something, too.
        columns_.clear_block(row / kBlockRows);
        masks_.clear_block(row / kBlockRows);
        gates_[row / kBlockRows] = {};
        cuts_.clear_block(row / kBlockRows);
        shifts_.clear_block(row / kBlockRows);
    }
    ids_[row] = id;
    info_[row] = {};
    offsets_[row] = {};
    for (std::size_t mask = 0; mask < kRowMaskCount; ++mask) {
        masks_.clear(mask, row);
    }
    BlockGate& gate = gates_[row / kBlockRows];
    gate.written &= ~BitColumns::bit_of(row);
    gate.staged &= ~BitColumns::bit_of(row);
    assign(RowMask::Special, row, true);
    set_scaled(row, pose.scale);
    for (std::size_t place = 0; place < history_; ++place) {
        store_pose(columns_.state(place).pose, row, pose);
        store_velocity(columns_.state(place), row, {});
        cuts_.clear(place, row);
        shifts_.clear(place, row);
        store_channels(row, place, channels);
    }
    store_pose(columns_.visual(0), row, pose);
    store_pose(columns_.visual(1), row, pose);
    std::copy(channels.begin(), channels.end(),
              visual_channels_.data() + static_cast<std::size_t>(row) * channel_count_);
    return row;
}

Id MoverTable::remove(std::uint32_t row) noexcept {
    close_cursor();
    --size_;
    has_family_ = has_family_ && size_ > 0;
    if (row == size_) {
        return {};
    }
    unstage(size_);
    copy_row(size_, row);
    return ids_[row];
}

void MoverTable::copy_row(std::uint32_t from, std::uint32_t to) noexcept {
    columns_.copy_row(from, to);
    masks_.copy_row(from, to);
    copy_gate(from, to);
    cuts_.copy_row(from, to);
    shifts_.copy_row(from, to);
    const auto copy_values = [this, from, to](float* values) noexcept {
        std::copy_n(values + static_cast<std::size_t>(from) * channel_count_, channel_count_,
                    values + static_cast<std::size_t>(to) * channel_count_);
    };
    for (std::size_t place = 0; place < history_; ++place) {
        copy_values(channels_.data() + place * capacity_ * channel_count_);
    }
    copy_values(visual_channels_.data());
    ids_[to] = ids_[from];
    info_[to] = info_[from];
    offsets_[to] = offsets_[from];
}

void MoverTable::copy_gate(std::uint32_t from, std::uint32_t to) noexcept {
    const BlockGate& source = gates_[from / kBlockRows];
    BlockGate& target = gates_[to / kBlockRows];
    for (std::uint64_t BlockGate::*word :
         {&BlockGate::busy, &BlockGate::written, &BlockGate::staged}) {
        const bool is_set = (source.*word & BitColumns::bit_of(from)) != 0;
        target.*word &= ~BitColumns::bit_of(to);
        target.*word |= is_set ? BitColumns::bit_of(to) : 0;
    }
}

void MoverTable::swap_gates(std::uint32_t a, std::uint32_t b) noexcept {
    BlockGate& gate_a = gates_[a / kBlockRows];
    BlockGate& gate_b = gates_[b / kBlockRows];
    for (std::uint64_t BlockGate::*word : {&BlockGate::busy, &BlockGate::written}) {
        const bool is_set = (gate_a.*word & BitColumns::bit_of(a)) != 0;
        const bool is_other_set = (gate_b.*word & BitColumns::bit_of(b)) != 0;
        if (is_set != is_other_set) {
            gate_a.*word ^= BitColumns::bit_of(a);
            gate_b.*word ^= BitColumns::bit_of(b);
        }
    }
}

void MoverTable::assign(RowMask mask, std::uint32_t row, bool value) noexcept {
    close_cursor();
    masks_.assign(static_cast<std::size_t>(mask), row, value);
    const bool is_family = mask == RowMask::Below || mask == RowMask::Above;
    has_family_ = has_family_ || (is_family && value);
    const bool is_busy =
        test(RowMask::Special, row) || test(RowMask::Scaled, row) || test(RowMask::Velocity, row);
    std::uint64_t& busy = gates_[row / kBlockRows].busy;
    busy = is_busy ? busy | BitColumns::bit_of(row) : busy & ~BitColumns::bit_of(row);
}

RowInfo& MoverTable::edit(std::uint32_t row) noexcept {
    info_[row].revision = revision(row);
    assign(RowMask::Special, row, true);
    return info_[row];
}

std::uint64_t MoverTable::revision(std::uint32_t row) const noexcept {
    const std::uint64_t own = info_[row].revision;
    return test(RowMask::Special, row) ? own : std::max(own, plain_revision_);
}

void MoverTable::set_blend(std::uint32_t row, Blend blend) noexcept {
    edit(row).blend = blend;
    const bool is_hermite = blend == Blend::Hermite || blend == Blend::HermitePath;
    assign(RowMask::Hermite, row, is_hermite);
    assign(RowMask::Spin, row, blend == Blend::Hermite);
    if (is_hermite || blend == Blend::Extrapolate) {
        assign(RowMask::Velocity, row, true);
    }
}

State MoverTable::load(std::uint32_t row, std::size_t place) const noexcept {
    if (place == open_place_ && cursor_->holds(row)) {
        return {.pose = cursor_->load(row)};
    }
    if (place == open_place_ && is_staged(row)) {
        return {.pose = load_staged(row)};
    }
    const int marks = (cuts_.test(place, row) ? kCutState : kPlainState) |
                      (shifts_.test(place, row) ? kShiftState : kPlainState);
    return {.pose = load_pose(columns_.state(place).pose, row),
            .velocity = load_velocity(columns_.state(place), row),
            .marks = static_cast<std::uint8_t>(marks)};
}

void MoverTable::store(std::uint32_t row, std::size_t place, const State& state) noexcept {
    close_cursor();
    if (place == open_place_) {
        gates_[row / kBlockRows].staged &= ~BitColumns::bit_of(row);
    }
    set_scaled(row, state.pose.scale);
    set_moving(row, state.velocity);
    store_pose(columns_.state(place).pose, row, state.pose);
    store_velocity(columns_.state(place), row, state.velocity);
    cuts_.assign(place, row, (state.marks & kCutState) != 0);
    shifts_.assign(place, row, (state.marks & kShiftState) != 0);
}

float MoverTable::load_channel(std::uint32_t row, std::size_t place,
                               std::uint32_t number) const noexcept {
    return channels_[(place * capacity_ + row) * channel_count_ + number];
}

void MoverTable::store_channels(std::uint32_t row, std::size_t place,
                                std::span<const float> values) noexcept {
    std::copy(values.begin(), values.end(),
              channels_.data() + (place * capacity_ + row) * channel_count_);
}

void MoverTable::copy_channels(std::uint32_t row, std::size_t from, std::size_t to) noexcept {
    std::copy_n(channels_.data() + (from * capacity_ + row) * channel_count_, channel_count_,
                channels_.data() + (to * capacity_ + row) * channel_count_);
}

bool MoverTable::has_equal_channels(std::uint32_t row, std::size_t from,
                                    std::size_t to) const noexcept {
    const float* const a = channels_.data() + (from * capacity_ + row) * channel_count_;
    const float* const b = channels_.data() + (to * capacity_ + row) * channel_count_;
    return std::equal(a, a + channel_count_, b);
}

void MoverTable::prefetch_visual(std::uint32_t row) const noexcept {
    if (!is_streamed(size_)) {
        return;
    }
    const auto prefetch = [row](const auto* column) { __builtin_prefetch(column + row); };
    const PoseTarget& visual = columns_.visual(now_);
    std::for_each(visual.position.begin(), visual.position.end(), prefetch);
    std::for_each(visual.rotation.begin(), visual.rotation.end(), prefetch);
}

void MoverTable::set_visual(std::uint32_t row, const Pose& pose) noexcept {
    set_scaled(row, pose.scale);
    store_pose(columns_.visual(now_), row, pose);
}

void MoverTable::set_previous(std::uint32_t row, const Pose& pose) noexcept {
    set_scaled(row, pose.scale);
    store_pose(columns_.visual(1 - now_), row, pose);
}

float MoverTable::visual_channel(std::uint32_t row, std::uint32_t number) const noexcept {
    return visual_channels_[static_cast<std::size_t>(row) * channel_count_ + number];
}

void MoverTable::set_visual_channel(std::uint32_t row, std::uint32_t number, float value) noexcept {
    visual_channels_[static_cast<std::size_t>(row) * channel_count_ + number] = value;
}

MovedColumns MoverTable::columns(bool has_previous) const noexcept {
    return {.ids = ids(),
            .visual = to_spans(columns_.visual(now_), size_),
            .previous = to_spans(columns_.visual(has_previous ? 1 - now_ : now_), size_)};
}

BlendBatch MoverTable::make_still_batch() noexcept {
    BlendBatch batch;
    // Both states the same, and t = 0 copies.
    batch.from = visual_source();
    batch.to = batch.from;
    batch.duration_s = 1.0;
    batch.out = columns_.visual(now_);
    batch.scaled = words(RowMask::Scaled);
    batch.look = words(RowMask::Look);
    batch.below = words(RowMask::Below);
    batch.above = words(RowMask::Above);
    batch.world = columns_.world();
    batch.row_count = size_;
    return batch;
}

BlendBatch MoverTable::make_batch(std::size_t from, std::size_t to) noexcept {
    const auto velocities = [this](std::size_t place) noexcept {
        const StateColumns& state = columns_.state(place);
        return VelocitySource{.linear = {state.linear[0], state.linear[1], state.linear[2]},
                              .angular = {state.angular[0], state.angular[1], state.angular[2]}};
    };
    BlendBatch batch = make_still_batch();
    batch.from = to_source(columns_.state(from).pose);
    batch.to = to_source(columns_.state(to).pose);
    batch.from_velocity = velocities(from);
    batch.to_velocity = velocities(to);
    batch.hermite = words(RowMask::Hermite);
    batch.spin = words(RowMask::Spin);
    return batch;
}

void MoverTable::swap_rows(std::uint32_t a, std::uint32_t b) noexcept {
    GLISSADE_ASSERT(!has_staged_);
    const auto is_wide = [this](std::uint32_t row) noexcept {
        return test(RowMask::Scaled, row) || test(RowMask::Velocity, row);
    };
    columns_.swap_rows(a, b, !is_wide(a) && !is_wide(b));
    masks_.swap_rows(a, b);
    cuts_.swap_rows(a, b);
    shifts_.swap_rows(a, b);
    swap_gates(a, b);
    const auto swap_values = [this, a, b](float* values) noexcept {
        std::swap_ranges(values + static_cast<std::size_t>(a) * channel_count_,
                         values + (static_cast<std::size_t>(a) + 1) * channel_count_,
                         values + static_cast<std::size_t>(b) * channel_count_);
    };
    for (std::size_t place = 0; place < history_; ++place) {
        swap_values(channels_.data() + place * capacity_ * channel_count_);
    }
    swap_values(visual_channels_.data());
    std::swap(ids_[a], ids_[b]);
    std::swap(info_[a], info_[b]);
    std::swap(offsets_[a], offsets_[b]);
}

void MoverTable::reorder_bits(BitColumns& bits, std::size_t column_count,
                              std::span<const std::uint32_t> order) noexcept {
    auto* const scratch = reinterpret_cast<std::uint64_t*>(columns_.staged());
    for (std::size_t column = 0; column < column_count; ++column) {
        std::fill_n(scratch, block_count(), std::uint64_t{0});
        for (std::uint32_t row = 0; row < order.size(); ++row) {
            const bool is_set = bits.test(column, order[row]);
            scratch[row / kBlockRows] |= is_set ? BitColumns::bit_of(row) : 0;
        }
        std::copy_n(scratch, block_count(), bits.words(column));
    }
}

void MoverTable::reorder(std::span<const std::uint32_t> order) noexcept {
    GLISSADE_ASSERT(order.size() == size_);
    // What is staged is in columns by now, so its memory can hold one column at a time.
    const auto reorder_column = [this, order](auto* column, std::size_t width) noexcept {
        using Value = std::remove_pointer_t<decltype(column)>;
        static_assert(sizeof(Value) <= sizeof(StagedPose));
        permute(column, width, order, reinterpret_cast<Value*>(columns_.staged()));
    };
    columns_.for_each([&](auto* column) { reorder_column(column, 1); });
    reorder_column(ids_.data(), 1);
    reorder_column(info_.data(), 1);
    reorder_column(offsets_.data(), 1);
    reorder_column(visual_channels_.data(), channel_count_);
    for (std::size_t place = 0; place < history_; ++place) {
        reorder_column(channels_.data() + place * capacity_ * channel_count_, channel_count_);
    }
    reorder_bits(masks_, kRowMaskCount, order);
    reorder_bits(cuts_, history_, order);
    reorder_bits(shifts_, history_, order);
    // Between two ticks all rows have their states; nothing is staged. Rows are busy as before.
    for (std::uint32_t row = 0; row < size_; ++row) {
        assign(RowMask::Special, row, test(RowMask::Special, row));
    }
}

} // namespace glissade
