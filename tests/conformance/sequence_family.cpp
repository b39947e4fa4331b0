// SPDX-License-Identifier: MIT
// The family "16-bit sequence compare": which of two stamps is newer.
#include "glissade/remote/sequence.h"

#include "conformance/compare.h"
#include "conformance/families.h"

namespace glissade::conformance {

void check_sequence_case(CaseFields& fields) {
    const auto stored = fields.given.whole("stored", 0xFFFF);
    const auto incoming = fields.given.whole("incoming", 0xFFFF);
    if (!stored || !incoming) {
        return;
    }
    auto kept = static_cast<std::uint16_t>(*stored);
    const auto offered = static_cast<std::uint16_t>(*incoming);
    compare_flag(fields.expect, "incoming_is_newer", is_newer(offered, kept));
    compare_flag(fields.expect, "incoming_is_older", is_older(offered, kept));
    accept_newer(kept, offered);
    compare_whole(fields.expect, "stored_after_newer_event", kept);
}

} // namespace glissade::conformance
