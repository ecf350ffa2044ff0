// What `warploom cases` finds besides a tree: nests of one schedule together, threads that meet, measures
// that are wanted, and names for what is repeated.
#include "cases/Joint.h"
#include "cases/LeafText.h"
#include "cases/Races.h"
#include "cases/Subexpressions.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warploom;
using namespace warploom::cases;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Read {
  ForkJoinSource source;
  const ForkJoinConstruct* schedule = nullptr;
  std::vector<Nest> nests;

  explicit Read(const std::string& text)
      : source(readForkJoin("nest.mf", text, ForkJoinLanguage::MetaFork, {})) {
    for (const ForkJoinProblem& problem : source.problems)
      ADD_FAILURE() << problem.message;
    for (const ForkJoinConstruct& construct : source.constructs)
      if (construct.kind == ForkJoinKind::Schedule) schedule = &construct;
    for (const DeviceNest& nest : schedule->nests)
      nests.push_back(readNest(nest, schedule->cached));
  }
  Meeting meeting(std::size_t k = 0) const {
    std::optional<Detiled> loops;
    try {
      loops = detiled(source, schedule->nests[k], nests[k]);
    } catch (const NestRefused&) {
    }
    return cases::meeting(nests[k], loops ? &*loops : nullptr);
  }
};

/// A nest of one grid and block dimension around `body`, in which `p` counts elements.
std::string around(const std::string& body, const std::string& cache = "") {
  return fmt::format(R"(
void f(int N, int B, int s, int a[N], int b[N], int c[N], int m[N][N]) {{
  int dim = (N - 2) / B;
  meta_schedule {} {{
    meta_for (int v = 0; v < dim; v++)
      meta_for (int u = 0; u < B; u++) {{
        int p = v * B + u;
        {}
      }}
  }}
}})",
                     cache, body);
}

CaseTree treeOf(const Nest& nest, const std::vector<std::string>& strategies, NestCounters counters) {
  return discussNest(nest, {}, strategies, counters);
}

} // namespace

// SHOWS: MF-107
TEST(Joint, NestsOfOneScheduleHaveTheProductOfTheirCasesPruned) {
  const Read read(R"(
void smooth(int N, int B, int s, int T, int a[N], int b[N]) {
  int dim = (N - 2) / (s * B), all = (N - 2) / B;
  meta_schedule cache(a) {
    for (int t = 0; t < T; t++) {
      meta_for (int v = 0; v < dim; v++)
        meta_for (int u = 0; u < B; u++)
          for (int k = 0; k < s; k++) {
            int p = (v * s + k) * B + u;
            b[p + 1] = (a[p] + a[p + 1] + a[p + 2]) / 3;
          }
      meta_for (int v = 0; v < all; v++)
        meta_for (int u = 0; u < B; u++) {
          int p = v * B + u;
          a[p + 1] = b[p + 1];
        }
    }
  }
})");
  ASSERT_EQ(read.nests.size(), 2u);
  auto registers = [](unsigned many, unsigned few) {
    return NestCounters{[=](const NestForm& form) { return form.isOne ? few : many; }, {}, {}};
  };
  const CaseTree first = treeOf(read.nests[0], {"granularity", "caching"}, registers(9, 8)),
                 second = treeOf(read.nests[1], {"granularity", "caching"}, registers(7, 7));
  ASSERT_EQ(first.cases.size(), 3u);  // s*B + 2 words, B + 2 words, none
  ASSERT_EQ(second.cases.size(), 2u); // B words, none
  const Joint all = joint({&first, &second});
  EXPECT_EQ(all.combinations, 6u);
  EXPECT_EQ(all.open, 0u);
  // Who stages B + 2 words can stage B.
  std::vector<std::vector<std::size_t>> found;
  for (const JointCase& one : all.cases)
    found.push_back(one.of);
  EXPECT_THAT(found, ElementsAre(ElementsAre(0, 0), ElementsAre(1, 0), ElementsAre(2, 0), ElementsAre(2, 1)));
  // Each is possible, no two apply, and some case or none always does.
  Questions questions(all.facts);
  std::vector<System> everything = all.none;
  for (std::size_t a = 0; a < all.cases.size(); ++a)
    for (const System& system : all.cases[a].conditions) {
      EXPECT_EQ(questions.isConsistent(system), true) << system.text();
      everything.push_back(system);
      for (std::size_t b = a + 1; b < all.cases.size(); ++b)
        for (const System& other : all.cases[b].conditions)
          EXPECT_TRUE(questions.areDisjoint(system, other)) << system.text() << " and " << other.text();
      for (const System& other : all.none)
        EXPECT_TRUE(questions.areDisjoint(system, other)) << system.text() << " and " << other.text();
    }
  EXPECT_TRUE(questions.isCovered({}, everything));
  // Too many combinations are said.
  CaseTree wide = first;
  wide.discussion.mostNodes = 5;
  EXPECT_THROW(joint({&wide, &wide}), TreeTooLarge);
}

