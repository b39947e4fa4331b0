// SPDX-License-Identifier: MIT
#include "conformance/folder.h"

#include "conformance/families.h"
#include "conformance/fields.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace glissade::conformance {

namespace {

constexpr const char* kSchema = "ac-vectors/1";

void check_case(const Json& vector_case, const std::string& file, std::size_t index,
                const Family& family, double tolerance, Report& report) {
    std::string id = element_path("cases", index);
    if (vector_case.is_object() && vector_case.contains("id") && vector_case["id"].is_string()) {
        id = vector_case["id"].get<std::string>();
    }
    CaseReport case_report(report, file, id, tolerance);
    Fields fields(vector_case, "", case_report);
    fields.ignore_text();
    ++report.case_count;
    const auto named = fields.text("id");
    const Json* given_object = fields.any("given");
    const Json no_event = Json::object();
    const Json* when_object = family.has_when ? fields.any("when") : &no_event;
    const Json* expect_object = fields.any("expect");
    if (!named || given_object == nullptr || when_object == nullptr || expect_object == nullptr) {
        return;
    }
    {
        CaseFields parts{{*given_object, "given", case_report},
                         {*when_object, "when", case_report},
                         {*expect_object, "expect", case_report}};
        family.check(parts);
        // A case that could not be read was not computed: that is its failure, not every field of
        // what it expects.
        if (case_report.failed() && case_report.comparison_count() == 0) {
            parts.expect.ignore_rest();
        }
    }
    if (!case_report.failed() && case_report.comparison_count() == 0) {
        case_report.fail("expect", "nothing to compare");
    }
}

void check_file(const std::filesystem::path& path, Report& report) {
    const std::string file = path.filename().string();
    ++report.file_count;
    CaseReport file_report(report, file, "file", 0.0);
    std::ifstream stream(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.good() && !stream.eof()) {
        file_report.fail("content", "cannot be read");
        return;
    }
    const Json json = Json::parse(content, nullptr, false);
    if (json.is_discarded()) {
        file_report.fail("content", "is not JSON");
        return;
    }
    Fields fields(json, "", file_report);
    fields.ignore_text();
    const auto schema = fields.text("schema");
    const auto family_name = fields.text("family");
    const auto tolerance = fields.number("tolerance_abs");
    const Json* cases = fields.array("cases");
    if (!schema || !family_name || !tolerance || cases == nullptr) {
        return;
    }
    if (*schema != kSchema) {
        file_report.fail("schema", "unknown word '" + *schema + "'");
    }
    const Family* family = find_family(*family_name);
    if (family == nullptr) {
        file_report.fail("family", "unknown family '" + *family_name + "'");
        return;
    }
    if (cases->empty()) {
        file_report.fail("cases", "nothing to compare");
    }
    for (std::size_t index = 0; index < cases->size(); ++index) {
        check_case((*cases)[index], file, index, *family, *tolerance, report);
    }
}

} // namespace

Report check_folder(const std::filesystem::path& folder) {
    Report report;
    std::vector<std::filesystem::path> paths;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == ".json") {
            paths.push_back(entry->path());
        }
    }
    if (error) {
        report.failures.push_back(folder.string() + ": cannot be read: " + error.message());
    } else if (paths.empty()) {
        report.failures.push_back(folder.string() + ": holds no vectors (*.json)");
    }
    std::sort(paths.begin(), paths.end());
    for (const std::filesystem::path& path : paths) {
        check_file(path, report);
    }
    return report;
}

} // namespace glissade::conformance
