// SPDX-License-Identifier: MIT
// The vectors of GLISSADE_VECTORS, or the shipped ones, and proof that a wrong one is noticed.
#include "conformance/fields.h"
#include "conformance/folder.h"
#include "conformance/vector_folder.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace glissade::conformance {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::filesystem::path vectors_folder() {
    const char* replaced =
        std::getenv("GLISSADE_VECTORS"); // NOLINT(concurrency-mt-unsafe): one thread.
    return replaced != nullptr && *replaced != '\0' ? replaced : GLISSADE_TEST_FOLDER "/vectors";
}

TEST(Conformance, EveryVectorOfTheFolderPasses) {
    const Report report = check_folder(vectors_folder());
    EXPECT_GT(report.comparison_count, 0U);
    for (const std::string& failure : report.failures) {
        ADD_FAILURE() << failure;
    }
    RecordProperty("files", static_cast<int>(report.file_count));
    RecordProperty("cases", static_cast<int>(report.case_count));
    RecordProperty("comparisons", static_cast<int>(report.comparison_count));
}

Json file_with(Json vector_case) {
    vector_case["id"] = "gate-99";
    return {{"schema", "ac-vectors/1"},
            {"family", "fixed-step gate"},
            {"tolerance_abs", 0.0001},
            {"cases", Json::array({std::move(vector_case)})}};
}

Json good_file() {
    return file_with(Json::parse(R"({
        "title": "two frames", "why": "text is never compared",
        "given": {"clock_starts_at": 3.5, "frame_dts": [0.016, 0.02]},
        "expect": {
            "retail": [{"world_pass": false, "quanta": [], "object_lag": 0.016, "note": "x"},
                       {"world_pass": true, "quanta": [0.036], "object_lag": 0.0}],
            "ace": [{"quanta": [], "residual": 0.016}, {"quanta": [0.036], "residual": 0.0}],
            "player": [{"quanta": [], "residual": 0.016}, {"quanta": [0.036], "residual": 0.0}],
            "single": [{"quanta": [], "accum": 0.016, "alpha": 0.48},
                       {"quanta": [0.036], "accum": 0.0, "alpha": 0.0}]}})"));
}

Json& first_case(Json& file) {
    return file["cases"][0];
}

// The failures name the file, the case and `field`, and nothing else fails.
void expect_one_failure(const Json& file, const std::string& field, const std::string& message) {
    const Report report = VectorFolder(file).check();
    EXPECT_THAT(report.failures,
                ElementsAre(AllOf(HasSubstr("case.json: gate-99: " + field), HasSubstr(message))));
}

TEST(Conformance, AGoodFilePasses) {
    const Report report = VectorFolder(good_file()).check();
    EXPECT_THAT(report.failures, IsEmpty());
    EXPECT_EQ(report.file_count, 1U);
    EXPECT_EQ(report.case_count, 1U);
    EXPECT_EQ(report.comparison_count, 24U);
}

TEST(Conformance, AnUnknownFamilyFails) {
    Json file = good_file();
    file["family"] = "tea leaves";
    EXPECT_THAT(VectorFolder(file).check().failures,
                ElementsAre("case.json: file: family: unknown family 'tea leaves'"));
}

TEST(Conformance, AnUnknownSchemaFails) {
    Json file = good_file();
    file["schema"] = "ac-vectors/2";
    EXPECT_THAT(VectorFolder(file).check().failures, ElementsAre(HasSubstr("schema")));
}

TEST(Conformance, AMissingFieldOfTheFileFails) {
    for (const char* name : {"schema", "family", "tolerance_abs", "cases"}) {
        Json file = good_file();
        file.erase(name);
        EXPECT_THAT(VectorFolder(file).check().failures,
                    ElementsAre("case.json: file: " + std::string(name) + ": missing field"));
    }
}

TEST(Conformance, AMissingFieldOfACaseFails) {
    for (const char* name : {"given", "expect"}) {
        Json file = good_file();
        first_case(file).erase(name);
        expect_one_failure(file, name, "missing field");
    }
    Json nameless = good_file();
    first_case(nameless).erase("id");
    EXPECT_THAT(VectorFolder(nameless).check().failures,
                ElementsAre("case.json: cases[0]: id: missing field"));
}

