// SPDX-License-Identifier: MIT
// Words and shapes that vectors may have, and the shipped ones have not.
#include "conformance/vector_folder.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace glissade::conformance {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Overlays `changes` on the JSON of `base`.
Json with(const char* base, const char* changes = "{}") {
    Json result = Json::parse(base);
    result.merge_patch(Json::parse(changes));
    return result;
}

std::vector<std::string> check(const char* family, Json vector_case) {
    vector_case["id"] = "shape";
    return VectorFolder(Json{{"schema", "ac-vectors/1"},
                             {"family", family},
                             {"tolerance_abs", 0.0001},
                             {"cases", Json::array({std::move(vector_case)})}})
        .check()
        .failures;
}

constexpr const char* kAdjust = "InterpolationManager.adjust_offset";

// merge_patch removes what is null, so the blip position is a point here.
constexpr const char* kRestingAdjust = R"({
    "given": {"body_pos": [1, 2, 3], "body_heading": 90, "contact": true, "sticky_target": false,
        "adjusted_max_speed": 4.0, "root_motion_local": [0, 0.2, 0],
        "state": {"queue": [{"kind": "position", "pos": [9, 2, 3], "heading": 0}],
            "keep_heading": false, "frame_counter": 1, "progress_quantum": 0.1,
            "original_distance": 8.0, "node_fail_counter": 0, "blipto_position": [0, 1, 0]}},
    "when": {"quantum": 0.05},
    "expect": {"event": "none", "offset_overwritten": false, "offset_local": [0, 0.2, 0],
        "body_pos_after": [1.2, 2, 3], "body_heading_after": 90,
        "state": {"queue": [{"kind": "position", "pos": [9, 2, 3], "heading": 0}],
            "keep_heading": false, "frame_counter": 1, "progress_quantum": 0.1,
            "original_distance": 8.0, "node_fail_counter": 0, "blipto_position": [0, 1, 0]}}})";

TEST(Shapes, AChaseRestsWithoutContactAndBehindAJump) {
    EXPECT_THAT(check(kAdjust, with(kRestingAdjust, R"({"given": {"contact": false}})")),
                IsEmpty());
    for (const char* jump : {R"({"kind": "jump"})",
                             R"({"kind": "jump", "pos": [4, 4, 4], "heading": 7, "note": "x"})"}) {
        Json vector_case = with(kRestingAdjust);
        vector_case["given"]["state"]["queue"][0] = Json::parse(jump);
        vector_case["expect"]["state"]["queue"][0] = Json::parse(jump);
        EXPECT_THAT(check(kAdjust, vector_case), IsEmpty());
        vector_case["expect"]["state"]["queue"][0]["kind"] = "position";
        EXPECT_THAT(check(kAdjust, vector_case), Contains(HasSubstr("queue[0].kind: got jump")));
    }
}

TEST(Shapes, AStepIsReportedWithItsSpeedAndARestIsNot) {
    Json vector_case = with(kRestingAdjust);
    EXPECT_THAT(check(kAdjust, vector_case), Contains(HasSubstr("expect.event: got step")));
    EXPECT_THAT(check(kAdjust, vector_case), Contains(HasSubstr("expect.speed: missing field")));
    EXPECT_THAT(check(kAdjust, with(kRestingAdjust, R"({"given": {"contact": false},
                    "expect": {"speed": 8.0}})")),
                ElementsAre(HasSubstr("expect.speed: unknown field")));
}

TEST(Shapes, AStickyBodyPassesEveryWindow) {
    EXPECT_THAT(check(kAdjust, with(kRestingAdjust, R"({
        "given": {"sticky_target": true, "state": {"frame_counter": 4}},
        "expect": {"event": "step_window_pass", "offset_overwritten": true, "speed": 8,
            "step_cap": 0.4, "heading_offset": 270, "offset_local": [0, 0.4, 0],
            "body_pos_after": [1.4, 2, 3], "body_heading_after": 0,
            "state": {"frame_counter": 0, "progress_quantum": 0.0}}})")),
                IsEmpty());
}

// Queues by their length: a rule in both states, counters as they like.
constexpr const char* kByRule = R"({
    "given": {"body_pos": [0, 0, 0], "body_heading": 0, "contact": true, "sticky_target": false,
        "adjusted_max_speed": 4.0, "root_motion_local": [0, 0, 0],
        "state": {"queue_len": 3, "queue_rule": "one metre apart", "keep_heading": false,
            "frame_counter": 2, "node_fail_counter": 1}},
    "when": {"quantum": 0.033333},
    "expect": {"event": "step", "offset_overwritten": true, "speed": 8.0, "step_cap": 0.266667,
        "offset_local": [0, 0.266667, 0], "heading_offset": 0, "body_pos_after": [0, 0.266667, 0],
        "body_heading_after": 0,
        "state": {"queue_len": 3, "queue_rule": "one metre apart", "frame_counter": 3}}})";

