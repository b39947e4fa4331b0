// SPDX-License-Identifier: MIT
// Who may touch which slot: the hand-off of slot numbers between one writer and one reader.
// Long because everything with atomics stands in one place, to be read and proved together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace glissade {

/// The atomics of a SlotRing: the word and the order of each access. The ring is a template over
/// this type so that a model checker can run the same source with its own words, and with weaker
/// orders that it must catch.
struct StdAtomics {
    using Word = std::atomic<std::uint64_t>;
    using Order = std::memory_order;
    static_assert(Word::is_always_lock_free, "a lock would not work between processes");
    /// Entries that a ring has room for, used or not: so all of its words lie at fixed places.
    static constexpr std::uint32_t kEntryRoom = 64;

    /// The exchanges of writer and reader on an entry. Release: what this side did with the slot
    /// that it gives comes before all that the other side does with it. Acquire: the same for the
    /// slot that it gets.
    static constexpr Order kPublish = std::memory_order_acq_rel;
    static constexpr Order kTake = std::memory_order_acq_rel;
    /// The writer's exchange on the entry that it filled last, once emptied: what the reader did
    /// with the slot that lies there comes before all that the writer does with it. Who empties an
    /// entry never looks into a slot that it gets from there, so neither this nor kGiveBack needs
    /// the other half.
    static constexpr Order kReuse = std::memory_order_acquire;
    /// The reader's exchange of the slot that it has read for the one that it left in its place.
    static constexpr Order kGiveBack = std::memory_order_release;
    /// Who reads `newest` == n also finds n, or a later snapshot, in its entry.
    static constexpr Order kSetNewest = std::memory_order_release;
    static constexpr Order kGetNewest = std::memory_order_acquire;
    /// Who joins sees what the one who left wrote down.
    static constexpr Order kJoin = std::memory_order_acq_rel;
    static constexpr Order kLeave = std::memory_order_release;
    /// Who sees the mark of a region sees all of its header.
    static constexpr Order kSetMark = std::memory_order_release;
    static constexpr Order kGetMark = std::memory_order_acquire;
    /// Words that one side alone uses between joining and leaving.
    static constexpr Order kOwn = std::memory_order_relaxed;

    static std::uint64_t load(const Word& word, Order order) noexcept { return word.load(order); }
    static void store(Word& word, std::uint64_t value, Order order) noexcept {
        word.store(value, order);
    }
    static std::uint64_t exchange(Word& word, std::uint64_t value, Order order) noexcept {
        return word.exchange(value, order);
    }
    /// Writes `value` if the word is `expected`. May fail for no reason: so it never loops.
    static bool replace(Word& word, std::uint64_t expected, std::uint64_t value,
                        Order order) noexcept {
        return word.compare_exchange_weak(expected, value, order, std::memory_order_relaxed);
    }
};

/// A ring of K entries over K + 2 slots: K slots lie in the ring, one belongs to the writer, one
/// to the reader. Slots only ever change hands by swapping one for one, in a single atomic
/// exchange, so nobody touches a slot that another owns, and nobody waits.
///
/// An entry is a word: sequence << 8 | slot. Snapshot n goes to entry n % K; sequence 0 means that
/// the reader has emptied it. This is the only place in the library with atomics. It does not know
/// what is in a slot. Cost: two atomic operations per snapshot and side; if the reader keeps up,
/// one more on each side, which keeps one slot in use instead of all. Sequences have 56 bits.
template <class Atomics>
class SlotRing {
public:
    using Word = typename Atomics::Word;
    static constexpr std::size_t kLineBytes = 64;

    /// What a side leaves behind for the next one to join.
    struct alignas(kLineBytes) Side {
        Word joined{};   ///< 1: somebody has joined.
        Word slot{};     ///< The slot that belongs to this side.
        Word sequence{}; ///< The last one published or taken.
    };
    /// The words of a ring, as they lie in memory. `newest` and the entries share cache lines: each
    /// snapshot needs both, on either side, so that one line goes to and fro instead of two. With a
    /// line for each word 100 poses cost an eighth more (bench/link_bench.cpp).
    struct Head {
        Side writer{};
        Side reader{};
        alignas(kLineBytes) Word newest{}; ///< The last sequence published.
        Word entries[Atomics::kEntryRoom]{};
    };
    /// Where a ring is.
    struct Place {
        Head* head = nullptr;
        std::uint32_t entry_count = 0; ///< K, 1 to Atomics::kEntryRoom.

