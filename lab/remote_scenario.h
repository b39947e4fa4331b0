// SPDX-License-Identifier: MIT
// Entities that a server moves, seen through a network: scenarios and conditions of their own.
#pragma once

#include "lab/condition.h"
#include "lab/method.h"
#include "lab/scenario.h"
#include "lab/trace_data.h"

#include <span>
#include <string_view>
#include <vector>

namespace glissade::lab {

/// What the entity does. The names begin with "remote-".
[[nodiscard]] std::span<const Scenario> remote_scenarios() noexcept;
/// By name; null if there is none.
[[nodiscard]] const Scenario* find_remote_scenario(std::string_view name) noexcept;

/// How often the server speaks and what the network does to it, the reference first. All are drawn
/// at 60 Hz.
[[nodiscard]] std::span<const Condition> remote_conditions() noexcept;
/// By name; null if there is none.
[[nodiscard]] const Condition* find_remote_condition(std::string_view name) noexcept;

/// The methods that are compared there, by what they cost the eye: hard snap first.
[[nodiscard]] std::vector<const MethodInfo*> remote_methods();

/// The trace of both, with truth lines: entity 1, updated at the condition's rate and when it
/// teleports or lands; motion, vector, player and blocked lines where something changes. Only
/// updates of the regular rate are ever lost, late or twice.
[[nodiscard]] Trace make_remote_trace(const Scenario& scenario, const Condition& condition,
                                      const TraceConfig& config = {});

} // namespace glissade::lab
