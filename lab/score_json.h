// SPDX-License-Identifier: MIT
// Scores as JSON, with the keys that scripts rely on.
#pragma once

#include "lab/score.h"

#include <nlohmann/json_fwd.hpp>

namespace glissade::lab {

/// The figures of one object.
[[nodiscard]] nlohmann::ordered_json to_json(const ObjectScore& score);
/// The worst object at the top, all of them under "objects".
[[nodiscard]] nlohmann::ordered_json to_json(const Score& score);

} // namespace glissade::lab
