// SPDX-License-Identifier: MIT
// One second of a box at 60 ticks and 144 frames per second: the library as a stranger uses it.
#include <cmath>
#include <cstdint>
#include <cstdio>

#include <glissade/glissade.h>

int main() {
    glissade::FixedStep step({.rate = {60, 1}});
    glissade::Stage stage({.capacity = 4});
    const glissade::Id box = stage.add({.position = {0, 0, 0}});

    for (std::int64_t frame = 0; frame <= 144; ++frame) {
        const std::int64_t now_ns = frame * 1'000'000'000 / 144;
        for (const glissade::Tick tick : step.advance_to(now_ns)) {
            const double x = tick.step_s * static_cast<double>(tick.index);
            (void)stage.move(tick, box, {.position = {x, 0, 0}});
        }
        (void)stage.present(step.sample());
    }

    const double x = static_cast<double>(stage.visual(box).position.x);
    const bool moved = std::isfinite(x) && x > 0;
    std::printf("the box is at x = %.4f: %s\n", x, moved ? "as expected" : "wrong");
    return moved ? 0 : 1;
}