TEST(Shapes, AQueueMayBeWrittenByItsLengthOnBothSides) {
    EXPECT_THAT(check(kAdjust, with(kByRule)), IsEmpty());
    EXPECT_THAT(check(kAdjust, with(kByRule, R"({"expect": {"state": {"node_fail_counter": 0}}})")),
                ElementsAre(HasSubstr("expect.state.node_fail_counter: expected 0, got 1")));
    EXPECT_THAT(check(kAdjust, with(kByRule, R"({"expect": {"state": {"queue_len": 4}}})")),
                ElementsAre(HasSubstr("expect.state.queue_len: expected 4, got 3")));
    // By its ends, which then must be there, as must the failures.
    EXPECT_THAT(check(kAdjust, with(kByRule, R"({"expect": {"state": {"queue_rule": null,
                    "head": {"kind": "position", "pos": [0, 1, 0], "heading": 0},
                    "tail": {"kind": "position", "pos": [0, 3, 0], "heading": 0},
                    "node_fail_counter": 1}}})")),
                IsEmpty());
    EXPECT_THAT(check(kAdjust, with(kByRule, R"({"expect": {"state": {"queue_rule": null}}})")),
                ElementsAre(HasSubstr("head: missing field"), HasSubstr("tail: missing field"),
                            HasSubstr("node_fail_counter: missing field")));
}

TEST(Shapes, AQueueByRuleThatWasChangedIsNoticed) {
    // A body at the head takes it off, so that the rest is not where the rule says.
    EXPECT_THAT(check(kAdjust, with(kByRule, R"({
        "given": {"body_pos": [0, 1, 0]},
        "expect": {"event": "completed", "offset_overwritten": false, "speed": null,
            "step_cap": null, "heading_offset": null, "offset_local": [0, 0, 0],
            "body_pos_after": [0, 1, 0], "state": {"queue_len": 2, "frame_counter": 0}}})")),
                Contains(HasSubstr("expect.state.queue_rule[0]: expected 1, got 2")));
}

constexpr const char* kScenario = R"({
    "given": {"body_pos": [0, 0, 0], "contact": true, "adjusted_max_speed": 4.0, "quantum": 0.1,
        "enqueued_targets_y": [1.0], "state_after_enqueue": {"queue_len": 1, "fail": 0},
        "fraction_of_offset_that_physics_allows": {"default": 1.0, "2": 0.0}},
    "expect": {"ticks": [
        {"tick": 1, "event": "step", "body_y": 0.8, "queue_len": 1, "fail": 0},
        {"tick": 2, "event": "step", "body_y": 0.8, "queue_len": 1, "fail": 0},
        {"tick": 3, "event": "step", "body_y": 1.0, "queue_len": 1, "fail": 0},
        {"tick": 4, "event": "completed", "body_y": 1.0, "queue_len": 0, "fail": 0}],
        "final_body_y": 1.0}})";
constexpr const char* kScenarioFamily = "InterpolationManager multi-tick";

TEST(Shapes, AScenarioEndsWithItsChase) {
    Json vector_case = with(kScenario);
    EXPECT_THAT(check(kScenarioFamily, vector_case), IsEmpty());
    Json& ticks = vector_case["expect"]["ticks"];
    ticks.push_back(ticks[3]);
    ticks[4]["tick"] = 5;
    ticks[4]["event"] = "none";
    EXPECT_THAT(check(kScenarioFamily, vector_case),
                ElementsAre(HasSubstr("ticks[4]: the chase is over before this tick")));
    ticks.erase(4);
    ticks.erase(3);
    EXPECT_THAT(check(kScenarioFamily, vector_case),
                ElementsAre(HasSubstr("ticks: the chase goes on after the last tick")));
}

TEST(Shapes, AScenarioReportsASnapOnlyWhenThereIsOne) {
    Json vector_case = with(kScenario);
    vector_case["expect"]["ticks"][1]["use_time"] = "blip";
    EXPECT_THAT(check(kScenarioFamily, vector_case),
                ElementsAre(HasSubstr("ticks[1].use_time: nothing snapped")));
    vector_case["expect"]["ticks"][1]["use_time"] = nullptr;
    EXPECT_THAT(check(kScenarioFamily, vector_case), IsEmpty());
}

