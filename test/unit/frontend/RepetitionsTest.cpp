// How often loops of the host run, as far as their text tells before they begin.
#include "Reading.h"

#include <gtest/gtest.h>

namespace warploom {

namespace {

struct Case {
  const char* loop;
  const char* count; ///< empty: not known
  bool mayEndSooner;
};

TEST(Repetitions, LoopsTellHowOftenTheyRun) {
  const std::vector<Case> cases = {
      {"for (int t = 0; t < n; t++) f(t);", "n", false},
      {"for (int t = 1; t <= n + m; t++) f(t);", "(double)(n + m) - (1)", false},
      {"for (int t = n; t > 0; t--) f(t);", "n", false},
      {"for (k = m; k != n; ++k) f(k);", "(double)(n) - (m)", false},
      {"for (; k < n && x > 1e-9; k++) x = f(k);", "(double)(n) - (k)", true},
      {"while (x > 1e-9 && k < p->most) { x = f(k); k++; }", "", false}, // `p` may be null there
      {"int unset; if (m) unset = 3; while (m && k < unset) { x = f(k); k++; }", "", false},
      {"while (n < 1000 && k < n * n) { x = f(k); k++; }", "", false}, // may overflow
      {"while (x > 1e-9 && k < n) { x = f(k); k++; }", "(double)(n) - (k)", true},
      {"for (int t = 0; t < n // steps\n + 1; t++) f(t);", "", false},
      {"\n#pragma omp parallel for collapse(2)\nfor (int t = 0; t < n; t++) for (int u = 0; u < m; u++) "
       "f(u);\n",
       "", false},
      {"while (k < p->most) { x = f(k); k++; }", "(double)(p->most) - (k)", false},
      {"for (int t = 0; t < STEPS; t++) { if (f(t) > 3) break; }", "STEPS", true},
      {"for (int t = 0; t < n; t++) { while (x > 0) { x = f(t); if (x == 1) break; } }", "n", false},
      {"for (int t = 0; t < n; t++) { switch (t) { case 1: f(t); break; } }", "n", false},
      {"for (int t = 0; t < n; t++) if (f(t) > 3) return;", "n", true},
      {"for (int t = 0, end = n; t < end; t++) f(t);", "", false}, // `end` is not known before
      {"for (int t = 0; t < f(3); t++) f(t);", "", false},
      {"for (int t = 0; t < n / m; t++) f(t);", "", false}, // may not run at all, where `m` is 0
      {"for (int t = 0; t < table[k]; t++) f(t);", "", false},
      {"for (int t = 0; t < moving; t++) f(t);", "", false},
      {"while (x > 0) x = f(k);", "", false},
      {"for (;;) if (f(k)) break;", "", false},
      {"do { x = f(k); n = 3; } while (++k < n);", "", false}, // `n` is not known before
  };
  for (const Case& one : cases) {
    const FileRegions file = readSource(std::string(R"(
#define STEPS 100
struct P { int most; };
double f(int);
volatile int moving;
void test(int n, int m, int k, double x, struct P* p, int* table) { )") +
                                            one.loop + " }\n",
                                        {"-fopenmp"});
    ASSERT_TRUE(file.compiled) << one.loop;
    if (!*one.count) {
      EXPECT_TRUE(file.repetitions.empty()) << one.loop << file.repetitions.front().count;
      continue;
    }
    ASSERT_EQ(file.repetitions.size(), 1u) << one.loop;
    EXPECT_EQ(file.repetitions[0].count, one.count) << one.loop;
    EXPECT_EQ(file.repetitions[0].mayEndSooner, one.mayEndSooner) << one.loop;
    EXPECT_FALSE(file.repetitions[0].callsOtherFiles) << "not in main";
  }
}

TEST(Repetitions, KnowsWhatRunsInThem) {
  const FileRegions file = readSource(R"(
void elsewhere(int);
static void inner(double* a) { a[0] = 1; }
static void outer(double* a) { inner(a); }
int main(void) {
  double a[3];
  for (int t = 0; t < 3; t++) outer(a);
  for (int t = 0; t < 3; t++) elsewhere(t);
  return 0;
}
)");
  ASSERT_EQ(file.repetitions.size(), 2u);
  EXPECT_EQ(file.repetitions[0].calls, (std::set<std::string>{"inner", "outer"}));
  EXPECT_FALSE(file.repetitions[0].callsOtherFiles);
  EXPECT_TRUE(file.repetitions[1].callsOtherFiles);
}

} // namespace

} // namespace warploom
