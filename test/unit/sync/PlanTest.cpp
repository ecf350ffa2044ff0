// Dependences, orders, cycles, components and groups, by the counts of the specification's examples.
#include "RandomSystem.h"
#include "Systems.h"
#include "Traces.h"
#include "sync/group/StepPlan.h"
#include "sync/passes/Passes.h"

#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace warploom::sync {
namespace {

/// Numbers of E2's table, by the text of the action.
int numberIn(const std::string& text) {
  static const std::vector<std::string> table = {"",
                                                 "!(__init0 | __ell1) => next(__ell0) = false",
                                                 "!__ell0 => next(__ell1) = false",
                                                 "true => next(__init0) = false",
                                                 "__init0 => next(__ell0) = true",
                                                 "__init0 & a => c = 5",
                                                 "__init0 & !a => c = 3",
                                                 "__init0 & trigger => d = 2",
                                                 "__init0 & !trigger => d = 4",
                                                 "__init0 => a = true",
                                                 "__ell1 => next(__ell0) = true",
                                                 "__ell0 => next(__ell1) = true",
                                                 "__ell1 & a => c = 5",
                                                 "__ell1 & !a => c = 3",
                                                 "__ell1 & trigger => d = 2",
                                                 "__ell1 & !trigger => d = 4",
                                                 "__ell1 => a = true",
                                                 "__ell0 => e = c",
                                                 "__ell0 => b = trigger & a"};
  return int(std::find(table.begin(), table.end(), text) - table.begin());
}

std::set<std::pair<int, int>> numbered(const CellSystem& system, const std::vector<Edge>& edges) {
  std::set<std::pair<int, int>> result;
  for (const Edge& edge : edges)
    result.emplace(numberIn(system.text(system.actions[edge.from])),
                   numberIn(system.text(system.actions[edge.to])));
  return result;
}

std::multiset<std::size_t> sizes(const std::vector<Phase>& phases) {
  std::multiset<std::size_t> result;
  for (const Phase& phase : phases)
    for (const Group& group : phase.groups)
      result.insert(group.units.size());
  return result;
}

/// The groups as sets of target names, one set per group.
std::set<std::set<std::string>> targets(const StepPlan& plan) {
  std::set<std::set<std::string>> result;
  for (const Phase& phase : plan.immediate)
    for (const Group& group : phase.groups) {
      std::set<std::string> names;
      for (const Unit& unit : group.units)
        for (int action : unit.actions)
          if (action >= 0) names.insert(plan.system.cells.name(plan.system.actions[action].target));
      result.insert(names);
    }
  return result;
}

System dataFlow(const std::string& interface, const std::string& actions) {
  return readAif("system S:\ninterface:\n" + interface + "preset:\nmain:\n  data flow:\n" + actions);
}

using Names = std::set<std::set<std::string>>;

TEST(Dependences, MyModuleHasTheListedEdges) {
  const CellSystem system = cellSystem(normalised(myModule()));
  std::set<std::pair<int, int>> expected;
  for (int from : {9, 16})
    for (int to : {5, 6, 12, 13, 18})
      expected.emplace(from, to);
  for (int from : {5, 6, 12, 13})
    expected.emplace(from, 17);
  EXPECT_EQ(dependences(system, Dependence::True).size(), 14u);
  EXPECT_EQ(numbered(system, dependences(system, Dependence::True)), expected);
  const std::set<std::pair<int, int>> anti = {{1, 2}, {1, 3},  {1, 11},  {2, 1},  {2, 4},  {2, 10},
                                              {4, 3}, {10, 2}, {10, 11}, {11, 1}, {11, 4}, {11, 10}};
  EXPECT_EQ(dependences(system, Dependence::Anti).size(), 12u);
  EXPECT_EQ(numbered(system, dependences(system, Dependence::Anti)), anti);
}

// SHOWS: GA-27
TEST(Dependences, ComponentsOfMyModule) {
  const CellSystem system = cellSystem(normalised(myModule()));
  std::multiset<std::size_t> found;
  for (const std::vector<int>& component : immediateComponents(system))
    found.insert(component.size());
  EXPECT_EQ(found, (std::multiset<std::size_t>{1, 1, 1, 1, 8}));
}

// SHOWS: GA-22 GA-33
TEST(StepPlan, MyModuleInBaselineMode) {
  const StepPlan plan = planStep(normalised(myModule()), PlanOptions::baseline());
  EXPECT_EQ(sizes(plan.immediate), (std::multiset<std::size_t>{1, 2, 2}));
  for (const Phase& phase : plan.immediate)
    for (const Group& group : phase.groups)
      for (const Unit& unit : group.units)
        for (int action : unit.actions)
          EXPECT_EQ(plan.system.actions[action].kind, CellAction::Kind::Immediate);
  for (const Group& group : plan.delayed.groups)
    for (const Unit& unit : group.units)
      for (int action : unit.actions)
        EXPECT_EQ(plan.system.actions[action].kind, CellAction::Kind::Delayed);
}

// SHOWS: GA-29 GA-32
TEST(StepPlan, MatrixProductIsOneGroup) {
  for (auto [n, units, positions] : {std::tuple(2, 8, 6), std::tuple(9, 162, 20)}) {
    const StepPlan plan = planStep(normalised(matrixProduct(n)), PlanOptions::baseline());
    ASSERT_EQ(plan.immediate.size(), 1u);
    ASSERT_EQ(plan.immediate[0].groups.size(), 1u);
    EXPECT_EQ(plan.immediate[0].groups[0].units.size(), std::size_t(units));
    EXPECT_EQ(plan.immediate[0].groups[0].positions, positions);
    // Two actions write every cell: two threads of one phase, of which none waits for the other.
    EXPECT_TRUE(dependences(plan.system, Dependence::True).empty());
    std::map<int, std::size_t> writers;
    for (const Unit& unit : plan.immediate[0].groups[0].units)
      for (int action : unit.actions)
        ++writers[plan.system.actions[action].target];
    EXPECT_EQ(writers.size(), std::size_t(n * n));
    for (auto [cell, count] : writers)
      EXPECT_EQ(count, 2u) << cell;
  }
}

// SHOWS: GA-30 GA-31
TEST(StepPlan, ComparisonInBaselineMode) {
  const StepPlan plan = planStep(normalised(comparison()), PlanOptions::baseline());
  EXPECT_EQ(targets(plan), (Names{{"e", "f", "l", "m"}, {"h"}, {"p", "z"}, {"r"}}));
}

TEST(StepPlan, CommutativityPutsT2AndT4Together) {
  PlanOptions options = PlanOptions::baseline();
  options.shapes.commutative = true;
  EXPECT_EQ(targets(planStep(normalised(comparison()), options)),
            (Names{{"e", "f", "l", "m"}, {"h", "r"}, {"p", "z"}}));
}

TEST(StepPlan, ConstantsAsParameters) {
  std::string interface, actions;
  for (int i = 0; i < 5; ++i) {
    interface += fmt::format("  p{0}: input bool\n  x{0}: input int{{9}}\n  w{0}: input int{{9}}\n  y{0}: "
                             "output memorized int{{99}}\n",
                             i);
    actions += fmt::format("    p{0} => y{0} = x{0}*w{0} + {1}\n", i, i < 4 ? 7 : 9);
  }
  const System system = dataFlow(interface, actions);
  EXPECT_EQ(sizes(planStep(normalised(system), PlanOptions::baseline()).immediate),
            (std::multiset<std::size_t>{1, 4}));
  PlanOptions options = PlanOptions::baseline();
  options.shapes.constantsAsParameters = true;
  EXPECT_EQ(sizes(planStep(normalised(system), options).immediate), (std::multiset<std::size_t>{5}));
}

// SHOWS: GA-37
TEST(StepPlan, AnInputPositionIsOneInEveryUnit) {
  const System system =
      dataFlow("  g: input bool\n  i: input int{9}\n  j: input int{9}\n  o: output memorized int{9}\n"
               "  p: output memorized int{9}\n  q: output memorized int{9}\n  r: output memorized int{9}\n",
               "    g => o = i\n    g => p = j\n    g => q = r\n    true => next(r) = i\n");
  const StepPlan plan = planStep(normalised(system), PlanOptions::baseline());
  for (const Phase& phase : plan.immediate)
    for (const Group& group : phase.groups) {
      const std::vector<Leaf> first = leavesOf(plan, group, group.units[0]);
      for (const Unit& unit : group.units) {
        const std::vector<Leaf> leaves = leavesOf(plan, group, unit);
        ASSERT_EQ(leaves.size(), first.size());
        for (std::size_t i = 0; i < leaves.size(); ++i)
          EXPECT_EQ(plan.system.variableOf(leaves[i].cell).isInput(),
                    plan.system.variableOf(first[i].cell).isInput());
      }
    }
  // All three copy a value; the third copies no input.
  EXPECT_EQ(sizes(plan.immediate), (std::multiset<std::size_t>{1, 2}));
}

TEST(StepPlan, PaddingMergesUnitsOfDifferentLength) {
  // (A, B, C) and (A', C').
  const System system = dataFlow(
      "  i: input int{9}\n  g: input bool\n  a: output memorized int{99}\n  b: output memorized int{999}\n"
      "  c: output memorized int{9999}\n  d: output memorized int{99}\n  e: output memorized int{9999}\n",
      "    g => a = i + 1\n    g => b = a*i\n    a > 3 => c = a - i\n    g => d = i + 2\n    d > 4 => e = d "
      "- i\n");
  EXPECT_EQ(sizes(planStep(normalised(system), PlanOptions::baseline()).immediate),
            (std::multiset<std::size_t>{1, 1}));
  const StepPlan padded = planStep(normalised(system));
  ASSERT_EQ(sizes(padded.immediate), (std::multiset<std::size_t>{2}));
  const Group& group = padded.immediate[0].groups[0];
  EXPECT_EQ(std::count(group.padded.begin(), group.padded.end(), true), 1);
  EXPECT_EQ(leavesOf(padded, group, group.units[0]).size(), leavesOf(padded, group, group.units[1]).size());
}

/// The shape sequences of all units, independent of the order of groups and units.
std::multiset<std::vector<std::string>> shapeSequences(const StepPlan& plan) {
  std::multiset<std::vector<std::string>> result;
  Shapes known;
  for (const Phase& phase : plan.immediate)
    for (const Group& group : phase.groups)
      for (const Unit& unit : group.units) {
        std::vector<std::string> shapes;
        for (int action : unit.actions) {
          CellAction copy = plan.system.actions[action];
          shapes.emplace_back(known.text(canonicalise(plan.system, copy, plan.options.shapes, known)));
        }
        result.insert(shapes);
      }
  return result;
}

// SHOWS: GA-28
TEST(StepPlan, TheOrderOfActionsDoesNotMatter) {
  // A1 -> B, A2 -> C with shapes B < A < C: smallest-ready-first would depend on which A comes first.
  const System counterExample = dataFlow(
      "  i: input int{9}\n  g: input bool\n  a1: output memorized int{99}\n  a2: output memorized int{99}\n"
      "  b: output memorized int{99}\n  c: output memorized int{99}\n  z: output memorized int{999}\n",
      "    g => a1 = i + i\n    g => a2 = i + i\n    !g => b = a1\n    g => c = a2 - i*i\n    g => z = b + c "
      "+ a1\n");
  for (System system : {normalised(counterExample), normalised(myModule()), normalised(matrixProduct(2))}) {
    const StepPlan first = planStep(system, PlanOptions::baseline());
    std::mt19937 random(7);
    for (int n = 0; n < 20; ++n) {
      std::shuffle(system.main.dataFlow.begin(), system.main.dataFlow.end(), random);
      const StepPlan plan = planStep(system, PlanOptions::baseline());
      EXPECT_EQ(shapeSequences(plan), shapeSequences(first));
      // Every edge is respected inside its unit.
      const std::vector<Edge> edges = dependences(plan.system, Dependence::True);
      for (const Phase& phase : plan.immediate)
        for (const Group& group : phase.groups)
          for (const Unit& unit : group.units)
            for (const Edge& edge : edges) {
              auto from = std::find(unit.actions.begin(), unit.actions.end(), edge.from);
              auto to = std::find(unit.actions.begin(), unit.actions.end(), edge.to);
              EXPECT_EQ(from == unit.actions.end(), to == unit.actions.end());
              if (from != unit.actions.end()) EXPECT_LT(from, to);
            }
    }
  }
}

std::string planError(const System& system, PlanOptions options = {}) {
  try {
    planStep(normalised(system), options);
  } catch (const Error& error) {
    return fmt::format("{}: {}", error.place.line, error.what());
  }
  return "";
}

// SHOWS: GA-10
TEST(Cycles, AnEnabledCycleIsReportedWithItsActions) {
  const System system =
      dataFlow("  s: input bool\n  x: output memorized int{9}\n  y: output memorized int{9}\n"
               "  z: output memorized int{9}\n",
               "    s => x = y\n    s => y = x\n    s => z = x\n");
  EXPECT_EQ(planError(system),
            "10: these actions depend on each other's values in one step:\n  `s => x = y` (line 10)\n"
            "  `s => y = x` (line 11)");
  EXPECT_NE(planError(dataFlow("  x: output memorized int{9}\n", "    true => x = x\n")), "");
}

// SHOWS: GA-10
TEST(Cycles, GuardsThatExcludeEachOtherMakeACycleHarmless) {
  const std::string io =
      "  s: input bool\n  k: input int{99}\n  x: output memorized int{9}\n  y: output memorized int{9}\n";
  for (const char* guards : {"s,!s", "k == 1,k == 2", "k > 3,k*2 < 6", "s & k > 0,!(s | k < 5)"}) {
    const std::string both = guards;
    const std::size_t comma = both.find(',');
    const System system = dataFlow(
        io, fmt::format("    {} => x = y\n    {} => y = x\n", both.substr(0, comma), both.substr(comma + 1)));
    EXPECT_EQ(planError(system), "") << guards;
    EXPECT_EQ(planStep(normalised(system)).remarks.size(), 1u);
  }
  EXPECT_NE(planError(dataFlow(io, "    k > 3 => x = y\n    k < 6 => y = x\n")), "");
  // Exclusive only if the unsettled x and y had fixed values: the constructive semantics does not accept
  // that.
  EXPECT_NE(planError(dataFlow(io, "    x == 1 => y = 2\n    x == 2 & y == 0 => x = 3\n")), "");
}

// SHOWS: GA-10
TEST(Cycles, JointlyUnsatisfiableGuardsAreSplitIntoCases) {
  // Every two of the three guards hold together for some m, but never all three.
  const System system =
      dataFlow("  m: input nat{3}\n  x: output memorized int{9}\n  y: output memorized int{9}\n"
               "  z: output memorized int{9}\n",
               "    m != 0 => x = z\n    m != 1 => y = x\n    m != 2 => z = y\n");
  EXPECT_EQ(planError(system), "");
  EXPECT_GT(planStep(normalised(system)).system.actions.size(), 3u);
}

/// x and y depend on each other; whether the guards exclude each other is the question.
System guardedCycle(const std::string& first, const std::string& second) {
  return dataFlow("  a: input int{1000000}\n  b: input int{1000000}\n  c: input int{1000000}\n  h: input "
                  "int{4000000000000000000}\n  x: output memorized int{9}\n  y: output memorized int{9}\n",
                  fmt::format("    {} => x = y\n    {} => y = x\n", first, second));
}

TEST(Cycles, WhatIsNotDecidedWithinTheSolverStepsIsRefused) {
  const System system = guardedCycle("2*a + 3*b > c & a < b", "3*c > 4*a + 5*b & c < a & b < 7");
  PlanOptions options;
  options.solver.questionSteps = 1;
  EXPECT_NE(planError(system, options)
                .find("could not be decided within 1000000 solver steps (at most 1 a question)"),
            std::string::npos)
      << planError(system, options);
  options = {};
  options.solver.totalSteps = 0;
  EXPECT_NE(planError(system, options).find("could not be decided within 0 solver steps"), std::string::npos);
}

// SHOWS: GA-10
TEST(Cycles, ProductsAreOpaqueSoThatNoQuestionIsNonlinear) {
  EXPECT_NE(planError(guardedCycle("a*a*a + b*b*b == c*c*c & a > 0 & b > 0", "a*b*c > 7 & c > 1"))
                .find("depend on each other's values in one step"),
            std::string::npos);
  EXPECT_EQ(planError(guardedCycle("a*b > c + 3", "b*a < c")), "");
  // True where 3h wraps around.
  EXPECT_NE(planError(guardedCycle("h > 0 & a > 0", "h + h + h < 0 & a > 0")), "");
  EXPECT_EQ(planError(guardedCycle("a > 0", "a + a < 0")), "");
}

/// Immediate actions on arrays of inputs w and of locals v, `count` times `text`, in which K is the number of
/// the copy and K0, K1, ... are cells of its own.
System copiesOf(int count, const std::string& text) {
  std::string actions;
  for (int k = 0; k < count; ++k) {
    std::string copy = text;
    for (std::size_t at = copy.find('K'); at != std::string::npos; at = copy.find('K')) {
      const bool cell = at + 1 < copy.size() && std::isdigit(copy[at + 1]) != 0;
      copy.replace(at, cell ? 2 : 1, std::to_string(cell ? 4 * k + copy[at + 1] - '0' : k));
    }
    actions += copy;
  }
  return dataFlow(
      fmt::format("  p: input nat{{3}}\n  w: input nat{{9}}[{0}]\n  v: output memorized int{{9}}[{1}]\n",
                  count, 4 * count),
      actions);
}

// SHOWS: GA-10
TEST(Cycles, OneQuestionServesAllCyclesThatDifferInNames) {
  CellSystem alike =
      cellSystem(normalised(copiesOf(500, "    w[K] > 5 => v[K0] = v[K1]\n    w[K] < 3 => v[K1] = v[K0]\n")));
  const ImmediateOrder order = orderImmediate(alike);
  EXPECT_EQ(order.questions, 1);
  ASSERT_EQ(order.remarks.size(), 5u);
  EXPECT_EQ(order.remarks.back(), "496 more cycles never close either");
  // Not alike: the cells that are compared belong together in some of them only.
  System mixed = copiesOf(2, "    w[K] > 5 => v[K0] = v[K1]\n    w[0] < 3 => v[K1] = v[K0]\n");
  EXPECT_NE(planError(mixed).find("depend on each other's values"), std::string::npos) << planError(mixed);
}

// SHOWS: GA-10
TEST(Cycles, EveryCycleIsSplitForItself) {
  CellSystem cycles = cellSystem(normalised(copiesOf(
      50, "    p != 0 => v[K0] = v[K1]\n    p != 1 => v[K1] = v[K2]\n    p != 2 => v[K2] = v[K0]\n")));
  const ImmediateOrder order = orderImmediate(cycles);
  EXPECT_LE(order.questions, 30);
  EXPECT_EQ(cycles.actions.size(), 250u);
  GuardQuestions questions(cycles);
  for (const Edge& edge : dependences(cycles, Dependence::True))
    EXPECT_TRUE(order.levels[edge.from] < order.levels[edge.to] ||
                questions.exclusive(cycles.actions[edge.from], cycles.actions[edge.to], {}));
  // w has more values than three: all guards of a cycle can hold.
  EXPECT_NE(planError(copiesOf(50, "    w[K] != 0 => v[K0] = v[K1]\n    w[K] != 1 => v[K1] = v[K2]\n"
                                   "    w[K] != 2 => v[K2] = v[K0]\n"))
                .find("depend on each other's values"),
            std::string::npos);
}

TEST(Cycles, TooManyPairsAreRefused) {
  std::string actions;
  for (int k = 0; k < 1100; ++k)
    actions += fmt::format("    i == {0} => s = v[{0}]\n    j == {0} => v[{0}] = s\n", k);
  const std::string error =
      planError(dataFlow("  i: input nat{9999}\n  j: input nat{9999}\n  s: output memorized int{9}\n"
                         "  v: output memorized int{9}[1100]\n",
                         actions));
  EXPECT_NE(error.find("would take more than 1000000 pairs of actions"), std::string::npos) << error;
}

// SHOWS: GA-24 GA-25
TEST(Copies, AntiCyclesAreBrokenByUnconditionalCopies) {
  CellSystem module = cellSystem(normalised(myModule()));
  const DelayedOrder order = breakAntiDependences(module);
  EXPECT_EQ(order.copies, 1);
  int copies = 0;
  for (const CellAction& action : module.actions)
    if (action.kind == CellAction::Kind::Immediate && module.cells.name(action.target).back() == '\'') {
      EXPECT_TRUE(action.guard->isTrue());
      ++copies;
    }
  EXPECT_EQ(copies, 1);
  for (const Edge& edge : dependences(module, Dependence::Anti))
    EXPECT_LT(order.levels[edge.from], order.levels[edge.to]);
}

// SHOWS: GA-26
TEST(StepPlan, TwoPhaseUpdateHasNoAntiEdges) {
  EXPECT_EQ(planStep(normalised(myModule())).antiEdges, 0u);
  EXPECT_EQ(planStep(normalised(myModule())).copies, 0);
  PlanOptions inPlace;
  inPlace.twoPhase = false;
  EXPECT_GT(planStep(normalised(myModule()), inPlace).antiEdges, 0u);
}

// SHOWS: GA-39
TEST(StepPlan, AHundredThousandActionsAreOneGroup) {
  std::string text = "system S:\ninterface:\n  i: input int{9}\n  x: output memorized "
                     "int{99}[100000]\npreset:\nmain:\n data flow:\n";
  for (int k = 0; k < 100000; ++k)
    text += fmt::format("i > {} => next(x[{}]) = i*{} + x[{}]\n", k % 9, k, k % 7, (k * 7919) % 100000);
  const System system = normalised(readAif(text));
  const std::clock_t begin = std::clock();
  const StepPlan plan = planStep(system);
  // Processor time. It takes half a second; comparing every two of them would be five billion comparisons.
  EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, 10);
  EXPECT_EQ(plan.delayed.groups.size(), 1u);
}

} // namespace
} // namespace warploom::sync
