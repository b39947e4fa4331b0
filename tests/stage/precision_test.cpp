// SPDX-License-Identifier: MIT
#include "glissade/stage/stage.h"

#include "pose/near.h"
#include "support/stage_runner.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::int64_t kTickNs = 20'000'000;

// Trap 43.
TEST(StagePrecision, OneMillimetreATickIsMonotoneAt100Kilometres) {
    const glm::dvec3 start(1e5, -1e5, 1e5);
    StageRunner runner({.rate = {50, 1}});
    Stage& stage = runner.stage;
    const Id id = stage.add({.position = start});
    const Id child = stage.add({.position = {0.25, 0.0, 0.0}}, {.parent = id});
    double last = -1.0;
    float last_row = -1.0F;
    float last_child = -1.0F;
    runner.run(
        {1000, 1}, 1000,
        [&](const Tick& tick) {
            const glm::dvec3 way(1e-3 * static_cast<double>(tick.index), 0.0, 0.0);
            EXPECT_EQ(stage.move(tick, id, {.position = start + way}), StageStatus::Ok);
        },
        [&](const SampleTime& sample) {
            const double x = stage.visual(id).position.x - start.x;
            std::array<glm::mat3x4, 2> rows;
            ASSERT_EQ(stage.write_matrices(std::array{id, child}, rows, start), StageStatus::Ok);
            glm::mat4 columns;
            ASSERT_EQ(stage.write_matrices({&id, 1}, {&columns, 1}, start), StageStatus::Ok);
            // The first tick's duration shows the start.
            if (sample.time_ns > 0) {
                EXPECT_GT(x, last);
                EXPECT_GT(rows[0][0].w, last_row);
                EXPECT_GT(rows[1][0].w, last_child);
                // Doubles at 1e5 m are 1.5e-11 m apart: states, difference and sum each round.
                EXPECT_NEAR(x, 1e-3 * static_cast<double>(sample.time_ns) / kTickNs, 5e-11);
            }
            // Floats below 0.3 m are 3e-8 m apart at most.
            EXPECT_NEAR(rows[0][0].w, x, 2e-8);
            EXPECT_NEAR(rows[1][0].w, x + 0.25, 2e-8);
            EXPECT_EQ(columns[3].x, rows[0][0].w);
            EXPECT_EQ(rows[0][1].w, 0.0F);
            last = x;
            last_row = rows[0][0].w;
            last_child = rows[1][0].w;
        });
    EXPECT_GT(last, 0.04);
}

void creep_at_the_end_of_the_range(Blend blend) {
    Stage stage;
    const double start = kMaxPosition - 1.0;
    const Id id = stage.add(at_x(start), {.blend = blend});
    double last = start;
    for (std::int64_t index = 1; index < 200; ++index) {
        const Extra extra{.velocity = {.linear = {0.05F, 0.0F, 0.0F}}};
        ASSERT_EQ(
            stage.move(tick_at(index), id, at_x(start + 1e-3 * static_cast<double>(index)), extra),
            StageStatus::Ok);
        for (std::int64_t part = 0; part < 5; ++part) {
            ASSERT_EQ(stage.present({.time_ns = (index - 1) * kTickNs + part * 4'000'000}),
                      StageStatus::Ok);
            EXPECT_GE(stage.visual(id).position.x, last);
            last = stage.visual(id).position.x;
        }
    }
    EXPECT_GT(last, start + 0.15);
}

// Trap 43: with every kind of blend, and past the resolution of a double nothing runs back.
TEST(StagePrecision, NothingRunsBackwardsAtTheEndOfTheRange) {
    for (const Blend blend : {Blend::Linear, Blend::Hermite, Blend::HermitePath, Blend::Hold}) {
        creep_at_the_end_of_the_range(blend);
    }
}

// Trap 44: one alpha for all bodies of a track. Steps, distances and alphas are sums of few powers
// of two here, so that nothing is rounded and "exactly" means all bits.
TEST(StagePrecision, TwoBodiesThatMoveTogetherKeepTheirDistanceExactly) {
    constexpr std::int64_t kPeriodNs = 1 << 24;
    Stage stage;
    const glm::dvec3 apart(1.0, -0.5, 0.25);
    const Id first = stage.add({});
    const Id second = stage.add({.position = apart});
    for (std::int64_t index = 1; index < 100; ++index) {
        const double x = 0.125 * static_cast<double>(index * index);
        const Tick tick = tick_at(index, kPeriodNs);
        // They rest together as well, wake together, and are reported in either order.
        if (index % 10 < 7) {
            const bool swapped = index % 2 == 0;
            const Pose a = at_x(x);
            const Pose b{.position = a.position + apart};
            ASSERT_EQ(stage.move(tick, swapped ? second : first, swapped ? b : a), StageStatus::Ok);
            ASSERT_EQ(stage.move(tick, swapped ? first : second, swapped ? a : b), StageStatus::Ok);
        }
        for (std::int64_t part = 0; part < 64; part += 5) {
            const std::int64_t time_ns = (index - 1) * kPeriodNs + part * (kPeriodNs / 64);
            ASSERT_EQ(stage.present({.time_ns = time_ns, .newest = tick}), StageStatus::Ok);
            ASSERT_EQ(stage.visual(second).position - stage.visual(first).position, apart);
        }
    }
}

