// SPDX-License-Identifier: MIT
#include "tests/c/c_world.h"

#include <cmath>
#include <set>

namespace glissade::c_test {
namespace {

constexpr std::uint32_t kMaxObjects = 4;
constexpr int kWarmup = 300; // Frames, 2.1 s.

Method make_method(const char* name) {
    return Method(glissade_method_create(name, kTickMs, kMaxObjects));
}

std::vector<std::string> method_names() {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < glissade_method_count(); ++i) {
        names.emplace_back(glissade_method_name(i));
    }
    return names;
}

// What a method draws of a body at a constant speed, every fifth tick 6 ms late.
std::vector<double> draw(const char* name, int frame_count) {
    const LinkMemory link(kMaxObjects);
    FrameLoop loop(link);
    loop.longest_late_ms = 6.0;
    const Method method = make_method(name);
    std::vector<double> drawn;
    const auto on_frame = [&](double frame, double now_ms) {
        const std::uint32_t count = glissade_method_frame(method.get(), frame, now_ms, now_ms);
        if (count == 1) {
            EXPECT_EQ(glissade_method_poses(method.get())->id, loop.source.id) << name;
            drawn.push_back(glissade_method_poses(method.get())->position[0]);
        }
    };
    loop.run(
        frame_count, [&](const glissade_tick* state) { glissade_method_tick(method.get(), state); },
        on_frame);
    return drawn;
}

// RMS of how far each step is off the even one, after the warm-up.
double rate_error(const char* name) {
    const std::vector<double> drawn = draw(name, 1000);
    double sum = 0.0;
    int count = 0;
    for (std::size_t i = kWarmup; i < drawn.size(); ++i, ++count) {
        const double error = (drawn[i] - drawn[i - 1]) / position_at(kFrameMs) - 1.0;
        sum += error * error;
    }
    return std::sqrt(sum / count);
}

TEST(CMethod, PlayoutIsTheFirstAndIsOurs) {
    ASSERT_GT(glissade_method_count(), 0U);
    EXPECT_STREQ(glissade_method_name(0), "playout");
    EXPECT_EQ(glissade_method_is_ours(0), 1);
}

TEST(CMethod, EveryNameIsThereOnceAndSaysWhatIsSeen) {
    const std::vector<std::string> names = method_names();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    EXPECT_THAT(names, ::testing::IsSupersetOf({"playout", "newest", "constant-interval"}));
    int ours = 0;
    for (std::uint32_t i = 0; i < glissade_method_count(); ++i) {
        EXPECT_STRNE(glissade_method_line(i), "") << names[i];
        ours += glissade_method_is_ours(i);
    }
    EXPECT_LT(ours, static_cast<int>(names.size())) << "the others are the well-known attempts";
}

TEST(CMethod, BeyondTheLastThereIsNone) {
    const std::uint32_t beyond = glissade_method_count();
    EXPECT_EQ(glissade_method_name(beyond), nullptr);
    EXPECT_EQ(glissade_method_line(beyond), nullptr);
    EXPECT_EQ(glissade_method_is_ours(beyond), 0);
}

TEST(CMethod, EveryOneCanBeMadeAndFollowsTheBody) {
    for (const std::string& name : method_names()) {
        const std::vector<double> drawn = draw(name.c_str(), kWarmup);
        ASSERT_GT(drawn.size(), kWarmup / 2U) << name;
        // 2.1 s at 2 m/s, and no method is as much as 0.5 s behind.
        EXPECT_NEAR(drawn.back(), position_at(kWarmup * kFrameMs), 1.0) << name;
    }
}

TEST(CMethod, PlayoutIsSmootherThanTheNewestStateWhenTicksAreLate) {
    // The rate of playout is within [0.98, 1.005]. The newest state stands, or makes a step of a
    // tick: rates of 0 and 16/7, 1.13 in RMS if all were on time, more if some are late.
    EXPECT_LT(rate_error("playout"), 0.02);
    EXPECT_GT(rate_error("newest"), 1.13);
}

TEST(CMethod, PlayoutTellsWhatItAimedAt) {
    const LinkMemory link(kMaxObjects);
    FrameLoop loop(link);
    const Method method = make_method("playout");
    loop.run(
        kWarmup, [&](const glissade_tick* state) { glissade_method_tick(method.get(), state); },
        [&](double frame, double now_ms) {
            glissade_method_frame(method.get(), frame, now_ms, now_ms);
        });
    const double sample_ms = glissade_method_sample(method.get());
    // The source's present is the clock's; times are whole nanoseconds.
    EXPECT_NEAR(sample_ms + glissade_method_delay(method.get()), loop.now_ms, 1e-5);
    // Blended by a float of the time between two ticks, 2^-24 of 32 mm.
    EXPECT_NEAR(glissade_method_poses(method.get())->position[0], position_at(sample_ms), 1e-8);
}

TEST(CMethod, WithoutAStateNothingIsDrawn) {
    for (const std::string& name : method_names()) {
        const Method method = make_method(name.c_str());
        EXPECT_EQ(glissade_method_frame(method.get(), 1.0, 10.0, kNone), 0U) << name;
    }
}

TEST(CMethod, AFrameAtNoTimeKeepsThePictureAndSaysWhy) {
    const LinkMemory link(kMaxObjects);
    FrameLoop loop(link);
    const Method method = make_method("newest");
    loop.run(
        10, [&](const glissade_tick* state) { glissade_method_tick(method.get(), state); },
        [&](double frame, double now_ms) {
            glissade_method_frame(method.get(), frame, now_ms, now_ms);
        });
    const double x = glissade_method_poses(method.get())->position[0];
    EXPECT_EQ(glissade_method_frame(method.get(), 11.0, kNone, kNone), 1U);
    EXPECT_THAT(glissade_problem(), says("glissade_method_frame: a time that no clock shows"));
    EXPECT_EQ(glissade_method_poses(method.get())->position[0], x);
}

TEST(CMethod, AnUnknownNameIsRefusedWithAReason) {
    // The last one is of the lab, but draws no ticks.
    for (const char* const name : {"", "Playout", "no-such-method", "chase"}) {
        EXPECT_EQ(glissade_method_create(name, kTickMs, kMaxObjects), nullptr) << name;
        EXPECT_THAT(glissade_problem(),
                    says("glissade_method_create: there is no method of that name"));
    }
}

TEST(CMethod, ANumberOfObjectsThatNoStageHasIsRefusedWithAReason) {
    for (const std::uint32_t max_objects : {0U, 0xFFFFFFFFU}) {
        EXPECT_EQ(Method(glissade_method_create("playout", kTickMs, max_objects)), nullptr)
            << max_objects;
        EXPECT_THAT(glissade_problem(), says("glissade_method_create: max_objects"));
    }
}

} // namespace
} // namespace glissade::c_test