// SHOWS: MF-76
TEST(Races, AreExcludedForAllSizesOrShownBySome) {
  EXPECT_EQ(Read(around("c[p] = a[p] + a[p + 1];")).meeting().answer, Meeting::Answer::Never);
  EXPECT_EQ(Read(around("c[N - 1 - p] = a[p];")).meeting().answer, Meeting::Answer::Never);
  EXPECT_EQ(Read(around("for (int k = 0; k < N; k++) c[p] += m[p][k];")).meeting().answer,
            Meeting::Answer::Never);
  EXPECT_EQ(Read(around("m[p][0] = m[p][1];")).meeting().answer, Meeting::Answer::Never);
  // Two halves of one array: N is above all p.
  EXPECT_EQ(Read(around("if (s % 2) a[p + 1] = a[N + p]; else a[N + p] = a[p + 2];")).meeting().answer,
            Meeting::Answer::Never);
  // Elements apart, in blocks and by granularity.
  const Read coarse(R"(
void f(int N, int B, int s, int a[N], int c[N]) {
  int dim = N / (s * B);
  meta_schedule {
    meta_for (int v = 0; v < dim; v++)
      meta_for (int u = 0; u < B; u++)
        for (int k = 0; k < s; k++) c[(v * s + k) * B + u] = a[(v * s + k) * B + u];
  }
})");
  const Meeting apart = coarse.meeting();
  EXPECT_EQ(apart.answer, Meeting::Answer::Never);
  for (const auto& [name, value] : apart.values)
    ADD_FAILURE() << name << " = " << value.get_str();

  // The counterexample is one: both threads have the element, and one writes it.
  for (const char* body : {"c[p] = c[p + 1];", "c[u] = a[p];", "c[p / 2] = 1;", "a[v * B] = p;"}) {
    const Meeting met = Read(around(body)).meeting();
    if (std::string(body).find('/') != std::string::npos) {
      EXPECT_EQ(met.answer, Meeting::Answer::Unknown) << body;
      continue;
    }
    ASSERT_EQ(met.answer, Meeting::Answer::Found) << body;
    Values v = met.values;
    const mpz_class p = v["v"] * v["B"] + v["u"], q = v["v'"] * v["B"] + v["u'"];
    EXPECT_NE(p, q) << body;
    const std::string text = body;
    if (text == "c[p] = c[p + 1];") EXPECT_TRUE(p == q + 1 || q == p + 1);
    if (text == "c[u] = a[p];") EXPECT_EQ(v["u"], v["u'"]);
    if (text == "a[v * B] = p;") EXPECT_EQ(v["v"] * v["B"], v["v'"] * v["B"]);
  }
  const Meeting perhaps = Read(around("if (b[p] > 0) c[0] = p;")).meeting();
  EXPECT_EQ(perhaps.answer, Meeting::Answer::Perhaps);
  EXPECT_EQ(perhaps.array, "c");
}

