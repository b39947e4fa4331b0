// SPDX-License-Identifier: MIT
#include "web/native/border.h"

#include "glissade/time/tick.h"
#include "glissade/version.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace glissade::web {

namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kMaxTimeMs = static_cast<double>(kMaxTimeNs) / kNsPerMs;
constexpr std::uint32_t kIndexBits = 24;
constexpr std::uint32_t kIndexMask = (1U << kIndexBits) - 1;
constexpr std::uint32_t kGenerationMask = (1U << 29U) - 1;

// Plain bytes: a thread-local object with a destructor would need an end of the thread, which an
// instance has not.
thread_local std::array<char, 256> problem{};

std::size_t append(std::size_t at, std::string_view text) noexcept {
    const std::size_t count = std::min(text.size(), problem.size() - 1 - at);
    std::memcpy(problem.data() + at, text.data(), count);
    return at + count;
}

} // namespace

int fail(const char* where, std::string_view why) noexcept {
    std::size_t end = append(0, where);
    end = append(end, ": ");
    end = append(end, why);
    problem[end] = '\0';
    return 0;
}

std::optional<std::int64_t> to_ns(double ms) noexcept {
    if (!(std::abs(ms) <= kMaxTimeMs)) {
        return std::nullopt;
    }
    return std::llround(ms * kNsPerMs);
}

double to_ms(std::int64_t ns) noexcept {
    return static_cast<double>(ns) / kNsPerMs;
}

double to_ms(const std::optional<std::int64_t>& ns) noexcept {
    return ns ? to_ms(*ns) : std::numeric_limits<double>::quiet_NaN();
}

std::optional<Rate> to_rate(double hz) noexcept {
    constexpr double kMillihertz = 1000.0;
    constexpr double kMaxHz = 1e6;
    if (!(hz > 0.0 && hz <= kMaxHz)) {
        return std::nullopt;
    }
    const Rate rate{std::llround(hz * kMillihertz), std::llround(kMillihertz)};
    return rate.is_valid() ? std::optional(rate) : std::nullopt;
}

double to_number(Id id) noexcept {
    const std::uint64_t generation = id.generation & kGenerationMask;
    return static_cast<double>(generation << kIndexBits | (id.index1 & kIndexMask));
}

Id to_id(double number) noexcept {
    constexpr double kMaxNumber = 9007199254740992.0; // 2^53
    if (!(number >= 1.0 && number < kMaxNumber) || number != std::floor(number)) {
        return {};
    }
    const auto bits = static_cast<std::uint64_t>(number);
    return {static_cast<std::uint32_t>(bits & kIndexMask),
            static_cast<std::uint32_t>(bits >> kIndexBits)};
}

std::int64_t to_trace_id(double number) noexcept {
    constexpr double kMaxNumber = 9007199254740992.0; // 2^53
    return std::abs(number) <= kMaxNumber ? std::llround(number) : 0;
}

Pose to_pose(const glissade_row& row) noexcept {
    const double* const p = row.position;
    const double* const q = row.rotation;
    return {.position = {p[0], p[1], p[2]},
            .rotation = quat_xyzw(static_cast<float>(q[0]), static_cast<float>(q[1]),
                                  static_cast<float>(q[2]), static_cast<float>(q[3]))};
}

Velocity to_velocity(const glissade_row& row) noexcept {
    const double* const v = row.velocity;
    const double* const w = row.angular_velocity;
    return {.linear = glm::vec3(glm::dvec3{v[0], v[1], v[2]}),
            .angular = glm::vec3(glm::dvec3{w[0], w[1], w[2]})};
}

glissade_drawn to_drawn(double id, const glm::dvec3& position,
                        const glm::dquat& rotation) noexcept {
    return {
        id, {position.x, position.y, position.z}, {rotation.x, rotation.y, rotation.z, rotation.w}};
}

} // namespace glissade::web

#ifdef __EMSCRIPTEN__
extern "C" void glissade_last_words(const char* words); // Called by runtime.c.
void glissade_last_words(const char* words) {
    std::string_view text = words; // As for a terminal: with a name before it and a line end.
    constexpr std::string_view kName = "glissade: ";
    text.remove_prefix(text.substr(0, kName.size()) == kName ? kName.size() : 0);
    text.remove_suffix(text.size() > 0 && text.back() == '\n' ? 1 : 0);
    glissade::web::fail("glissade", text);
}
#endif

const char* glissade_problem(void) {
    return glissade::web::problem.data();
}

const char* glissade_version(void) {
    return glissade::linked_version().data();
}

void* glissade_alloc(size_t bytes) {
    void* const memory = std::malloc(bytes);
    if (memory == nullptr) {
        glissade::web::fail("glissade_alloc", "out of memory");
    }
    return memory;
}

void glissade_free(void* memory) {
    std::free(memory);
}
