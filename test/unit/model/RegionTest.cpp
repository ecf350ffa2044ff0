// Regions: their original order in both forms, and the invariants that validate() checks.
#include "model/Region.h"

#include "model/Regions.h"
#include "support/Failure.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <isl/schedule.h>
#include <isl/union_map.h>

namespace warploom {
namespace {

using test::access;
using test::array;
using test::loop;
using test::rowSums;
using test::statement;

isl::union_map unionMap(const std::string& text) {
  return isl::union_map(islContext(), text);
}

/// { x -> y : x runs before y }, for instances ordered by `order`.
isl::union_map before(const isl::union_map& order) {
  return isl::manage(isl_union_map_lex_lt_union_map(order.copy(), order.copy()));
}

/// The schedule tree and the order are the same total order on the same instances.
void expectBothFormsAgree(const Region& region) {
  validate(region);
  isl::schedule schedule = originalSchedule(region);
  EXPECT_TRUE(schedule.domain().is_equal(domains(region)));
  isl::union_map byOrder = before(originalOrder(region));
  // The map of a schedule tree leaves out what its domain node already says.
  isl::union_map bySchedule = before(schedule.map().intersect_domain(schedule.domain()));
  EXPECT_TRUE(byOrder.is_equal(bySchedule)) << printed(byOrder) << "\n" << printed(bySchedule);
  isl::union_set all = domains(region);
  isl::union_map pairs = isl::manage(isl_union_map_from_domain_and_range(all.copy(), all.copy()));
  EXPECT_TRUE(pairs.is_equal(byOrder.unite(byOrder.reverse()).unite(all.identity())));
}

TEST(OriginalOrder, InterleavesPositionsAndIndices) {
  EXPECT_TRUE(originalOrder(rowSums()).is_equal(
      unionMap("[n, m] -> { Zero[i] -> [0, i, 0, 0, 0] : 0 <= i < n;"
               " Add[i, j] -> [0, i, 1, j, 0] : 0 <= i < n and 0 <= j < m;"
               " Last[k] -> [1, -k, 0, 0, 0] : 0 <= k < n and (n - 1 - k) mod 2 = 0 }")));
}

TEST(OriginalOrder, RunsADescendingLoopFromTheTop) {
  isl::union_map last = before(originalOrder(rowSums()));
  EXPECT_TRUE(unionMap("[n, m] -> { Last[4] -> Last[2] : n = 5 }").is_subset(last));
  EXPECT_TRUE(unionMap("[n, m] -> { Last[2] -> Last[4] }").intersect(last).is_empty());
}

TEST(OriginalSchedule, AgreesWithTheOrder) {
  expectBothFormsAgree(rowSums());
}

TEST(OriginalSchedule, AgreesForStatementsAfterAnInnerLoop) {
  Region region = rowSums();
  region.statements.insert(region.statements.begin() + 2,
                           statement("[n, m] -> { After[i] : 0 <= i < n and i > m }", {0}, {0, 2}));
  expectBothFormsAgree(region);
}

TEST(OriginalSchedule, AgreesForAStatementOutsideAllLoops) {
  Region region = rowSums();
  region.statements.push_back(statement("[n, m] -> { Alone[] : n > 3 }", {}, {2}));
  expectBothFormsAgree(region);
}

TEST(OriginalSchedule, AgreesForEmptyAndSinglePointDomains) {
  Region region = rowSums();
  region.statements.push_back(statement("[n, m] -> { Never[i] : 0 <= i < n and n < 0 }", {2}, {1, 1}));
  region.statements.push_back(statement("[n, m] -> { Once[i] : i = n }", {2}, {1, 2}));
  expectBothFormsAgree(region);
}

TEST(OriginalSchedule, AgreesForSiblingLoopsInsideALoop) {
  Region region;
  region.context = test::set("[n] -> { : }");
  region.loops = {loop("t"), loop("i", 0, 2), loop("j", 0, 2, -1)};
  region.statements = {statement("[n] -> { A[t, i] : 0 <= t, i < n }", {0, 1}, {0, 0, 0}),
                       statement("[n] -> { B[t, i] : 0 <= t, i < n }", {0, 1}, {0, 0, 3}),
                       statement("[n] -> { C[t, j] : 0 <= t, j < n and j <= t }", {0, 2}, {0, 1, 0})};
  expectBothFormsAgree(region);
}

TEST(OriginalSchedule, OfAnEmptyRegionIsEmpty) {
  Region region;
  EXPECT_TRUE(originalOrder(region).is_empty());
  EXPECT_TRUE(domains(region).is_empty());
  EXPECT_TRUE(originalSchedule(region).domain().is_empty());
}

TEST(Region, NamesItselfByFunctionAndLine) {
  EXPECT_EQ(rowSums().name(), "rowSums:3");
}

TEST(Region, IsAPlainValue) {
  Region region = rowSums(), copy = region;
  copy.statements[0].name = "Other";
  EXPECT_EQ(region.statements[0].name, "Zero");
}

TEST(Validate, AcceptsASoundRegion) {
  EXPECT_NO_THROW(validate(rowSums()));
  EXPECT_NO_THROW(validate(Region()));
}

/// One way to break a region that was sound.
struct Breach {
  const char* name;
  const char* message; ///< part of what validate() says
  std::function<void(Region&)> make;
};

class BrokenRegion : public testing::TestWithParam<Breach> {};

TEST_P(BrokenRegion, IsRefusedWithTheReason) {
  Region region = rowSums();
  GetParam().make(region);
  try {
    validate(region);
    FAIL() << "validate() accepted it";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), testing::HasSubstr(GetParam().message));
    EXPECT_THAT(failure.what(), testing::HasSubstr("rowSums:3"));
  }
}

