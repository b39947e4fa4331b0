// SPDX-License-Identifier: MIT
// Hands whole snapshots from one writer thread to one reader thread; neither ever waits.
#pragma once

#include "glissade/link/slot_ring.h"
#include "glissade/link/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace glissade {

/// Why a link cannot be made or joined, or a snapshot not be taken. Nothing has changed then.
enum class LinkStatus : std::uint8_t {
    Ok,
    BadConfig,     ///< A setting outside its range.
    TooSmall,      ///< The memory is smaller than link_size_bytes().
    Misaligned,    ///< The memory does not start at a multiple of 64 bytes.
    WrongMagic,    ///< No link, one that is not finished, or one of the other byte order.
    WrongVersion,  ///< Made by a library with another layout.
    WrongSize,     ///< The sizes in its header contradict each other or the memory.
    WrongCapacity, ///< Not the capacity or columns that the caller asked for.
    Taken,         ///< Another writer (reader) has joined and not left.
    Full,          ///< More objects than the capacity.
    NotJoined,     ///< begin() without join().
    NotBegun,      ///< publish() without begin().
    Damaged,       ///< A number in it that no library writes: something has overwritten it.
};
[[nodiscard]] const char* to_string(LinkStatus status) noexcept;

/// Settings of a link, fixed when it is made.
struct LinkConfig {
    std::uint32_t capacity = 1024; ///< Objects in a snapshot, 1 to 2^24.
    /// Snapshots between writer and reader, 4 to 64. A reader that keeps up gets every one, one
    /// that falls behind the newest slot_count - 2.
    std::uint32_t slot_count = 8;
    LinkColumns columns = LinkColumns::LinearVelocity | LinkColumns::AngularVelocity;
    std::uint32_t channel_count = 0; ///< Further numbers per object, 0 to 8.

    friend bool operator==(const LinkConfig&, const LinkConfig&) noexcept = default;
};

/// Bytes that a link needs, a multiple of 64; 0 if a setting is out of range or they are more than
/// this platform can address.
[[nodiscard]] std::size_t link_size_bytes(const LinkConfig& config) noexcept;

/// Lays a link out in `memory`: shared between threads or processes, or a WebAssembly memory. The
/// layout is free of pointers (docs/link-layout.md). Call it once, before either side joins, and
/// again only when nobody is joined or who was is dead: a process that ended without leaving keeps
/// its place. Touches the header alone, so memory of snapshots that are never used costs no pages.
LinkStatus format_link(std::span<std::byte> memory, const LinkConfig& config) noexcept;

/// The settings of a link, or why there is none.
struct LinkInfo {
    LinkStatus status = LinkStatus::Ok;
    LinkConfig config{};
};
/// Looks at `memory`, whatever is in it. Every number of the header is checked against the others.
[[nodiscard]] LinkInfo inspect_link(std::span<const std::byte> memory) noexcept;

/// What went through a link, as one side knows it.
struct LinkStats {
    std::uint64_t snapshot_count = 0; ///< Published (writer) or taken (reader).
    std::uint64_t skipped_count = 0;  ///< Reader: overwritten before they were taken.
    std::uint64_t full_count = 0;     ///< Writer: refused because of too many objects.
    std::uint64_t damaged_count = 0;  ///< Reader: refused because something has overwritten them.
};

/// The writing side: fill the slot that begin() gives, then publish().
///
/// Thread safety: one thread at a time. Never waits, whatever the reader does. Allocates: never.
/// Cost: three or four atomic operations per snapshot, beside writing the columns.
class LinkWriter {
public:
    LinkWriter() = default;
    ~LinkWriter();
    LinkWriter(LinkWriter&& other) noexcept;
    LinkWriter& operator=(LinkWriter&& other) noexcept;
    LinkWriter(const LinkWriter&) = delete;
    LinkWriter& operator=(const LinkWriter&) = delete;

