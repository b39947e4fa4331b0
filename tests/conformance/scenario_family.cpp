// SPDX-License-Identifier: MIT
// The family "InterpolationManager multi-tick": whole chases, quantum by quantum.
#include "glissade/remote/root_motion.h"

#include "conformance/chase_fields.h"
#include "conformance/families.h"

#include <algorithm>
#include <cstddef>

namespace glissade::conformance {

namespace {

// A chase along +Y, outdoors.
class Chase {
public:
    explicit Chase(const ChaseBody& body) : body_(body) {}

    void enqueue(double target_y) {
        queue_.enqueue(tuning_, body_, {body_.position.x, target_y, body_.position.z}, 0.0, false,
                       tuning_.far_gap_outdoors_m);
    }
    [[nodiscard]] ChaseStep adjust(double quantum_s) {
        return queue_.adjust(tuning_, body_, quantum_s);
    }
    void move(const glm::dvec3& step) { body_.position += step; }
    /// Where it snaps to, if it does.
    [[nodiscard]] bool finish(bool may_place) {
        const auto place = queue_.finish(tuning_, body_);
        if (place && may_place) {
            body_.position = place->position;
            queue_.clear(tuning_);
        }
        return place.has_value();
    }
    [[nodiscard]] double y() const { return body_.position.y; }
    [[nodiscard]] bool contact() const { return body_.contact; }
    [[nodiscard]] std::size_t queue_size() const { return queue_.size(); }
    [[nodiscard]] std::uint32_t failure_count() const { return queue_.state().failure_count; }
    [[nodiscard]] bool over() const { return queue_size() == 0 && failure_count() == 0; }

private:
    RemoteTuning tuning_{};
    ChaseBody body_;
    ChaseQueue queue_{};
};

void compare_progress(Fields& fields, const Chase& chase) {
    compare_whole(fields, "queue_len", chase.queue_size());
    compare_whole(fields, "fail", chase.failure_count());
}

// How much of each step the caller's world allows: one number, or one for each tick.
class Allowance {
public:
    static std::optional<Allowance> read(Fields& given) {
        const char* name = "fraction_of_offset_that_physics_allows";
        const Json* value = given.any(name);
        if (value == nullptr || !(value->is_object() || value->is_number())) {
            if (value != nullptr) {
                given.report().fail(given.path_of(name), "must be a number or a map by tick");
            }
            return std::nullopt;
        }
        const Json by_tick = value->is_object() ? *value : Json{{"default", *value}};
        Fields fields(by_tick, given.path_of(name), given.report());
        Allowance result;
        const auto otherwise = fields.number("default");
        result.default_ = otherwise.value_or(0.0);
        const bool complete = result.read_ticks(fields) && otherwise;
        return complete ? std::optional(result) : std::nullopt;
    }

    [[nodiscard]] double of(std::size_t tick) const {
        const auto found = std::find_if(ticks_.begin(), ticks_.end(),
                                        [&](const auto& entry) { return entry.first == tick; });
        return found == ticks_.end() ? default_ : found->second;
    }

private:
    // Names that are no tick are left unread, and so reported.
    bool read_ticks(Fields& fields) {
        for (const std::string& name : fields.unread()) {
            const Json tick = Json::parse(name, nullptr, false);
            if (!tick.is_number_unsigned()) {
                continue;
            }
            const auto fraction = fields.number(name);
            if (!fraction) {
                return false;
            }
            ticks_.emplace_back(tick.get<std::size_t>(), *fraction);
        }
        return true;
    }

    double default_ = 0.0;
    std::vector<std::pair<std::size_t, double>> ticks_;
};

struct Scenario {
    ChaseBody body{};
    double quantum_s = 0.0;
    std::vector<double> targets_y;
    Allowance allowance;
    std::vector<double> refused_ticks;

