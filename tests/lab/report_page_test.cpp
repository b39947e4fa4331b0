// SPDX-License-Identifier: MIT
#include "lab/report_page.h"

#include <string>

#include <gmock/gmock.h>

namespace glissade::lab {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(ReportPage, IsOneHtmlFileWithItsStyleAndScriptsInside) {
    const std::string page = make_report_page("{}");
    EXPECT_THAT(page, StartsWith("<!doctype html>"));
    EXPECT_THAT(page, EndsWith("</html>\n"));
    EXPECT_THAT(page, HasSubstr("var uPlot="));
    EXPECT_THAT(page, HasSubstr("function drawMatrix("));
    EXPECT_THAT(page, HasSubstr("function drawRemote("));
    EXPECT_THAT(page, HasSubstr(".uplot"));
    EXPECT_THAT(page, HasSubstr(".matrix td"));
}

TEST(ReportPage, HasTheReportInsideAsItIs) {
    EXPECT_THAT(make_report_page(R"({"seed":7})"),
                HasSubstr(R"(<script id="report" type="application/json">{"seed":7}</script>)"));
}

TEST(ReportPage, ATagInTheReportCannotEndTheScriptAroundIt) {
    const std::string page = make_report_page(R"({"what":"</script><b>"})");
    EXPECT_THAT(page, HasSubstr(R"({"what":"\u003c/script>\u003cb>"})"));
    EXPECT_THAT(page, Not(HasSubstr("<b>")));
}

TEST(ReportPage, AReportThatLooksLikeAPlaceholderIsNotReplaced) {
    EXPECT_THAT(make_report_page(R"({"what":"@@style@@ @@"})"), HasSubstr(R"("@@style@@ @@")"));
}

TEST(ReportPage, LeavesNoPlaceholderBehind) {
    const std::string page = make_report_page("{}");
    for (const char* const name : {"style", "chart_library", "script", "data"}) {
        EXPECT_THAT(page, Not(HasSubstr(std::string("@@") + name + "@@"))) << name;
    }
}

TEST(ReportPage, AnEmptyReportStillGivesAPage) {
    EXPECT_THAT(make_report_page(""), EndsWith("</html>\n"));
}

} // namespace
} // namespace glissade::lab
