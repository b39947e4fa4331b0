// SPDX-License-Identifier: MIT
// Files of the program: read in pieces, written as a whole or not at all.
#pragma once

#include "glissade/trace/trace_reader.h"

#include "lab/trace_data.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace glissade::app {

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
};
using FilePointer = std::unique_ptr<std::FILE, CloseFile>;

/// Calls `take` for each piece of the file, "-" being the standard input. Throws a Failure that
/// names the file if it cannot be read.
void read_pieces(const std::string& path, const std::function<void(std::string_view)>& take);

/// Size in bytes, 0 if it is not known.
[[nodiscard]] std::uint64_t file_size(const std::string& path);

/// A file that appears under its name only when commit() is called: until then, and for ever if the
/// program fails or is interrupted, it is a temporary one beside it that is removed. "" is the
/// standard output; a device or a pipe is written to directly.
class OutputFile {
public:
    /// Throws a Failure if it cannot be made.
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    OutputFile(OutputFile&&) = delete;
    OutputFile& operator=(OutputFile&&) = delete;

    /// Throws a Failure if the disk is full and the like.
    void write(std::string_view text);
    void commit();

private:
    [[noreturn]] void fail(const char* what) const;

    std::string path_;
    std::string temporary_{};
    FilePointer file_{};
};

/// `FILE:LINE: cause` with the remedy, as a Failure for main().
[[noreturn]] void throw_bad_line(const std::string& path, const TraceError& error);

/// The whole trace or what was drawn; bad lines become a Failure.
[[nodiscard]] lab::Trace load_trace(const std::string& path);
[[nodiscard]] std::vector<DrawnFrame> load_drawn(const std::string& path);

} // namespace glissade::app
