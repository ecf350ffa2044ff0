// Which few points serve at several problems.
#include "tune/Variants.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warploom {
namespace {

using Times = std::map<std::string, double>;

MeasuredProblem at(long n, const Times& times, double spread = 0.01) {
  MeasuredProblem problem{{n}, {}};
  for (const auto& [point, time] : times)
    problem.points[point] = {Outcome::Timed, time, spread, ""};
  return problem;
}

/// `A: 0 1; B: 2`
std::string textOf(const std::vector<ServingPoint>& points) {
  std::string text;
  for (const ServingPoint& one : points) {
    text += (text.empty() ? "" : "; ") + one.point + ":";
    for (const std::size_t p : one.problems)
      text += " " + std::to_string(p);
  }
  return text;
}

TEST(FewestPoints, OnePointServesWhereItIsNearlyTheBestEverywhere) {
  const std::vector<MeasuredProblem> problems = {at(10, {{"A", 1}, {"B", 1.04}}),
                                                 at(20, {{"A", 3}, {"B", 2}})};
  EXPECT_EQ(textOf(fewestPoints(problems, "")), "B: 0 1");
  EXPECT_DOUBLE_EQ(lossAt(problems[0], "B"), 1.04);
  EXPECT_EQ(textOf(fewestPoints({}, "A")), "");
}

TEST(FewestPoints, AreTwoWhereNoneServesEverywhere) {
  const std::vector<MeasuredProblem> problems = {
      at(10, {{"A", 1}, {"B", 1.06}}), at(20, {{"A", 3}, {"B", 2}}), at(30, {{"A", 3}, {"B", 2.9}})};
  // A serves at the third problem too, where B is faster.
  EXPECT_EQ(textOf(fewestPoints(problems, "")), "A: 0; B: 1 2");
}

// The point that serves most often is not always part of the smallest set: with M three would be needed.
TEST(FewestPoints, AreFewerThanTakingTheMostUsefulFirst) {
  std::vector<MeasuredProblem> problems;
  for (int p = 0; p < 6; ++p) {
    Times times = {{"A", 9}, {"B", 9}, {"M", 9}};
    times[p < 3 ? "A" : "B"] = 1;
    if (p > 0 && p < 5) times["M"] = 1;
    problems.push_back(at(10 * (p + 1), times));
  }
  EXPECT_EQ(textOf(fewestPoints(problems, "")), "A: 0 1 2; B: 3 4 5");
}

TEST(FewestPoints, OfTwoSetsTheFasterOneIsTaken) {
  const std::vector<MeasuredProblem> problems = {at(10, {{"A", 1.03}, {"B", 1.01}, {"C", 1}}),
                                                 at(20, {{"A", 1}, {"B", 1.01}, {"C", 2}})};
  EXPECT_EQ(textOf(fewestPoints(problems, "")), "B: 0 1");
  EXPECT_EQ(textOf(fewestPoints(problems, "A")), "A: 0 1") << "unless the usual one serves as well";
}

TEST(FewestPoints, TheUsualOneServesWhereOthersAreFasterByLessThanTimesVary) {
  const std::vector<MeasuredProblem> problems = {at(10, {{"A", 1.08}, {"B", 1}}, 0.1),
                                                 at(20, {{"A", 1}, {"B", 2}})};
  EXPECT_EQ(textOf(fewestPoints(problems, "A")), "A: 0 1");
  EXPECT_EQ(textOf(fewestPoints(problems, "C")), "B: 0; A: 1");
}

TEST(FewestPoints, WhatWasNotMeasuredDoesNotServe) {
  EXPECT_EQ(textOf(fewestPoints({at(10, {{"A", 1}}), at(20, {{"B", 1}})}, "")), "A: 0; B: 1");
}

TEST(FewestPoints, ManyProblemsTakeNoTime) {
  std::vector<MeasuredProblem> problems;
  for (int p = 0; p < 60; ++p) {
    Times times;
    for (int point = 0; point < 300; ++point)
      times[std::to_string(point)] = 1 + 0.01 * std::abs((point * 37 + 11 * p) % 301 - 150);
    problems.push_back(at(p, times));
  }
  const std::vector<ServingPoint> points = fewestPoints(problems, "0");
  std::size_t served = 0;
  for (const ServingPoint& one : points)
    for (const std::size_t p : one.problems) {
      ++served;
      EXPECT_LE(lossAt(problems[p], one.point), nearlyBest);
    }
  EXPECT_EQ(served, problems.size());
}

/// What was recorded on an H200 (bench/tuning), by kernel: every point at several extents.
std::map<std::string, std::vector<MeasuredProblem>> recorded() {
  std::map<std::string, std::map<long, Times>> times;
  std::ifstream in(WARPLOOM_RECORDED);
  for (std::string line; std::getline(in, line);)
    if (const nlohmann::json row = nlohmann::json::parse(line); row.value("outcome", "") == "timed")
      times[row["kernel"]][row["extent"]][row["point"]] = row["milliseconds"];
  std::map<std::string, std::vector<MeasuredProblem>> result;
  for (const auto& [kernel, extents] : times)
    for (const auto& [extent, of] : extents)
      result[kernel].push_back(at(extent, of, 0));
  return result;
}

// SHOWS: CH-73
TEST(FewestPoints, AreAtMostSoManyForWhatWasRecorded) {
  const std::map<std::string, std::size_t> most = {
      {"product", 3}, {"tensor", 3}, {"triangle", 2}, {"window", 2}, {"star", 1}};
  for (const auto& [kernel, problems] : recorded()) {
    const std::vector<ServingPoint> points = fewestPoints(problems, "");
    EXPECT_EQ(points.size(), most.at(kernel)) << kernel << " " << textOf(points);
    for (const ServingPoint& one : points)
      for (const std::size_t p : one.problems)
        EXPECT_LE(lossAt(problems[p], one.point), nearlyBest) << kernel;
  }
}

Entry entry(const std::string& sizes, const std::string& problem, const std::string& point, double time,
            const std::string& toolkit = "t") {
  return {
      {{"k", "s", ""}, "d", sizes, toolkit}, point, {Outcome::Timed, time, 0, "", {}, {1, 1, problem}}, 0};
}

Search wanted(const std::string& sizes) {
  return {{"k", "s", ""}, "d", sizes, "t"};
}

TEST(MeasuredProblems, AreThoseOfTheArgumentsAtTheNearestSizes) {
  const std::vector<Entry> entries = {
      entry("N=8 argument1=5", "n=5", "A=1", 1), entry("N=8 argument1=7 argument2=x", "n=7", "A=1", 2),
      entry("N=8 argument1=7 argument2=x", "n=7", "A=2", 3), entry("N=900 argument1=9", "n=9", "A=2", 4)};
  const MeasuredProblems small = measuredProblems(entries, wanted("N=9"), {"m", "n"});
  ASSERT_EQ(small.all.size(), 2U);
  EXPECT_EQ(small.names, std::vector<std::string>{"n"});
  EXPECT_EQ(small.all[0].sizes, std::vector<long>{5});
  EXPECT_EQ(small.all[1].points.at("A=2").milliseconds, 3);
  EXPECT_EQ(problemText(small.names, small.all[1].sizes), "n=7");
  const MeasuredProblems large = measuredProblems(entries, wanted("N=1000"), {"n"});
  ASSERT_EQ(large.all.size(), 1U);
  EXPECT_EQ(large.all[0].sizes, std::vector<long>{9});
}

TEST(MeasuredProblems, WithOtherNamesOrNoneAreNotUsed) {
  EXPECT_TRUE(measuredProblems({entry("", "n=5", "A=1", 1)}, wanted(""), {"m"}).all.empty());
  EXPECT_TRUE(measuredProblems({entry("", "", "A=1", 1)}, wanted(""), {"n"}).all.empty());
  EXPECT_TRUE(measuredProblems({}, wanted(""), {"n"}).all.empty());
  const MeasuredProblems both = measuredProblems(
      {entry("argument1=1", "m=4", "A=1", 1), entry("argument1=2", "n=5", "A=1", 1)}, wanted(""), {"m", "n"});
  ASSERT_EQ(both.all.size(), 1U) << "the launcher is now called with other sizes";
  EXPECT_EQ(both.names, std::vector<std::string>{"n"});
}

TEST(MeasuredProblems, AreByTheSameToolkitWhereThereIsOneAndOfEachPointTheLatest) {
  const std::vector<Entry> entries = {entry("argument1=1", "n=5", "A=1", 1),
                                      entry("argument1=2", "n=5", "A=1", 3),
                                      entry("argument1=2", "n=6", "A=1", 9, "later")};
  const MeasuredProblems same = measuredProblems(entries, wanted(""), {"n"});
  ASSERT_EQ(same.all.size(), 1U);
  EXPECT_EQ(same.all[0].points.at("A=1").milliseconds, 3);
  Search other = wanted("");
  other.toolkit = "latest";
  EXPECT_EQ(measuredProblems(entries, other, {"n"}).all[0].sizes, std::vector<long>{6});
}

} // namespace
} // namespace warploom
