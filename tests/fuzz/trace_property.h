// SPDX-License-Identifier: MIT
// What must hold for any bytes given to the readers; shared by the fuzzer and the tests.
#pragma once

#include <string>
#include <string_view>

namespace glissade::testing {

/// Empty, or how `bytes` break it, as a trace or as drawn frames:
/// - In pieces of any size they are the same lines and the same error.
/// - What is accepted, written and read again is equal, and writes the same bytes.
/// - An error has a line and a cause.
[[nodiscard]] std::string broken_property(std::string_view bytes);

} // namespace glissade::testing
