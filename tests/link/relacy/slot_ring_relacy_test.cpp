// SPDX-License-Identifier: MIT
// Runs the shipped SlotRing through every schedule and every value that the C++ memory model allows
// (relacy), and with orders weakened one by one, each of which must be caught.
#include "glissade/link/slot_ring.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <ostream>

#include <gtest/gtest.h>

// Last: it redefines the names of the memory orders, and these two, which GoogleTest uses.
#include <relacy/relacy.hpp>
#undef new
#undef delete

namespace glissade {
namespace {

// The shipped orders, in relacy's words.
struct Shipped {
    static constexpr rl::memory_order kPublish = rl::mo_acq_rel;
    static constexpr rl::memory_order kTake = rl::mo_acq_rel;
    static constexpr rl::memory_order kReuse = rl::mo_acquire;
    static constexpr rl::memory_order kGiveBack = rl::mo_release;
    static constexpr rl::memory_order kSetNewest = rl::mo_release;
    static constexpr rl::memory_order kGetNewest = rl::mo_acquire;
    static constexpr rl::memory_order kJoin = rl::mo_acq_rel;
    static constexpr rl::memory_order kLeave = rl::mo_release;
};
static_assert(StdAtomics::kPublish == std::memory_order::acq_rel);
static_assert(StdAtomics::kTake == std::memory_order::acq_rel);
static_assert(StdAtomics::kReuse == std::memory_order::acquire);
static_assert(StdAtomics::kGiveBack == std::memory_order::release);
static_assert(StdAtomics::kSetNewest == std::memory_order::release);
static_assert(StdAtomics::kGetNewest == std::memory_order::acquire);
static_assert(StdAtomics::kJoin == std::memory_order::acq_rel);
static_assert(StdAtomics::kLeave == std::memory_order::release);

struct PublishRelaxed : Shipped {
    static constexpr rl::memory_order kPublish = rl::mo_relaxed;
};
struct PublishWithoutRelease : Shipped {
    static constexpr rl::memory_order kPublish = rl::mo_acquire;
};
struct PublishWithoutAcquire : Shipped {
    static constexpr rl::memory_order kPublish = rl::mo_release;
};
struct TakeRelaxed : Shipped {
    static constexpr rl::memory_order kTake = rl::mo_relaxed;
};
struct TakeWithoutRelease : Shipped {
    static constexpr rl::memory_order kTake = rl::mo_acquire;
};
struct TakeWithoutAcquire : Shipped {
    static constexpr rl::memory_order kTake = rl::mo_release;
};
struct ReuseRelaxed : Shipped {
    static constexpr rl::memory_order kReuse = rl::mo_relaxed;
};
struct GiveBackRelaxed : Shipped {
    static constexpr rl::memory_order kGiveBack = rl::mo_relaxed;
};
struct SetNewestRelaxed : Shipped {
    static constexpr rl::memory_order kSetNewest = rl::mo_relaxed;
};
struct GetNewestRelaxed : Shipped {
    static constexpr rl::memory_order kGetNewest = rl::mo_relaxed;
};
struct JoinRelaxed : Shipped {
    static constexpr rl::memory_order kJoin = rl::mo_relaxed;
};
struct LeaveRelaxed : Shipped {
    static constexpr rl::memory_order kLeave = rl::mo_relaxed;
};

/// The words of relacy. In relacy an exchange always reads the word that was written last, because
/// its modification order is the order in which it runs the threads. The C++ model lets an exchange
/// come earlier, right after any word that a relaxed load could still read at that point. So an
/// exchange here first makes that load and keeps what it read: the tests demand as much of that
/// word as of the one that was swapped. Without it nothing would notice a relaxed `newest`.
template <class Orders, std::uint32_t EntryRoom>
struct RelacyAtomics : Orders {
    using Word = rl::atomic<std::uint64_t>;
    using Order = rl::memory_order;
    static constexpr std::uint32_t kEntryRoom = EntryRoom;
    static constexpr Order kOwn = rl::mo_relaxed;

