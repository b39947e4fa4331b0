// SPDX-License-Identifier: MIT
// Everything that a reader refuses: the problem, the line, and a cause that names the key.
#include "glissade/trace/trace_reader.h"

#include "trace/read_back.h"

#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::string_view kHeader = R"({"trace":1,"name":"n","source":"local","tick_ns":20})";
constexpr std::string_view kTick = R"({"tick":1,"sim":2,"arrive":3,"poses":[]})";
constexpr std::string_view kFrame = R"({"frame":1,"cpu":2})";
constexpr std::string_view kTruth = R"({"truth":1,"id":2,"p":[1,2,3]})";
constexpr std::string_view kDrawn = R"({"frame":1,"poses":[]})";

struct Case {
    std::string_view line;
    TraceProblem problem;
    std::string_view cause; // A part of it.
};

template <class Read>
void expect_error(const Read& read, std::int64_t line, const Case& expected) {
    EXPECT_EQ(read.error.problem, expected.problem)
        << expected.line << ": " << to_string(read.error.problem) << ", " << read.error.cause;
    EXPECT_EQ(read.error.line, line) << expected.line;
    EXPECT_NE(read.error.cause.find(expected.cause), std::string::npos)
        << expected.line << "\nexpected: " << expected.cause << "\nfound:    " << read.error.cause;
}

/// As the second line of a trace.
void expect_refused(const Case& expected) {
    const std::string text = std::string(kHeader) + "\n" + std::string(expected.line) + "\n";
    const auto read = read_trace(text);
    expect_error(read, 2, expected);
    EXPECT_EQ(read.lines.size(), 1U);
}

void expect_first_refused(const Case& expected) {
    const auto read = read_trace(std::string(expected.line) + "\n");
    expect_error(read, 1, expected);
    EXPECT_TRUE(read.lines.empty());
}

/// `key` in quotes. Appended, because GCC 12 warns of `"..." + std::string` where it inlines that.
std::string in_quotes(std::string_view key) {
    std::string text("\"");
    text += key;
    text += '"';
    return text;
}

/// `line` without `"key":value`; the value is a number, a string or a flat array.
std::string without(std::string_view line, std::string_view key) {
    std::string text(line);
    const std::size_t begin = text.find(in_quotes(key) + ":");
    const std::size_t colon = text.find(':', begin);
    std::size_t end = text.find_first_of(",}", colon);
    if (text[colon + 1] == '[') {
        end = text.find(']', colon) + 1;
    }
    const bool is_last = text[end] == '}';
    const std::size_t from = is_last && text[begin - 1] == ',' ? begin - 1 : begin;
    return text.erase(from, is_last ? end - from : end + 1 - from);
}

/// `line` with another value of `key`, or with the key added.
std::string with(std::string_view line, std::string_view key, std::string_view value) {
    const std::string name = in_quotes(key) + ":";
    std::string text(line);
    if (text.find(name) != std::string::npos) {
        text = without(line, key);
    }
    const bool is_empty = text == "{}";
    return text.insert(1, name + std::string(value) + (is_empty ? "" : ","));
}

TEST(TraceReader, AStringForArriveIsRefusedWithItsName) {
    expect_refused({R"({"tick":1,"sim":2,"arrive":"3","poses":[]})", TraceProblem::WrongType,
                    R"("arrive" of a tick must be an integer of nanoseconds, found a string)"});
}

