// SPDX-License-Identifier: MIT
#include "fuzz/packet_stream.h"

#include "glissade/pose/pose.h"
#include "glissade/remote/remote_entity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <glm/geometric.hpp>

namespace glissade::testing {

namespace {

// Numbers as bytes choose them: ordinary ones, the ends of ranges, and nonsense.
class Bytes {
public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool empty() const { return next_ >= bytes_.size(); }
    std::uint8_t byte() { return empty() ? std::uint8_t{0} : bytes_[next_++]; }
    bool flag() { return (byte() & 1U) != 0; }

    // Mostly near the stored stamp, sometimes anything.
    std::uint16_t stamp(std::uint16_t near) {
        const unsigned choice = byte();
        if (choice < 224) {
            return static_cast<std::uint16_t>(near + choice % 4);
        }
        const unsigned high = byte();
        return static_cast<std::uint16_t>(high << 8U | choice);
    }

    double number(double scale) {
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        constexpr std::array kHostile = {kNan,  kInfinity, -kInfinity, 1e308, -1e308, 1e12,
                                         -1e12, 1e-308,    -0.0,       1e9,   1000.0, 5e-324};
        const unsigned choice = byte();
        if (choice < kHostile.size()) {
            return kHostile[choice];
        }
        if (choice == 255) { // Any bits.
            std::array<std::uint8_t, sizeof(double)> raw{};
            std::generate(raw.begin(), raw.end(), [this] { return byte(); });
            double value = 0.0;
            std::memcpy(&value, raw.data(), sizeof(value));
            return value;
        }
        return scale * (static_cast<double>(byte()) - 128.0) / 128.0;
    }

    glm::dvec3 vector(double scale) {
        const double x = number(scale);
        const double y = number(scale);
        const double z = number(scale);
        return {x, y, z};
    }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t next_ = 0;
};

constexpr std::uint64_t kKey = 1;
constexpr double kQuanta[] = {1.0 / 30.0, 0.05, 0.2, 0.001};

// One entity, the packets for it, and a world that sometimes has walls and floors.
class Stream {
public:
    explicit Stream(std::span<const std::uint8_t> bytes)
        : bytes_(bytes),
          tuning_(bytes_.flag() ? RemoteTuning::literal() : RemoteTuning::client()),
          entity_({.key = kKey,
                   .place = bytes_.flag() ? std::optional(RemotePlace{}) : std::nullopt,
                   .radius_m = 0.5,
                   .height_m = 2.0,
                   .is_local_player = bytes_.flag(),
                   .has_speeds = bytes_.flag()}) {}

    std::string run() {
        while (!bytes_.empty() && broken_.empty()) {
            step();
        }
        return broken_;
    }

private:
    void step() {
        switch (bytes_.byte() % 8) {
            case 0:
            case 1:
                send_position();
                break;
            case 2:
                send_motion();
                break;
            case 3:
                send_move_to();
                break;
            case 4:
                send_vector();
                break;
            case 5:
                change_world();
                break;
            default:
                advance();
                break;
        }
        check();
    }

    void send_position() {
        const UpdateStamps& stored = entity_.update_stamps();
        PositionPacket packet;
        packet.stamps.instance = bytes_.byte() < 250 ? stored.instance : bytes_.stamp(0);
        packet.stamps.position = bytes_.stamp(stored.position);
        packet.stamps.teleport = bytes_.stamp(stored.teleport);
        packet.stamps.force_position = bytes_.stamp(stored.force_position);
        packet.position = bytes_.vector(bytes_.flag() ? 2.0 : 300.0);
        packet.heading_deg = bytes_.number(720.0);
        packet.contact = bytes_.flag();
        static_cast<void>(entity_.receive(tuning_, packet, scene_));
    }

    MovementStamps movement_stamps() {
        const MovementStamps& stored = entity_.movement_stamps();
        MovementStamps stamps;
        stamps.movement = bytes_.stamp(stored.movement);
        stamps.server_control = bytes_.stamp(stored.server_control);
        return stamps;
    }

    void send_motion() {
        MotionPacket packet;
        packet.stamps = movement_stamps();
        packet.command.gait = static_cast<Gait>(bytes_.byte() % 5);
        packet.command.forward_speed = bytes_.number(4.0);
        packet.command.sidestep_speed = bytes_.number(4.0);
        packet.command.turn_deg_s = bytes_.number(360.0);
        packet.autonomy = bytes_.byte();
        if (bytes_.flag()) {
            packet.stick_to = bytes_.byte() % 4U;
        }
        static_cast<void>(entity_.receive(tuning_, packet));
    }

    void send_move_to() {
        MoveToPacket packet;
        packet.stamps = movement_stamps();
        packet.order.kind = static_cast<MoveToKind>(bytes_.byte() % 5);
        packet.order.target = bytes_.byte() % 4U;
        packet.order.position = bytes_.vector(50.0);
        packet.order.params =
            make_move_to_params(static_cast<std::uint32_t>(bytes_.byte() << 4U | bytes_.byte()));
        packet.order.params.distance_to_object_m = bytes_.number(5.0);
        packet.order.params.min_distance_m = bytes_.number(5.0);
        packet.order.params.fail_distance_m = bytes_.number(50.0);
        packet.order.params.speed = bytes_.number(4.0);
        packet.order.params.walk_run_threshold_m = bytes_.number(20.0);
        packet.order.params.desired_heading_deg = bytes_.number(720.0);
        packet.order.run_rate = bytes_.number(4.0);
        static_cast<void>(entity_.receive(tuning_, packet, scene_));
    }

