// SPDX-License-Identifier: MIT
#include "conformance/chase_fields.h"

#include <algorithm>
#include <vector>

namespace glissade::conformance {

namespace {

constexpr Word<NodeKind> kKinds[] = {
    {"position", NodeKind::Position},
    {"jump", NodeKind::Jump},
    {"velocity", NodeKind::Velocity},
};

ChaseNode rule_node(std::size_t index) {
    return {.position = {0.0, static_cast<double>(index) + 1.0, 0.0}};
}

// A node of another kind than `position` may have no place.
bool is_placed(Fields& fields, NodeKind kind) {
    return kind == NodeKind::Position || fields.has("pos") || fields.has("heading");
}

std::optional<ChaseNode> read_node(const Json& object, const std::string& path,
                                   CaseReport& report) {
    Fields fields(object, path, report);
    const auto kind = read_word(fields, "kind", kKinds);
    if (!kind) {
        return std::nullopt;
    }
    if (!is_placed(fields, *kind)) {
        return ChaseNode{.kind = *kind};
    }
    const auto position = read_vector(fields, "pos");
    const auto heading = fields.number("heading");
    return position && heading ? std::optional(ChaseNode{*position, *heading, *kind})
                               : std::nullopt;
}

void compare_node(const Json& object, const std::string& path, CaseReport& report,
                  const ChaseNode& actual) {
    Fields fields(object, path, report);
    compare_word(fields, "kind", kKinds, actual.kind);
    if (is_placed(fields, actual.kind)) {
        compare_vector(fields, "pos", actual.position);
        compare_heading(fields, "heading", actual.heading_deg);
    }
}

std::optional<std::vector<ChaseNode>> read_nodes(Fields& fields) {
    std::vector<ChaseNode> nodes;
    if (fields.has("queue_len")) {
        const auto count = fields.whole("queue_len", kChaseCapacity);
        const auto rule = fields.text("queue_rule");
        for (std::size_t i = 0; i < count.value_or(0); ++i) {
            nodes.push_back(rule_node(i));
        }
        return count && rule ? std::optional(nodes) : std::nullopt;
    }
    const Json* queue = fields.array("queue");
    if (queue == nullptr) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < queue->size(); ++i) {
        const auto node =
            read_node((*queue)[i], element_path(fields.path_of("queue"), i), fields.report());
        if (!node) {
            return std::nullopt;
        }
        nodes.push_back(*node);
    }
    return nodes;
}

// The counters of a queue. `all` of them must be there, else those that are not keep their default.
class CounterReader {
public:
    CounterReader(Fields& fields, bool all) : fields_(fields), all_(all) {}

    void read(const char* name, std::uint32_t& value) {
        if (asked(name)) {
            take(fields_.whole(name), value);
        }
    }
    void read(const char* name, double& value) {
        if (asked(name)) {
            take(fields_.number(name), value);
        }
    }
    void read_blip(const char* name, std::optional<ChaseNode>& value) {
        if (!fields_.is_null(name) && asked(name)) {
            glm::dvec3 position(0.0);
            take(read_vector(fields_, name), position);
            value = ChaseNode{.position = position};
        }
    }
    void read_keep(const char* name, bool& value) { take(fields_.flag(name), value); }

    [[nodiscard]] bool good() const noexcept { return good_; }

private:
    [[nodiscard]] bool asked(const char* name) const { return all_ || fields_.has(name); }
    template <class T>
    void take(const std::optional<T>& read, T& value) {
        good_ = good_ && read.has_value();
        value = read.value_or(value);
    }

