// SPDX-License-Identifier: MIT
// Everything that can be observed of a stage as one number, to show that nothing changed.
#pragma once

#include "glissade/stage/stage.h"

#include <cstdint>
#include <span>
#include <type_traits>

namespace glissade::testing {

/// FNV-1a over the bits of what it is fed (Fowler, Noll, Vo). The same on all little-endian
/// machines.
class Digest {
public:
    template <class T>
    requires std::is_arithmetic_v<T>
    void add(T value) noexcept {
        // Through memory as bytes: floats count by their bits, so -0 differs from 0.
        const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
        for (std::size_t place = 0; place < sizeof(T); ++place) {
            value_ = (value_ ^ bytes[place]) * 0x100000001B3U;
        }
    }
    void add(const glm::dvec3& vector) noexcept {
        add(vector.x);
        add(vector.y);
        add(vector.z);
    }
    void add(const glm::vec3& vector) noexcept {
        add(vector.x);
        add(vector.y);
        add(vector.z);
    }
    void add(const Pose& pose) noexcept {
        add(pose.position);
        add(pose.rotation.x);
        add(pose.rotation.y);
        add(pose.rotation.z);
        add(pose.rotation.w);
        add(pose.scale);
    }
    void add(const Affine& affine) noexcept {
        add(affine.linear[0]);
        add(affine.linear[1]);
        add(affine.linear[2]);
        add(affine.translation);
    }
    void add(const Tick& tick) noexcept {
        add(tick.index);
        add(tick.time_ns);
        add(tick.duration_ns);
        add(tick.step_s);
    }
    template <class T>
    void add_all(std::span<const T> values) noexcept {
        add(values.size());
        for (const T& value : values) {
            add(value);
        }
    }
    void add_all(std::span<const Id> ids) noexcept { add_ids(ids); }
    void add_all(const ChangedIds& ids) noexcept { add_ids(ids); }
    void add_ids(const auto& ids) noexcept {
        add(ids.size());
        for (const Id id : ids) {
            add(id.bits());
        }
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 0xCBF29CE484222325U;
};

inline void add_object(Digest& digest, const Stage& stage, Id id) {
    digest.add(static_cast<int>(stage.check(id)));
    digest.add(stage.visual(id));
    digest.add(stage.previous(id));
    digest.add(stage.logical(id));
    digest.add(stage.world(id));
    digest.add(stage.previous_world(id));
    digest.add(stage.world_revision(id));
    digest.add(stage.shown_cuts(id));
    digest.add(stage.visible(id));
    digest.add(stage.parent(id).bits());
    digest.add(stage.user(id));
    for (std::size_t number = 0; number < kMaxChannels; ++number) {
        digest.add(stage.channel(id, number));
    }
    const std::int64_t now_ns = stage.sample_time().value_or(0);
    for (const std::int64_t ahead_ns : {-20'000'000, 0, 7'000'000, 20'000'000}) {
        digest.add(stage.sample(id, now_ns + ahead_ns));
    }
}

inline void add_columns(Digest& digest, const PoseColumns& columns) {
    for (const std::span<const double> column : {columns.x, columns.y, columns.z}) {
        digest.add_all(column);
    }
    for (const std::span<const float> column :
         {columns.qx, columns.qy, columns.qz, columns.qw, columns.scale_x, columns.scale_y,
          columns.scale_z}) {
        digest.add_all(column);
    }
}

inline void add_track(Digest& digest, const Stage& stage, TrackId track) {
    const MovedColumns moved = stage.moved(track);
    digest.add_all(moved.ids);
    add_columns(digest, moved.visual);
    add_columns(digest, moved.previous);
    digest.add(stage.sample_time(track).has_value());
    digest.add(stage.sample_time(track).value_or(0));
    digest.add(stage.newest(track).value_or(Tick{}));
    digest.add(stage.mover_count(track));
    const TrackStats stats = stage.track_stats(track);
    digest.add(stats.tick_count);
    digest.add(stats.underrun_count);
    digest.add(stats.snap_count);
}

/// All that the readers of `stage` say about itself, `ids` and its first two tracks, but for the
/// counters of refusals.
[[nodiscard]] inline std::uint64_t compute_digest(const Stage& stage, std::span<const Id> ids) {
    Digest digest;
    for (const Id id : ids) {
        add_object(digest, stage, id);
    }
    add_track(digest, stage, kDefaultTrack);
    add_track(digest, stage, TrackId{1});
    digest.add_all(stage.changed());
    for (const Event& event : stage.events()) {
        digest.add(static_cast<int>(event.track));
        digest.add(event.time_ns);
        digest.add(event.value);
    }
    digest.add(stage.revision());
    digest.add(stage.size());
    const StageStats& stats = stage.stats();
    for (const std::uint64_t count :
         {stats.present_count, stats.add_count, stats.remove_count, stats.move_count,
          stats.cut_count, stats.shift_count, stats.amend_count, stats.wake_count,
          stats.settle_count, stats.event_count, stats.dropped_event_count}) {
        digest.add(count);
    }
    return digest.value();
}

} // namespace glissade::testing