    static inline std::uint64_t possible_word =
        0; // Of the last exchange of this schedule's thread.

    static std::uint64_t load(const Word& word, Order order) { return word.load(order, $); }
    static void store(Word& word, std::uint64_t value, Order order) { word.store(value, order, $); }
    static std::uint64_t exchange(Word& word, std::uint64_t value, Order order) {
        // Neither a publish nor the writer's choice of a slot.
        const bool takes = value >> 8U == 0 && order == Orders::kTake;
        const std::uint64_t possible = takes ? word.load(rl::mo_relaxed, $) : 0;
        const std::uint64_t old = word.exchange(value, order, $);
        possible_word = possible; // After the exchange: no switch of threads until take() returns.
        return old;
    }
    static bool replace(Word& word, std::uint64_t expected, std::uint64_t value, Order order) {
        return word.compare_exchange_weak(expected, value, order, $, rl::mo_relaxed, $);
    }
};

/// What a writer writes on: the slot that choose_slot() gives, as a LinkWriter does, or just the
/// one that came back from the ring.
enum class Choice { WarmSlot, AnySlot };

/// A ring with a payload in each slot. relacy reports each unordered pair of accesses to it.
template <class Orders, std::uint32_t EntryCount>
class Model {
public:
    using Atomics = RelacyAtomics<Orders, EntryCount>;
    using Ring = SlotRing<Atomics>;

    void format() {
        Ring::format(place());
        for (auto& payload : payloads_) {
            payload($) = 0;
        }
    }
    typename Ring::Place place() { return {&head_, EntryCount}; }

    void publish(typename Ring::Writer& writer, Choice choice = Choice::WarmSlot) {
        if (choice == Choice::WarmSlot) {
            writer.choose_slot();
        }
        payloads_[writer.slot()]($) = writer.next_sequence();
        writer.publish();
    }
    /// Starts a snapshot that is never published.
    void begin(typename Ring::Writer& writer) {
        writer.choose_slot();
        payloads_[writer.slot()]($) = 0;
    }
    template <class Half>
    void join(Half& half) {
        RL_ASSERT(half.join(place()) == Ring::Join::Ok);
    }
    /// Takes one if there is one. Checks that it is later than the last and what it should be.
    bool take(typename Ring::Reader& reader) {
        const std::uint64_t last = reader.last_sequence();
        const auto taken = reader.take();
        RL_ASSERT(reader.damaged_count() == 0);
        if (!taken) {
            return false;
        }
        RL_ASSERT(Atomics::possible_word >> 8U > last);
        RL_ASSERT(taken->sequence > last);
        RL_ASSERT(taken->skipped == taken->sequence - last - 1);
        const std::uint64_t content = payloads_[taken->slot]($);
        RL_ASSERT(content == taken->sequence);
        return true;
    }
    /// Each slot belongs to exactly one: an entry, the writer or the reader.
    void check_owners() {
        std::array<int, EntryCount + 2> owner_counts{};
        for (auto& entry : head_.entries) {
            ++owner_counts[entry.load(rl::mo_relaxed, $) & 0xFFU];
        }
        ++owner_counts[head_.writer.slot.load(rl::mo_relaxed, $)];
        ++owner_counts[head_.reader.slot.load(rl::mo_relaxed, $)];
        for (const int count : owner_counts) {
            RL_ASSERT(count == 1);
        }
    }

private:
    typename Ring::Head head_;
    std::array<rl::var<std::uint64_t>, EntryCount + 2> payloads_;
};

/// One thread publishes, one takes; afterwards what was not yet taken is. They join before and
/// leave after: each atomic access multiplies the schedules, and Succession looks at those.
template <class Orders, std::uint32_t EntryCount, std::uint64_t PublishCount, int TakeCount,
          Choice Chosen>
struct HandOff : rl::test_suite<HandOff<Orders, EntryCount, PublishCount, TakeCount, Chosen>, 2> {
    Model<Orders, EntryCount> model;
    typename Model<Orders, EntryCount>::Ring::Writer writer;
    typename Model<Orders, EntryCount>::Ring::Reader reader;