// SHOWS: MF-104
TEST(Measures, AreImprovedWhereTheyAreBelowWhatIsWanted) {
  // Threads go down the rows of m: only a tile moves neighbouring words together.
  const Read read(around("for (int k = 0; k < B; k++) c[p] += m[p][k] * b[k];"));
  Targets targets;
  targets.coalescing = Polynomial(100);
  const CaseTree tree = treeOf(read.nests[0], {"caching", "staging"},
                               {estimatedRegisters, {}, targets, &read.schedule->nests[0]});
  // Staged where there is room, as it is where there is none: a measure is a wish.
  ASSERT_EQ(tree.cases.size(), 2u);
  for (const Case& one : tree.cases) {
    const bool isStaged = !static_cast<const NestCode&>(*one.code).form.nest.cached.empty();
    const Amount together = one.code->amount(3);
    EXPECT_EQ(together.over == Polynomial(100) * together.under, isStaged) << together.text();
  }
  Questions questions(tree.discussion.facts);
  for (const System& system : tree.none) // too many threads or registers, never a measure
    EXPECT_TRUE(questions.isCovered(
        system, {System().with(Constraint::parse("T < B")), System().with(Constraint::parse("R < 20"))}))
        << system.text();

  // Occupancy and intensity of a device with numbers; larger is better.
  targets = Targets();
  targets.occupancy = Polynomial(50);
  targets.intensity = Polynomial(1);
  targets.registers = Polynomial(65536);
  targets.words = Polynomial(16384);
  targets.threads = Polynomial(2048);
  targets.blocks = Polynomial(32);
  const Read tiled(R"(
void f(int N, int B, int s, int a[N], int c[N]) {
  int dim = N / (s * B);
  meta_schedule cache(a) {
    meta_for (int v = 0; v < dim; v++)
      meta_for (int u = 0; u < B; u++)
        for (int k = 0; k < s; k++) {
          int p = (v * s + k) * B + u;
          c[p] = a[p] * a[p] + 3 * a[p] + 1;
        }
  }
})");
  const CaseTree found = treeOf(
      tiled.nests[0], {"granularity", "caching"},
      {[](const NestForm& form) { return form.isOne ? 20u : 40u; }, {}, targets, &tiled.schedule->nests[0]});
  auto caseAt = [&](long B, long s) -> const Case& {
    const Values at = {{"B", B}, {"s", s}, {"N", 1 << 20}, {"T", 1024}, {"R", 255}, {"Z", 24576}};
    const Case* taken = nullptr;
    for (const Case& one : found.cases)
      for (const System& system : one.conditions)
        if (system.holds(at)) {
          EXPECT_EQ(taken, nullptr) << "two cases apply";
          taken = &one;
        }
    if (!taken) throw std::runtime_error("no case applies");
    return *taken;
  };
  auto formAt = [&](long B, long s) { return static_cast<const NestCode&>(*caseAt(B, s).code).form; };
  // By registers 100 * 65536 / (2048 * 40) = 80 percent; by words 100 * B * 16384 / (2048 * s * B) = 800 / s.
  EXPECT_FALSE(formAt(64, 2).isOne);
  EXPECT_FALSE(formAt(64, 16).isOne);
  EXPECT_TRUE(formAt(64, 17).isOne); // 47 percent: fewer words are tried, and then it is 800
  EXPECT_TRUE(formAt(64, 17).isCached);
  const Amount words = caseAt(64, 17).code->amount(4);
  EXPECT_GE(words.over.evaluate({{"B", 64}}), 50 * words.under.evaluate({{"B", 64}}));
  // Eight operations, four of them for the index, for two words, whatever the sizes.
  EXPECT_EQ(caseAt(64, 2).code->amount(6).text(), "4");
}

