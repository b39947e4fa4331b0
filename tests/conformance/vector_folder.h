// SPDX-License-Identifier: MIT
// Vectors that a test has made itself.
#pragma once

#include "conformance/fields.h"
#include "conformance/folder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

namespace glissade::conformance {

// A folder of its own with one vector file, removed at the end.
class VectorFolder {
public:
    explicit VectorFolder(const std::string& content) : path_(make_path()) {
        std::filesystem::create_directories(path_);
        std::ofstream(path_ / "case.json", std::ios::binary) << content;
    }
    explicit VectorFolder(const Json& content) : VectorFolder(content.dump()) {}
    ~VectorFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    VectorFolder(const VectorFolder&) = delete;
    VectorFolder& operator=(const VectorFolder&) = delete;
    VectorFolder(VectorFolder&&) = delete;
    VectorFolder& operator=(VectorFolder&&) = delete;

    [[nodiscard]] Report check() const { return check_folder(path_); }

private:
    static std::filesystem::path make_path() {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        return std::filesystem::path(::testing::TempDir()) / "glissade_conformance" / test->name();
    }

    std::filesystem::path path_;
};

} // namespace glissade::conformance