    void before() {
        model.format();
        model.join(writer);
        model.join(reader);
    }
    void thread(unsigned index) {
        if (index == 0) {
            for (std::uint64_t i = 0; i < PublishCount; ++i) {
                model.publish(writer, Chosen);
            }
        } else {
            for (int i = 0; i < TakeCount; ++i) {
                model.take(reader);
            }
        }
    }
    void after() {
        while (model.take(reader)) {
        }
        RL_ASSERT(reader.last_sequence() == PublishCount); // The newest is never lost.
        writer.leave();
        reader.leave();
        model.check_owners();
    }
};

/// Two threads compete for the place of the reader; who gets it takes one of two snapshots.
template <class Orders>
struct Succession : rl::test_suite<Succession<Orders>, 2> {
    Model<Orders, 4> model;
    typename Model<Orders, 4>::Ring::Writer writer;

    void before() {
        model.format();
        model.join(writer);
        model.publish(writer);
        model.publish(writer);
        writer.leave();
    }
    void thread(unsigned) {
        typename Model<Orders, 4>::Ring::Reader reader;
        if (reader.join(model.place()) == Model<Orders, 4>::Ring::Join::Ok) {
            RL_ASSERT(model.take(reader));
            reader.leave();
        }
    }
    void after() { model.check_owners(); }
};

/// One writer leaves in the middle of a snapshot and another one goes on: it finds the slot that
/// the first one did not need, and puts the half-written one in its place, while a reader takes
/// and gives back.
template <class Orders, std::uint32_t EntryCount>
struct Relay : rl::test_suite<Relay<Orders, EntryCount>, 2> {
    using Ring = typename Model<Orders, EntryCount>::Ring;
    Model<Orders, EntryCount> model;
    typename Ring::Reader reader;

