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

std::vector<Place> places_of(const Json& vector_case, const std::string& part) {
    std::vector<Place> places;
    if (vector_case.contains(part)) {
        collect(vector_case[part], {Json::json_pointer("/" + part), part}, places);
    }
    return places;
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

// Something of `id` has failed, at `path`.
void expect_noticed(const Json& file, const std::string& id, const std::string& path) {
    const std::vector<std::string> failures = VectorFolder(file).check().failures;
    EXPECT_THAT(failures, Contains(HasSubstr(": " + path))) << id;
    EXPECT_THAT(failures, Each(StartsWith("case.json: " + id + ": ")));
}

TEST(Families, TheExamplesPassAsTheyAre) {
    for (const Example& example : kExamples) {
        EXPECT_THAT(VectorFolder(load(example)).check().failures, IsEmpty()) << example.id;
    }
}

TEST(Families, EveryAlteredValueIsNoticed) {
    for (const Example& example : kExamples) {
        const Json file = load(example);
        for (const Place& place : places_of(file["cases"][0], "expect")) {
            Json other = file;
            Json& value = other["cases"][0][place.pointer];
            if (!value.is_structured() && !is_free(place)) {
                value = altered(value);
                expect_noticed(other, example.id, place.path);
            }
        }
    }
}

TEST(Families, EveryUnknownFieldIsNoticed) {
    for (const Example& example : kExamples) {
        const Json file = load(example);
        for (const char* part : {"given", "when", "expect"}) {
            for (const Place& place : places_of(file["cases"][0], part)) {
                Json other = file;
                Json& value = other["cases"][0][place.pointer];
                if (value.is_object()) {
                    value["tea"] = 1;
                    expect_noticed(other, example.id, place.path + ".tea: unknown field");
                }
            }
        }
    }
}

// Not always as missing: without `airborne`, for one, a landing is an ordinary update.
TEST(Families, EveryMissingFieldIsNoticed) {
    for (const Example& example : kExamples) {
        const Json file = load(example);
        for (const char* part : {"given", "when", "expect"}) {
            for (const Place& place : places_of(file["cases"][0], part)) {
                const Json& parent = file["cases"][0][place.pointer.parent_pointer()];
                if (!parent.is_object() || is_free(place) || place.path == part) {
                    continue;
                }
                Json other = file;
                other["cases"][0][place.pointer.parent_pointer()].erase(place.pointer.back());
                EXPECT_THAT(VectorFolder(other).check().failures, Not(IsEmpty()))
                    << example.id << ' ' << place.path;
            }
        }
    }
}

TEST(Families, EveryUnknownWordOfWhatIsGivenIsNoticed) {
    for (const Example& example : kExamples) {
        const Json file = load(example);
        for (const Place& place : places_of(file["cases"][0], "given")) {
            Json other = file;
            Json& value = other["cases"][0][place.pointer];
            if (value.is_string() && !is_free(place)) {
                value = "tea leaves";
                expect_noticed(other, example.id, place.path + ": unknown word 'tea leaves'");
            }
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
