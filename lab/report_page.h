// SPDX-License-Identifier: MIT
// Makes the page that shows a report: one HTML file that needs nothing beside it.
#pragma once

#include <string>
#include <string_view>

namespace glissade::lab {

/// The page with style, scripts and `report_json` inside. `report_json` is the text of report.json
/// in UTF-8; it is not checked here, and the page says so when it cannot read it.
///
/// Thread safety: any thread. Allocates: the result. Cost: linear in the length of the text.
[[nodiscard]] std::string make_report_page(std::string_view report_json);

} // namespace glissade::lab