TEST(TraceReader, EachMissingKeyIsNamed) {
    const auto expect_missing = [](std::string_view line, std::string_view owner,
                                   std::initializer_list<const char*> keys) {
        for (const std::string_view key : keys) {
            const std::string text = without(line, key);
            const std::string cause = in_quotes(key) + " of " + std::string(owner) + " is missing";
            expect_refused({text, TraceProblem::MissingKey, cause});
        }
    };
    expect_missing(kTick, "a tick", {"sim", "arrive", "poses"});
    expect_missing(kFrame, "a frame", {"cpu"});
    expect_missing(kTruth, "a truth line", {"id", "p"});
    for (const std::string_view key : {"name", "source", "tick_ns"}) {
        const std::string text = without(kHeader, key);
        expect_first_refused({text, TraceProblem::MissingKey, in_quotes(key) + " of"});
    }
    expect_refused({R"({"tick":1,"sim":2,"arrive":3,"poses":[{"id":1,"p":[0,0,0]},{"id":2}]})",
                    TraceProblem::MissingKey, R"("p" of poses[1] is missing)"});
    expect_refused({R"({"tick":1,"sim":2,"arrive":3,"poses":[{"p":[0,0,0]}]})",
                    TraceProblem::MissingKey, R"("id" of poses[0] is missing)"});
    for (const std::string_view key : {"n", "p", "q"}) {
        const std::string shift = without(R"({"n":1,"p":[0,0,0],"q":[0,0,0,1]})", key);
        const std::string text = R"({"tick":1,"sim":2,"arrive":3,"poses":[{"id":1,"p":[0,0,0],)"
                                 R"("shift":)" +
                                 shift + "}]}";
        const std::string cause = in_quotes(key) + " of the shift of poses[0]";
        expect_refused({text, TraceProblem::MissingKey, cause});
    }
}

/// Values that are wrong for every key of the type, with what the cause says of them.
struct Wrong {
    std::string_view value;
    std::string_view found;
};
constexpr Wrong kNotTime[] = {
    {"null", "found null"},
    {"true", "found true"},
    {"1.0", "found 1.0"},
    {"1e3", "found 1e3"},
    {R"("5")", "found a string"},
    {"[5]", "found an array"},
    {R"({"ns":5})", "found an object"},
    {"2305843009213693953", "found 2305843009213693953"},
    {"-2305843009213693953", "found -2305843009213693953"},
    {"18446744073709551615", "found 18446744073709551615"},
    {"99999999999999999999", "found 99999999999999999999"},
};
constexpr Wrong kNotInteger[] = {
    {"null", "found null"},
    {"false", "found false"},
    {"1.5", "found 1.5"},
    {R"("x")", "found a string (\"x\")"},
    {"[1]", "found an array"},
    {"{}", "found an object"},
    {"9223372036854775808", "found 9223372036854775808"},
};
constexpr Wrong kNotVector[] = {
    {"null", "found null"},
    {"1", "found 1"},
    {"{}", "found an object"},
    {"[1,2]", "found 2 elements"},
    {"[]", "found 0 elements"},
    {"[1,2,3,4,5]", "found 5 elements"},
    {R"([1,"2",3,4])", "found a string (\"2\") in it"},
    {"[1,null,3,4]", "found null in it"},
    {"[1,[2],3,4]", "found an array in it"},
    {"[1,{},3,4]", "found an object in it"},
};

template <std::size_t Count>
void expect_wrong(std::string_view line, std::string_view key, const Wrong (&values)[Count]) {
    for (const Wrong& wrong : values) {
        const std::string text = with(line, key, wrong.value);
        const std::string named = in_quotes(key) + " of a";
        expect_refused({text, TraceProblem::WrongType, named});
        expect_refused({text, TraceProblem::WrongType, wrong.found});
    }
}

TEST(TraceReader, AWrongTypeOfEachKeyOfALineIsNamed) {
    for (const std::string_view key : {"sim", "arrive", "due", "stamp"}) {
        expect_wrong(kTick, key, kNotTime);
    }
    for (const std::string_view key : {"tick", "epoch"}) {
        expect_wrong(kTick, key, kNotInteger);
    }
    expect_wrong(kTick, "scale", {{"-0.5", "found -0.5"}, {"null", "null"}, {"[]", "an array"}});
    expect_wrong(kTick, "paused", {{"1", "found 1"}, {"null", "null"}, {R"("true")", "a string"}});
    expect_wrong(kTick, "poses",
                 {{"{}", "an object"},
                  {"[1]", "found 1 in it"},
                  {"0", "found 0"},
                  {"[[]]", "found an array in it"}});
    expect_wrong(
        kTick, "gone",
        {{"7", "found 7"}, {"[1.5]", "found 1.5 in it"}, {"[[1]]", "found an array in it"}});
    expect_wrong(kFrame, "frame", kNotInteger);
    expect_wrong(kFrame, "cpu", kNotTime);
    expect_wrong(kFrame, "present", kNotTime);
    expect_wrong(kTruth, "truth", kNotTime);
    expect_wrong(kTruth, "id", kNotInteger);
    expect_wrong(kTruth, "p", kNotVector);
    expect_wrong(kTruth, "q", kNotVector);
}