TEST(Conformance, AMissingFieldOfARowFails) {
    for (const auto& [profile, field] : {std::pair{"retail", "world_pass"},
                                         {"retail", "object_lag"},
                                         {"ace", "residual"},
                                         {"player", "quanta"},
                                         {"single", "accum"},
                                         {"single", "alpha"}}) {
        Json file = good_file();
        first_case(file)["expect"][profile][1].erase(field);
        expect_one_failure(file, std::string("expect.") + profile + "[1]." + field,
                           "missing field");
    }
}

TEST(Conformance, AFrameWithoutARowFails) {
    Json file = good_file();
    first_case(file)["expect"]["ace"].erase(1);
    expect_one_failure(file, "expect.ace", "one row per frame");
}

TEST(Conformance, AnUnknownFieldFails) {
    Json file = good_file();
    first_case(file)["expect"]["single"][0]["acum"] = 0.016;
    expect_one_failure(file, "expect.single[0].acum", "unknown field");
    file = good_file();
    first_case(file)["expect"]["double"] = Json::array();
    expect_one_failure(file, "expect.double", "unknown field");
    file = good_file();
    first_case(file)["given"]["gravity"] = 9.8;
    expect_one_failure(file, "given.gravity", "unknown field");
    file = good_file();
    first_case(file)["when"] = Json::object();
    expect_one_failure(file, "when", "unknown field");
}

TEST(Conformance, AnAlteredNumberFails) {
    Json file = good_file();
    first_case(file)["expect"]["retail"][1]["quanta"][0] = 0.0362;
    expect_one_failure(file, "expect.retail[1].quanta[0]", "expected 0.0362, got 0.036");
    file = good_file();
    first_case(file)["expect"]["player"][0]["residual"] = 0.0158;
    expect_one_failure(file, "expect.player[0].residual", "tolerance 0.0001");
    file = good_file();
    first_case(file)["expect"]["retail"][0]["world_pass"] = true;
    expect_one_failure(file, "expect.retail[0].world_pass", "expected true, got false");
    file = good_file();
    first_case(file)["expect"]["ace"][0]["quanta"] = {0.016};
    expect_one_failure(file, "expect.ace[0].quanta", "expected 1 entries, got 0");
}

TEST(Conformance, TheToleranceIsThatOfTheFile) {
    Json file = good_file();
    first_case(file)["expect"]["single"][0]["alpha"] = 0.485;
    EXPECT_THAT(VectorFolder(file).check().failures, Contains(HasSubstr("alpha")));
    file["tolerance_abs"] = 0.01;
    EXPECT_THAT(VectorFolder(file).check().failures, IsEmpty());
}

TEST(Conformance, AFieldOfAnotherKindFails) {
    Json file = good_file();
    first_case(file)["expect"]["single"][0]["alpha"] = "0.48";
    expect_one_failure(file, "expect.single[0].alpha", "must be a number");
    file = good_file();
    first_case(file)["given"]["frame_dts"][1] = "fast";
    EXPECT_THAT(VectorFolder(file).check().failures, Contains(HasSubstr("given.frame_dts[1]")));
}

TEST(Conformance, ACaseThatComparesNothingFails) {
    Json file = good_file();
    first_case(file)["expect"] = Json::object();
    expect_one_failure(file, "expect", "nothing to compare");
    file["cases"] = Json::array();
    EXPECT_THAT(VectorFolder(file).check().failures, ElementsAre(HasSubstr("nothing to compare")));
}

TEST(Conformance, AFolderWithoutVectorsAndBrokenFilesFail) {
    EXPECT_THAT(check_folder("no/such/folder").failures, ElementsAre(HasSubstr("no/such/folder")));
    EXPECT_THAT(VectorFolder(std::string("{ nonsense")).check().failures,
                ElementsAre("case.json: file: content: is not JSON"));
    const VectorFolder folder(good_file());
    EXPECT_THAT(
        check_folder(std::filesystem::path(::testing::TempDir()) / "glissade_conformance").failures,
        ElementsAre(HasSubstr("holds no vectors")));
}

