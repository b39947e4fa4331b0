// SPDX-License-Identifier: MIT
#include "glissade/version.h"

#include <string>

#include <gtest/gtest.h>

namespace {

TEST(Version, TheTextSpellsTheThreeNumbers) {
    const std::string text = std::to_string(GLISSADE_VERSION_MAJOR) + "." +
                             std::to_string(GLISSADE_VERSION_MINOR) + "." +
                             std::to_string(GLISSADE_VERSION_PATCH);
    EXPECT_EQ(glissade::kVersion, text);
}

TEST(Version, TheLinkedLibraryIsTheOneOfTheHeaders) {
    EXPECT_EQ(glissade::linked_version(), glissade::kVersion);
}

} // namespace