TEST(TraceReader, AWrongTypeOfEachKeyOfAPoseIsNamedWithItsPlace) {
    const std::string first = R"({"id":1,"p":[0,0,0]},)";
    const auto expect_pose = [&](std::string_view pose, std::string_view cause) {
        const std::string text =
            R"({"tick":1,"sim":2,"arrive":3,"poses":[)" + first + std::string(pose) + "]}";
        expect_refused({text, TraceProblem::WrongType, cause});
    };
    constexpr std::string_view kPose = R"({"id":2,"p":[0,0,0]})";
    for (const Wrong& wrong : kNotInteger) {
        expect_pose(with(kPose, "id", wrong.value), "\"id\" of poses[1] must be an integer");
    }
    for (const Wrong& wrong : kNotVector) {
        for (const std::string_view key : {"p", "q", "s", "v", "w"}) {
            expect_pose(with(kPose, key, wrong.value), in_quotes(key) + " of poses[1]");
        }
    }
    expect_pose(with(kPose, "cut", "-1"), "\"cut\" of poses[1]");
    expect_pose(with(kPose, "cut", "1.5"), "\"cut\" of poses[1]");
    expect_pose(with(kPose, "role", "\"boss\""), R"("role" of poses[1] must be "camera")");
    expect_pose(with(kPose, "role", "null"), "found null");
    expect_pose(with(kPose, "shift", "[]"), "\"shift\" of poses[1] must be an object");
    constexpr std::string_view kShift = R"({"n":1,"p":[0,0,0],"q":[0,0,0,1]})";
    expect_pose(with(kPose, "shift", with(kShift, "n", "-1")), "\"n\" of the shift of poses[1]");
    expect_pose(with(kPose, "shift", with(kShift, "p", "[1]")), "\"p\" of the shift of poses[1]");
    expect_pose(with(kPose, "shift", with(kShift, "q", "7")), "\"q\" of the shift of poses[1]");
}

TEST(TraceReader, AWrongTypeOfEachKeyOfAHeaderIsNamed) {
    const auto expect_header = [](std::string_view key, std::string_view value) {
        const std::string text = with(kHeader, key, value);
        const std::string cause = in_quotes(key) + " of a header must be";
        expect_first_refused({text, TraceProblem::WrongType, cause});
    };
    for (const std::string_view value : {"null", "5", "[]", "{}"}) {
        expect_header("name", value);
        expect_header("source", value);
    }
    expect_header("source", "\"Local\"");
    for (const std::string_view value : {"0", "-1", "1.0", "\"1\"", "2305843009213693953"}) {
        expect_header("tick_ns", value);
    }
    for (const std::string_view value :
         {"null", "60", "[60]", "[60,1,1]", "[60,0]", "[-60,1]", "[60.0,1]", "[2000000000,1]"}) {
        expect_header("rate", value);
    }
    for (const std::string_view value : {"null", "\"1\"", "1.0", "[1]"}) {
        expect_header("trace", value);
    }
}

TEST(TraceReader, TimesReachToTheirLimits) {
    const std::string text = std::string(kHeader) +
                             "\n{\"tick\":9223372036854775807,\"sim\":-2305843009213693952,"
                             "\"arrive\":2305843009213693952,\"poses\":[]}";
    const auto read = read_trace(text);
    EXPECT_EQ(read.error.problem, TraceProblem::None) << read.error.cause;
    EXPECT_EQ(read.lines.size(), 2U);
}

TEST(TraceReader, AnotherVersionIsNamedWhateverElseIsWrong) {
    expect_first_refused({R"({"trace":2,"layers":[]})", TraceProblem::BadVersion, "\"trace\""});
    expect_first_refused(
        {R"({"name":5,"trace":0,"source":"local"})", TraceProblem::BadVersion, "is 0"});
}

TEST(TraceReader, WithoutAHeaderNothingIsRead) {
    for (const std::string_view line :
         {kTick, kFrame, kTruth, std::string_view("{}"), std::string_view(R"({"tick":"x"})")}) {
        expect_first_refused({line, TraceProblem::NoHeader, "\"trace\""});
    }
    for (const std::string_view text : {"", "\n", " \r\n\n"}) {
        const auto read = read_trace(text);
        EXPECT_EQ(read.error.problem, TraceProblem::NoHeader);
        EXPECT_GE(read.error.line, 1);
    }
    expect_refused({kHeader, TraceProblem::NoHeader, "second header"});
}