TEST(Conformance, TheObjectClockIsCheckedForEveryProfileItNames) {
    Json file = file_with(Json::parse(R"({
        "given": {"object_update_time": 5.0, "now": 5.233333333},
        "expect": {
            "retail": {"quanta": [0.2], "object_update_time_after": 5.2},
            "ace": {"quanta": [0.1, 0.1], "object_update_time_after": 5.2},
            "player": {"quanta": [0.1, 0.1, 0.033333], "object_update_time_after": 5.233333},
            "single": {"quanta": [0.1], "object_update_time_after": 5.1}}})"));
    EXPECT_THAT(VectorFolder(file).check().failures, IsEmpty());
    first_case(file)["expect"]["player"]["object_update_time_after"] = 5.2;
    expect_one_failure(file, "expect.player.object_update_time_after", "expected 5.2");
    first_case(file)["given"].erase("now");
    EXPECT_THAT(VectorFolder(file).check().failures,
                Contains("case.json: gate-99: given.now: missing field"));
}

TEST(Conformance, DrawnFramesTakeNumbersAndPoints) {
    Json file = file_with(Json::parse(R"({
        "given": {"body_speed": 4.0, "frame_dts": [0.016, 0.024, 0.01], "prev": 1.0, "curr": 2.0},
        "expect": {"single_frames": [
            {"quanta": [], "accum": 0.016, "alpha": 0.48, "render": 1.48},
            {"quanta": [0.04], "accum": 0.0, "alpha": 0.0, "render": 2.0, "note": "x"},
            {"quanta": [], "accum": 0.01, "alpha": 0.3, "render": 2.048, "curr": 2.16}]}})"));
    EXPECT_THAT(VectorFolder(file).check().failures, IsEmpty());
    Json& given = first_case(file)["given"];
    Json& rows = first_case(file)["expect"]["single_frames"];
    given["prev"] = {7.0, 1.0, -3.0};
    given["curr"] = {8.0, 2.0, -3.0};
    rows[0]["render"] = {7.48, 1.48, -3.0};
    rows[1]["render"] = {8.0, 2.0, -3.0};
    rows[2]["render"] = {8.0, 2.048, -3.0};
    rows[2].erase("curr");
    EXPECT_THAT(VectorFolder(file).check().failures, IsEmpty());
    rows[2]["render"][1] = 2.049;
    expect_one_failure(file, "expect.single_frames[2].render[1]", "expected 2.049");
    rows[2]["render"] = {8.0, 2.048};
    expect_one_failure(file, "expect.single_frames[2].render", "a number or three");
    rows[2].erase("render");
    expect_one_failure(file, "expect.single_frames[2].render", "missing field");
}

TEST(Conformance, RunsTakeAnyRateAndAnyNumberOfSteps) {
    Json file = file_with(Json::parse(R"({
        "given": {"body_speed": 4.0, "frames": 9},
        "expect": {"runs": [
            {"frame_rate": "62.5 Hz", "uniform_step_would_be": 17,
             "last_three_render_steps_alpha_over_MinQuantum": [0.09216, 0.09216, 0.00768],
             "last_2_render_steps_alpha_over_last_tick": [0.064, 0.064]},
            {"frame_rate": 120, "last_four_render_steps_alpha_over_last_tick":
             [0.033333, 0.033333, 0.033333, 0.033333]}]}})"));
    EXPECT_THAT(VectorFolder(file).check().failures, IsEmpty());
    Json& run = first_case(file)["expect"]["runs"][0];
    run["last_2_render_steps_alpha_over_last_tick"] = {0.064};
    expect_one_failure(file, "expect.runs[0].last_2_render_steps_alpha_over_last_tick",
                       "expected 1 entries, got 2");
    run["last_2_render_steps_alpha_over_last_tick"] = {0.064, 0.065};
    expect_one_failure(file, "expect.runs[0].last_2_render_steps_alpha_over_last_tick[1]",
                       "expected 0.065");
    run.erase("last_2_render_steps_alpha_over_last_tick");
    run["last_six_render_steps_alpha_over_tea"] = {0.064};
    expect_one_failure(file, "expect.runs[0].last_six_render_steps_alpha_over_tea",
                       "unknown field");
    run.erase("last_six_render_steps_alpha_over_tea");
    run["frame_rate"] = "fast";
    EXPECT_THAT(VectorFolder(file).check().failures,
                Contains(HasSubstr("expect.runs[0].frame_rate")));
}

} // namespace
} // namespace glissade::conformance