    void send_vector() {
        VectorPacket packet;
        packet.stamp = bytes_.stamp(entity_.vector_stamp());
        packet.velocity = bytes_.vector(60.0);
        packet.omega_rad_s = bytes_.vector(10.0);
        static_cast<void>(entity_.receive(tuning_, packet));
    }

    void change_world() {
        const unsigned parts = bytes_.byte();
        scene_ = {};
        if ((parts & 1U) != 0) {
            scene_.is_indoors = is_indoors_;
        }
        if ((parts & 2U) != 0) {
            scene_.can_place = can_place_;
        }
        if ((parts & 4U) != 0) {
            scene_.resolve = resolve_;
        }
        if ((parts & 8U) != 0) {
            scene_.find_target = find_target_;
        }
        if ((parts & 16U) != 0) {
            scene_.player_position = glm::dvec3(50.0, 0.0, 0.0);
        }
        entity_.set_motions_pending((parts & 32U) != 0);
        if ((parts & 64U) != 0) {
            entity_.set_root_velocity(RootVelocity{bytes_.vector(10.0), bytes_.number(360.0)});
        } else {
            entity_.set_root_velocity(std::nullopt);
        }
    }

    void advance() {
        const glm::dvec3 from = entity_.body().position;
        const double quantum_s = kQuanta[bytes_.byte() % std::size(kQuanta)];
        const QuantumReport report = entity_.advance(tuning_, quantum_s, scene_);
        // Root motion and the speeds of packets are limited to 1000 (of 4 m/s and the factor 5 of
        // sticking), flight to 50 m/s; the scene's floor may lift it by what it sank.
        const double fastest = 1000.0 * 4.0 * 5.0 + 2.0 * 1000.0 + 100.0;
        const double moved = glm::distance(from, entity_.body().position);
        if (!report.cut && !(moved <= fastest * quantum_s + std::abs(from.z) * 2.0 + 1e-3)) {
            broken_ = "moved " + std::to_string(moved) + " m in one quantum without a cut";
        }
    }

    void check() {
        const RemoteBody& body = entity_.body();
        const auto is_inside = [](double value) { return std::abs(value) <= kMaxPosition; };
        if (!is_inside(body.position.x) || !is_inside(body.position.y) ||
            !is_inside(body.position.z)) {
            broken_ = "the position left the world";
        }
        if (!(body.heading_deg >= 0.0 && body.heading_deg < 360.0)) {
            broken_ = "the heading is not one";
        }
        const double rotation = std::hypot(std::hypot(body.rotation.x, body.rotation.y),
                                           std::hypot(body.rotation.z, body.rotation.w));
        if (!(std::abs(rotation - 1.0) < 1e-5)) {
            broken_ = "the rotation is not a unit quaternion";
        }
        // Scaling to the clamp rounds.
        if (!(glm::length(body.velocity) <= tuning_.max_velocity_m_s * (1.0 + 1e-12))) {
            broken_ = "the velocity is beyond the clamp";
        }
        check_queue();
    }

    void check_queue() {
        const ChaseQueue& chase = entity_.chase();
        // Far nodes ignore the cap; the literal text may forgive them before they blip.
        const bool far_nodes =
            chase.state().failure_count > tuning_.blip_after || tuning_.progress_resets_failures;
        if (chase.size() > (far_nodes ? kChaseCapacity : tuning_.queue_cap)) {
            broken_ = "the queue is longer than its cap";
        }
        if (!std::isfinite(chase.state().window_s) ||
            !std::isfinite(chase.state().original_distance_m)) {
            broken_ = "the chase lost its numbers";
        }
        if (!(entity_.leash().used_m() >= 0.0)) {
            broken_ = "the leash lost its number";
        }
    }

    Bytes bytes_;
    RemoteTuning tuning_;
    RemoteEntity entity_;
    std::string broken_{};
    RemoteScene scene_{};

    static bool is_indoors(const glm::dvec3& place) { return place.x > 0.0; }
    static bool can_place(std::uint64_t /*key*/, const glm::dvec3& place) { return place.y > 0.0; }
    // A floor at z = 0 and a wall at x = 10.
    static Footing resolve(std::uint64_t /*key*/, const glm::dvec3& /*from*/,
                           const glm::dvec3& to) {
        return {.position = {std::min(to.x, std::max(10.0, to.x - 1.0)), to.y, std::max(to.z, 0.0)},
                .ground = Ground{.walkable = to.z <= 0.0}};
    }
    static std::optional<TargetState> find_target(std::uint64_t key) {
        if (key == 3) {
            return std::nullopt;
        }
        if (key == 2) { // Nonsense, which must not get in.
            return TargetState{.position = {std::nan(""), 0.0, 1e300}, .radius_m = -1.0};
        }
        return TargetState{.position = {static_cast<double>(key) * 5.0, 3.0, 0.0},
                           .velocity = {1.0, 0.0, 0.0},
                           .radius_m = 0.5,
                           .height_m = 2.0};
    }
    bool (*is_indoors_)(const glm::dvec3&) = is_indoors;
    bool (*can_place_)(std::uint64_t, const glm::dvec3&) = can_place;
    Footing (*resolve_)(std::uint64_t, const glm::dvec3&, const glm::dvec3&) = resolve;
    std::optional<TargetState> (*find_target_)(std::uint64_t) = find_target;
};

} // namespace

std::string broken_entity(std::span<const std::uint8_t> bytes) {
    return Stream(bytes).run();
}

} // namespace glissade::testing
