// SPDX-License-Identifier: MIT
// Bytes as a stream of packets to an entity, and what must hold whatever they are; shared by the
// fuzzer and the property tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace glissade::testing {

/// Empty, or how the packets and quanta that `bytes` stand for break an entity:
/// - Its body is finite and within +-kMaxPosition, its rotation a unit quaternion.
/// - Its velocity is within the clamp.
/// - Its queue is at most the cap, and beyond it only by far nodes.
/// - A quantum moves it by no more than its speeds allow, unless it says that it cut.
[[nodiscard]] std::string broken_entity(std::span<const std::uint8_t> bytes);

} // namespace glissade::testing
