// SPDX-License-Identifier: MIT
// Takes the events of a JSON parser for one line and turns them into checked fields.
#pragma once

#include "glissade/trace/trace.h"
#include "glissade/trace/trace_reader.h"

#include "trace/line_keys.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glissade::detail {

/// The value of one key, as its type wants it.
struct Slot {
    std::array<std::int64_t, 2> integers{}; ///< Integers, enumerators, flags; both for a rate.
    std::array<double, 4> numbers{};        ///< Numbers, vectors and quaternions (x y z w).
};

/// The values of one object. A slot has a meaning only where has() is true.
class Fields {
public:
    template <class Key>
    [[nodiscard]] bool has(Key key) const noexcept {
        return (seen_ >> static_cast<unsigned>(key) & 1U) != 0;
    }
    template <class Key>
    [[nodiscard]] const Slot& operator[](Key key) const noexcept {
        return slots_[static_cast<std::size_t>(key)];
    }
    [[nodiscard]] Slot& at(std::size_t index) noexcept { return slots_[index]; }
    void mark(std::size_t index) noexcept { seen_ |= std::uint64_t{1} << index; }
    void clear() noexcept { seen_ = 0; }

private:
    static_assert(kMaxKeys <= 64);
    std::uint64_t seen_ = 0;
    std::array<Slot, kMaxKeys> slots_{};
};

/// The vector or quaternion in a slot.
[[nodiscard]] glm::dvec3 vector_of(const Slot& slot) noexcept;
[[nodiscard]] glm::dquat quaternion_of(const Slot& slot) noexcept;

/// What is wrong with a line.
struct LineFault {
    TraceProblem problem = TraceProblem::None;
    std::string cause{};
};

/// A SAX handler of nlohmann-json for one line at a time.
///
/// Keys may come in any order, so the kind of a line is known only at its end, and a key that is
/// wrong in one kind is unknown, and no matter, in another: the first fault is kept for each kind.
/// Unknown values are skipped by counting brackets. Null is no value of any key but `tick_ns`, and
/// a key that stands twice in an object is a fault.
class LineEvents {
public:
    explicit LineEvents(const LineSchema& schema) : schema_(&schema) {}

    /// Forgets the line before. Poses and ids go into the two vectors, which are cleared.
    void begin(std::vector<TracePose>& poses, std::vector<std::int64_t>& gone);

    /// The fields of the line itself, after the last event.
    [[nodiscard]] const Fields& fields() const noexcept { return levels_[0].fields; }
    /// The value of the only key that is ValueType::Text.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// The first thing wrong with the line as one of `kind`, missing keys not yet counted.
    [[nodiscard]] const LineFault& fault(std::size_t kind) const noexcept { return faults_[kind]; }
    /// False if the line is something else than an object.
    [[nodiscard]] bool is_object() const noexcept { return !not_object_; }
    /// The key whose value is being read, for messages: "p" of poses[3].
    [[nodiscard]] std::string place() const;

    // What the parser calls. False stops it.
    bool null();
    bool boolean(bool value);
    bool number_integer(std::int64_t value);
    bool number_unsigned(std::uint64_t value);
    bool number_float(double value, const std::string& text);
    bool string(const std::string& value);
    bool key(const std::string& name);
    bool start_object(std::size_t count);
    bool end_object();
    bool start_array(std::size_t count);
    bool end_array();

private:
    static constexpr int kOutside = -1;

    // A value that is no array and no object.
    struct Scalar {
        enum class Kind : std::uint8_t { Null, Boolean, Integer, Real, String };
        Kind kind = Kind::Null;
        std::int64_t integer = 0; // Of a boolean as well.
        double real = 0.0;        // Of an integer as well.
        std::string_view text{};  // Of a string, or as it stands in the file.
    };
    // An object that is being read: the line, a pose, or the shift of a pose.
    struct Level {
        Fields fields;
        const KeyRow* row = nullptr; // Of the last key; null if it is unknown.
        bool in_list = false;        // Inside the array that is the value of that key.
        std::size_t element_count = 0;
    };

    [[nodiscard]] std::span<const KeyRow> rows() const noexcept;
    [[nodiscard]] Level& level() noexcept { return levels_[static_cast<std::size_t>(depth_)]; }
    [[nodiscard]] std::size_t row_index() noexcept;
    [[nodiscard]] std::string owner(std::size_t kind) const;
    [[nodiscard]] std::size_t likely_kind() const noexcept;
    [[nodiscard]] static std::string describe(const Scalar& scalar);
    [[nodiscard]] static bool take_integer(const Scalar& scalar, ValueType type, Slot& slot);
    [[nodiscard]] bool take_named(const Scalar& scalar, ValueType type, Slot& slot);
    [[nodiscard]] bool take_value(const Scalar& scalar, ValueType type, Slot& slot);

    bool scalar(const Scalar& scalar);
    void element(const Scalar& scalar);
    bool enter(int depth);
    bool skip(const char* found);
    bool leave_line();
    void close_list();
    void close_pose();
    void check_required(std::span<const KeyRow> rows);
    void fault(TraceProblem problem, std::string_view key, const std::string& what);
    void wrong(const std::string& found);

    const LineSchema* schema_;
    std::vector<TracePose>* poses_ = nullptr;
    std::vector<std::int64_t>* gone_ = nullptr;
    int depth_ = kOutside;          // Into levels_.
    std::size_t skipped_depth_ = 0; // Open brackets of a value that is not wanted.
    bool not_object_ = false;
    std::array<Level, 3> levels_{};
    std::array<LineFault, kMaxKinds> faults_{};
    std::string text_;
    std::string unknown_key_; // The last one, for messages.
};

} // namespace glissade::detail
