// SPDX-License-Identifier: MIT
// Checks every vector file of a folder.
#pragma once

#include "conformance/report.h"

#include <filesystem>

namespace glissade::conformance {

/// Every *.json of `folder`, in the order of their names. Nothing is skipped: a folder without
/// vectors, a file that cannot be read, an unknown family and a case that compares nothing are all
/// failures.
[[nodiscard]] Report check_folder(const std::filesystem::path& folder);

} // namespace glissade::conformance