TEST(Shapes, AllowedFractionsHaveADefaultAndTicks) {
    Json vector_case = with(kScenario);
    Json& allowed = vector_case["given"]["fraction_of_offset_that_physics_allows"];
    allowed["soon"] = 1.0;
    EXPECT_THAT(check(kScenarioFamily, vector_case),
                ElementsAre(HasSubstr("physics_allows.soon: unknown field")));
    allowed = {{"2", 0.0}};
    EXPECT_THAT(check(kScenarioFamily, vector_case),
                ElementsAre(HasSubstr("physics_allows.default: missing field")));
    allowed = "all";
    EXPECT_THAT(check(kScenarioFamily, vector_case), ElementsAre(HasSubstr("a number or a map")));
}

TEST(Shapes, AScenarioWithoutContactOnlySnaps) {
    EXPECT_THAT(check(kScenarioFamily, with(kScenario, R"({
        "given": {"contact": false, "enqueued_targets_y": [150],
            "state_after_enqueue": {"queue_len": 1, "fail": 4}},
        "expect": {"final_body_y": 150, "ticks": [{"tick": 1, "event": "none", "body_y": 150,
            "queue_len": 0, "fail": 0, "use_time": "blip"}]}})")),
                IsEmpty());
    EXPECT_THAT(check(kScenarioFamily, with(kScenario, R"({"given": {"contact": false},
        "expect": {"final_body_y": 0, "ticks": [{"tick": 1, "event": "none", "body_y": 0,
            "queue_len": 1, "fail": 0}]}})")),
                IsEmpty());
}

constexpr const char* kMoveTo = "MoveToManager helpers";

TEST(Shapes, MoveToWordsThatTheShippedCasesDoNotUse) {
    EXPECT_THAT(check(kMoveTo, Json::parse(R"({"given": {"node_heading": 30.0001,
                    "current_heading": 30}, "expect": {"heading_diff": 0, "command": "skip"}})")),
                IsEmpty());
    EXPECT_THAT(check(kMoveTo, Json::parse(R"({"given": {"a": 10, "b": 350, "turn": "TurnRight"},
                    "expect": {"heading_diff": 20, "heading_greater": true}})")),
                IsEmpty());
    EXPECT_THAT(check(kMoveTo, Json::parse(R"({"given": {"moving_away": false, "distance": 20,
                    "distance_to_object": 0.6, "min_distance": 0, "start": [0, 0, 0],
                    "pos": [0, 10.5, 0], "fail_distance": 10, "progress_made": true},
                    "expect": {"result": "cancel_0x3D"}})")),
                IsEmpty());
    EXPECT_THAT(check(kMoveTo, Json::parse(R"({"given": {"since_last_targeting_pass": 0.5,
                    "target_pos": [0, 1, 0], "target_cached_velocity": [2, 0, 0],
                    "voyeur_quantum": 1.5, "last_sent": [0, 1, 0], "radius": 0.5},
                    "expect": {"update_sent": true, "interpolated_position": [3, 1, 0],
                    "target_position": [0, 1, 0]}})")),
                IsEmpty());
}

TEST(Shapes, ANegatedOrEmptyAnswerIsNotTheSameAsNone) {
    Json vector_case = Json::parse(R"({"given": {"flags": 126479, "distance": 0.5,
        "distance_to_object": 0.6, "min_distance": 0.0, "walk_run_threshold": 15.0},
        "expect": {"command": null, "moving_away": false, "hold_key": "None"}})");
    EXPECT_THAT(check(kMoveTo, vector_case),
                ElementsAre(HasSubstr("moving_away: expected a value, got null")));
}

constexpr const char* kPhysics = "speeds, integration, jump";

TEST(Shapes, ABodyWithoutARunRateHasFallbackSpeeds) {
    Json vector_case = Json::parse(R"({"given": {"inq_run_rate": null, "my_run_rate": 0,
        "forward_command": "WalkBackwards", "forward_speed": 1, "current_speed_factor": 1},
        "expect": {"get_max_speed": 0, "get_adjusted_max_speed": 0, "interpolation_speed": 7.5,
        "sticky_speed": 15}})");
    EXPECT_THAT(check(kPhysics, vector_case), IsEmpty());
    vector_case["given"]["current_speed_factor"] = 1.5;
    EXPECT_THAT(check(kPhysics, vector_case),
                ElementsAre(HasSubstr("given.current_speed_factor: is always 1")));
}

TEST(Shapes, StampsOutsideOf16BitsAreRefused) {
    Json vector_case = Json::parse(R"({"given": {"stored": 65536, "incoming": 1.5},
        "expect": {"incoming_is_newer": true, "incoming_is_older": false,
        "stored_after_newer_event": 1}})");
    EXPECT_THAT(check("16-bit sequence compare", vector_case),
                ElementsAre(HasSubstr("given.stored: must be a whole number from 0 to 65535"),
                            HasSubstr("given.incoming: must be a whole number")));
}

} // namespace
} // namespace glissade::conformance
