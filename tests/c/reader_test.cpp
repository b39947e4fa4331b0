// SPDX-License-Identifier: MIT
#include "tests/c/c_world.h"

#include <cstring>

namespace glissade::c_test {
namespace {

// The doubles of a struct bit for bit: a NaN is the same as itself.
template <class Struct>
std::vector<std::uint64_t> bits_of(const Struct& numbers) {
    std::vector<std::uint64_t> bits(sizeof numbers / sizeof(std::uint64_t));
    std::memcpy(bits.data(), &numbers, sizeof numbers);
    return bits;
}

constexpr double kSlotCount = 32.0; // Snapshots between the two sides of a link.

// A source, its reader, and a recording that shows how the reader put states in order.
class CReaderTest : public ::testing::Test {
protected:
    CReaderTest() { glissade_recording_watch(recording.get(), source.id); }

    // Takes all states at `cpu_ms` and makes a frame of them: how many there were.
    int look(double cpu_ms) {
        int count = 0;
        while (const glissade_tick* const state = glissade_reader_next(reader.get(), cpu_ms)) {
            glissade_recording_tick(recording.get(), state);
            ++count;
        }
        glissade_recording_frame(recording.get(), ++frame, cpu_ms, kNone);
        return count;
    }
    // The names of the lines behind the header, as far as they are asked for.
    [[nodiscard]] std::vector<std::string> line_names() const {
        std::vector<std::string> names;
        for (const nlohmann::json& line : parse_lines(trace_text(recording.get()))) {
            if (line.contains("tick") || line.contains("frame")) {
                const char* const kind = line.contains("tick") ? "tick" : "frame";
                // Not by operator+: GCC 12 warns of a copy that it makes up.
                names.emplace_back(kind).append(" ").append(line.at(kind).dump());
            }
        }
        return names;
    }
    // When the states arrived, milliseconds.
    [[nodiscard]] std::vector<double> arrivals() const {
        std::vector<double> times;
        for (const nlohmann::json& line : parse_lines(trace_text(recording.get()))) {
            if (line.contains("tick")) {
                times.push_back(line.at("arrive").get<double>() * 1e-6);
            }
        }
        return times;
    }

