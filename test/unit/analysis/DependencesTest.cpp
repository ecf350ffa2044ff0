// Dependences, their kinds, ends, distances and carriers, and the vectors that cycle shrinking computes with.
#include "RegionBuilder.h"
#include "analysis/DistanceVectors.h"
#include "analysis/Facts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using testing::UnorderedElementsAre;

/// "flow x 3->4 (1, 0) by i", one per dependence.
std::vector<std::string> listed(const Region& region) {
  static const char* kinds[] = {"flow", "anti", "output"};
  std::vector<std::string> lines;
  for (const Dependence& d : analyse(region).dependences.all) {
    std::string distance;
    for (const Distance& along : d.distance)
      distance += (distance.empty() ? "" : ", ") + along.text();
    lines.push_back(fmt::format("{} {} {}->{} ({}) {}", kinds[static_cast<int>(d.kind)],
                                region.arrays[d.array].name, d.source.in(region).range.line,
                                d.sink.in(region).range.line, distance,
                                d.carrier < 0 ? "-" : region.loops[d.carrier].index));
  }
  return lines;
}

DistanceVectors vectorsOf(const Region& region) {
  Effort effort;
  return distanceVectors(region, dependences(region, effort), effort);
}

std::vector<std::vector<long>> components(const std::vector<DistanceVector>& vectors) {
  std::vector<std::vector<long>> result;
  for (const DistanceVector& vector : vectors)
    result.push_back(vector.components);
  return result;
}

Region example12(const std::string& i, const std::string& j) {
  RegionBuilder r;
  r.array("X", 2);
  r.array("Y", 2);
  r.loop("i", i);
  r.loop("j", j);
  r.statement("X[i+5][j+1] = Y[i-1][j-2] + X[i][j-1]");
  r.statement("Y[i+2][j+2] = X[i+2][j-1] + 10");
  return r.region();
}

TEST(Dependences, KindsEndsDistancesAndCarriers) {
  RegionBuilder r("n");
  r.array("x", 2);
  r.array("y", 2);
  r.loop("i", "1 <= i < n");
  r.loop("j", "1 <= j < n - 1");
  r.statement("x[i][j] = y[i-1][j+1]"); // line 3
  r.statement("y[i][j] = x[i][j] + y[i][j+1]");
  EXPECT_THAT(listed(r.region()),
              UnorderedElementsAre("flow x 3->4 (0, 0) -", "flow y 4->3 (1, -1) i", "anti y 4->4 (0, 1) j"));
}

// By value, a read depends on the last write only; by memory, every later write is ordered.
TEST(Dependences, FlowIsByValue) {
  RegionBuilder r("n");
  r.array("t", 0);
  r.array("a", 1);
  r.loop("i", "0 <= i < n");
  r.statement("t = a[i]");
  r.statement("a[i] = t");
  EXPECT_THAT(listed(r.region()), UnorderedElementsAre("flow t 2->3 (0) -", "anti t 3->2 (1..*) i",
                                                       "output t 2->2 (1..*) i", "anti a 2->3 (0) -"));
}

TEST(Dependences, RangesAndSymbols) {
  RegionBuilder crossing;
  crossing.array("a", 1);
  crossing.loop("i", "1 <= i <= 9");
  crossing.statement("a[i] = a[10-i]");
  EXPECT_THAT(listed(crossing.region()),
              UnorderedElementsAre("flow a 2->2 (2..8) i", "anti a 2->2 (2..8) i"));

  RegionBuilder symbolic("n, k", "k >= 1");
  symbolic.array("a", 1);
  symbolic.loop("i", "0 <= i < n");
  symbolic.statement("a[i+k] = a[i]");
  EXPECT_THAT(listed(symbolic.region()), ElementsAre("flow a 2->2 (k) i"));
}

TEST(Dependences, GuardedWriteLeavesTheEarlierOneVisible) {
  RegionBuilder r("n");
  r.array("t", 0);
  r.array("a", 1);
  r.loop("i", "0 <= i < n");
  r.statement("t = 1");
  r.statement("t = 2", {"", {"a[i] > 0"}});
  r.statement("a[i] = t");
  std::vector<std::string> all = listed(r.region());
  EXPECT_THAT(all, testing::IsSupersetOf({"flow t 2->4 (0) -", "flow t 3->4 (0) -"}));
}