    [[nodiscard]] bool may_place(std::size_t tick) const {
        return std::find(refused_ticks.begin(), refused_ticks.end(), static_cast<double>(tick)) ==
               refused_ticks.end();
    }
};

std::optional<Scenario> read_scenario(Fields& given) {
    ChaseBody body;
    const auto position = read_vector(given, "body_pos");
    const auto contact = given.flag("contact");
    const bool has_speed = read_speed(given, "adjusted_max_speed", body);
    const auto quantum = read_quantum(given, "quantum");
    auto targets = given.numbers("enqueued_targets_y");
    const auto allowance = Allowance::read(given);
    const char* refused_name = "set_position_rejected_at_ticks";
    auto refused = given.has(refused_name) ? given.numbers(refused_name)
                                           : std::optional(std::vector<double>{});
    if (!position || !contact || !has_speed || !quantum || !targets || !allowance || !refused) {
        return std::nullopt;
    }
    body.position = *position;
    body.contact = *contact;
    return Scenario{body, *quantum, *std::move(targets), *allowance, *std::move(refused)};
}

enum class Snap : std::uint8_t { Done, Refused };
constexpr Word<Snap> kSnaps[] = {{"blip", Snap::Done}, {"blip_rejected", Snap::Refused}};

void compare_tick(Fields& row, const Scenario& scenario, Chase& chase, std::size_t tick) {
    const ChaseStep step = chase.adjust(scenario.quantum_s);
    chase.move(step.move * scenario.allowance.of(tick));
    const bool may_place = scenario.may_place(tick);
    const bool snaps = chase.finish(may_place);
    compare_whole(row, "tick", tick);
    compare_word(row, "event", kChaseEvents, step.event);
    compare_number(row, "body_y", chase.y());
    compare_progress(row, chase);
    if (snaps) {
        compare_word(row, "use_time", kSnaps, may_place ? Snap::Done : Snap::Refused);
    } else if (row.has("use_time")) {
        const auto expected = read_word(row, "use_time", kSnaps);
        row.report().expect_match(row.path_of("use_time"), !expected, "nothing snapped");
    }
}

void check_run(Fields& given, Fields& expect) {
    const auto scenario = read_scenario(given);
    const Json* after_enqueue = given.any("state_after_enqueue");
    const Json* rows = expect.array("ticks");
    if (!scenario || after_enqueue == nullptr || rows == nullptr) {
        return;
    }
    Chase chase(scenario->body);
    for (const double target_y : scenario->targets_y) {
        chase.enqueue(target_y);
    }
    {
        Fields fields(*after_enqueue, given.path_of("state_after_enqueue"), given.report());
        compare_progress(fields, chase);
    }
    for (std::size_t i = 0; i < rows->size(); ++i) {
        const std::string path = element_path(expect.path_of("ticks"), i);
        expect.report().expect_match(path, !chase.over(), "the chase is over before this tick");
        Fields row((*rows)[i], path, expect.report());
        compare_tick(row, *scenario, chase, i + 1);
    }
    // Without contact nothing ends a chase, so its log ends anywhere.
    expect.report().expect_match(expect.path_of("ticks"), chase.over() || !chase.contact(),
                                 "the chase goes on after the last tick");
    compare_number(expect, "final_body_y", chase.y());
}

// A runner whose root motion goes on while it chases a sample behind it.
void check_runner(Fields& given, Fields& expect) {
    const auto body_y = given.number("body_y");
    const auto target_y = given.number("target_y");
    const auto root_speed = given.number("root_speed");
    ChaseBody body;
    const bool has_speed = read_speed(given, "adjusted_max_speed", body);
    const auto quantum = read_quantum(given, "quantum");
    if (!body_y || !target_y || !root_speed || !has_speed || !quantum) {
        return;
    }
    const Displacement root =
        compute_root_step({.linear_m_s = {0.0, *root_speed, 0.0}}, 0.0, *quantum);
    body.position = {0.0, *body_y, 0.0};
    const auto compare_mode = [&](const char* name, RootMotion mode) {
        const auto expected = expect.numbers(name);
        Chase chase(body);
        chase.enqueue(*target_y);
        std::vector<double> places_y;
        while (expected && places_y.size() < expected->size()) {
            const ChaseStep step = chase.adjust(*quantum);
            const auto chased =
                step.moves ? std::optional(Displacement{step.move, step.turn_deg}) : std::nullopt;
            chase.move(combine_steps(mode, root, chased).move);
            static_cast<void>(chase.finish(true));
            places_y.push_back(chase.y());
        }
        compare_numbers(expect, name, places_y);
    };
    compare_mode("body_y_per_tick_retail_replace", RootMotion::Replace);
    compare_mode("body_y_per_tick_add_reference", RootMotion::Add);
}

} // namespace

void check_scenario_case(CaseFields& fields) {
    if (fields.given.has("root_speed") || fields.given.has("target_y")) {
        check_runner(fields.given, fields.expect);
    } else {
        check_run(fields.given, fields.expect);
    }
}

} // namespace glissade::conformance
