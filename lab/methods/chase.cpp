// SPDX-License-Identifier: MIT
// chase and chase-add: a server's entities as the library's own RemoteWorld moves them. The root
// motion of their animations carries them between sparse updates, and what an update corrects is
// walked and not jumped. Ticks are position updates; motion, vector, move-to, player and blocked
// lines are what the server and the reader's own world say besides.
#include "glissade/feed/remote_world.h"

#include "lab/methods/body_state.h"
#include "lab/methods/methods.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace glissade::lab {

namespace {

Gait to_gait(TraceGait gait) {
    switch (gait) {
        case TraceGait::Walk:
            return Gait::WalkForward;
        case TraceGait::Back:
            return Gait::WalkBackwards;
        case TraceGait::Run:
            return Gait::RunForward;
        default:
            return Gait::Ready;
    }
}

MoveToKind to_kind(TraceMoveKind kind) {
    switch (kind) {
        case TraceMoveKind::Object:
            return MoveToKind::Object;
        case TraceMoveKind::TurnObject:
            return MoveToKind::TurnToObject;
        case TraceMoveKind::TurnHeading:
            return MoveToKind::TurnToHeading;
        default:
            return MoveToKind::Position;
    }
}

MoveToOrder to_order(const TraceMoveTo& line) {
    MoveToOrder order{.kind = to_kind(line.kind),
                      .target = static_cast<std::uint64_t>(line.target.value_or(0)),
                      .position = line.position.value_or(glm::dvec3{0.0}),
                      .params = make_move_to_params(line.flags.value_or(kDefaultMoveToFlags)),
                      .run_rate = line.run_rate.value_or(1.0)};
    MoveToParams& params = order.params;
    params.distance_to_object_m = line.distance_m.value_or(params.distance_to_object_m);
    params.min_distance_m = line.min_distance_m.value_or(params.min_distance_m);
    params.fail_distance_m = line.fail_distance_m.value_or(params.fail_distance_m);
    params.speed = line.speed.value_or(params.speed);
    params.walk_run_threshold_m = line.threshold_m.value_or(params.walk_run_threshold_m);
    params.desired_heading_deg = line.heading_deg.value_or(params.desired_heading_deg);
    return order;
}

double heading_of(const BodyState& state) {
    return compute_heading_deg(glm::quat(state.rotation));
}

// The stamps of one series. A recording may begin anywhere in it: the first counts as newer.
class Stamps {
public:
    // Unsigned, because a file may hold any numbers: they wrap.
    std::uint16_t take(std::int64_t number) {
        const auto counted = static_cast<std::uint64_t>(number);
        first_ = first_.value_or(counted);
        return static_cast<std::uint16_t>(counted - *first_ + 1);
    }

private:
    std::optional<std::uint64_t> first_{};
};

class Chase final : public Method {
public:
    Chase(const MethodConfig& config, const RemoteTuning& tuning)
        : stage_({.capacity = config.max_objects,
                  .event_capacity = 1,
                  .shift_capacity = 1,
                  .track = RemoteWorld::track_config()}),
          world_(stage_, {.capacity = config.max_objects, .tuning = tuning}) {}

    void tick(const TraceTick& tick) override {
        begin_epoch(tick);
        if (!newest_ || tick.sim_ns > newest_->sim_ns) {
            newest_ = Newest{tick.sim_ns, tick.arrive_ns};
        }
        for (const TracePose& pose : tick.poses) {
            take(pose, tick);
        }
        for (const std::int64_t id : tick.gone) {
            const auto found = objects_.find(id);
            if (found != objects_.end()) {
                (void)world_.remove(found->second.id);
                objects_.erase(found);
            }
            ended_[id] = tick.tick;
        }
    }

    void packet(const TracePacket& packet) override {
        std::visit([this](const auto& line) { take(line); }, packet);
    }

