// SPDX-License-Identifier: MIT
#include "stage_scene.h"

#include "glissade/stage/tick_writer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>

#include <glm/gtc/quaternion.hpp>

namespace glissade::bench {
namespace {

constexpr std::size_t kSampleCount = 13;

Tick tick_at(std::int64_t index) noexcept {
    return {.index = index, .time_ns = index * kTickNs, .duration_ns = kTickNs, .step_s = kTickS};
}

std::size_t count_movers(const SceneConfig& config) {
    const std::size_t stride = config.mover_stride;
    return stride == 0 ? 0 : (config.object_count + stride - 1) / stride;
}

bool has_velocities(const SceneConfig& config) {
    return config.blend == Blend::Hermite || config.blend == Blend::HermitePath;
}

/// How long what adds up to a matrix may be: up to 1500 m, or 15 m, three of them in a tree.
float find_reach_m(const SceneConfig& config) {
    return config.shape == Shape::Tree ? 3.0F * 15.0F : 3.0F * 1500.0F;
}

/// Rounding of float rotations, a few 1e-7, at the end of arms.
bool is_near(const glm::mat3x4& a, const glm::mat3x4& b, float reach_m) {
    constexpr float kTurnTolerance = 1e-6F;
    bool near = true;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            const float size = column < 3 ? 4.0F : reach_m;
            near = near && std::abs(a[row][column] - b[row][column]) <= kTurnTolerance * size;
        }
    }
    return near;
}

} // namespace

StageScene::StageScene(const SceneConfig& config)
    : config_(config),
      stage_({.capacity = static_cast<std::uint32_t>(config.object_count),
              .track = {.mover_capacity = static_cast<std::uint32_t>(
                            std::max<std::size_t>(count_movers(config), 1))}}),
      // Velocities are those of a body that turns at one rate: they fit the states they come with.
      inputs_(&inputs_of(count_movers(config), has_velocities(config) ? Turns::Even : Turns::Any,
                         config.shape == Shape::Tree ? Places::Near : Places::Field)),
      matrices_(count_movers(config)) {
    movers_.reserve(count_movers(config));
    if (config.shape == Shape::Flat) {
        add_flat();
    } else {
        add_tree();
    }
    others_ = movers_;
    if (config.order != Order::ById) {
        // In motion in the order of their ids first: what is measured is the order of the calls.
        record_columns();
        std::shuffle(movers_.begin(), movers_.end(), std::mt19937(1));
        std::shuffle(others_.begin(), others_.end(), std::mt19937(2));
    }
    if (config.order == Order::Changing) {
        find_other_places();
    }
    record_columns();
    record_columns();
    present();
    if (config.order == Order::Shuffled) {
        run_in();
    }
}

void StageScene::find_other_places() {
    std::map<Id, std::size_t> places;
    for (std::size_t place = 0; place < others_.size(); ++place) {
        places[others_[place]] = place;
    }
    for (const Id id : movers_) {
        other_places_.push_back(places[id]);
    }
}

void StageScene::run_in() {
    // A 32nd of the rows finds its place in a frame.
    constexpr int kFrames = 100;
    for (int frame = 0; frame < kFrames; ++frame) {
        record_columns();
        present();
    }
}

ObjectConfig StageScene::object_config(Id parent) const noexcept {
    return {.parent = parent, .blend = config_.blend};
}

void StageScene::add_flat() {
    const std::size_t stride = config_.mover_stride;
    for (std::size_t number = 0; number < config_.object_count; ++number) {
        const Id id = stage_.add({}, object_config({}));
        if (stride != 0 && number % stride == 0) {
            movers_.push_back(id);
        }
    }
}

void StageScene::add_tree() {
    const std::size_t root_count = config_.object_count / 7;
    for (std::size_t number = 0; number < config_.object_count; ++number) {
        // Number 2 k + root_count and the next hang below number k: two below each of the roots,
        // two below each of those, and what is left below the last one.
        const bool is_root = number < root_count;
        const std::size_t parent = is_root ? 0 : (number - root_count) / 2;
        const std::size_t last_parent = 3 * root_count - 1;
        const Id id =
            stage_.add({}, object_config(is_root ? Id{} : movers_[std::min(parent, last_parent)]));
        movers_.push_back(id);
    }
}

Tick StageScene::next_tick() noexcept {
    // Well inside the tick from the first frame on: a wrong blend would show.
    part_ns_ = kTickNs / 4;
    return tick_at(++tick_);
}

void StageScene::record_columns() {
    if (has_velocities(config_)) {
        record_velocities();
        return;
    }
    const Tick tick = next_tick();
    if (!movers_.empty()) {
        note(stage_.move(tick, movers_of(tick_), inputs_->columns(tick_, config_.scaled)));
    }
}

void StageScene::record_poses() {
    inputs_->make_poses();
    const Tick tick = next_tick();
    note(stage_.move(tick, movers_of(tick_), inputs_->set(tick_).poses));
}