        [[nodiscard]] std::uint32_t slot_count() const noexcept { return entry_count + 2; }
        /// The entry of this sequence.
        [[nodiscard]] Word& entry(std::uint64_t sequence) const noexcept {
            return head->entries[sequence % entry_count];
        }
    };
    enum class Join : std::uint8_t {
        Ok,
        Taken,   ///< Somebody else has joined and not left.
        Damaged, ///< The words are not those of a ring.
    };

    /// A new ring: slot i in entry i, then the writer's, then the reader's. Nobody else may look
    /// yet; the mark of the region, or the start of the other thread, makes it known.
    static void format(const Place& place) noexcept;

    class Writer;
    class Reader;

private:
    static constexpr std::uint64_t kSlotBits = 8;
    static constexpr std::uint64_t kSlotMask = (1U << kSlotBits) - 1;

    static std::uint64_t pack(std::uint64_t sequence, std::uint32_t slot) noexcept {
        return sequence << kSlotBits | slot;
    }
    static std::uint64_t sequence_of(std::uint64_t word) noexcept { return word >> kSlotBits; }
    static std::uint32_t slot_of(std::uint64_t word) noexcept {
        return static_cast<std::uint32_t>(word & kSlotMask);
    }
    // What a side owns, in its own memory while it has joined.
    struct Owned {
        std::uint32_t slot = 0;
        std::uint64_t sequence = 0;
    };
    static Join join(Side& side, std::uint32_t slot_count, Owned& owned) noexcept;
    static void leave(Side& side, const Owned& owned) noexcept;
};

/// The writing half. Thread safety: one thread at a time. Never waits. Allocates: never.
template <class Atomics>
class SlotRing<Atomics>::Writer {
public:
    /// Precondition: not joined.
    [[nodiscard]] Join join(const Place& place) noexcept;
    /// Lets another writer go on. Does nothing if not joined.
    void leave() noexcept;
    [[nodiscard]] bool joined() const noexcept { return place_.head != nullptr; }

    /// Chooses the slot to write next: the one that the reader gave back last, if it has taken
    /// what was published last, else the one that came back from the ring. So with a reader that
    /// keeps up one slot goes to and fro, or two while it reads, warm in the caches, and the others
    /// are never touched. The first call after publish() chooses, further ones do nothing.
    /// Precondition: joined.
    void choose_slot() noexcept;
    /// The slot to write: nobody else touches it until publish().
    [[nodiscard]] std::uint32_t slot() const noexcept { return owned_.slot; }
    /// The sequence that publish() will give it: 1, 2, 3 ...
    [[nodiscard]] std::uint64_t next_sequence() const noexcept { return owned_.sequence + 1; }
    /// Gives slot() to the reader and takes another one in return. Precondition: joined.
    void publish() noexcept;

private:
    void own(std::uint64_t word) noexcept;

    Place place_{};
    Owned owned_{};
    bool chosen_ = false;
};

/// The reading half. Thread safety: one thread at a time. Never waits. Allocates: never.
template <class Atomics>
class SlotRing<Atomics>::Reader {
public:
    struct Taken {
        std::uint64_t sequence = 0;
        /// Belongs to this reader until the next take(), also if that gives nothing.
        std::uint32_t slot = 0;
        std::uint64_t skipped = 0; ///< Sequences between the last one taken and this one.
    };

    /// Precondition: not joined.
    [[nodiscard]] Join join(const Place& place) noexcept;
    /// Lets another reader go on. Does nothing if not joined.
    void leave() noexcept;
    [[nodiscard]] bool joined() const noexcept { return place_.head != nullptr; }

