// SPDX-License-Identifier: MIT
#include "glissade/base/hooks.h"

#include <cstdio>
#include <cstdlib>

namespace glissade {
namespace {

void print_and_abort(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: glissade: precondition does not hold: %s\n", file, line,
                 condition);
    std::abort();
}

void print_out_of_memory_and_abort(std::size_t size_bytes) {
    std::fprintf(stderr, "glissade: out of memory: %zu bytes wanted\n", size_bytes);
    std::abort();
}

AssertHandler assert_handler = print_and_abort;
OutOfMemoryHandler out_of_memory_handler = print_out_of_memory_and_abort;

} // namespace

void set_assert_handler(AssertHandler handler) noexcept {
    assert_handler = handler != nullptr ? handler : print_and_abort;
}

void set_out_of_memory_handler(OutOfMemoryHandler handler) noexcept {
    out_of_memory_handler = handler != nullptr ? handler : print_out_of_memory_and_abort;
}

namespace detail {

void assert_failed(const char* condition, const char* file, int line) noexcept {
    assert_handler(condition, file, line);
}

void out_of_memory(std::size_t size_bytes) noexcept {
    out_of_memory_handler(size_bytes);
    std::abort();
}

} // namespace detail
} // namespace glissade
