// SPDX-License-Identifier: MIT
#include "glissade/version.h"

namespace glissade {

std::string_view linked_version() noexcept {
    return kVersion;
}

} // namespace glissade