    /// The oldest sequence not yet taken, or the newest K - 2 if more are waiting; nothing if all
    /// were taken: then the slot taken last goes back to the writer, unless it has gone on without
    /// it. Also nothing, and counted, if the memory holds no possible word: another program has
    /// written into it. Precondition: joined.
    [[nodiscard]] std::optional<Taken> take() noexcept;
    [[nodiscard]] std::uint64_t damaged_count() const noexcept { return damaged_count_; }
    /// The last sequence taken, by this reader or the one before it; 0 before the first.
    [[nodiscard]] std::uint64_t last_sequence() const noexcept { return owned_.sequence; }

private:
    void give_back() noexcept;

    Place place_{};
    Owned owned_{};
    std::optional<std::uint32_t> left_slot_{}; // In the entry of owned_.sequence, until given back.
    std::uint64_t damaged_count_ = 0;
};

/// Declares a region ready, after everything in it was written.
template <class Atomics>
void set_mark(typename Atomics::Word& word, std::uint64_t mark) noexcept {
    // Pairs with the load in get_mark().
    Atomics::store(word, mark, Atomics::kSetMark);
}

/// The mark of a region: what was written before it is visible to who finds it.
template <class Atomics>
std::uint64_t get_mark(const typename Atomics::Word& word) noexcept {
    // Pairs with the store in set_mark().
    return Atomics::load(word, Atomics::kGetMark);
}

template <class Atomics>
void SlotRing<Atomics>::format(const Place& place) noexcept {
    // Nobody else looks yet: none of these pairs with anything.
    for (std::uint32_t entry = 0; entry < place.entry_count; ++entry) {
        Atomics::store(place.head->entries[entry], pack(0, entry), Atomics::kOwn);
    }
    Atomics::store(place.head->newest, 0, Atomics::kOwn);
    std::uint32_t slot = place.entry_count;
    for (Side* side : {&place.head->writer, &place.head->reader}) {
        Atomics::store(side->joined, 0, Atomics::kOwn);
        Atomics::store(side->slot, slot++, Atomics::kOwn);
        Atomics::store(side->sequence, 0, Atomics::kOwn);
    }
}

template <class Atomics>
auto SlotRing<Atomics>::join(Side& side, std::uint32_t slot_count, Owned& owned) noexcept -> Join {
    // Acquire pairs with the store in leave(): the two words below are those of the last owner.
    if (Atomics::exchange(side.joined, 1, Atomics::kJoin) != 0) {
        return Join::Taken;
    }
    const std::uint64_t slot = Atomics::load(side.slot, Atomics::kOwn);
    if (slot < slot_count) {
        owned = {static_cast<std::uint32_t>(slot), Atomics::load(side.sequence, Atomics::kOwn)};
        return Join::Ok;
    }
    // Pairs with the exchange above, of whoever tries next.
    Atomics::store(side.joined, 0, Atomics::kLeave);
    return Join::Damaged;
}

template <class Atomics>
void SlotRing<Atomics>::leave(Side& side, const Owned& owned) noexcept {
    Atomics::store(side.slot, owned.slot, Atomics::kOwn);
    Atomics::store(side.sequence, owned.sequence, Atomics::kOwn);
    // Release pairs with the exchange in join(): what this owner did comes before the next one.
    Atomics::store(side.joined, 0, Atomics::kLeave);
}

template <class Atomics>
auto SlotRing<Atomics>::Writer::join(const Place& place) noexcept -> Join {
    const Join result = SlotRing::join(place.head->writer, place.slot_count(), owned_);
    place_ = result == Join::Ok ? place : Place{};
    return result;
}

template <class Atomics>
void SlotRing<Atomics>::Writer::leave() noexcept {
    if (joined()) {
        SlotRing::leave(place_.head->writer, owned_);
        place_ = {};
    }
}

template <class Atomics>
void SlotRing<Atomics>::Writer::choose_slot() noexcept {
    if (chosen_ || owned_.sequence == 0) {
        return;
    }
    chosen_ = true;
    Word& entry = place_.entry(owned_.sequence);
    // Pairs with nothing: an emptied entry stays so until the next publish() to it, and the
    // exchange brings the order.
    if (sequence_of(Atomics::load(entry, Atomics::kOwn)) != 0) {
        return;
    }
    // Not a store: the reader may give back its slot at this moment. Acquire pairs with the release
    // of take() and give_back(): the reader has done with the slot.
    own(Atomics::exchange(entry, pack(0, owned_.slot), Atomics::kReuse));
}

