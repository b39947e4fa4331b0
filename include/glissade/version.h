// SPDX-License-Identifier: MIT
// The version of the library. CMake reads it from here; there is no second copy.
#pragma once

#include <string_view>

#define GLISSADE_VERSION_MAJOR 0
#define GLISSADE_VERSION_MINOR 1
#define GLISSADE_VERSION_PATCH 0

#define GLISSADE_DETAIL_TEXT_OF(token) #token
#define GLISSADE_DETAIL_TEXT(token) GLISSADE_DETAIL_TEXT_OF(token)

namespace glissade {

/// The version of these headers, as "major.minor.patch". Before 1.0 a minor version may break.
inline constexpr std::string_view kVersion =
    GLISSADE_DETAIL_TEXT(GLISSADE_VERSION_MAJOR) "." GLISSADE_DETAIL_TEXT(
        GLISSADE_VERSION_MINOR) "." GLISSADE_DETAIL_TEXT(GLISSADE_VERSION_PATCH);

/// The version of the library that the program runs with. It differs from kVersion when a shared
/// library was replaced after the program was compiled.
///
/// Thread safety: any thread. Allocates: never. Cost: constant.
[[nodiscard]] std::string_view linked_version() noexcept;

} // namespace glissade

#undef GLISSADE_DETAIL_TEXT
#undef GLISSADE_DETAIL_TEXT_OF
