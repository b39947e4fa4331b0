// SPDX-License-Identifier: MIT
// One column of a structure of arrays: fixed capacity, aligned, padded to whole cache lines.
#pragma once

#include "glissade/base/hooks.h"

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace glissade {

/// Alignment of every column and the size to which it is padded: one cache line, and the widest
/// vector register.
inline constexpr std::size_t kColumnAlignmentBytes = 64;

/// A fixed number of values in one aligned block, reserved by the constructor.
///
/// The memory is not touched: values are indeterminate until written, and capacity that is never
/// used costs no physical pages. Thread safety: as an array. Allocates: in the constructor only; a
/// failure goes to the out-of-memory hook.
template <class T>
class Column {
    static_assert(std::is_trivially_copyable_v<T>, "values are never constructed or destroyed");
    static_assert(alignof(T) <= kColumnAlignmentBytes);

public:
    /// An empty column; holds no memory.
    Column() noexcept = default;

    /// Room for `capacity` values; 0 holds no memory.
    explicit Column(std::size_t capacity) noexcept
        : data_(reserve(capacity)), capacity_(capacity) {}

    ~Column() { ::operator delete (data_, std::align_val_t{kColumnAlignmentBytes}); }

    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;

    /// The other column is left empty.
    Column(Column&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          capacity_(std::exchange(other.capacity_, 0)) {}

    Column& operator=(Column&& other) noexcept {
        Column moved(std::move(other));
        std::swap(data_, moved.data_);
        std::swap(capacity_, moved.capacity_);
        return *this;
    }

    /// Precondition: index < padded_capacity(). The padding exists for kernels without tail loops.
    [[nodiscard]] T& operator[](std::size_t index) noexcept {
        GLISSADE_ASSERT(index < padded_capacity());
        return data_[index];
    }
    [[nodiscard]] const T& operator[](std::size_t index) const noexcept {
        GLISSADE_ASSERT(index < padded_capacity());
        return data_[index];
    }

    /// The first value; null if the capacity is 0.
    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] const T* data() const noexcept { return data_; }

    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    /// How many values fit when the last cache line is used up as well.
    [[nodiscard]] std::size_t padded_capacity() const noexcept {
        return padded_size_bytes(capacity_) / sizeof(T);
    }

private:
    [[nodiscard]] static constexpr std::size_t padded_size_bytes(std::size_t capacity) noexcept {
        return (capacity * sizeof(T) + kColumnAlignmentBytes - 1) / kColumnAlignmentBytes *
               kColumnAlignmentBytes;
    }

    [[nodiscard]] static T* reserve(std::size_t capacity) noexcept {
        constexpr std::size_t kMaxSizeBytes = std::numeric_limits<std::size_t>::max();
        if (capacity == 0) {
            return nullptr;
        }
        if (capacity > (kMaxSizeBytes - kColumnAlignmentBytes) / sizeof(T)) {
            detail::out_of_memory(kMaxSizeBytes);
        }
        const std::size_t size_bytes = padded_size_bytes(capacity);
        void* const memory =
            ::operator new (size_bytes, std::align_val_t{kColumnAlignmentBytes}, std::nothrow);
        if (memory == nullptr) {
            detail::out_of_memory(size_bytes);
        }
        return static_cast<T*>(memory);
    }

    T* data_ = nullptr;
    std::size_t capacity_ = 0;
};

} // namespace glissade