TEST(TraceReader, ALineWithoutAKindOrWithTwoIsRefused) {
    expect_refused({"{}", TraceProblem::UnknownKind, R"("trace", "tick", "frame", "truth")"});
    expect_refused({R"({"event":1})", TraceProblem::UnknownKind, "\"tick\""});
    expect_refused({R"({"tick":1,"frame":2,"cpu":3})", TraceProblem::UnknownKind,
                    R"("tick", "frame" stand in one line)"});
}

TEST(TraceReader, AKeyOrAnIdThatStandsTwiceIsRefused) {
    expect_refused({R"({"frame":1,"cpu":2,"cpu":2})", TraceProblem::WrongType,
                    R"("cpu" of a frame stands twice)"});
    expect_refused({R"({"tick":1,"sim":2,"arrive":3,"poses":[{"id":1,"p":[0,0,0],"id":1}]})",
                    TraceProblem::WrongType, R"("id" of poses[0] stands twice)"});
    expect_refused({R"({"tick":1,"sim":2,"arrive":3,"poses":[{"id":2,"p":[0,0,0]},)"
                    R"({"id":1,"p":[0,0,0]},{"id":2,"p":[0,0,0]}]})",
                    TraceProblem::WrongType, R"("poses" of a tick has the id 2 twice)"});
}

TEST(TraceReader, NumbersThatAreNotFiniteAreRefusedWithTheirKey) {
    for (const std::string_view word :
         {"NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "+inf", "1e999", "-1e400"}) {
        const std::string text = with(kTruth, "p", "[1, " + std::string(word) + ",2]");
        expect_refused({text, TraceProblem::NotFinite, "\"p\" of a truth line"});
        const std::string scale = with(kTick, "scale", word);
        expect_refused({scale, TraceProblem::NotFinite, "\"scale\" of a tick"});
    }
    expect_refused({R"({"truth":1,"id":1,"p":[1e999,0,0]})", TraceProblem::NotFinite, "1e999"});
    expect_refused({R"({"mine":1e999})", TraceProblem::NotFinite, "\"mine\""});
}

TEST(TraceReader, WhatIsNotJsonIsRefused) {
    for (const std::string_view line :
         {"nonsense", "{", R"({"frame":1,"cpu":2)", R"({"frame":1,"cpu":2}})",
          R"({"frame":1,"cpu":2}{"frame":2,"cpu":3})", R"({"frame":1,})", R"({frame:1})",
          R"({"frame":01,"cpu":2})", R"({"frame":1,"cpu":2,"x":"inf)", R"({"x":"\inf"})",
          R"({"x":"\ud800"})", "{\"x\":\"\xC0\x80\"}", "{\"x\":\"\x01\"}", "// comment", "]"}) {
        expect_refused({line, TraceProblem::NotJson, "column"});
    }
    for (const std::string_view line : {"[1,2]", "5", "null", "true", R"("text")", "-1", "2.5"}) {
        expect_refused({line, TraceProblem::NotJson, "not a JSON object"});
    }
}

TEST(TraceReader, AFileThatWasCutOffIsRefusedAtItsLastLine) {
    const std::string whole = std::string(kHeader) + "\n" + std::string(kFrame);
    for (std::size_t size = kHeader.size() + 2; size < whole.size(); ++size) {
        const auto read = read_trace(whole.substr(0, size));
        EXPECT_EQ(read.error.problem, TraceProblem::NotJson) << whole.substr(0, size);
        EXPECT_EQ(read.error.line, 2);
        EXPECT_EQ(read.lines.size(), 1U);
    }
}

TEST(TraceReader, BinaryFilesAreRefusedWithAPrintableCause) {
    std::string every_byte;
    for (int byte = 0; byte < 256; ++byte) {
        every_byte.push_back(static_cast<char>(byte));
    }
    const std::string hidden = std::string(kFrame) + std::string(1, '\0') + "{";
    for (const std::string& text : {every_byte.substr(11), every_byte.substr(128),
                                    std::string("\x89PNG\x1A\x00", 6), hidden}) {
        const auto read = read_trace(std::string(kHeader) + "\n" + text);
        EXPECT_EQ(read.error.problem, TraceProblem::NotJson);
        EXPECT_EQ(read.error.line, 2);
        for (const char character : read.error.cause) {
            EXPECT_TRUE(character >= ' ' && character <= '~') << read.error.cause;
        }
    }
}

