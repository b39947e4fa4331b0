// SPDX-License-Identifier: MIT
// Counts allocations. The .cpp file replaces the global allocation functions of the executable that
// it is linked into: only for tests of one thread.
#pragma once

#include <cstddef>

namespace glissade::testing {

/// How often operator new, in any of its forms, was called since the program began.
[[nodiscard]] std::size_t allocation_count() noexcept;

/// How many bytes were asked for in all these calls. What was given back counts, too.
[[nodiscard]] std::size_t allocated_bytes() noexcept;

} // namespace glissade::testing
