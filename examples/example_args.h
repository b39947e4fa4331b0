// SPDX-License-Identifier: MIT
// The command line that all examples share: --frames=N and --help.
#pragma once

#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>

namespace example {

inline constexpr int kMaxFrames = 100'000;

/// What main() is to do: run `frames` frames, or return `exit_code` at once if there is one.
struct Args {
    int frames = 0;
    std::optional<int> exit_code{};
};

/// A whole number in [1, kMaxFrames]; nothing for any other text.
inline std::optional<int> parse_frames(std::string_view text) noexcept {
    int frames = 0;
    const char* const end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, frames);
    const bool whole = result.ec == std::errc() && result.ptr == end;
    return whole && frames >= 1 && frames <= kMaxFrames ? std::optional(frames) : std::nullopt;
}

/// Reads the arguments. `about` is what --help says that the program shows. An argument that it
/// does not know is named on stderr, and the exit code is 2.
///
///     const example::Args args = example::parse_args(argc, argv, 240, "Shows ...");
///     if (args.exit_code) {
///         return *args.exit_code;
///     }
inline Args parse_args(int argc, char** argv, int default_frames, const char* about) noexcept {
    constexpr std::string_view kFrames = "--frames=";
    constexpr const char* kUsage =
        "Options:\n"
        "  --frames=N  frames to run, 1 to %d (default %d)\n"
        "  --help      this text\n";
    Args args{.frames = default_frames};
    for (int number = 1; number < argc; ++number) {
        const std::string_view argument = argv[number];
        if (argument == "--help") {
            std::printf("%s\n\n", about);
            std::printf(kUsage, kMaxFrames, default_frames);
            return {.exit_code = 0};
        }
        const bool known = argument.substr(0, kFrames.size()) == kFrames;
        const std::optional<int> frames =
            known ? parse_frames(argument.substr(kFrames.size())) : std::nullopt;
        if (!frames) {
            std::fprintf(stderr, "bad argument '%s'\n", argv[number]);
            std::fprintf(stderr, kUsage, kMaxFrames, default_frames);
            return {.exit_code = 2};
        }
        args.frames = *frames;
    }
    return args;
}

} // namespace example
