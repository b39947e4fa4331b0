// SPDX-License-Identifier: MIT
// In a file of its own: GCC 12 warns of free() where it sees both sides of a replaced pair.
#include "support/counting_allocator.h"

#include <cstdlib>
#include <new>

namespace {

std::size_t counted = 0;
std::size_t counted_bytes = 0;

void* allocate(std::size_t size_bytes, std::size_t alignment) noexcept {
    ++counted;
    counted_bytes += size_bytes;
    // A size of 0 must give a pointer too, and aligned_alloc wants a multiple of the alignment.
    const std::size_t whole = (size_bytes + alignment) / alignment * alignment;
    return std::aligned_alloc(alignment, whole);
}

void* allocate_or_abort(std::size_t size_bytes, std::size_t alignment) noexcept {
    void* const memory = allocate(size_bytes, alignment);
    if (memory == nullptr) {
        std::abort();
    }
    return memory;
}

constexpr std::size_t kDefaultAlignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

} // namespace

void* operator new(std::size_t size_bytes) {
    return allocate_or_abort(size_bytes, kDefaultAlignment);
}
void* operator new[](std::size_t size_bytes) {
    return allocate_or_abort(size_bytes, kDefaultAlignment);
}
void* operator new(std::size_t size_bytes, const std::nothrow_t& /*tag*/) noexcept {
    return allocate(size_bytes, kDefaultAlignment);
}
void* operator new[](std::size_t size_bytes, const std::nothrow_t& /*tag*/) noexcept {
    return allocate(size_bytes, kDefaultAlignment);
}
void* operator new(std::size_t size_bytes, std::align_val_t alignment) {
    return allocate_or_abort(size_bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size_bytes, std::align_val_t alignment) {
    return allocate_or_abort(size_bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size_bytes, std::align_val_t alignment,
                   const std::nothrow_t& /*tag*/) noexcept {
    return allocate(size_bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size_bytes, std::align_val_t alignment,
                     const std::nothrow_t& /*tag*/) noexcept {
    return allocate(size_bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/,
                       std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/,
                     const std::nothrow_t& /*tag*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t /*alignment*/,
                       const std::nothrow_t& /*tag*/) noexcept {
    std::free(memory);
}

namespace glissade::testing {

std::size_t allocation_count() noexcept {
    return counted;
}

std::size_t allocated_bytes() noexcept {
    return counted_bytes;
}

} // namespace glissade::testing
