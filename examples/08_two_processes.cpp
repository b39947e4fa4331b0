// SPDX-License-Identifier: MIT
// A simulation in a process of its own: a child writes 60 ticks a second into shared memory, the
// parent reads them as they come. Neither ever waits for the other.
#include "example_args.h"

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <span>
#include <string>

#include <fcntl.h>
#include <glissade/link/link.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr std::int64_t kTickNs = 16'666'667;
constexpr glissade::LinkConfig kConfig{.capacity = 16, .columns = glissade::LinkColumns::None};

std::int64_t now_ns() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void sleep_until(std::int64_t time_ns) {
    const timespec time{.tv_sec = static_cast<time_t>(time_ns / 1'000'000'000),
                        .tv_nsec = static_cast<long>(time_ns % 1'000'000'000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
    }
}

int fail(const char* what) {
    std::perror(what);
    return 1;
}

// The child: a ball on a circle, one snapshot a tick. Each process maps the memory by itself.
int simulate(std::span<std::byte> memory, std::int64_t tick_count) {
    glissade::LinkWriter writer;
    if (const auto status = writer.join(memory); status != glissade::LinkStatus::Ok) {
        std::fprintf(stderr, "the simulation cannot join: %s\n", glissade::to_string(status));
        return 1;
    }
    const std::int64_t start_ns = now_ns();
    for (std::int64_t tick = 1; tick <= tick_count; ++tick) {
        const std::int64_t due_ns = start_ns + tick * kTickNs; // An absolute schedule.
        sleep_until(due_ns);
        const double angle_rad = 0.05 * static_cast<double>(tick);
        // [write]
        const glissade::SnapshotSlot slot = writer.begin(1).slot;
        slot.columns.ids[0] = 1;
        slot.columns.x[0] = std::cos(angle_rad);
        slot.columns.y[0] = std::sin(angle_rad);
        slot.columns.z[0] = 0.0;
        slot.columns.qx[0] = slot.columns.qy[0] = slot.columns.qz[0] = 0.0F;
        slot.columns.qw[0] = 1.0F;
        slot.columns.cuts[0] = 0;
        slot.header->tick = tick;
        slot.header->time_ns = tick * kTickNs;
        slot.header->duration_ns = kTickNs;
        slot.header->due_ns = due_ns;
        slot.header->has_due = 1;
        writer.publish(now_ns());
        // [/write]
    }
    return 0;
}

struct Child {
    pid_t id = 0;
    int status = 0;

    // Whether it has ended by now.
    bool ended() { return waitpid(id, &status, WNOHANG) == id; }
    [[nodiscard]] bool succeeded() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
};

// Two lines a second.
void print(const glissade::SnapshotView& view) {
    if (view.header.tick % 30 != 0) {
        return;
    }
    const auto late_ns = static_cast<double>(view.header.published_ns - view.header.due_ns);
    std::printf("tick %3lld at (%5.2f, %5.2f), published %.2f ms after it was due\n",
                static_cast<long long>(view.header.tick), view.columns.x[0], view.columns.y[0],
                late_ns / 1e6);
}

// The parent: looks 144 times a second until the child has ended. The last tick that it has seen.
std::int64_t watch(std::span<std::byte> memory, Child& child) {
    glissade::LinkReader reader;
    if (const auto status = reader.join(memory, kConfig); status != glissade::LinkStatus::Ok) {
        std::fprintf(stderr, "the reader cannot join: %s\n", glissade::to_string(status));
        return 0;
    }
    std::int64_t last_tick = 0;
    bool ended = false;
    while (!ended) {
        sleep_until(now_ns() + 6'944'444);
        ended = child.ended(); // Before the last look, so that nothing is missed.
        // [read]
        while (const auto view = reader.next()) {
            print(*view);
            last_tick = view->header.tick;
        }
        // [/read]
    }
    std::printf("%llu snapshots read, %llu skipped, last tick %lld\n",
                static_cast<unsigned long long>(reader.stats().snapshot_count),
                static_cast<unsigned long long>(reader.stats().skipped_count),
                static_cast<long long>(last_tick));
    return last_tick;
}

// A name in /dev/shm that ends with this object; its mappings stay.
class SharedMemory {
public:
    explicit SharedMemory(std::size_t size_bytes)
        : name_("/glissade-example-" + std::to_string(getpid())), size_bytes_(size_bytes) {
        file_ = shm_open(name_.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
    }
    ~SharedMemory() {
        if (file_ >= 0) {
            close(file_);
            shm_unlink(name_.c_str());
        }
    }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    SharedMemory(SharedMemory&&) = delete;
    SharedMemory& operator=(SharedMemory&&) = delete;

    // Empty, with errno set, if anything went wrong.
    [[nodiscard]] std::span<std::byte> map() const {
        if (file_ < 0 || ftruncate(file_, static_cast<off_t>(size_bytes_)) != 0) {
            return {};
        }
        void* at = mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        return at != MAP_FAILED ? std::span(static_cast<std::byte*>(at), size_bytes_)
                                : std::span<std::byte>();
    }

private:
    std::string name_;
    std::size_t size_bytes_;
    int file_ = -1;
};

} // namespace

int main(int argc, char** argv) {
    const example::Args args = example::parse_args(
        argc, argv, 120, "A child process simulates, this one reads its ticks from shared memory.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    const SharedMemory shared(glissade::link_size_bytes(kConfig));
    const std::span<std::byte> memory = shared.map();
    if (memory.empty()) {
        return fail("no shared memory");
    }
    glissade::format_link(memory, kConfig);

    Child child{.id = fork()};
    if (child.id < 0) {
        return fail("no child process");
    }
    if (child.id == 0) {
        const std::span<std::byte> own = shared.map(); // At another address than the parent's.
        _exit(own.empty() ? fail("no shared memory in the child") : simulate(own, args.frames));
    }
    const std::int64_t last_tick = watch(memory, child);
    return child.succeeded() && last_tick == args.frames ? 0 : 1;
}
