// SPDX-License-Identifier: MIT
#include "world.h"

#include "course.h"

#include <btBulletDynamicsCommon.h>

namespace physics_thread {

namespace {

constexpr float kHalfBox = 0.2F;
constexpr std::size_t kLiftsPerStep = 3; // 500 boxes: each one tumbles for 2.8 s.
constexpr double kWarmupStepS = 1.0 / 60.0;

btTransform to_bullet(const glissade::Pose& pose) {
    const glm::vec3 position(pose.position);
    const glm::quat& q = pose.rotation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w),
                       btVector3(position.x, position.y, position.z));
}

// Side by side on the ground, out of the way.
btTransform waiting_place(std::size_t box) {
    constexpr std::size_t kRowLength = 25;
    const auto column = static_cast<float>(box % kRowLength);
    const std::size_t row_number = box / kRowLength;
    const auto row = static_cast<float>(row_number);
    return btTransform(btQuaternion::getIdentity(), btVector3(12.0F + row, kHalfBox, column));
}

glm::vec3 to_glm(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}

BodyState read(const btRigidBody& body) {
    const btTransform& place = body.getWorldTransform();
    // Bullet lets the length of rotations slip a little; the library wants unit length.
    const btQuaternion q = place.getRotation().normalized();
    return {.pose = {.position = glm::dvec3(to_glm(place.getOrigin())),
                     .rotation = glissade::quat_xyzw(q.x(), q.y(), q.z(), q.w())},
            .velocity = {.linear = to_glm(body.getLinearVelocity()),
                         .angular = to_glm(body.getAngularVelocity())}};
}

} // namespace

struct World::Physics {
    btDefaultCollisionConfiguration configuration{};
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase{};
    btSequentialImpulseConstraintSolver solver{};
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btStaticPlaneShape ground_shape{btVector3(0.0F, 1.0F, 0.0F), 0.0F};
    btBoxShape slope_shape{btVector3(6.0F, 0.2F, 4.0F)};
    btBoxShape box_shape{btVector3(kHalfBox, kHalfBox, kHalfBox)};
    btCapsuleShape character_shape{0.4F, 1.0F};
    std::unique_ptr<btRigidBody> ground{};
    std::unique_ptr<btRigidBody> slope{};
    std::unique_ptr<btRigidBody> character{};
    std::vector<std::unique_ptr<btRigidBody>> boxes{};

    Physics() = default;
    Physics(const Physics&) = delete;
    Physics& operator=(const Physics&) = delete;
    Physics(Physics&&) = delete;
    Physics& operator=(Physics&&) = delete;
    ~Physics() {
        for (int i = world.getNumCollisionObjects(); i-- > 0;) {
            world.removeCollisionObject(world.getCollisionObjectArray()[i]);
        }
    }

    std::unique_ptr<btRigidBody> add(float mass, btCollisionShape& shape,
                                     const btTransform& place) {
        btVector3 inertia(0.0F, 0.0F, 0.0F);
        if (mass > 0.0F) {
            shape.calculateLocalInertia(mass, inertia);
        }
        auto body = std::make_unique<btRigidBody>(mass, nullptr, &shape, inertia);
        body->setWorldTransform(place);
        world.addRigidBody(body.get());
        return body;
    }
};

World::World(std::size_t box_count)
    : physics_(std::make_unique<Physics>()), bodies_(box_count + 1) {
    Physics& physics = *physics_;
    constexpr float kSlopeRad = 0.4F;
    const btQuaternion tilt(btVector3(0.0F, 0.0F, 1.0F), kSlopeRad);
    physics.ground = physics.add(0.0F, physics.ground_shape, btTransform::getIdentity());
    physics.slope =
        physics.add(0.0F, physics.slope_shape, btTransform(tilt, btVector3(0.0F, 2.5F, 0.0F)));
    bodies_[0].pose = course_pose(0.0);
    physics.character = physics.add(0.0F, physics.character_shape, to_bullet(bodies_[0].pose));
    physics.character->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    physics.character->setActivationState(DISABLE_DEACTIVATION);
    for (std::size_t box = 0; box < box_count; ++box) {
        physics.boxes.push_back(physics.add(1.0F, physics.box_shape, waiting_place(box)));
    }
    // Until all of them tumble: what is measured is the same from the first tick on.
    for (std::size_t lifted = 0; lifted < box_count; lifted += kLiftsPerStep) {
        step(0.0, kWarmupStepS);
    }
    for (BodyState& body : bodies_) {
        body.lifted = false;
    }
}

World::~World() = default;

void World::step(double time_s, double step_s) {
    for (BodyState& body : bodies_) {
        body.lifted = false;
    }
    Physics& physics = *physics_;
    bodies_[0].pose = course_pose(time_s);
    const glm::dvec3 from = course_pose(time_s - step_s).position;
    bodies_[0].velocity.linear = glm::vec3((bodies_[0].pose.position - from) / step_s);
    const glm::vec3& speed = bodies_[0].velocity.linear;
    physics.character->setLinearVelocity({speed.x, speed.y, speed.z});
    physics.character->setWorldTransform(to_bullet(bodies_[0].pose));
    // No steps of its own: its motion states would be interpolated once more.
    physics.world.stepSimulation(static_cast<float>(step_s), 0);
    lift_boxes();
    read_boxes();
}

void World::lift_boxes() {
    const std::size_t box_count = physics_->boxes.size();
    for (std::size_t i = 0; i < kLiftsPerStep && i < box_count; ++i) {
        lift(next_lift_);
        next_lift_ = (next_lift_ + 1) % box_count;
    }
}

void World::lift(std::size_t box) {
    const auto random = [this] { // In [-1, 1).
        random_ = random_ * 1664525U + 1013904223U;
        return static_cast<float>(random_ >> 8U) / 8388608.0F - 1.0F;
    };
    btRigidBody& body = *physics_->boxes[box];
    const btVector3 place(4.0F + 2.0F * random(), 8.0F + 2.5F * random(), 4.0F * random());
    const btQuaternion turn(random(), random(), random(), 1.5F);
    body.setWorldTransform(btTransform(turn.normalized(), place));
    body.setLinearVelocity({random(), 0.0F, random()});
    body.setAngularVelocity({6.0F * random(), 6.0F * random(), 6.0F * random()});
    body.activate(true);
    bodies_[box + 1].lifted = true;
}

void World::read_boxes() {
    for (std::size_t box = 0; box < physics_->boxes.size(); ++box) {
        BodyState& state = bodies_[box + 1];
        const bool lifted = state.lifted;
        state = read(*physics_->boxes[box]);
        state.lifted = lifted;
    }
}

} // namespace physics_thread