    Fields& fields_;
    bool all_;
    bool good_ = true;
};

void compare_counters(Fields& fields, const ChaseState& actual, bool all) {
    const auto asked = [&](const char* name) { return all || fields.has(name); };
    if (asked("keep_heading")) {
        compare_flag(fields, "keep_heading", actual.keep_heading);
    }
    if (asked("frame_counter")) {
        compare_whole(fields, "frame_counter", actual.quantum_count);
    }
    if (asked("progress_quantum")) {
        compare_number(fields, "progress_quantum", actual.window_s);
    }
    if (asked("original_distance")) {
        compare_number(fields, "original_distance", actual.original_distance_m);
    }
    if (asked("node_fail_counter")) {
        compare_whole(fields, "node_fail_counter", actual.failure_count);
    }
    if (asked("blipto_position") || fields.is_null("blipto_position")) {
        const auto blip =
            actual.blip_node ? std::optional(actual.blip_node->position) : std::nullopt;
        compare_reported(fields, "blipto_position", blip, compare_vector);
    }
}

void compare_nodes(Fields& fields, const Json& expected, const ChaseQueue& actual) {
    const std::string path = fields.path_of("queue");
    fields.report().expect_count(path, expected.size(), actual.size());
    for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
        compare_node(expected[i], element_path(path, i), fields.report(), actual.node(i));
    }
}

void compare_by_rule(Fields& fields, const ChaseQueue& actual) {
    const auto rule = fields.text("queue_rule");
    for (std::size_t i = 0; rule && i < actual.size(); ++i) {
        const ChaseNode expected = rule_node(i);
        const std::string path = element_path(fields.path_of("queue_rule"), i);
        for (int axis = 0; axis < 3; ++axis) {
            fields.report().expect_near(path, expected.position[axis],
                                        actual.node(i).position[axis]);
        }
        fields.report().expect_heading(path, expected.heading_deg, actual.node(i).heading_deg);
    }
}

void compare_ends(Fields& fields, const ChaseQueue& actual) {
    for (const auto& [name, index] :
         {std::pair{"head", std::size_t{0}}, {"tail", actual.size() - 1}}) {
        if (const Json* node = fields.any(name)) {
            compare_node(*node, fields.path_of(name), fields.report(), actual.node(index));
        }
    }
}

void compare_length(Fields& fields, const ChaseQueue& actual) {
    compare_whole(fields, "queue_len", actual.size());
    const bool by_rule = fields.has("queue_rule");
    if (by_rule) {
        compare_by_rule(fields, actual);
    }
    const bool has_ends = fields.has("head") || fields.has("tail");
    if (actual.size() > 0 && (has_ends || !by_rule)) {
        compare_ends(fields, actual);
    }
    if (!by_rule && !fields.has("node_fail_counter")) {
        fields.report().fail(fields.path_of("node_fail_counter"), "missing field");
    }
}

} // namespace

std::optional<ChaseBody> read_body(Fields& given) {
    const auto position = read_vector(given, "body_pos");
    const auto heading = given.number("body_heading");
    return position && heading
               ? std::optional(ChaseBody{.position = *position, .heading_deg = *heading})
               : std::nullopt;
}

bool read_speed(Fields& given, const std::string& name, ChaseBody& body) {
    if (given.is_null(name)) {
        return true;
    }
    body.adjusted_max_speed = given.number(name);
    return body.adjusted_max_speed.has_value();
}

std::optional<ChaseQueue> read_queue(Fields& given, const std::string& name) {
    const Json* object = given.any(name);
    if (object == nullptr) {
        return std::nullopt;
    }
    Fields fields(*object, given.path_of(name), given.report());
    const auto nodes = read_nodes(fields);
    ChaseState state;
    CounterReader reader(fields, !fields.has("queue_len"));
    reader.read_keep("keep_heading", state.keep_heading);
    reader.read("frame_counter", state.quantum_count);
    reader.read("progress_quantum", state.window_s);
    reader.read("original_distance", state.original_distance_m);
    reader.read("node_fail_counter", state.failure_count);
    reader.read_blip("blipto_position", state.blip_node);
    if (!nodes || !reader.good()) {
        return std::nullopt;
    }
    std::optional<ChaseQueue> queue(std::in_place);
    queue->restore(*nodes, state);
    return queue;
}

void compare_queue(Fields& expect, const std::string& name, const ChaseQueue& actual) {
    const Json* object = expect.any(name);
    if (object == nullptr) {
        return;
    }
    Fields fields(*object, expect.path_of(name), expect.report());
    const bool by_length = fields.has("queue_len");
    if (by_length) {
        compare_length(fields, actual);
    } else if (const Json* nodes = fields.array("queue")) {
        compare_nodes(fields, *nodes, actual);
    }
    compare_counters(fields, actual.state(), !by_length);
}

} // namespace glissade::conformance