// SHOWS: MF-99
TEST(Nest, TheReversedArrayHasTwoKernels) {
  const Read read(R"(
void reverse(int N, int B, int In[N], int Out[N]) {
  int dim = N / (2 * B);
  meta_schedule cache(In) {
    meta_for (int v = 0; v < dim; v++)
      meta_for (int u = 0; u < B; u++)
        for (int k = 0; k < 2; k++) {
          int x = (v * 2 + k) * B + u;
          Out[N - 1 - x] = In[x];
        }
  }
})");
  ASSERT_TRUE(read.nests[0].granularity);
  const CaseTree tree = treeOf(read.nests[0], {"granularity"},
                               {[](const NestForm& form) { return form.isOne ? 6u : 8u; }, {}, {}});
  auto conditions = [](const Case& one) {
    std::vector<std::string> result;
    for (const System& system : one.conditions)
      result.push_back(system.text());
    return result;
  };
  ASSERT_EQ(tree.cases.size(), 2u);
  EXPECT_EQ(tree.cases[0].code->text(), "In in shared memory, 2 elements a thread");
  EXPECT_EQ(tree.cases[0].code->amount(2).over, Polynomial::parse("2*B"));
  EXPECT_THAT(conditions(tree.cases[0]), ElementsAre("B <= T, 8 <= R, 2*B <= Z"));
  EXPECT_EQ(tree.cases[1].code->text(), "In in shared memory, one element a thread");
  EXPECT_EQ(tree.cases[1].code->amount(2).over, Polynomial::parse("B"));
  EXPECT_THAT(conditions(tree.cases[1]),
              ElementsAre("B <= T, 8 <= R, B <= Z < 2*B", "B <= T, 6 <= R < 8, B <= Z"));
  // And as text.
  EXPECT_THAT(metaforkText(read.source, *read.schedule, read.nests[0],
                           static_cast<const NestCode&>(*tree.cases[1].code).form),
              HasSubstr("int v_parts = dim * 2;"));
}

namespace {

std::string named(const std::string& body, int level) {
  const Read read(around(body));
  const std::string once = withNames(read.source, read.schedule->nests[0], level);
  // What it has made has nothing of it left.
  const Read again(once);
  EXPECT_EQ(withNames(again.source, again.schedule->nests[0], level), once);
  return once;
}

} // namespace

// SHOWS: MF-100
TEST(Subexpressions, GetNamesAtTwoLevels) {
  // The smoothed array of two halves: sums are rebuilt from those that have names.
  const char* halves = "int p1 = p + 1, np = N + p, np1 = N + p + 1;\n        a[p1] = a[np] + a[np1];";
  EXPECT_THAT(named(halves, 1), HasSubstr("int p1 = p + 1, np = N + p, np1 = np + 1;"));
  // Two-dimensional left sides, and what is written as a sum in another order.
  const std::string left = named("m[p + 1][2 * s + p] = m[1 + p][0] * a[p + 2 * s];", 1);
  EXPECT_THAT(left, HasSubstr("= p + 1; "));
  EXPECT_THAT(left, HasSubstr("m[common2][common1] = m[common2][0] * a[common1];"));
  // Level 2 takes what is nearly the same, too.
  const char* near =
      "int q = s * B + p;\n        c[q] = a[s * B + p + 3] + a[s * B + p - 1] + b[s * B + N + p];";
  EXPECT_THAT(named(near, 2), HasSubstr("c[q] = a[q + 3] + a[q - 1] + b[q + N];"));
  EXPECT_THAT(named(near, 1), HasSubstr("int common1 = s * B; int q = common1 + p;\n        c[q] = a[q + 3] "
                                        "+ a[q - 1] + b[common1 + N + p];"));
  // Not what changes in between, and not where no declaration can stand.
  const char* changing = "int t = p;\n        c[t + s] = 1;\n        t = t + 1;\n        b[t + s] = 2;";
  EXPECT_THAT(named(changing, 2), HasSubstr(changing));
  EXPECT_THAT(named("if (p < s) c[p + s] = a[p + s];", 2), HasSubstr("if (p < s) c[p + s] = a[p + s];"));
}

TEST(Subexpressions, AreAStrategyThatCostsNothing) {
  const Read read(around("c[p + s] = a[p + s] + b[p + s];"));
  NestCounters counters{[](const NestForm&) { return 9u; }, {}, {}};
  counters.names = [&](const NestForm& form, int level) {
    return namedNest(read.source, *read.schedule, read.nests[0], form, level);
  };
  const CaseTree tree = treeOf(read.nests[0], {"granularity", "caching", "names"}, counters);
  ASSERT_EQ(tree.cases.size(), 1u);
  EXPECT_THAT(tree.cases[0].logs, ElementsAre(ElementsAre("(1)", "(2)")));
  const NestForm& form = static_cast<const NestCode&>(*tree.cases[0].code).form;
  EXPECT_EQ(form.named, 1);
  EXPECT_THAT(metaforkText(read.source, *read.schedule, read.nests[0], form),
              HasSubstr("int common1 = p + s; c[common1] = a[common1] + b[common1];"));
}
