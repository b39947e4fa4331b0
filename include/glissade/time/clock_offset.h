// SPDX-License-Identifier: MIT
// Maps the clock of a writer to that of a reader, when they do not share one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace glissade {

/// Finds how far two clocks are apart: a browser's worker and page, two machines' processes.
///
/// What the writer stamped and the reader saw later differs by the offset plus a wait that is never
/// negative, so the smallest difference of the last 16 s is taken, and followed at no more than
/// 0.2 % of the time that passes: clocks that drift by 500 ppm stay together and nobody sees it.
/// The result is late by the shortest wait, a constant.
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class ClockOffset {
public:
    /// The writer's `writer_ns` was seen at `reader_ns`, which does not run backwards; beyond
    /// +-2^61 ns both are ignored.
    void add(std::int64_t writer_ns, std::int64_t reader_ns) noexcept;
    /// The reader's time of the writer's `writer_ns`. The same time before the first add(), and
    /// beyond +-2^61 ns.
    [[nodiscard]] std::int64_t to_reader(std::int64_t writer_ns) const noexcept;
    /// Reader's clock minus writer's clock, as it is used.
    [[nodiscard]] std::int64_t offset_ns() const noexcept { return offset_ns_; }

private:
    static constexpr std::size_t kBucketCount = 16;

    struct Bucket {
        std::int64_t second = -1; // Since the first add().
        std::int64_t least_ns = 0;
    };
    [[nodiscard]] std::int64_t least() const noexcept;

    std::array<Bucket, kBucketCount> buckets_{};
    std::int64_t origin_ns_ = 0;
    std::int64_t last_ns_ = 0;
    std::int64_t offset_ns_ = 0;
    bool started_ = false;
};

} // namespace glissade