    void before() {
        model.format();
        model.join(reader);
    }
    void thread(unsigned index) {
        if (index == 0) {
            typename Ring::Writer first;
            model.join(first);
            model.publish(first);
            model.begin(first);
            first.leave();
            typename Ring::Writer second;
            model.join(second);
            model.publish(second);
            second.leave();
        } else {
            for (int i = 0; i < 2; ++i) {
                model.take(reader);
            }
        }
    }
    void after() {
        while (model.take(reader)) {
        }
        RL_ASSERT(reader.last_sequence() == 2);
        reader.leave();
        model.check_owners();
    }
};

struct Verdict {
    rl::test_result_e result = rl::test_result_success;
    std::uint64_t schedule_count = 0;
};

template <class Test>
Verdict search() {
    std::ostream nowhere(nullptr);
    rl::test_params params;
    params.search_type = rl::fair_full_search_scheduler_type;
    params.output_stream = &nowhere;
    params.progress_stream = &nowhere;
    rl::simulate<Test>(params);
    return {params.test_result, params.stop_iteration};
}

template <class Test>
void expect_sound() {
    const Verdict verdict = search<Test>();
    EXPECT_EQ(verdict.result, rl::test_result_success) << rl::test_result_str(verdict.result);
    std::printf("    %llu schedules\n", static_cast<unsigned long long>(verdict.schedule_count));
}

template <class Test>
void expect_caught(rl::test_result_e expected) {
    const Verdict verdict = search<Test>();
    EXPECT_EQ(verdict.result, expected) << rl::test_result_str(verdict.result);
    std::printf("    caught in schedule %llu: %s\n",
                static_cast<unsigned long long>(verdict.schedule_count),
                rl::test_result_str(verdict.result));
}

template <std::uint32_t EntryCount, std::uint64_t PublishCount, int TakeCount>
using WarmHandOff = HandOff<Shipped, EntryCount, PublishCount, TakeCount, Choice::WarmSlot>;
template <std::uint32_t EntryCount, std::uint64_t PublishCount, int TakeCount>
using AnyHandOff = HandOff<Shipped, EntryCount, PublishCount, TakeCount, Choice::AnySlot>;

TEST(SlotRingModel, OneEntryIsSoundInEverySchedule) {
    expect_sound<WarmHandOff<1, 3, 3>>();
}
TEST(SlotRingModel, TwoEntriesAreSoundInEverySchedule) {
    expect_sound<WarmHandOff<2, 4, 3>>();
}
TEST(SlotRingModel, ThreeEntriesAreSoundInEverySchedule) {
    expect_sound<WarmHandOff<3, 5, 2>>();
}
TEST(SlotRingModel, FourEntriesAreSoundInEverySchedule) {
    expect_sound<WarmHandOff<4, 6, 2>>();
}

// As many publishes as it takes for a slot that the reader has read to be written again: the reader
// gives it back with the second take, the writer gets it K publishes later and writes the next one.
TEST(SlotRingModel, SlotsThatComeBackFromTheRingAreSoundInEverySchedule) {
    expect_sound<AnyHandOff<1, 4, 3>>();
    expect_sound<AnyHandOff<2, 5, 3>>();
    expect_sound<AnyHandOff<3, 6, 2>>();
    expect_sound<AnyHandOff<4, 7, 2>>();
}

TEST(SlotRingModel, TwoReadersNeverHaveTheSamePlace) {
    expect_sound<Succession<Shipped>>();
}

TEST(SlotRingModel, AWriterGoesOnWhereAnotherOneLeft) {
    expect_sound<Relay<Shipped, 1>>();
    expect_sound<Relay<Shipped, 2>>();
}

template <class Orders>
using Weakened = HandOff<Orders, 2, 5, 3, Choice::WarmSlot>;

TEST(WeakenedSlotRingModel, ARelaxedPublishIsCaught) {
    expect_caught<Weakened<PublishRelaxed>>(rl::test_result_data_race);
}
TEST(WeakenedSlotRingModel, APublishWithoutReleaseIsCaught) {
    expect_caught<Weakened<PublishWithoutRelease>>(rl::test_result_data_race);
}
TEST(WeakenedSlotRingModel, APublishWithoutAcquireIsCaught) {
    expect_caught<Weakened<PublishWithoutAcquire>>(rl::test_result_data_race);
}
TEST(WeakenedSlotRingModel, ARelaxedReuseOfTheSlotGivenBackIsCaught) {
    expect_caught<Weakened<ReuseRelaxed>>(rl::test_result_data_race);
}
TEST(WeakenedSlotRingModel, ARelaxedGivingBackIsCaught) {
    expect_caught<Weakened<GiveBackRelaxed>>(rl::test_result_data_race);
}
TEST(WeakenedSlotRingModel, ARelaxedTakeIsCaught) {
    expect_caught<Weakened<TakeRelaxed>>(rl::test_result_data_race);
}
TEST(WeakenedSlotRingModel, ATakeWithoutReleaseIsCaught) {
    expect_caught<Weakened<TakeWithoutRelease>>(rl::test_result_data_race);
}
TEST(WeakenedSlotRingModel, ATakeWithoutAcquireIsCaught) {
    expect_caught<Weakened<TakeWithoutAcquire>>(rl::test_result_data_race);
}
// An exchange that comes too early swaps whole slots all the same, so that nothing races; it gets
// an old sequence, though the newest was announced.
TEST(WeakenedSlotRingModel, ARelaxedStoreOfTheNewestIsCaught) {
    expect_caught<Weakened<SetNewestRelaxed>>(rl::test_result_user_assert_failed);
}
TEST(WeakenedSlotRingModel, ARelaxedLoadOfTheNewestIsCaught) {
    expect_caught<Weakened<GetNewestRelaxed>>(rl::test_result_user_assert_failed);
}
TEST(WeakenedSlotRingModel, ARelaxedJoinIsCaught) {
    expect_caught<Succession<JoinRelaxed>>(rl::test_result_user_assert_failed);
}
TEST(WeakenedSlotRingModel, ARelaxedLeaveIsCaught) {
    expect_caught<Succession<LeaveRelaxed>>(rl::test_result_user_assert_failed);
}

} // namespace
} // namespace glissade