// SHOWS: CR-20 CR-21
TEST(DistanceVectors, ConstantVectorsAndReductionFactors) {
  DistanceVectors twelve = vectorsOf(example12("3 <= i <= 23", "5 <= j <= 20"));
  EXPECT_THAT(components(twelve.constant),
              UnorderedElementsAre(ElementsAre(5, 2), ElementsAre(3, 2), ElementsAre(3, 4)));
  EXPECT_THAT(reductionFactors(twelve.constant, 2), ElementsAre(Optional(3), Optional(2)));

  RegionBuilder six("N1, N2");
  six.array("x", 2);
  six.array("y", 2);
  six.loop("i", "3 <= i <= N1");
  six.loop("j", "4 <= j <= N2");
  six.statement("x[i][j] = y[i-3][j-4]");
  six.statement("y[i][j] = x[i-2][j-3]");
  DistanceVectors ofSix = vectorsOf(six.region());
  EXPECT_THAT(components(ofSix.constant), UnorderedElementsAre(ElementsAre(2, 3), ElementsAre(3, 4)));
  EXPECT_THAT(reductionFactors(ofSix.constant, 2), ElementsAre(Optional(2), Optional(3)));

  RegionBuilder five("N");
  for (const char* name : {"X", "Y", "Z", "W"})
    five.array(name, 1);
  five.loop("I", "1 <= I <= N");
  five.statement("X[I] = Y[I] + Z[I]");
  five.statement("Y[I+3] = X[I-4] * W[I]");
  EXPECT_THAT(reductionFactors(vectorsOf(five.region()).constant, 1), ElementsAre(Optional(3)));

  RegionBuilder snippet("n");
  for (const char* name : {"a", "b", "x"})
    snippet.array(name, 2);
  snippet.loop("i", "0 <= i < n");
  snippet.loop("j", "0 <= j < n");
  snippet.statement("a[i][j] = b[i-2][j] + a[i-3][j-5]");
  snippet.statement("x[i][j] = a[i-4][j-2]");
  EXPECT_THAT(reductionFactors(vectorsOf(snippet.region()).constant, 2),
              ElementsAre(Optional(3), Optional(2)));

  RegionBuilder corpus5;
  corpus5.array("x", 2);
  corpus5.loop("i", "1 <= i <= 10");
  corpus5.loop("j", "1 <= j <= 9");
  corpus5.statement("x[i+1][j] = x[i][j+1]");
  EXPECT_THAT(components(vectorsOf(corpus5.region()).constant), ElementsAre(ElementsAre(1, -1)));
}

// SHOWS: CR-22
TEST(DistanceVectors, TrueDistanceUsesTripCounts) {
  auto trueDistanceOf = [](const Region& region) {
    Effort effort;
    std::vector<long> counts;
    for (int loop : {0, 1})
      counts.push_back(tripCount(region, loop, effort).value());
    return trueDistance(distanceVectors(region, dependences(region, effort), effort).constant, counts);
  };
  EXPECT_THAT(trueDistanceOf(example12("3 <= i <= 23", "5 <= j <= 20")), Optional(50));
  EXPECT_THAT(trueDistanceOf(example12("3 <= i <= 140", "5 <= j <= 140")), Optional(410));
}

// SHOWS: CR-24
TEST(DistanceVectors, ZeroComponentsGiveNoFactorRatherThanZero) {
  RegionBuilder r("n");
  r.array("x", 2);
  r.loop("i", "2 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("x[i][j] = x[i-2][j]");
  DistanceVectors vectors = vectorsOf(r.region());
  EXPECT_THAT(components(vectors.constant), ElementsAre(ElementsAre(2, 0)));
  EXPECT_THAT(reductionFactors(vectors.constant, 2), ElementsAre(Optional(2), std::nullopt));
}

/// The value of `function` at [i, j].
std::vector<long> at(const isl::multi_aff& function, long i, long j) {
  isl::point point = isl::manage(isl_point_zero(function.domain().space().release()));
  for (auto [position, value] : {std::pair{0, i}, std::pair{1, j}})
    point = isl::manage(isl_point_set_coordinate_val(point.release(), isl_dim_set, position,
                                                     isl::val(islContext(), value).release()));
  std::vector<long> result;
  for (unsigned k = 0; k < unsigned(function.size()); ++k)
    result.push_back(function.at(k).eval(point).num_si());
  return result;
}

/// The only variable distance of `region` on `array`.
VariableDistance variableOn(const Region& region, const std::string& array) {
  std::vector<VariableDistance> found;
  for (const VariableDistance& distance : vectorsOf(region).variable)
    if (region.arrays[distance.source.in(region).array].name == array) found.push_back(distance);
  EXPECT_EQ(found.size(), 1u) << array;
  return found.at(0);
}

// SHOWS: CR-23
TEST(DistanceVectors, VariableDistances) {
  RegionBuilder thirteen;
  thirteen.array("X", 2);
  thirteen.array("Y", 2);
  thirteen.loop("i", "0 <= i <= 20");
  thirteen.loop("j", "0 <= j <= 20");
  thirteen.statement("X[3*i+8][2*j+6] = Y[2*i][j+3] + 23");
  thirteen.statement("Y[3*i+7][3*j+7] = X[i][j+5]");
  Region region = thirteen.region();
  VariableDistance x = variableOn(region, "X"), y = variableOn(region, "Y");
  for (long i : {1, 3}) // the distance on Y is a whole number for odd i only
    for (long j : {0, 2}) {
      EXPECT_THAT(at(x.distance, i, j), ElementsAre(8 + 2 * i, 1 + j));
      EXPECT_THAT(at(x.sinkOf, i, j), ElementsAre(3 * i + 8, 2 * j + 1));
      EXPECT_THAT(at(y.distance, i, j), ElementsAre((7 + i) / 2, 4 + 2 * j));
      EXPECT_THAT(at(y.sinkOf, i, j), ElementsAre((3 * i + 7) / 2, 3 * j + 4));
    }

  RegionBuilder eight;
  eight.array("x", 2);
  eight.array("y", 2);
  eight.loop("i", "1 <= i <= 40");
  eight.loop("j", "1 <= j <= 40");
  eight.statement("x[3*i+5][3*j+7] = y[i+3][j-4]");
  eight.statement("y[3*i+8][2*j] = x[2*i-2][j+3]");
  Region ofEight = eight.region();
  EXPECT_THAT(at(variableOn(ofEight, "x").distance, 1, 1), ElementsAre(4, 6));
  EXPECT_THAT(at(variableOn(ofEight, "y").distance, 1, 1), ElementsAre(7, 5));
}

} // namespace
} // namespace warploom
