// SPDX-License-Identifier: MIT
#include "fuzz/packet_stream.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glissade::testing {
namespace {

// Random, reordered, duplicated, wrapped and hostile packets, with quanta between them.
RC_GTEST_PROP(RemoteEntityProperty, AnyStreamOfPacketsLeavesTheBodyFiniteAndBounded, ()) {
    const auto length = *rc::gen::inRange<std::size_t>(100, 4000);
    const auto bytes =
        *rc::gen::container<std::vector<std::uint8_t>>(length, rc::gen::arbitrary<std::uint8_t>());
    RC_ASSERT(broken_entity(bytes) == "");
}

} // namespace
} // namespace glissade::testing
