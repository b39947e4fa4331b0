// SPDX-License-Identifier: MIT
// What a simulation hands over: a few ticks' worth of poses, made before anything is timed.
#pragma once

#include "glissade/stage/stage_types.h"

#include "base/column.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glissade::bench {

inline constexpr std::int64_t kTickNs = 20'000'000;
inline constexpr double kTickS = 0.02;

/// Ticks take these sets in turn, so that no tick repeats the one before it. No more than two: a
/// simulation that fills one array every tick finds it in the caches, too.
inline constexpr std::size_t kTickSetCount = 2;

/// The states of all movers after one tick.
struct TickSet {
    std::array<Column<double>, 3> position;
    std::array<Column<float>, 4> rotation; ///< x, y, z, w
    std::array<Column<float>, 3> scale;
    std::vector<Pose> poses;          ///< The same without scale; see TickInputs::make_poses().
    std::vector<Velocity> velocities; ///< See TickInputs::make_velocities().
};

/// How rows turn from tick to tick.
enum class Turns : std::uint8_t {
    Any,  ///< Rows of even number get a random rotation each tick, the others turn evenly.
    Even, ///< By 1.2 radians a tick about an axis of their own.
};

/// Where rows are.
enum class Places : std::uint8_t {
    Field, ///< All over a field of a kilometre or more.
    Near,  ///< Within 10 m on each axis, as parts of something are.
};

/// The states of `count` movers over kTickSetCount ticks.
class TickInputs {
public:
    TickInputs(std::size_t count, Turns turns, Places places);

    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] const TickSet& set(std::int64_t tick) const noexcept {
        return sets_[static_cast<std::size_t>(tick) % kTickSetCount];
    }
    [[nodiscard]] PoseColumns columns(std::int64_t tick, bool scaled) const noexcept;
    [[nodiscard]] Pose pose(std::int64_t tick, std::size_t row, bool scaled) const noexcept;
    /// The velocity of the step that led to the state.
    [[nodiscard]] Velocity velocity(std::int64_t tick, std::size_t row) const noexcept;

    /// For calls that take poses or velocities as structs. Made once.
    void make_poses();
    void make_velocities();

private:
    std::size_t count_;
    std::array<TickSet, kTickSetCount> sets_;
};

/// Shared by all that moves as many objects.
[[nodiscard]] TickInputs& inputs_of(std::size_t count, Turns turns, Places places = Places::Field);

} // namespace glissade::bench
