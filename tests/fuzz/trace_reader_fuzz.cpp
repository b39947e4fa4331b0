// SPDX-License-Identifier: MIT
// libFuzzer: any bytes to both readers. Built by the preset fuzz.
#include "fuzz/trace_property.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as characters.
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::string broken = glissade::testing::broken_property(bytes);
    if (!broken.empty()) {
        std::fprintf(stderr, "%s\n", broken.c_str());
        std::abort();
    }
    return 0;
}
