// SPDX-License-Identifier: MIT
// What goes to the terminal: colours where they are wanted, progress, and errors with a remedy.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glissade::app {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1; ///< The run failed.
inline constexpr int kExitUsage = 2;  ///< Wrong use or bad input.

/// Ends a command. main() prints it and exits with its code; destructors clean up on the way, so
/// that no half-written file is left.
class Failure : public std::runtime_error {
public:
    /// `cause` says what went wrong and where, `remedy` what to do about it.
    Failure(int exit_code, const std::string& cause, std::string remedy = {})
        : std::runtime_error(cause), exit_code_(exit_code), remedy_(std::move(remedy)) {}

    [[nodiscard]] int exit_code() const noexcept { return exit_code_; }
    [[nodiscard]] const std::string& remedy() const noexcept { return remedy_; }

private:
    int exit_code_;
    std::string remedy_;
};

enum class Style { Plain, Bold, Dim, Good, Fair, Bad };

/// `text` in a style, if the standard output is a terminal and NO_COLOR is not set.
[[nodiscard]] std::string styled(Style style, std::string_view text);

/// Prints an error on the error output, the remedy on a line of its own.
void print_error(std::string_view cause, std::string_view remedy);

/// A line on the error output that counts up, only if that is a terminal.
class ProgressLine {
public:
    explicit ProgressLine(std::string what) : what_(std::move(what)) {}
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ProgressLine(ProgressLine&&) = delete;
    ProgressLine& operator=(ProgressLine&&) = delete;

    void show(std::size_t done, std::size_t total);

private:
    std::string what_;
    std::size_t last_percent_ = ~std::size_t{0};
};

} // namespace glissade::app