// Trap 44: with alphas of all kinds only the last place of each coordinate is rounded.
TEST(StagePrecision, TwoBodiesThatMoveTogetherKeepTheirDistanceAtAnyFrameRate) {
    for (const Rate frames : kFrameRates) {
        StageRunner runner;
        Stage& stage = runner.stage;
        const Id first = stage.add(at_x(0.0));
        const Id second = stage.add(at_x(1.0));
        runner.run(
            frames, 2 * frames.numerator,
            [&](const Tick& tick) {
                const double x = 0.1 * static_cast<double>(tick.index);
                EXPECT_EQ(stage.move(tick, first, at_x(x)), StageStatus::Ok);
                EXPECT_EQ(stage.move(tick, second, at_x(x + 1.0)), StageStatus::Ok);
            },
            [&](const SampleTime&) {
                // Doubles below 16 m are 2^-49 m apart, and four values are rounded by half of it.
                EXPECT_NEAR(stage.visual(second).position.x - stage.visual(first).position.x, 1.0,
                            std::ldexp(1.0, -48));
            });
    }
}

/// The largest distance between the drawn path of a falling body and the true one.
double measure_chord_error(Rate ticks, Blend blend) {
    constexpr double kGravity = 9.81;
    StageRunner runner({.rate = ticks});
    Stage& stage = runner.stage;
    const auto height = [](double time_s) {
        return 5.0 * time_s - 0.5 * kGravity * time_s * time_s;
    };
    const auto velocity = [](double time_s) {
        return Velocity{.linear = {0.0F, static_cast<float>(5.0 - kGravity * time_s), 0.0F}};
    };
    const Id id = stage.spawn(Tick{.index = 0, .time_ns = 0, .duration_ns = 1}, {},
                              {.blend = blend}, {.velocity = velocity(0.0)});
    double largest = 0.0;
    runner.run(
        {997, 1}, 997,
        [&](const Tick& tick) {
            const double time_s = to_s(tick.time_ns);
            EXPECT_EQ(stage.move(tick, id, {.position = {0.0, height(time_s), 0.0}},
                                 {.velocity = velocity(time_s)}),
                      StageStatus::Ok);
        },
        [&](const SampleTime& sample) {
            const double due = height(std::max(to_s(sample.time_ns), 0.0));
            largest = std::max(largest, std::abs(stage.visual(id).position.y - due));
        });
    return largest;
}

// Trap 40.
TEST(StagePrecision, AStraightChordIsOffByNoMoreThanAnEighthOfTheAccelerationATickSquared) {
    for (const std::int64_t rate : {10, 30, 60}) {
        const double bound = 9.81 / static_cast<double>(rate * rate) / 8.0;
        const double error = measure_chord_error({rate, 1}, Blend::Linear);
        EXPECT_LE(error, bound + 1e-9) << rate;
        // And the bound is reached, so the measurement measures.
        EXPECT_GE(error, 0.98 * bound) << rate;
        // A parabola is a cubic; velocities are floats, 5e-7 m/s off for a tenth of a second.
        EXPECT_LE(measure_chord_error({rate, 1}, Blend::Hermite), 1e-7) << rate;
    }
}

/// Ticks 0 and 1 have these scales; what is shown at fraction `t` between them.
glm::mat3 show_scaled(const glm::vec3& from, const glm::vec3& to, double t) {
    Stage stage;
    const Id id = stage.add({.scale = from});
    EXPECT_EQ(stage.move(tick_at(1), id, {.scale = to}), StageStatus::Ok);
    EXPECT_EQ(stage.present({.time_ns = static_cast<std::int64_t>(t * kTickNs)}), StageStatus::Ok);
    return stage.world(id).linear;
}

// Trap 37.
TEST(StagePrecision, AScaleBlendsEvenlyAndEndsExactly) {
    EXPECT_EQ(show_scaled(glm::vec3(2.0F), glm::vec3(1.0F), 0.5), glm::mat3(1.5F));
    EXPECT_EQ(show_scaled(glm::vec3(2.0F), glm::vec3(1.0F), 0.0), glm::mat3(2.0F));
    EXPECT_EQ(show_scaled(glm::vec3(2.0F), glm::vec3(1.0F), 1.0), glm::mat3(1.0F));
    EXPECT_EQ(show_scaled(glm::vec3(0.1F), glm::vec3(1.0F), 1.0), glm::mat3(1.0F));
}

// Trap 37.
TEST(StagePrecision, AMirrorFlipNeverPassesThroughAFlatMatrix) {
    for (const double t : {0.0, 0.25, 0.5, 0.75, 0.999, 1.0}) {
        const float sign = t < 1.0 ? 1.0F : -1.0F;
        EXPECT_EQ(glm::determinant(show_scaled(glm::vec3(1.0F), {-1.0F, 1.0F, 1.0F}, t)), sign);
        // Two flips leave the sign of the determinant, and would still pass through zero.
        EXPECT_EQ(glm::determinant(show_scaled(glm::vec3(1.0F), {-1.0F, -1.0F, 1.0F}, t)), 1.0F);
    }
    // Down to a zero of the caller's own it is flat at the end only.
    EXPECT_GT(glm::determinant(show_scaled(glm::vec3(1.0F), glm::vec3(0.0F), 0.99)), 0.0F);
    EXPECT_EQ(glm::determinant(show_scaled(glm::vec3(1.0F), glm::vec3(0.0F), 1.0)), 0.0F);
}

} // namespace
} // namespace glissade::testing