ExprPtr readOf(int number) {
  Expr expr;
  expr.kind = Expr::Kind::Access;
  expr.access = number;
  return std::make_shared<const Expr>(expr);
}

const Breach breaches[] = {
    {"ParameterTwice", "two parameters named n", [](Region& r) { r.parameters.push_back({"n", "n", {}}); }},
    {"ArrayTwice", "two arrays named x", [](Region& r) { r.arrays.push_back(array("x", 1)); }},
    {"ExtentsAndRank", "extents of a", [](Region& r) { r.arrays[1].rank = 3; }},
    {"ExtentTexts", "extent texts of a", [](Region& r) { r.arrays[1].extentTexts.pop_back(); }},
    {"DeclaredInNoLoop", "declaration of y", [](Region& r) { r.arrays[2].declaredIn = 3; }},
    {"LoopBeforeParent", "before its parent", [](Region& r) { r.loops[0].parent = 1; }},
    {"LoopDepth", "depth of loop j", [](Region& r) { r.loops[1].depth = 3; }},
    {"StepZero", "step 0", [](Region& r) { r.loops[2].step = 0; }},
    {"TupleTwice", "two tuples named Zero",
     [](Region& r) { r.statements.push_back(statement("[n, m] -> { Zero[] }", {}, {2})); }},
    {"StatementNamedLikeArray", "two tuples named x",
     [](Region& r) { r.statements.push_back(statement("[n, m] -> { x[] }", {}, {2})); }},
    {"NameOfDomain", "tuple of the domain of Other", [](Region& r) { r.statements[0].name = "Other"; }},
    {"NoDomain", "no domain of Zero", [](Region& r) { r.statements[0].domain = isl::set(); }},
    {"DomainDimension", "dimension of Zero",
     [](Region& r) { r.statements[0].domain = test::set("{ Zero[i, j] }"); }},
    {"PositionSize", "position of Add", [](Region& r) { r.statements[1].position.pop_back(); }},
    {"NotInnermostFirst", "loops around Add", [](Region& r) { r.statements[1].loops = {1, 0}; }},
    {"LoopsOfDifferentNests", "loops around Add", [](Region& r) { r.statements[1].loops = {2, 1}; }},
    {"SamePosition", "order of Zero and Add", [](Region& r) { r.statements[1].position = {0, 0, 0}; }},
    {"NotInTextualOrder", "order of Add and Zero",
     [](Region& r) { std::swap(r.statements[0], r.statements[1]); }},
    {"LoopsAtOnePosition", "equal positions of different loops",
     [](Region& r) { r.statements[2].position = {0, 2}; }},
    {"LoopAtTwoPositions", "one loop at two positions",
     [](Region& r) { r.statements[1].position = {1, 0, 0}, r.statements[2].position = {2, 0}; }},
    {"NoArray", "array of an access", [](Region& r) { r.statements[0].accesses[0].array = 3; }},
    {"AccessTuple", "tuple of an access to a", [](Region& r) { r.statements[0].accesses[0].array = 1; }},
    {"AccessRank", "rank of an access to x",
     [](Region& r) { r.statements[0].accesses[0].map = test::map("{ Zero[i] -> x[i, i] : false }"); }},
    {"AccessOfAnotherStatement", "by another statement than Zero",
     [](Region& r) { r.statements[0].accesses[0].map = test::map("{ Add[i, j] -> x[i] : false }"); }},
    {"AccessOutsideTheDomain", "outside the domain of Zero",
     [](Region& r) {
       r.statements[0].accesses[0].map = test::map("[n] -> { Zero[i] -> x[i] : 0 <= i <= n }");
     }},
    {"InexactWithoutReason", "without a reason",
     [](Region& r) { r.statements[0].accesses[0].exact = false; }},
    {"CertainWriteUnderGuard", "a certain write under a guard",
     [](Region& r) { r.statements[0].guards = {readOf(0)}; }},
    {"UnknownAccessInGuard", "an access node of Add",
     [](Region& r) {
       r.statements[1].accesses[2].kind = Access::Kind::MayWrite;
       r.statements[1].guards = {readOf(3)};
     }},
    {"NoBody", "body of Zero", [](Region& r) { r.statements[0].body = nullptr; }},
    {"BodyOfOpaque", "body of Zero", [](Region& r) { r.statements[0].kind = Statement::Kind::Opaque; }},
    {"BodyNoAssignment", "is no assignment", [](Region& r) { r.statements[0].body = readOf(0); }},
    {"PredicateWritesArray", "writes what is no predicate",
     [](Region& r) { r.statements[0].kind = Statement::Kind::Predicate; }},
    {"PredicateWritesNothing", "does not write one predicate",
     [](Region& r) {
       r.statements[0].kind = Statement::Kind::Predicate;
       r.statements[0].accesses.clear();
     }},
    {"OverlapOfOne", "not two arrays overlap",
     [](Region& r) {
       r.conditions.emplace_back();
       r.conditions[0].arrays = {0};
     }},
    {"ConditionOnNoLoop", "loop of a condition",
     [](Region& r) {
       r.conditions.emplace_back();
       r.conditions[0].arrays = {0, 1};
       r.conditions[0].loops = {7};
     }},
};

INSTANTIATE_TEST_SUITE_P(Each, BrokenRegion, testing::ValuesIn(breaches),
                         [](const testing::TestParamInfo<Breach>& info) { return info.param.name; });

} // namespace
} // namespace warploom
