// SPDX-License-Identifier: MIT
#include "glissade/remote/remote_packets.h"

namespace glissade {

const char* to_string(Received received) noexcept {
    switch (received) {
        case Received::Ok:
            return "ok";
        case Received::Stale:
            return "stale";
        case Received::BadNumber:
            return "bad number";
        case Received::NoSuchEntity:
            return "no such entity";
    }
    return "unknown";
}

} // namespace glissade