template <class Atomics>
void SlotRing<Atomics>::Writer::own(std::uint64_t word) noexcept {
    // Only in damaged memory is it out of range; then better a torn slot than a wild one.
    owned_.slot = slot_of(word) < place_.slot_count() ? slot_of(word) : owned_.slot;
}

template <class Atomics>
void SlotRing<Atomics>::Writer::publish() noexcept {
    chosen_ = false;
    ++owned_.sequence;
    Word& entry = place_.entry(owned_.sequence);
    // Release pairs with the acquire of the exchange in take(): the reader sees the whole slot.
    // Acquire pairs with the release of take() and give_back(): the reader has done with the slot
    // that comes back.
    own(Atomics::exchange(entry, pack(owned_.sequence, owned_.slot), Atomics::kPublish));
    // Pairs with the load in take(): the exchange above comes before the reader's.
    Atomics::store(place_.head->newest, owned_.sequence, Atomics::kSetNewest);
}

template <class Atomics>
auto SlotRing<Atomics>::Reader::join(const Place& place) noexcept -> Join {
    const Join result = SlotRing::join(place.head->reader, place.slot_count(), owned_);
    place_ = result == Join::Ok ? place : Place{};
    return result;
}

template <class Atomics>
void SlotRing<Atomics>::Reader::leave() noexcept {
    if (joined()) {
        SlotRing::leave(place_.head->reader, owned_);
        place_ = {};
        left_slot_.reset();
    }
}

template <class Atomics>
auto SlotRing<Atomics>::Reader::take() noexcept -> std::optional<Taken> {
    // Pairs with the store in publish(): what is announced is also there.
    const std::uint64_t newest = Atomics::load(place_.head->newest, Atomics::kGetNewest);
    // Older than owned_.sequence when the last take() got a snapshot before it was announced.
    if (newest <= owned_.sequence) {
        give_back();
        return std::nullopt;
    }
    // Two entries of distance: the writer may publish twice before it overtakes this reader.
    const std::uint64_t window = place_.entry_count > 2 ? place_.entry_count - 2 : 1;
    const std::uint64_t oldest = newest > window ? newest - window + 1 : 1;
    const std::uint64_t wanted = oldest > owned_.sequence ? oldest : owned_.sequence + 1;
    Word& entry = place_.entry(wanted);
    left_slot_.reset();
    // Acquire pairs with the release of the exchange in publish(): the slot is complete. Release
    // pairs with its acquire: this reader has done with the slot that it gives.
    const std::uint64_t word = Atomics::exchange(entry, pack(0, owned_.slot), Atomics::kTake);

    // The sequence is `wanted`, or larger by whole rounds if the writer has overtaken this reader.
    const Taken taken{.sequence = sequence_of(word),
                      .slot = slot_of(word),
                      .skipped = sequence_of(word) - owned_.sequence - 1};
    if (taken.slot >= place_.slot_count()) {
        ++damaged_count_;
        return std::nullopt;
    }
    const std::uint32_t left_slot = std::exchange(owned_.slot, taken.slot);
    if (taken.sequence < wanted) {
        ++damaged_count_;
        return std::nullopt;
    }
    left_slot_ = left_slot;
    owned_.sequence = taken.sequence;
    return taken;
}

template <class Atomics>
void SlotRing<Atomics>::Reader::give_back() noexcept {
    if (!left_slot_) {
        return;
    }
    // Only in exchange for the very slot that take() left there: if that is gone, the writer has
    // chosen it or come round the ring, and this one would just lie there until the next round.
    // Release pairs with the acquire of choose_slot() and publish(): this reader has done with it.
    if (Atomics::replace(place_.entry(owned_.sequence), pack(0, *left_slot_), pack(0, owned_.slot),
                         Atomics::kGiveBack)) {
        owned_.slot = *left_slot_;
    }
    left_slot_.reset();
}

} // namespace glissade
