// SPDX-License-Identifier: MIT
// Proof that each family of the remote pipeline notices whatever is altered, missing or unknown.
#include "conformance/vector_folder.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace glissade::conformance {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// A shipped case of each shape.
struct Example {
    const char* file;
    const char* id;
};
constexpr Example kExamples[] = {
    {"ac-seq", "seq-08"},
    {"ac-routing", "rte-05"},
    {"ac-routing", "rte-13"},
    {"ac-routing", "rte-24"},
    {"ac-interp-enqueue", "enq-04"},
    {"ac-interp-enqueue", "enq-10"},
    {"ac-interp-enqueue", "enq-15"},
    {"ac-interp-enqueue", "enq-17"},
    {"ac-interp-adjust", "adj-07"},
    {"ac-interp-adjust", "adj-20"},
    {"ac-interp-scenario", "scn-01"},
    {"ac-interp-scenario", "scn-11"},
    {"ac-interp-scenario", "scn-13"},
    {"ac-constraint-sticky", "con-06"},
    {"ac-constraint-sticky", "stk-05"},
    {"ac-moveto", "mvt-01"},
    {"ac-moveto", "mvt-08"},
    {"ac-moveto", "mvt-11"},
    {"ac-moveto", "mvt-13"},
    {"ac-moveto", "mvt-14"},
    {"ac-moveto", "mvt-20"},
    {"ac-moveto", "mvt-22"},
    {"ac-moveto", "mvt-23"},
    {"ac-moveto", "mvt-28"},
    {"ac-moveto", "mvt-34"},
    {"ac-moveto", "mvt-35"},
    {"ac-moveto", "mvt-40"},
    {"ac-moveto", "mvt-41"},
    {"ac-physics", "phy-01"},
    {"ac-physics", "phy-08"},
    {"ac-physics", "phy-11"},
    {"ac-physics", "phy-18"},
};

// The file of an example with that case alone.
Json load(const Example& example) {
    std::ifstream stream(std::string(GLISSADE_TEST_FOLDER "/vectors/") + example.file + ".json");
    Json file = Json::parse(stream, nullptr, false);
    Json chosen = Json::array();
    for (const Json& vector_case : file["cases"]) {
        if (vector_case["id"] == example.id) {
            chosen.push_back(vector_case);
        }
    }
    file["cases"] = std::move(chosen);
    return file;
}

// A place in a case, and how the report writes it: expect.state.queue[0].pos.
struct Place {
    Json::json_pointer pointer;
    std::string path;
};

void collect(const Json& value, const Place& place, std::vector<Place>& places) {
    places.push_back(place);
    if (value.is_object()) {
        for (const auto& [name, member] : value.items()) {
            collect(member, {place.pointer / name, place.path + "." + name}, places);
        }
    }
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
        collect(value[i], {place.pointer / i, element_path(place.path, i)}, places);
    }
}

// One place of one example.
struct Spot {
    std::string id;
    Json file;
    Place place;

    [[nodiscard]] Json& value() { return file["cases"][0][place.pointer]; }
    [[nodiscard]] Json& parent() { return file["cases"][0][place.pointer.parent_pointer()]; }
};

// Every place in `part` of the examples, each with a file of its own to alter.
std::vector<Spot> spots_in(const std::string& part) {
    std::vector<Spot> spots;
    for (const Example& example : kExamples) {
        const Json file = load(example);
        std::vector<Place> places;
        if (file["cases"][0].contains(part)) {
            collect(file["cases"][0][part], {Json::json_pointer("/" + part), part}, places);
        }
        for (const Place& place : places) {
            spots.push_back({example.id, file, place});
        }
    }
    return spots;
}

// Descriptions: any text will do.
bool is_free(const Place& place) {
    return place.path.ends_with(".ace_value") || place.path.ends_with(".queue_rule");
}

// Another value than `value`; numbers stay far outside of every tolerance.
Json altered(const Json& value) {
    switch (value.type()) {
        case Json::value_t::boolean:
            return !value.get<bool>();
        case Json::value_t::string:
            return "tea leaves";
        case Json::value_t::null:
            return true;
        case Json::value_t::number_float:
            return value.get<double>() + 0.01;
        default:
            return value.get<int>() + 1;
    }
}

// Something has failed, of that case and at `path`.
void expect_noticed(const Spot& spot, const std::string& path) {
    const std::vector<std::string> failures = VectorFolder(spot.file).check().failures;
    EXPECT_THAT(failures, Contains(HasSubstr(": " + path))) << spot.id;
    EXPECT_THAT(failures, Each(StartsWith("case.json: " + spot.id + ": ")));
}

// Not always as missing: without `airborne`, for one, a landing is an ordinary update.
void expect_missed(Spot& spot) {
    spot.parent().erase(spot.place.pointer.back());
    EXPECT_THAT(VectorFolder(spot.file).check().failures, Not(IsEmpty()))
        << spot.id << ' ' << spot.place.path;
}

TEST(Families, TheExamplesPassAsTheyAre) {
    for (const Example& example : kExamples) {
        EXPECT_THAT(VectorFolder(load(example)).check().failures, IsEmpty()) << example.id;
    }
}

TEST(Families, EveryAlteredValueIsNoticed) {
    for (Spot& spot : spots_in("expect")) {
        if (!spot.value().is_structured() && !is_free(spot.place)) {
            spot.value() = altered(spot.value());
            expect_noticed(spot, spot.place.path);
        }
    }
}

// The three parts of a case.
class FamilyPart : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Families, FamilyPart, ::testing::Values("given", "when", "expect"));

TEST_P(FamilyPart, EveryUnknownFieldIsNoticed) {
    for (Spot& spot : spots_in(GetParam())) {
        if (spot.value().is_object()) {
            spot.value()["tea"] = 1;
            expect_noticed(spot, spot.place.path + ".tea: unknown field");
        }
    }
}

TEST_P(FamilyPart, EveryMissingFieldIsNoticed) {
    for (Spot& spot : spots_in(GetParam())) {
        if (spot.parent().is_object() && !is_free(spot.place)) {
            expect_missed(spot);
        }
    }
}

TEST(Families, EveryUnknownWordOfWhatIsGivenIsNoticed) {
    for (Spot& spot : spots_in("given")) {
        if (spot.value().is_string() && !is_free(spot.place)) {
            spot.value() = "tea leaves";
            expect_noticed(spot, spot.place.path + ": unknown word 'tea leaves'");
        }
    }
}

TEST(Families, ACaseThatCannotBeReadFailsOnceAndNotForWhatItExpects) {
    Json file = load({"ac-seq", "seq-08"});
    file["cases"][0]["given"].erase("stored");
    EXPECT_THAT(VectorFolder(file).check().failures,
                ElementsAre("case.json: seq-08: given.stored: missing field"));
    file = load({"ac-interp-adjust", "adj-07"});
    file["cases"][0].erase("when");
    EXPECT_THAT(VectorFolder(file).check().failures,
                ElementsAre("case.json: adj-07: when: missing field"));
}

TEST(Families, HeadingsAreComparedOnTheCircle) {
    Json file = load({"ac-interp-adjust", "adj-07"});
    Json& expect = file["cases"][0]["expect"];
    expect["body_heading_after"] = 360.0;
    expect["heading_offset"] = -359.99995;
    EXPECT_THAT(VectorFolder(file).check().failures, IsEmpty());
    expect["body_heading_after"] = 359.9;
    EXPECT_THAT(VectorFolder(file).check().failures,
                ElementsAre(HasSubstr("body_heading_after: expected heading 359.9, got 0")));
}

} // namespace
} // namespace glissade::conformance