    /// Joins the link in `memory`, which must stay there. Joined before: leaves that link first.
    /// WrongCapacity unless the link was made with exactly the settings `expected`, if given.
    LinkStatus join(std::span<std::byte> memory,
                    const std::optional<LinkConfig>& expected = std::nullopt) noexcept;
    /// Leaves; another writer may join and goes on with the numbering.
    void leave() noexcept;
    [[nodiscard]] bool joined() const noexcept { return ring_.joined(); }
    [[nodiscard]] const LinkConfig& config() const noexcept { return config_; }

    /// The slot to fill next, with `object_count` rows: header defaults, columns of an earlier
    /// snapshot, so write all of them. Full or NotJoined: a null header, no columns. Begin again to
    /// start over: nothing is seen before publish(). The caller may still lower object_count.
    /// The slot is the writer's own: valid until the next begin(), join(), leave() or move.
    struct Begun {
        LinkStatus status = LinkStatus::Ok;
        const SnapshotSlot& slot;
    };
    [[nodiscard]] Begun begin(std::size_t object_count) noexcept;
    /// Makes the slot the newest snapshot; it must not be touched any more. `published_ns`: the
    /// writer's clock, now. Full: the header's object_count was raised beyond the capacity.
    LinkStatus publish(std::int64_t published_ns) noexcept;

    [[nodiscard]] const LinkStats& stats() const noexcept { return stats_; }

private:
    SlotRing<StdAtomics>::Writer ring_{};
    std::byte* slots_ = nullptr; // The first one.
    std::size_t stride_bytes_ = 0;
    LinkConfig config_{};
    SnapshotSlot slot_{}; // What begin() gave last.
    LinkStats stats_{};
    bool begun_ = false;
};

/// The reading side: next() until it gives nothing, once a frame.
///
/// Thread safety: one thread at a time. Never waits, whatever the writer does. Allocates: never.
/// Cost: two atomic operations per snapshot, and one or two when none is left; the columns are read
/// where they lie. A snapshot is as old as the last next().
class LinkReader {
public:
    LinkReader() = default;
    ~LinkReader();
    LinkReader(LinkReader&& other) noexcept;
    LinkReader& operator=(LinkReader&& other) noexcept;
    LinkReader(const LinkReader&) = delete;
    LinkReader& operator=(const LinkReader&) = delete;

    /// As LinkWriter::join(). Starts with the oldest snapshot that no reader has taken, or the
    /// newest slot_count - 2.
    LinkStatus join(std::span<std::byte> memory,
                    const std::optional<LinkConfig>& expected = std::nullopt) noexcept;
    /// Leaves; another reader may join and goes on after the last snapshot taken.
    void leave() noexcept;
    [[nodiscard]] bool joined() const noexcept { return ring_.joined(); }
    [[nodiscard]] const LinkConfig& config() const noexcept { return config_; }

    /// The next snapshot, oldest first; null if all were taken or not joined. It and its columns
    /// are valid until the next call of next(), join() or leave(), also if that gives null: who
    /// asks again has done with the last one, and its slot goes back to the writer. What another
    /// program has overwritten is refused and counted; the header is a copy, and object_count never
    /// beyond the capacity.
    [[nodiscard]] const SnapshotView* next() noexcept;

    [[nodiscard]] const LinkStats& stats() const noexcept { return stats_; }

private:
    SlotRing<StdAtomics>::Reader ring_{};
    std::byte* slots_ = nullptr; // The first one.
    std::size_t stride_bytes_ = 0;
    LinkConfig config_{};
    SnapshotView view_{}; // What next() gave last.
    LinkStats stats_{};
};

/// A link inside one process: the memory, laid out.
///
/// Thread safety: memory() from any thread; it must outlive whoever has joined. Allocates: in the
/// constructor only; a failure goes to the out-of-memory hook. Cost: nothing per snapshot.
class Link {
public:
    /// Settings out of range, or more than this platform can address, are a broken precondition;
    /// without asserts the defaults are taken.
    explicit Link(const LinkConfig& config = {}) noexcept;
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    Link(Link&&) = delete;
    Link& operator=(Link&&) = delete;

    [[nodiscard]] std::span<std::byte> memory() noexcept { return {data_, size_bytes_}; }

private:
    std::byte* data_ = nullptr;
    std::size_t size_bytes_ = 0;
};

} // namespace glissade