TEST(TraceReader, AnEmptyLineIsRefusedOnlyIfMoreFollows) {
    const std::string text = std::string(kHeader) + "\n\n \n" + std::string(kFrame) + "\n";
    expect_error(read_trace(text), 2, {text, TraceProblem::NotJson, "empty"});
}

TEST(TraceReader, ALineThatIsTooLongIsRefusedBeforeItEnds) {
    const TraceReaderConfig config{.max_line_bytes = kHeader.size()};
    const std::string fits = std::string(kHeader) + "\r\n";
    EXPECT_EQ(read_trace(fits, 0, config).error.problem, TraceProblem::None);
    for (const PieceSeed seed : {0U, 1U}) {
        const auto read = read_trace(fits + std::string(kHeader.size() + 1, ' '), seed, config);
        expect_error(read, 2, {"spaces", TraceProblem::LineTooLong, "bytes"});
    }
    TraceReader reader(config);
    reader.push(std::string(kHeader.size() + 1, '{'));
    TraceLine line;
    EXPECT_EQ(reader.next(line), TraceRead::Error); // Although no line end came.
}

TEST(TraceReader, ACauseOfAHugeValueIsShort) {
    const std::string digits(100'000, '7');
    const auto read = read_trace(std::string(kHeader) + "\n" + with(kFrame, "cpu", digits));
    EXPECT_EQ(read.error.problem, TraceProblem::NotFinite);
    EXPECT_LT(read.error.cause.size(), 300U);
    const auto text =
        read_trace(std::string(kHeader) + "\n" + with(kFrame, "cpu", in_quotes(digits)));
    EXPECT_EQ(text.error.problem, TraceProblem::WrongType);
    EXPECT_LT(text.error.cause.size(), 300U);
}

TEST(TraceProblem, EachHasANameAndARemedy) {
    for (int i = 0; i <= static_cast<int>(TraceProblem::WrongSource); ++i) {
        const auto problem = static_cast<TraceProblem>(i);
        EXPECT_STRNE(to_string(problem), "unknown");
        EXPECT_GT(std::strlen(remedy(problem)), 10U);
    }
}

TEST(DrawnReader, EachFaultIsNamed) {
    const Case cases[] = {
        {"{}", TraceProblem::UnknownKind, "\"frame\""},
        {kHeader, TraceProblem::UnknownKind, "\"frame\""},
        {R"({"frame":1})", TraceProblem::MissingKey, R"("poses" of a drawn frame is missing)"},
        {R"({"frame":1.5,"poses":[]})", TraceProblem::WrongType, "\"frame\" of a drawn frame"},
        {R"({"frame":1,"sample":"5","poses":[]})", TraceProblem::WrongType, "\"sample\""},
        {R"({"frame":1,"delay":null,"poses":[]})", TraceProblem::WrongType, "\"delay\""},
        {R"({"frame":1,"state":"held","poses":[]})", TraceProblem::WrongType,
         R"("state" of a drawn frame must be "interpolate", "extrapolate", "hold" or "empty")"},
        {R"({"frame":1,"poses":[{"id":1}]})", TraceProblem::MissingKey, R"("p" of poses[0])"},
        {R"({"frame":1,"poses":[{"id":1,"p":[NaN,0,0]}]})", TraceProblem::NotFinite, "\"p\""},
        {R"({"frame":1,"poses":[{"id":1,"p":[0,0,0]},{"id":1,"p":[0,0,0]}]})",
         TraceProblem::WrongType, "the id 1 twice"},
        {"[]", TraceProblem::NotJson, "not a JSON object"},
    };
    for (const Case& expected : cases) {
        expect_error(read_drawn(expected.line), 1, expected);
    }
    const std::string twice = std::string(kDrawn) + "\n" + std::string(kDrawn);
    expect_error(read_drawn(twice), 2, {twice, TraceProblem::OutOfOrder, "\"frame\" is 1 after 1"});
}

} // namespace
} // namespace glissade::testing
