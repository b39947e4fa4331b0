// SPDX-License-Identifier: MIT
#include "glissade/feed/remote_world.h"

#include "base/column.h"
#include "feed/key_table.h"
#include "feed/quantum_delay.h"
#include "remote/packet_doors.h"

#include <algorithm>
#include <new>

namespace glissade {

namespace {

constexpr std::uint32_t kSlotMask = 0xFFFFFF; // Of Id::index1; above it is the stage's tag.
constexpr std::uint32_t kNoRow = 0xFFFFFFFF;
// The delay may be the longest quantum, 0.2 s, while all others are the shortest, 1/30 s: six of
// them, the two around the sample, and two to spare.
constexpr std::uint32_t kHistory = 10;

Pose pose_of(const RemoteBody& body) noexcept {
    return {body.position, body.rotation};
}

bool is_stale(Routed routed) noexcept {
    return routed == Routed::IgnoredStale || routed == Routed::IgnoredTeleport ||
           routed == Routed::IgnoredInstance;
}

bool is_snap(Routed routed) noexcept {
    return routed == Routed::Snapped || routed == Routed::Teleported ||
           routed == Routed::PlayerForced || routed == Routed::PlayerTeleported;
}

RemoteWorldConfig with_valid_tuning(const RemoteWorldConfig& config) noexcept {
    GLISSADE_ASSERT(config.tuning.is_valid());
    RemoteWorldConfig valid = config;
    valid.tuning = config.tuning.is_valid() ? config.tuning : RemoteTuning::client();
    return valid;
}

} // namespace

static_assert(std::is_trivially_copyable_v<RemoteEntity>, "rows are moved by copying bytes");

struct RemoteWorld::Data {
    // What the world keeps of one entity beside the pipeline.
    struct Row {
        Id id;
        bool shown; // Visible on the stage, at `pose`.
        Pose pose;
    };

    Data(Stage& the_stage, const RemoteWorldConfig& the_config) noexcept
        : stage(&the_stage),
          config(the_config),
          gate(the_config.gate),
          newest_now_ns(gate.newest().time_ns),
          floor_ns(gate.newest().time_ns),
          entities(the_config.capacity),
          rows(the_config.capacity),
          row_of_slot(the_stage.capacity()),
          keys(the_config.capacity) {
        for (std::size_t i = 0; i < row_of_slot.capacity(); ++i) {
            row_of_slot[i] = kNoRow;
        }
    }

    [[nodiscard]] std::uint32_t row_of(Id id) const noexcept;
    [[nodiscard]] std::uint32_t& row_at(Id id) noexcept;
    void run_quantum(const Tick& tick, const RemoteScene& scene) noexcept;
    void step(std::size_t row, const Tick& tick, const RemoteScene& scene) noexcept;
    void count(const QuantumReport& quantum) noexcept;
    void show(std::size_t row, const Tick& tick, bool cut) noexcept;
    [[nodiscard]] std::int64_t shown_ns(const SampleTime& gate_sample) noexcept;
    Routed note(Routed routed) noexcept;
    Received note(Received received) noexcept;
    void note(StageStatus status) noexcept;

    template <class Packet, class... Rest>
    Received receive(Id id, const Packet& packet, const Rest&... rest) noexcept {
        const std::uint32_t row = row_of(id);
        return note(row == kNoRow ? Received::NoSuchEntity
                                  : entities[row].receive(config.tuning, packet, rest...));
    }

    // `call` with a scene in which the entities of this world are targets as well.
    template <class Call>
    auto with_targets(const RemoteScene& scene, Call&& call) noexcept {
        const auto find_target = [&](std::uint64_t key) -> std::optional<TargetState> {
            if (const std::optional<std::uint32_t> row = keys.find(key)) {
                return entities[*row].body().has_place ? std::optional(entities[*row].as_target())
                                                       : std::nullopt;
            }
            return scene.find_target ? scene.find_target(key) : std::nullopt;
        };
        RemoteScene widened = scene;
        widened.find_target = find_target;
        return call(widened);
    }

