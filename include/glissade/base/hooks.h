// SPDX-License-Identifier: MIT
// The two hooks of the library: what happens on a broken precondition and when memory runs out.
#pragma once

#include <cstddef>

namespace glissade {

/// Called with the text of the condition that does not hold. May return: the call then goes on
/// with the documented clamp, or with undefined behaviour where none is documented.
using AssertHandler = void (*)(const char* condition, const char* file, int line);

/// Called when `size_bytes` cannot be had. Must not return; if it does, the process aborts.
using OutOfMemoryHandler = void (*)(std::size_t size_bytes);

/// Replaces the handler of broken preconditions; null restores the default, which prints one line
/// to stderr and aborts. Process-wide: call it at start-up, before other threads use the library.
void set_assert_handler(AssertHandler handler) noexcept;

/// Replaces the handler of failed allocations; null restores the default, which prints one line to
/// stderr and aborts. Process-wide: call it at start-up, before other threads use the library.
void set_out_of_memory_handler(OutOfMemoryHandler handler) noexcept;

namespace detail {
void assert_failed(const char* condition, const char* file, int line) noexcept;
[[noreturn]] void out_of_memory(std::size_t size_bytes) noexcept;
} // namespace detail

} // namespace glissade

// GLISSADE_ASSERT(condition) is on in Debug builds and wherever GLISSADE_ENABLE_ASSERT is defined
// to 1; else it evaluates nothing and costs nothing.
#if !defined(GLISSADE_ENABLE_ASSERT)
#if defined(NDEBUG)
#define GLISSADE_ENABLE_ASSERT 0
#else
#define GLISSADE_ENABLE_ASSERT 1
#endif
#endif

#if GLISSADE_ENABLE_ASSERT
#define GLISSADE_ASSERT(condition)      \
    ((condition) ? static_cast<void>(0) \
                 : ::glissade::detail::assert_failed(#condition, __FILE__, __LINE__))
#else
#define GLISSADE_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#endif
