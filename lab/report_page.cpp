// SPDX-License-Identifier: MIT
#include "lab/report_page.h"

#include "embedded/report_assets.h"

#include <array>
#include <cstddef>

namespace glissade::lab {
namespace {

constexpr std::string_view kMark = "@@"; // A placeholder of the template is @@name@@.

constexpr std::array<std::string_view, 2> kStyles = {
    "report/third_party/uplot/uPlot.min.css",
    "report/page.css",
};
constexpr std::string_view kChartLibrary = "report/third_party/uplot/uPlot.iife.min.js";
// One module, in this order: page.js comes last, it starts what the others declare.
constexpr std::array<std::string_view, 10> kScripts = {
    "report/data.js",   "report/colour.js", "report/matrix.js",   "report/scatter.js",
    "report/strip.js",  "report/charts.js", "report/scenario.js", "report/tables.js",
    "report/remote.js", "report/page.js",
};

void append_asset(std::string& page, std::string_view path) {
    page += embedded::report_assets(path);
    page += '\n';
}

// In JSON a '<' stands only inside strings, where its escape means the same and can end no script.
void append_json(std::string& page, std::string_view json) {
    for (const char character : json) {
        if (character == '<') {
            page += "\\u003c";
        } else {
            page += character;
        }
    }
}

void append_part(std::string& page, std::string_view name, std::string_view report_json) {
    if (name == "style") {
        for (const std::string_view path : kStyles) {
            append_asset(page, path);
        }
    } else if (name == "chart_library") {
        append_asset(page, kChartLibrary);
    } else if (name == "script") {
        for (const std::string_view path : kScripts) {
            append_asset(page, path);
        }
    } else if (name == "data") {
        append_json(page, report_json);
    }
}

} // namespace

std::string make_report_page(std::string_view report_json) {
    std::string page;
    page.reserve(report_json.size() + report_json.size() / 8);
    // One pass over the template alone: what is put in is never searched for placeholders.
    std::string_view rest = embedded::report_assets("report/page.html");
    for (std::size_t begin = rest.find(kMark); begin != std::string_view::npos;
         begin = rest.find(kMark)) {
        page += rest.substr(0, begin);
        rest.remove_prefix(begin + kMark.size());
        const std::size_t end = rest.find(kMark);
        append_part(page, rest.substr(0, end), report_json);
        rest.remove_prefix(end + kMark.size());
    }
    page += rest;
    return page;
}

} // namespace glissade::lab