void StageScene::record_objects() {
    inputs_->make_poses();
    const Tick tick = next_tick();
    const std::span<const Id> ids = movers_of(tick_);
    const std::span<const Pose> poses = inputs_->set(tick_).poses;
    bool is_any_refused = false;
    for (std::size_t number = 0; number < ids.size(); ++number) {
        is_any_refused |= stage_.move(tick, ids[number], poses[number]) != StageStatus::Ok;
    }
    refused_ = refused_ || is_any_refused;
}

void StageScene::record_with_writer() {
    inputs_->make_poses();
    TickWriter writer(stage_, next_tick());
    const std::span<const Id> ids = movers_of(tick_);
    const std::span<const Pose> poses = inputs_->set(tick_).poses;
    for (std::size_t number = 0; number < ids.size(); ++number) {
        writer.move(ids[number], poses[number]);
    }
    note(writer.finish());
}

void StageScene::record_velocities() {
    inputs_->make_poses();
    inputs_->make_velocities();
    const Tick tick = next_tick();
    const TickSet& set = inputs_->set(tick_);
    note(stage_.move(tick, movers_, set.poses, set.velocities));
}

void StageScene::present_ranges() {
    const TrackSample sample{.track = kDefaultTrack, .time = advance()};
    note(stage_.begin_present({&sample, 1}));
    for (std::size_t number = 0; number < stage_.range_count(); ++number) {
        stage_.present_range(number);
    }
    stage_.end_present();
}

void StageScene::read_visuals() {
    for (const Id id : movers_) {
        Pose pose = stage_.visual(id);
        benchmark::DoNotOptimize(pose);
    }
}

SampleTime StageScene::advance() noexcept {
    part_ns_ += kFrameNs;
    const std::int64_t time_ns = (tick_ - 1) * kTickNs + part_ns_;
    return {.time_ns = time_ns, .now_ns = time_ns, .newest = tick_at(tick_)};
}

Pose StageScene::expected_pose(std::size_t row) const {
    const double t = static_cast<double>(part_ns_) / static_cast<double>(kTickNs);
    const Pose from = inputs_->pose(tick_ - 1, place_of(tick_ - 1, row), config_.scaled);
    const Pose to = inputs_->pose(tick_, place_of(tick_, row), config_.scaled);
    if (has_velocities(config_)) {
        const Motion a{.pose = from, .velocity = inputs_->velocity(tick_ - 1, row)};
        const Motion b{.pose = to, .velocity = inputs_->velocity(tick_, row)};
        return config_.blend == Blend::Hermite ? blend_hermite(a, b, kTickS, t)
                                               : blend_hermite_path(a, b, kTickS, t);
    }
    const auto float_t = static_cast<float>(t);
    return {.position = glm::mix(from.position, to.position, t),
            .rotation = glm::slerp(from.rotation, to.rotation, float_t),
            .scale = glm::mix(from.scale, to.scale, float_t)};
}

bool StageScene::is_right(std::size_t row) const {
    // Rounding of float rotations in glm and in the stage, and of Hermite's longer arithmetic.
    const float tolerance = has_velocities(config_) ? 1e-4F : 1e-5F;
    const Pose expected = expected_pose(row);
    const Pose shown = stage_.visual(movers_[row]);
    return glm::length(shown.position - expected.position) < static_cast<double>(tolerance) &&
           compute_angle_rad(shown.rotation, expected.rotation) < static_cast<double>(tolerance) &&
           glm::length(shown.scale - expected.scale) < tolerance;
}

bool StageScene::is_placed(Id id, std::size_t row) const {
    const glm::mat3x4 matrix = to_mat3x4(stage_.world(id), glm::dvec3(0.0));
    return is_near(matrices_[row], matrix, find_reach_m(config_));
}

const char* StageScene::find_fault() {
    if (needs_tick()) {
        record_columns();
    }
    present_matrices();
    if (refused_) {
        return "the stage refused something";
    }
    if (stage_.mover_count() != movers_.size()) {
        return "not everything that should move does";
    }
    const std::span<const Id> ids = stage_.moved().ids;
    for (std::size_t number = 0; number < kSampleCount && !movers_.empty(); ++number) {
        const std::size_t row = number * (movers_.size() - 1) / (kSampleCount - 1);
        if (!is_right(row)) {
            return "the picture is wrong";
        }
        if (!is_placed(ids[row], row)) {
            return "a matrix is wrong";
        }
    }
    write_matrices();
    for (std::size_t row = 0; row < movers_.size(); row += movers_.size() / kSampleCount + 1) {
        if (!is_placed(movers_[row], row)) {
            return "a matrix by handle is wrong";
        }
    }
    return nullptr;
}

StageScene& scene_of(const SceneConfig& config) {
    static std::map<SceneConfig, std::unique_ptr<StageScene>> all;
    std::unique_ptr<StageScene>& scene = all[config];
    if (!scene) {
        scene = std::make_unique<StageScene>(config);
    }
    return *scene;
}

bool is_sound(benchmark::State& state, StageScene& scene) {
    const char* const fault = scene.find_fault();
    if (fault != nullptr) {
        state.SkipWithError(fault);
    }
    return fault == nullptr;
}

void set_object_count(benchmark::State& state, std::size_t count) {
    state.counters["objects"] = static_cast<double>(std::max<std::size_t>(count, 1));
}

} // namespace glissade::bench