    Stage* stage;
    RemoteWorldConfig config;
    QuantumGate gate;
    std::int64_t newest_now_ns; // Of the last frame, on the gate's timeline.
    std::int64_t floor_ns;      // No frame shows an earlier time than this again.
    QuantumDelay delay{};
    std::size_t size = 0;
    Column<RemoteEntity> entities; // Packed: `size` of them.
    Column<Row> rows;              // Beside them.
    Column<std::uint32_t> row_of_slot;
    KeyTable keys;
    RemoteWorldReport counted{}; // The counters; the rest is worked out by report().
};

std::uint32_t RemoteWorld::Data::row_of(Id id) const noexcept {
    const std::uint32_t slot = (id.index1 & kSlotMask) - 1; // Wraps for null, and is refused.
    const std::uint32_t row = slot < row_of_slot.capacity() ? row_of_slot[slot] : kNoRow;
    return row != kNoRow && rows[row].id == id ? row : kNoRow;
}

std::uint32_t& RemoteWorld::Data::row_at(Id id) noexcept {
    return row_of_slot[(id.index1 & kSlotMask) - 1];
}

void RemoteWorld::Data::run_quantum(const Tick& tick, const RemoteScene& scene) noexcept {
    delay.add(tick);
    with_targets(scene, [&](const RemoteScene& widened) {
        for (std::size_t row = 0; row < size; ++row) {
            step(row, tick, widened);
        }
    });
    ++counted.quantum_count;
}

void RemoteWorld::Data::step(std::size_t row, const Tick& tick, const RemoteScene& scene) noexcept {
    const QuantumReport quantum = entities[row].advance(config.tuning, tick.step_s, scene);
    count(quantum);
    if (entities[row].body().has_place) {
        show(row, tick, quantum.cut);
    }
}

void RemoteWorld::Data::count(const QuantumReport& quantum) noexcept {
    counted.stall_count += quantum.chase == ChaseEvent::StallFail ? 1U : 0U;
    counted.blip_count += quantum.blipped ? 1U : 0U;
    counted.refused_blip_count += quantum.blip_refused ? 1U : 0U;
    counted.landing_count += quantum.landed ? 1U : 0U;
    counted.arrival_count += quantum.move_to_end == MoveToEnd::Arrived ? 1U : 0U;
    const bool cancelled =
        quantum.move_to_end != MoveToEnd::None && quantum.move_to_end != MoveToEnd::Arrived;
    counted.cancelled_count += cancelled ? 1U : 0U;
}

void RemoteWorld::Data::show(std::size_t row, const Tick& tick, bool cut) noexcept {
    const Pose pose = pose_of(entities[row].body());
    Row& shown = rows[row];
    if (!shown.shown) {
        note(stage->show(shown.id, pose));
    } else if (cut) {
        note(stage->cut(tick, shown.id, pose));
    } else if (pose != shown.pose) {
        note(stage->move(tick, shown.id, pose));
    }
    shown.shown = true;
    shown.pose = pose;
}

std::int64_t RemoteWorld::Data::shown_ns(const SampleTime& gate_sample) noexcept {
    delay.advance(std::max<std::int64_t>(gate_sample.now_ns - newest_now_ns, 0));
    newest_now_ns = gate_sample.now_ns;
    const std::int64_t newest_ns = gate_sample.newest ? gate_sample.newest->time_ns : 0;
    // A leftover that is discarded would take the picture back; the floor keeps it.
    floor_ns = std::max(floor_ns, std::min(gate_sample.now_ns - delay.delay_ns(), newest_ns));
    return floor_ns;
}

Routed RemoteWorld::Data::note(Routed routed) noexcept {
    ++counted.routed_count[static_cast<std::size_t>(routed)];
    counted.stale_count += is_stale(routed) ? 1U : 0U;
    counted.held_count += routed == Routed::Held ? 1U : 0U;
    counted.snap_count += is_snap(routed) ? 1U : 0U;
    counted.bad_count += routed == Routed::BadNumber || routed == Routed::NoSuchEntity ? 1U : 0U;
    return routed;
}

Received RemoteWorld::Data::note(Received received) noexcept {
    counted.stale_count += received == Received::Stale ? 1U : 0U;
    counted.bad_count +=
        received == Received::BadNumber || received == Received::NoSuchEntity ? 1U : 0U;
    return received;
}

void RemoteWorld::Data::note(StageStatus status) noexcept {
    if (status != StageStatus::Ok) {
        ++counted.refused_count;
        counted.last_refusal = status;
    }
}

RemoteWorld::RemoteWorld(Stage& stage, const RemoteWorldConfig& config) noexcept
    : data_(new (std::nothrow) Data(stage, with_valid_tuning(config))) {
    if (!data_) {
        detail::out_of_memory(sizeof(Data));
    }
}
RemoteWorld::~RemoteWorld() = default;
RemoteWorld::RemoteWorld(RemoteWorld&&) noexcept = default;
RemoteWorld& RemoteWorld::operator=(RemoteWorld&&) noexcept = default;

TrackConfig RemoteWorld::track_config() noexcept {
    return {.history = kHistory, .cuts = CutShows::AtStamp};
}

const char* to_string(RemoteAdd status) noexcept {
    switch (status) {
        case RemoteAdd::Ok:
            return "ok";
        case RemoteAdd::Full:
            return "full";
        case RemoteAdd::DuplicateKey:
            return "duplicate key";
        case RemoteAdd::BadNumber:
            return "bad number";
        case RemoteAdd::NoSuchTrack:
            return "no such track";
    }
    return "unknown";
}

RemoteAdded RemoteWorld::add(const RemoteEntityConfig& config) noexcept {
    Data& data = *data_;
    if (!is_sound(config)) {
        return {{}, RemoteAdd::BadNumber};
    }
    if (data.keys.find(config.key)) {
        return {{}, RemoteAdd::DuplicateKey};
    }
    if (data.size == data.config.capacity) {
        return {{}, RemoteAdd::Full};
    }
    const RemoteEntity entity(config);
    const Pose pose = pose_of(entity.body());
    const AddResult added = data.stage->add(pose, {.track = data.config.track, .user = config.key});
    if (added.status != StageStatus::Ok) {
        data.note(added.status);
        const bool full = added.status == StageStatus::Full;
        return {{}, full ? RemoteAdd::Full : RemoteAdd::NoSuchTrack};
    }
    const bool placed = entity.body().has_place;
    if (!placed) {
        data.note(data.stage->hide(added.id));
    }
    const auto row = static_cast<std::uint32_t>(data.size++);
    new (&data.entities[row]) RemoteEntity(entity);
    new (&data.rows[row]) Data::Row{added.id, placed, pose};
    data.row_at(added.id) = row;
    data.keys.set(config.key, row);
    return {added.id, RemoteAdd::Ok};
}

StageStatus RemoteWorld::remove(Id id) noexcept {
    Data& data = *data_;
    const std::uint32_t row = data.row_of(id);
    if (row == kNoRow) {
        const StageStatus status = data.stage->check(id);
        return status == StageStatus::Ok ? StageStatus::ForeignHandle : status;
    }
    data.keys.remove(data.entities[row].config().key);
    data.row_at(id) = kNoRow;
    const std::size_t last = --data.size;
    if (row != last) {
        data.entities[row] = data.entities[last];
        data.rows[row] = data.rows[last];
        std::uint32_t& moved = data.row_at(data.rows[row].id);
        moved = moved == last ? row : moved; // Not if the stage gave its slot to somebody else.
        data.keys.set(data.entities[row].config().key, row);
    }
    return data.stage->remove(id);
}

Routed RemoteWorld::receive(Id id, const PositionPacket& packet,
                            const RemoteScene& scene) noexcept {
    Data& data = *data_;
    const std::uint32_t row = data.row_of(id);
    return data.note(row == kNoRow ? Routed::NoSuchEntity
                                   : data.entities[row].receive(data.config.tuning, packet, scene));
}

Received RemoteWorld::receive(Id id, const MotionPacket& packet) noexcept {
    return data_->receive(id, packet);
}

Received RemoteWorld::receive(Id id, const MoveToPacket& packet,
                              const RemoteScene& scene) noexcept {
    return data_->with_targets(
        scene, [&](const RemoteScene& widened) { return data_->receive(id, packet, widened); });
}

Received RemoteWorld::receive(Id id, const VectorPacket& packet) noexcept {
    return data_->receive(id, packet);
}

std::optional<TrackSample> RemoteWorld::frame(std::int64_t now_ns,
                                              const RemoteScene& scene) noexcept {
    Data& data = *data_;
    for (const Tick& tick : data.gate.advance_to(now_ns)) {
        data.run_quantum(tick, scene);
    }
    SampleTime sample = data.gate.sample();
    if (data.delay.delay_ns() == 0) {
        return std::nullopt;
    }
    sample.time_ns = data.shown_ns(sample);
    return TrackSample{data.config.track, sample};
}

void RemoteWorld::present(std::int64_t now_ns, const RemoteScene& scene) noexcept {
    const std::optional<TrackSample> sample = frame(now_ns, scene);
    if (sample) {
        data_->note(data_->stage->present({&*sample, 1}));
    }
}

const RemoteEntity* RemoteWorld::find(Id id) const noexcept {
    const std::uint32_t row = data_->row_of(id);
    return row != kNoRow ? &data_->entities[row] : nullptr;
}

Id RemoteWorld::find_key(std::uint64_t key) const noexcept {
    const std::optional<std::uint32_t> row = data_->keys.find(key);
    return row ? data_->rows[*row].id : Id{};
}

bool RemoteWorld::set_root_velocity(Id id, const std::optional<RootVelocity>& root) noexcept {
    const std::uint32_t row = data_->row_of(id);
    if (row != kNoRow) {
        data_->entities[row].set_root_velocity(root);
    }
    return row != kNoRow;
}

bool RemoteWorld::set_motions_pending(Id id, bool pending) noexcept {
    const std::uint32_t row = data_->row_of(id);
    if (row != kNoRow) {
        data_->entities[row].set_motions_pending(pending);
    }
    return row != kNoRow;
}

const RemoteTuning& RemoteWorld::tuning() const noexcept {
    return data_->config.tuning;
}

RemoteWorldReport RemoteWorld::report() const noexcept {
    RemoteWorldReport report = data_->counted;
    report.entity_count = data_->size;
    report.delay_ns = data_->delay.delay_ns();
    for (std::size_t row = 0; row < data_->size; ++row) {
        const std::size_t queued = data_->entities[row].chase().size();
        report.chasing_count += queued > 0 ? 1U : 0U;
        report.queued_node_count += queued;
        report.longest_queue = std::max(report.longest_queue, queued);
    }
    return report;
}

} // namespace glissade
