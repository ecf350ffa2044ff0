// The page that `tune --html` writes.
#include "tune/Report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

namespace warploom {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Search about = {{}, "GPU <1>", "N=8", "nvcc & co"};

std::size_t countOf(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST(TuneReport, ShowsAllThatWasTried) {
  const std::string page = tuneReport(about, {{"k_7",
                                               "A=1 B=4",
                                               "A=2 B=4",
                                               {{"A=1 B=4", {Outcome::Timed, 8, 0.02, ""}},
                                                {"A=2 B=4", {Outcome::Timed, 2, 0.01, ""}},
                                                {"A=2 B=8", {Outcome::Wrong, 0, 0, "x < y & \"z\""}}}}});
  EXPECT_THAT(page, HasSubstr("GPU &lt;1&gt;"));
  EXPECT_THAT(page, HasSubstr("<b>A=2 B=4</b>: 2 ms; the usual sizes, A=1 B=4: 8 ms, 4.00 times as long"));
  EXPECT_THAT(page, HasSubstr("2 timed, 1 wrong"));
  EXPECT_THAT(page, HasSubstr("x &lt; y &amp; &quot;z&quot;"));
  EXPECT_EQ(countOf(page, "<svg "), 3u); // over time, against A, against B
  EXPECT_EQ(countOf(page, "<circle "), 6u);
  EXPECT_EQ(countOf(page, "class=\"best\""), 3u);
  EXPECT_EQ(countOf(page, "class=\"bad\""), 1u);
  EXPECT_EQ(countOf(page, "<tr"), 4u);
  // It stands for itself, and its numbers are numbers.
  EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)=|url\\(|@import")));
  EXPECT_FALSE(std::regex_search(page, std::regex("\\b(nan|inf)\\b")));
  for (const char* name : {"svg", "table", "div", "details", "h2", "html", "body", "title", "p"})
    EXPECT_EQ(countOf(page, "<" + std::string(name) + ">") + countOf(page, "<" + std::string(name) + " "),
              countOf(page, "</" + std::string(name) + ">"))
        << name;
}

TEST(TuneReport, SaysWhatKernelsNeed) {
  const std::string page = tuneReport(about, {{"k",
                                               "A=1",
                                               "A=2",
                                               {{"A=1", {Outcome::Timed, 8, 0, "", {255, 0, 16, 0.125}}},
                                                {"A=2", {Outcome::Timed, 2, 0, "", {40, 6160, 0, 0.75}}},
                                                {"A=4", {Outcome::Wrong, 0, 0, ""}}}}});
  EXPECT_THAT(page, HasSubstr("<th>registers</th><th>shared bytes</th><th>warps</th>"));
  EXPECT_THAT(
      page,
      HasSubstr("<td class=\"number\">40</td><td class=\"number\">6160</td><td class=\"number\">75 %</td>"));
  EXPECT_THAT(
      page,
      HasSubstr(
          "<td class=\"number\">255, spilled</td><td class=\"number\"></td><td class=\"number\">12 %</td>"));
  EXPECT_EQ(countOf(page, "<td"), 3u * 8);
}

TEST(TuneReport, ShowsCandidatesUnderTheRoofsOfTheDevice) {
  const ReportedKernel kernel{"k",
                              "A=1",
                              "A=2",
                              {{"A=1", {Outcome::Timed, 8, 0, "", {}, {1e9, 1e9}}},
                               {"A=2", {Outcome::Timed, 1, 0, "", {}, {1e9, 1e9}}},
                               {"A=4", {Outcome::Wrong, 0, 0, "", {}, {1e9, 1e9}}}}};
  const std::string page = tuneReport(about, {kernel}, deviceLimits("9.0"));
  const std::size_t begin = page.find("aria-label=\"roofline\""), end = page.find("</svg>", begin);
  ASSERT_NE(begin, std::string::npos);
  const std::string picture = page.substr(begin, end - begin);
  EXPECT_EQ(countOf(picture, "<circle "), 2u);
  EXPECT_THAT(picture, HasSubstr("memory, 4800 GB/s"));
  // A candidate that is eight times as fast stands higher, at the same place.
  static const std::regex place("cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"");
  std::vector<std::pair<double, double>> dots;
  for (std::sregex_iterator at(picture.begin(), picture.end(), place), none; at != none; ++at)
    dots.emplace_back(std::stod((*at)[1]), std::stod((*at)[2]));
  ASSERT_EQ(dots.size(), 2u);
  EXPECT_EQ(dots[0].first, dots[1].first);
  EXPECT_GT(dots[0].second, dots[1].second + 20);
  EXPECT_FALSE(std::regex_search(page, std::regex("\\b(nan|inf)\\b")));
  EXPECT_THAT(tuneReport(about, {kernel}), Not(HasSubstr("roofline")));
  EXPECT_THAT(tuneReport(about, {kernel}, deviceLimits("7.0")), Not(HasSubstr("roofline"))) << "no rates";
}

TEST(TuneReport, SaysWhereNothingWorks) {
  const std::string page = tuneReport(
      about, {{"k", "A=1", "", {{"A=1", {Outcome::Crashed, 0, 0, "signal 11"}}}}, {"l", "", "", {}}});
  EXPECT_THAT(page, HasSubstr("None of the candidates works: 1 crashed"));
  EXPECT_THAT(page, Not(HasSubstr("<svg")));
}

TEST(TuneReport, LivesWithEqualTimes) {
  const std::string page = tuneReport(about, {{"k", "", "A=1", {{"A=1", {Outcome::Timed, 0, 0, ""}}}}});
  EXPECT_FALSE(std::regex_search(page, std::regex("\\b(nan|inf)\\b")));
}

} // namespace
} // namespace warploom
