// SPDX-License-Identifier: MIT
// Two rows change places with everything that they have.
#include "stage/mover_table.h"

#include "stage/stage_scene.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::uint32_t kHistory = 3;
constexpr std::uint32_t kChannels = 2;
constexpr std::array kMasks{RowMask::Special, RowMask::Scaled, RowMask::Velocity, RowMask::Hermite,
                            RowMask::Spin,    RowMask::Look,   RowMask::Changed,  RowMask::Shown};

/// Everything that can be asked of a row.
struct RowPicture {
    RowPicture(MoverTable& table, std::uint32_t row)
        : id(table.id(row)),
          visual(table.visual(row)),
          previous(table.previous(row)),
          offset(table.offset(row).position),
          appear_ns(table.info(row).appear_ns),
          is_plain(table.is_plain(row)) {
        for (std::size_t place = 0; place < kHistory; ++place) {
            const State state = table.load(row, place);
            poses.push_back(state.pose);
            velocities.push_back(state.velocity);
            marks.push_back(state.marks);
            for (std::uint32_t number = 0; number < kChannels; ++number) {
                channels.push_back(table.load_channel(row, place, number));
            }
        }
        for (std::uint32_t number = 0; number < kChannels; ++number) {
            channels.push_back(table.visual_channel(row, number));
        }
        for (const RowMask mask : kMasks) {
            bits.push_back(table.test(mask, row));
        }
    }
    bool operator==(const RowPicture&) const = default;

    Id id;
    Pose visual;
    Pose previous;
    glm::vec3 offset;
    std::int64_t appear_ns;
    bool is_plain;
    std::vector<Pose> poses;
    std::vector<Velocity> velocities;
    std::vector<std::uint8_t> marks;
    std::vector<float> channels;
    std::vector<bool> bits;
};

/// A row in which everything is something else than in the others.
std::uint32_t push_row(MoverTable& table, Random& random, std::uint32_t number) {
    const std::array<float, kChannels> first{1.0F, 2.0F};
    const std::uint32_t row =
        table.push({.index1 = number + 1, .generation = 1}, draw_scene_pose(random), first);
    for (std::size_t place = 0; place < kHistory; ++place) {
        const std::array<float, kChannels> values{static_cast<float>(draw_real(random, 0.0, 9.0)),
                                                  static_cast<float>(number)};
        table.store(row, place,
                    {.pose = draw_scene_pose(random),
                     .marks = static_cast<std::uint8_t>((number + place) % 4)});
        table.store_channels(row, place, values);
    }
    table.set_visual(row, draw_scene_pose(random));
    table.set_previous(row, draw_scene_pose(random));
    table.set_visual_channel(row, 0, static_cast<float>(number));
    table.set_visual_channel(row, 1, -static_cast<float>(number));
    table.offset(row).position = glm::vec3(draw_position(random));
    table.edit(row).appear_ns = number;
    table.assign(RowMask::Special, row, number % 2 == 0);
    table.assign(RowMask::Look, row, number % 3 == 0);
    table.assign(RowMask::Changed, row, number % 5 == 0);
    table.assign(RowMask::Shown, row, number % 7 == 0);
    return row;
}

/// Gives a row a scale and a velocity, which others have never had.
void widen(MoverTable& table, Random& random, std::uint32_t row) {
    table.store(row, 1, {.pose = draw_scaled_pose(random), .velocity = draw_velocity(random)});
    table.set_blend(row, Blend::Hermite);
}

TEST(MoverTable, RowsChangePlacesWithAllTheyHave) {
    MoverTable table(200, kHistory, kChannels);
    Random random(17);
    for (std::uint32_t number = 0; number < 200; ++number) {
        push_row(table, random, number);
    }
    widen(table, random, 12);
    widen(table, random, 13);
    // Neighbours, other blocks, wide and plain rows, both wide, a row with itself.
    for (const auto& [a, b] : {std::pair{1U, 2U},
                               {0U, 199U},
                               {12U, 70U},
                               {71U, 13U},
                               {13U, 12U},
                               {70U, 71U},
                               {64U, 63U},
                               {5U, 5U}}) {
        const RowPicture first(table, a);
        const RowPicture second(table, b);
        const RowPicture other(table, 100);
        table.swap_rows(a, b);
        EXPECT_EQ(RowPicture(table, a), second) << a << " and " << b;
        EXPECT_EQ(RowPicture(table, b), first) << a << " and " << b;
        EXPECT_EQ(RowPicture(table, 100), other) << a << " and " << b;
    }
}

} // namespace
} // namespace glissade::testing