    void frame(const TraceFrame& frame, DrawnFrame& out) override {
        begin_drawing(frame, out);
        if (!newest_) {
            return; // The gate need not run before there is something to move.
        }
        const std::int64_t now_ns = frame.present_ns.value_or(frame.cpu_ns);
        world_.present(now_ns, scene());
        for (const auto& [trace_id, object] : objects_) {
            if (stage_.visible(object.id)) {
                const Pose pose = stage_.visual(object.id);
                out.poses.push_back({trace_id, pose.position, glm::dquat(pose.rotation)});
            }
        }
        const RemoteWorldReport report = world_.report();
        note_refusal(report);
        // Of a body that follows its updates exactly: it runs on from the newest one.
        out.delay_ns = report.delay_ns;
        out.sample_ns = newest_->sim_ns + now_ns - newest_->arrive_ns - report.delay_ns;
        out.state = out.poses.empty()
                        ? DrawnState::Empty
                        : (*out.sample_ns > newest_->sim_ns ? DrawnState::Extrapolate
                                                            : DrawnState::Interpolate);
    }

    [[nodiscard]] std::string problem() const override { return problem_; }

private:
    struct Newest {
        std::int64_t sim_ns = 0;
        std::int64_t arrive_ns = 0;
    };
    struct Object {
        Id id{};
        Stamps updates{};
        Stamps movements{};
        Stamps vectors{};
        std::int64_t first_cut = 0;
        std::int64_t cut = 0;  ///< As last told: a pose without one has no new one.
        bool animated = false; ///< A motion or move-to line said what its animation does.
        std::int64_t sim_ns = 0;
        std::optional<BodyState> state{}; ///< Of the newest update.
    };

    // Numbers and times of a new epoch have nothing to do with those before it.
    void begin_epoch(const TraceTick& tick) {
        const std::int64_t epoch = tick.epoch.value_or(epoch_);
        if (epoch == epoch_) {
            return;
        }
        epoch_ = epoch;
        newest_.reset();
        for (const auto& [trace_id, object] : objects_) {
            (void)world_.remove(object.id);
        }
        objects_.clear();
        ended_.clear();
    }

    // Null if there is no room.
    Object* find_or_add(std::int64_t trace_id) {
        const auto found = objects_.find(trace_id);
        if (found != objects_.end()) {
            return &found->second;
        }
        const RemoteAdded added = world_.add({.key = static_cast<std::uint64_t>(trace_id)});
        if (added.status != RemoteAdd::Ok) {
            note("no room for object " + std::to_string(trace_id) + ": " + to_string(added.status));
            return nullptr;
        }
        return &objects_.emplace(trace_id, Object{.id = added.id}).first->second;
    }

    void take(const TracePose& pose, const TraceTick& tick) {
        const auto ended = ended_.find(pose.id);
        if (ended != ended_.end() && tick.tick <= ended->second) {
            return; // Late news of an object that is gone.
        }
        Object* const object = find_or_add(pose.id);
        if (object == nullptr) {
            return;
        }
        const BodyState state = make_state(pose);
        const std::int64_t cut = pose.cut.value_or(object->cut);
        object->first_cut = object->state ? object->first_cut : cut;
        object->cut = cut;
        PositionPacket packet{
            .position = pose.position, .heading_deg = heading_of(state), .contact = pose.contact};
        packet.stamps.position = object->updates.take(tick.tick);
        packet.stamps.teleport = static_cast<std::uint16_t>(cut - object->first_cut);
        if (world_.receive(object->id, packet, scene()) == Routed::BadNumber) {
            note("object " + std::to_string(pose.id) + " has a position out of range in tick " +
                 std::to_string(tick.tick));
        }
        if (!object->state || tick.sim_ns > object->sim_ns) {
            animate(*object, state, tick.sim_ns);
        }
    }

