// SPDX-License-Identifier: MIT
#include "app/files.h"

#include "app/console.h"
#include "lab/trace_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace glissade::app {

namespace {

// The temporary files that an interrupted program takes with it. Fixed memory, because a signal
// handler may use nothing else.
struct Unfinished {
    volatile std::sig_atomic_t used = 0;
    std::array<char, 4096> path{};
};
std::array<Unfinished, 4> unfinished_files;

extern "C" void remove_unfinished(int signal_number) {
    for (const Unfinished& file : unfinished_files) {
        if (file.used != 0) {
            (void)unlink(file.path.data());
        }
    }
    (void)std::signal(signal_number, SIG_DFL);
    (void)std::raise(signal_number);
}

// Holds back the signals that end the program, as long as it lives.
class HeldSignals {
public:
    HeldSignals() {
        sigset_t ending;
        sigemptyset(&ending);
        sigaddset(&ending, SIGINT);
        sigaddset(&ending, SIGTERM);
        (void)pthread_sigmask(SIG_BLOCK, &ending, &before_);
    }
    ~HeldSignals() { (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    HeldSignals(HeldSignals&&) = delete;
    HeldSignals& operator=(HeldSignals&&) = delete;

private:
    sigset_t before_{};
};

void guard_unfinished(const std::string& path) {
    auto* const place = std::find_if(unfinished_files.begin(), unfinished_files.end(),
                                     [](const Unfinished& file) { return file.used == 0; });
    if (place == unfinished_files.end() || path.size() >= place->path.size()) {
        return;
    }
    std::copy_n(path.c_str(), path.size() + 1, place->path.data());
    place->used = 1;
    (void)std::signal(SIGINT, remove_unfinished);
    (void)std::signal(SIGTERM, remove_unfinished);
}

void release_unfinished(const std::string& path) {
    for (Unfinished& file : unfinished_files) {
        if (file.used != 0 && path == file.path.data()) {
            file.used = 0;
        }
    }
}

std::string reason() {
    return std::error_code(errno, std::generic_category()).message();
}

} // namespace

void read_pieces(const std::string& path, const std::function<void(std::string_view)>& take) {
    const bool standard = path == "-";
    const FilePointer opened(standard ? nullptr : std::fopen(path.c_str(), "rb"));
    std::FILE* file = standard ? stdin : opened.get();
    if (file == nullptr) {
        throw Failure(kExitUsage, fmt::format("{}: cannot be opened: {}", path, reason()),
                      "Check the name and the rights of the file.");
    }
    std::vector<char> piece(std::size_t{1} << 18U);
    for (;;) {
        const std::size_t count = std::fread(piece.data(), 1, piece.size(), file);
        if (count > 0) {
            take({piece.data(), count});
        }
        if (count < piece.size()) {
            break;
        }
    }
    if (std::ferror(file) != 0) {
        throw Failure(kExitUsage, fmt::format("{}: cannot be read: {}", path, reason()),
                      "Is it a file, and not a folder?");
    }
}

std::uint64_t file_size(const std::string& path) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    return error ? 0 : size;
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    if (path_.empty()) {
        return;
    }
    // A device or a pipe is written to as it is: a file in its place would be the end of it.
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path_, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        file_.reset(std::fopen(path_.c_str(), "wb"));
        if (file_ == nullptr) {
            fail("cannot be opened");
        }
        return;
    }
    temporary_ = path_ + ".XXXXXX";
    const HeldSignals held; // Between its birth and its guard nobody would take the file away.
    const int descriptor = mkstemp(temporary_.data());
    if (descriptor < 0) {
        temporary_.clear();
        fail("cannot be created");
    }
    file_.reset(fdopen(descriptor, "wb"));
    guard_unfinished(temporary_);
}

OutputFile::~OutputFile() {
    if (!temporary_.empty()) {
        release_unfinished(temporary_);
        file_.reset();
        (void)std::remove(temporary_.c_str());
    }
}

void OutputFile::fail(const char* what) const {
    throw Failure(
        kExitFailed,
        fmt::format("{}: {}: {}", path_.empty() ? "standard output" : path_, what, reason()),
        "Does the folder exist, is there room, and may you write there?");
}

void OutputFile::write(std::string_view text) {
    std::FILE* file = path_.empty() ? stdout : file_.get();
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) {
        fail("cannot be written");
    }
}

void OutputFile::commit() {
    if (path_.empty()) {
        // Somebody else may have flushed, and failed, before.
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            fail("cannot be written");
        }
        return;
    }
    constexpr mode_t kReadableByAll = 0644; // mkstemp() makes private files.
    const bool written = std::fflush(file_.get()) == 0;
    const bool in_place =
        temporary_.empty() || (written && fchmod(fileno(file_.get()), kReadableByAll) == 0 &&
                               std::rename(temporary_.c_str(), path_.c_str()) == 0);
    if (!written || !in_place) {
        fail("cannot be written");
    }
    release_unfinished(temporary_);
    temporary_.clear();
    file_.reset();
}

void throw_bad_line(const std::string& path, const TraceError& error) {
    throw Failure(kExitUsage, fmt::format("{}:{}: {}", path, error.line, error.cause),
                  remedy(error.problem));
}

lab::Trace load_trace(const std::string& path) {
    lab::TraceLoader loader;
    read_pieces(path, [&](std::string_view text) {
        if (!loader.push(text)) {
            throw_bad_line(path, loader.error());
        }
    });
    if (!loader.finish()) {
        throw_bad_line(path, loader.error());
    }
    return std::move(loader.trace());
}

std::vector<DrawnFrame> load_drawn(const std::string& path) {
    lab::DrawnLoader loader;
    read_pieces(path, [&](std::string_view text) {
        if (!loader.push(text)) {
            throw_bad_line(path, loader.error());
        }
    });
    if (!loader.finish()) {
        throw_bad_line(path, loader.error());
    }
    return std::move(loader.frames());
}

} // namespace glissade::app