    LinkMemory link{4};
    Source source{link};
    Reader reader = link.make_reader();
    Recording recording{glissade_recording_create("test", kTickMs, 20.0, 1)};
    double frame = 0.0;
};

TEST_F(CReaderTest, StatesComeInTheirOrderOldestFirst) {
    for (int i = 0; i < 5; ++i) {
        source.move_and_publish();
    }
    for (double expected = 1.0; expected <= 5.0; ++expected) {
        const glissade_tick* const state = glissade_reader_next(reader.get(), 100.0);
        ASSERT_NE(state, nullptr);
        EXPECT_EQ(times_in(state).tick, expected);
        EXPECT_EQ(rows_in(state)[0].position[0], position_at(expected * kTickMs));
        EXPECT_EQ(rows_in(state)[0].id, source.id);
    }
    EXPECT_EQ(glissade_reader_next(reader.get(), 100.0), nullptr);
    EXPECT_EQ(glissade_reader_skipped(reader.get()), 0.0);
}

TEST_F(CReaderTest, WhatWasOverwrittenIsCountedAndTheNewestIsKept) {
    for (int i = 0; i < 100; ++i) {
        source.move_and_publish();
    }
    const glissade_tick* state = glissade_reader_next(reader.get(), 2000.0);
    ASSERT_NE(state, nullptr);
    EXPECT_EQ(times_in(state).tick, 100.0 - (kSlotCount - 2.0) + 1.0);
    EXPECT_EQ(glissade_reader_skipped(reader.get()), 100.0 - (kSlotCount - 2.0));
    double last = 0.0;
    while (state != nullptr) {
        last = times_in(state).tick;
        state = glissade_reader_next(reader.get(), 2000.0);
    }
    EXPECT_EQ(last, 100.0);
}

TEST_F(CReaderTest, ASecondReaderIsRefusedUntilTheFirstHasLeft) {
    EXPECT_EQ(link.make_reader(), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_reader_create: taken"));
    EXPECT_EQ(link.make_playout(), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_playout_create: taken"));
    reader.reset();
    EXPECT_NE(link.make_reader(), nullptr);
}

TEST_F(CReaderTest, ATimeThatNoClockShowsTakesNothing) {
    source.move_and_publish();
    EXPECT_EQ(glissade_reader_next(reader.get(), kNone), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_reader_next: a time that no clock shows"));
    const glissade_tick* const state = glissade_reader_next(reader.get(), 100.0);
    ASSERT_NE(state, nullptr);
    EXPECT_EQ(times_in(state).tick, 1.0);
}

TEST_F(CReaderTest, WhatWasRemovedIsGoneInTheNextStateOnly) {
    EXPECT_EQ(look(1.0), 0);
    source.move_and_publish();
    EXPECT_EQ(look(20.0), 1);
    ASSERT_EQ(glissade_writer_remove(source.writer.get(), source.id), 1);
    source.publish();
    source.publish();
    EXPECT_EQ(look(60.0), 2);
    std::vector<nlohmann::json> gone;
    for (const nlohmann::json& line : parse_lines(trace_text(recording.get()))) {
        if (line.contains("tick")) {
            gone.push_back(line.value("gone", nlohmann::json::array()));
        }
    }
    const auto id = static_cast<std::int64_t>(source.id);
    EXPECT_THAT(gone, ::testing::ElementsAre(nlohmann::json::array(), nlohmann::json{id},
                                             nlohmann::json::array()));
}

TEST_F(CReaderTest, AStateArrivesWhenItWasPublishedIfThatIsBetweenTheLooks) {
    EXPECT_EQ(look(10.0), 0);
    source.move_and_publish(1.5);
    EXPECT_EQ(look(24.0), 1);
    EXPECT_THAT(arrivals(), ::testing::ElementsAre(kTickMs + 1.5));
}

TEST_F(CReaderTest, AStateFromAClockThatIsAheadArrivesWithTheLook) {
    EXPECT_EQ(look(10.0), 0);
    source.move_and_publish(1e6);
    EXPECT_EQ(look(24.0), 1);
    EXPECT_THAT(arrivals(), ::testing::ElementsAre(24.0));
}

// Trap: a frame looks while the writer is between its clock and the hand-over. A replay that gave
// that frame the state would draw what nobody could have drawn.
TEST_F(CReaderTest, AStateThatALookDidNotFindArrivesAfterThatLook) {
    source.move_and_publish(0.0);
    EXPECT_EQ(look(20.0), 1);
    EXPECT_EQ(look(40.0), 0);
    source.move_and_publish(0.0); // Stamped 32 ms, before the look at 40 ms.
    EXPECT_EQ(look(60.0), 1);
    EXPECT_THAT(line_names(), ::testing::ElementsAre("frame 1", "frame 2", "tick 2", "frame 3"));
}

TEST_F(CReaderTest, AStateOfAClockThatIsBehindArrivesAfterTheLookBefore) {
    EXPECT_EQ(look(10.0), 0);
    source.move_and_publish(0.0);
    EXPECT_EQ(look(100.0), 1);
    source.move_and_publish(0.0); // Stamped 32 ms.
    EXPECT_EQ(look(120.0), 1);
    EXPECT_THAT(line_names(),
                ::testing::ElementsAre("frame 1", "tick 1", "frame 2", "tick 2", "frame 3"));
}

TEST_F(CReaderTest, AClockOfTheReaderThatRunsBackStillLeavesATraceInOrder) {
    EXPECT_EQ(look(100.0), 0);
    source.move_and_publish(100.0);
    const glissade_tick* const state = glissade_reader_next(reader.get(), 50.0);
    ASSERT_NE(state, nullptr);
    EXPECT_EQ(times_in(state).tick, 1.0);
    glissade_recording_tick(recording.get(), state);
    EXPECT_EQ(look(120.0), 0);
    const std::string text = trace_text(recording.get());
    const TraceReplay trace(glissade_trace_create(text.data(), text.size()));
    EXPECT_NE(trace, nullptr) << glissade_problem();
    EXPECT_THAT(arrivals(), ::testing::ElementsAre(100.0));
}

TEST_F(CReaderTest, WhatWasReadInOrderIsATraceInOrder) {
    for (int i = 0; i < 200; ++i) {
        // By a clock that is 5 ms ahead, on time, or 5 ms behind.
        source.move_and_publish(5.0 * (i % 3 - 1));
        look(source.tick * kTickMs + 2.0);
    }
    const std::string text = trace_text(recording.get());
    const TraceReplay trace(glissade_trace_create(text.data(), text.size()));
    ASSERT_NE(trace, nullptr) << glissade_problem();
    EXPECT_EQ(glissade_trace_frame_count(trace.get()), 200U);
}

// A source and its reader on one side of a wire, a relay and its reader on the other.
class CRelayTest : public ::testing::Test {
protected:
    std::vector<std::byte> take_message() {
        EXPECT_NE(glissade_reader_next(near_reader.get(), 1000.0), nullptr);
        std::vector<std::byte> message(glissade_reader_message_bytes(near_reader.get()));
        EXPECT_EQ(glissade_reader_message(near_reader.get(), message.data(), message.size()), 1)
            << glissade_problem();
        return message;
    }
    std::int32_t post(const std::vector<std::byte>& message, double received_ms = 500.0) {
        return glissade_relay_post(relay.get(), message.data(), message.size(), received_ms);
    }

    LinkMemory near_link{4};
    LinkMemory far_link{4};
    Source source{near_link};
    Reader near_reader = near_link.make_reader();
    Relay relay = far_link.make_relay();
    Reader far_reader = far_link.make_reader();
};

TEST_F(CRelayTest, AStateThatTravelsAsAMessageIsTheSameAndCountsAsPublishedThen) {
    source.move_and_publish();
    EXPECT_EQ(post(take_message(), 123.0), 1) << glissade_problem();
    const glissade_tick* const state = glissade_reader_next(far_reader.get(), 1000.0);
    ASSERT_NE(state, nullptr);
    glissade_times expected = times_of(1.0);
    expected.published_ms = 123.0;
    const glissade_times times = times_in(state);
    EXPECT_EQ(bits_of(times), bits_of(expected));
    const glissade_row row = row_at(position_at(kTickMs), source.id);
    const std::vector<glissade_row> rows = rows_in(state);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(bits_of(rows.front()), bits_of(row));
}

TEST_F(CRelayTest, WithoutAStateThereIsNoMessage) {
    std::byte room{};
    EXPECT_EQ(glissade_reader_message_bytes(near_reader.get()), 0U);
    EXPECT_EQ(glissade_reader_message(near_reader.get(), &room, sizeof room), 0);
    EXPECT_THAT(glissade_problem(), says("glissade_reader_message: no snapshot was taken"));
}

TEST_F(CRelayTest, AMessageNeedsItsRoom) {
    source.move_and_publish();
    std::vector<std::byte> message = take_message();
    EXPECT_EQ(glissade_reader_message(near_reader.get(), message.data(), message.size() - 1), 0);
    EXPECT_THAT(glissade_problem(), says("glissade_reader_message: too little room"));
}

TEST_F(CRelayTest, AMessageOfALinkWithAnotherCapacityIsRefusedAndTheNextOneIsTaken) {
    const LinkMemory other_link(100); // Of few objects columns are as long as of one.
    const Relay other(glissade_relay_create(other_link.data(), other_link.bytes()));
    const Reader other_reader = other_link.make_reader();
    source.move_and_publish();
    const std::vector<std::byte> message = take_message();
    EXPECT_EQ(glissade_relay_post(other.get(), message.data(), message.size(), 1.0), 0);
    EXPECT_THAT(glissade_problem(), says("glissade_relay_post: a snapshot of a link with another"));
    EXPECT_EQ(glissade_reader_next(other_reader.get(), 1000.0), nullptr);
    EXPECT_EQ(post(message), 1);
    EXPECT_NE(glissade_reader_next(far_reader.get(), 1000.0), nullptr);
}

TEST_F(CRelayTest, WhatIsNoMessageIsRefusedAndTheNextOneIsTaken) {
    source.move_and_publish();
    std::vector<std::byte> message = take_message();
    EXPECT_EQ(post({message.begin(), message.begin() + 10}), 0);
    EXPECT_THAT(glissade_problem(), says("glissade_relay_post: no snapshot"));
    EXPECT_EQ(post({message.begin(), message.end() - 1}), 0);
    EXPECT_EQ(post(message, kNone), 0);
    EXPECT_EQ(glissade_reader_next(far_reader.get(), 1000.0), nullptr);
    EXPECT_EQ(post(message), 1);
    EXPECT_NE(glissade_reader_next(far_reader.get(), 1000.0), nullptr);
}

TEST_F(CRelayTest, ARelayIsAWriter) {
    EXPECT_EQ(far_link.make_writer(), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_writer_create: taken"));
    relay.reset();
    EXPECT_NE(far_link.make_writer(), nullptr);
}

} // namespace
} // namespace glissade::c_test