    // Nobody says what the animation does: as fast as the updates themselves.
    void animate(Object& object, const BodyState& state, std::int64_t sim_ns) {
        const BodyState last = object.state.value_or(state);
        const double duration_s = static_cast<double>(sim_ns - object.sim_ns) / kNsPerSecond;
        const bool has_last = object.state && duration_s > 0.0;
        object.state = state;
        object.sim_ns = sim_ns;
        if (object.animated) {
            return;
        }
        const double per_s = has_last ? 1.0 / duration_s : 0.0;
        const double heading = heading_of(state);
        const glm::dvec3 velocity =
            state.velocity.value_or((state.position - last.position) * per_s);
        const double turn = std::remainder(heading - heading_of(last), 360.0) * per_s;
        const double turn_deg_s =
            state.angular_velocity ? -state.angular_velocity->z * 180.0 / std::numbers::pi : turn;
        (void)world_.set_root_velocity(
            object.id,
            RootVelocity{.linear_m_s = to_body(heading, velocity), .turn_deg_s = turn_deg_s});
    }

    void take(const TraceMotion& line) {
        if (Object* const object = find_or_add(line.id)) {
            animate_by_command(*object);
            MotionPacket packet;
            packet.stamps.movement = object->movements.take(line.stamp);
            packet.command = {.gait = to_gait(line.gait),
                              .forward_speed = line.speed.value_or(1.0),
                              .sidestep_speed = line.sidestep.value_or(0.0),
                              .turn_deg_s = line.turn_deg_s.value_or(0.0)};
            note(world_.receive(object->id, packet), line.id);
        }
    }

    void take(const TraceMoveTo& line) {
        if (Object* const object = find_or_add(line.id)) {
            animate_by_command(*object);
            MoveToPacket packet{.order = to_order(line)};
            packet.stamps.movement = object->movements.take(line.stamp);
            note(world_.receive(object->id, packet, scene()), line.id);
        }
    }

    void take(const TraceVector& line) {
        if (Object* const object = find_or_add(line.id)) {
            note(world_.receive(
                     object->id,
                     VectorPacket{.stamp = object->vectors.take(line.stamp),
                                  .velocity = line.velocity,
                                  .omega_rad_s = line.angular_velocity.value_or(glm::dvec3{0.0})}),
                 line.id);
        }
    }

    void take(const TracePlayer& line) { player_ = line.position; }

    void take(const TraceBlocked& line) {
        const auto key = static_cast<std::uint64_t>(line.id);
        if (line.blocked) {
            collision_.blocked.insert(key);
        } else {
            collision_.blocked.erase(key);
        }
    }

    void animate_by_command(Object& object) {
        object.animated = true;
        (void)world_.set_root_velocity(object.id, std::nullopt);
    }

    // Ground is tested by nobody here: a body stays on it, or in the air, as its packets say.
    struct Collision {
        std::set<std::uint64_t> blocked{};

        Footing operator()(std::uint64_t key, const glm::dvec3& from, const glm::dvec3& to) const {
            return {.position = blocked.contains(key) ? from : to};
        }
    };

    [[nodiscard]] RemoteScene scene() {
        return {.player_position = player_, .resolve = collision_};
    }

    void note(Received received, std::int64_t trace_id) {
        if (received == Received::BadNumber) {
            note("object " + std::to_string(trace_id) + " has a packet with a number out of range");
        }
    }

    void note_refusal(const RemoteWorldReport& report) {
        if (report.refused_count > 0) {
            note(std::string("the stage refused a body: ") + to_string(report.last_refusal));
        }
    }

    void note(const std::string& problem) {
        if (problem_.empty()) {
            problem_ = problem;
        }
    }

    Stage stage_;
    RemoteWorld world_;
    std::map<std::int64_t, Object> objects_{};
    std::map<std::int64_t, std::int64_t> ended_{}; // The tick that named it gone.
    std::optional<Newest> newest_{};
    std::optional<glm::dvec3> player_{};
    std::int64_t epoch_ = 0;
    Collision collision_{};
    std::string problem_{};
};

} // namespace

std::unique_ptr<Method> make_chase(const TraceHeader& /*header*/, const MethodConfig& config) {
    return std::make_unique<Chase>(config, config.tuning);
}

std::unique_ptr<Method> make_chase_add(const TraceHeader& /*header*/, const MethodConfig& config) {
    RemoteTuning tuning = config.tuning;
    tuning.root_motion = RootMotion::Add;
    return std::make_unique<Chase>(config, tuning);
}

} // namespace glissade::lab
