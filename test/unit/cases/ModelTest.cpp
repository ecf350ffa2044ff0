// The many-core machine model: published bounds from their parts, and measures of nests.
#include "cases/Model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warploom;
using namespace warploom::cases;

namespace {

Quotient q(const std::string& over, const std::string& under = "1") {
  return {Polynomial::parse(over), Polynomial::parse(under)};
}

/// The bound of N, K, L and C. Logarithms are symbols: ln is log n.
Quotient bound(const Quotient& n, const Quotient& k, const Quotient& l, const Quotient& c) {
  Measures measures;
  measures.blocks = n;
  measures.widest = k;
  measures.path = l;
  measures.cost = c;
  return measures.bound();
}

Quotient gcd(const char* s) {
  auto with = [&](const Quotient& of) { return of.substitute("s", Polynomial::parse(s)); };
  return bound(with(q("2*n*m + m^2 + m*s", "2*s*l")), q("m", "l"), with(q("n + m", "s")),
               with(q("3*s + 8*U")));
}

Quotient plain(const char* s, const char* log) {
  // log(m/s) = lm - ls
  auto with = [&](const Quotient& of) {
    return of.substitute("ls", Polynomial::parse(log)).substitute("s", Polynomial::parse(s));
  };
  return bound(with(q("(n + s - 1)*(2*m - s)", "s^2*l")), with(q("(n + s - 1)*m", "s^2*l")),
               with(q("lm - ls + 1")), with(q("s*(2*s - 1) + 2*U*(s + 1)")));
}

} // namespace

// SHOWS: MF-111
TEST(Model, BoundsOfTheSixAlgorithms) {
  EXPECT_EQ(gcd("s"), q("(4*n + 3*m + s)*(3*s + 8*U)", "2*s"));
  // Cooley and Tukey
  EXPECT_EQ(bound(q("n*(2*m*ln + 1 - 2*m*lm)", "m*l"), q("n", "l"), q("2*ln - 2*lm + 1"),
                  q("2*U*l + 34*ll + 2*U + 27")),
            (q("4*ln + 1 - 4*lm") + q("1", "m")) * q("2*U*l + 34*ll + 2*U + 27"));
  // Stockham
  EXPECT_EQ(bound(q("n*(8*ln - 5)", "4*l"), q("n", "l"), q("3*ln + 1"), q("8*ll + 4*U + 17")),
            q("ln*(40*ll + 20*U + 85) - 2*ll - U - 17/4"));
  EXPECT_EQ(plain("s", "ls"), (q("2*m - s", "m") + q("lm - ls + 1")) * q("2*U*s + 2*s^2 + 2*U - s"));
  // The product by FFT
  EXPECT_EQ(bound(q("n*(12*ln - 5)", "2*l"), q("n", "l"), q("9*ln - 4"), q("4*U + 25")),
            q("(15*ln - 13/2)*(4*U + 25)"));
  // Radix sort; p is 2^s
  auto radix = [&](const char* s, const char* p) {
    auto with = [&](const Quotient& of) {
      return of.substitute("p", Polynomial::parse(p)).substitute("s", Polynomial::parse(s));
    };
    return bound(with(q("c*n*(4*l + p)", "8*s*l^2")), q("n", "4*l"), with(q("5*c", "s")),
                 with(q("s*(41 + 8*ll) + 12 + 9*U")));
  };
  EXPECT_EQ(radix("1", "2") / radix("s", "p"),
            q("(14*l + 2)*(8*ll + 9*U + 53)*s", "(14*l + p)*(8*s*ll + 41*s + 9*U + 12)"));
}

// SHOWS: MF-112
TEST(Model, AdviceFromRatios) {
  const Advice large = advise(gcd("1"), gcd("s"), "s", {"n", "m"});
  EXPECT_EQ(large.what, Advice::What::Large);
  EXPECT_EQ(large.ratio, q("(3 + 8*U)*s", "3*s + 8*U"));
  const Advice one = advise(plain("1", "0"), plain("s", "ls"), "s", {"lm"});
  EXPECT_EQ(one.what, Advice::What::One);
  EXPECT_EQ(advise(q("n*a"), q("n*s"), "s", {"n"}).what, Advice::What::Open);
}

TEST(Model, QuotientsAreReduced) {
  EXPECT_EQ(q("2*s*B^2", "4*B").text(), "1/2*s*B");
  EXPECT_EQ(q("N^2", "s*B").text(), "N^2/(s*B)");
  EXPECT_EQ((q("N", "B") + q("1")).text(), "(B + N)/B");
  EXPECT_EQ(q("0", "B").text(), "0");
}

// SHOWS: MF-110 MF-113
TEST(Model, MeasuresOfANest) {
  const ForkJoinSource source = readForkJoin("f.mf", R"(
void f(int N, int T, int B, int s, int a[N], int b[N][N]) {
  int dim = N / (s * B);
  meta_schedule cache(a) {
    for (int t = 0; t < T; t++)
      meta_for (int v = 0; v < dim; v++)
        meta_for (int u = 0; u < B; u++)
          for (int k = 0; k < s; k++) {
            int p = (v * s + k) * B + u;
            a[p] = a[p] * b[p][0] + b[0][p] + b[0][2 * p] + b[0][0];
          }
  }
})",
                                             ForkJoinLanguage::MetaFork, {});
  ASSERT_TRUE(source.problems.empty());
  const ForkJoinConstruct& schedule = source.constructs[0];
  const Nest nest = readNest(schedule.nests[0], schedule.cached);
  const NestModel model = modelOf(schedule.nests[0], nest);
  const Measures& m = model.measures;
  // Four operations for p, and four for the element and one for the place of the third b.
  EXPECT_EQ(m.work, q("9*T*N"));
  EXPECT_EQ(m.span, q("9*T*s"));
  EXPECT_EQ(m.blocks, q("T*N", "s*B"));
  EXPECT_EQ(m.widest, q("N", "s*B"));
  EXPECT_EQ(m.path, q("T - 1"));
  // a comes and goes, one b is coalesced, one is a word for all; two are not: every thread pays for itself.
  EXPECT_EQ(m.cost, q("9*s + 2*s*U + 2*s*U + 2*s*B*U"));
  EXPECT_EQ(m.overhead, q("T*N", "s*B") * q("4*s*U + 2*s*B*U"));
  ASSERT_EQ(model.accesses.size(), 5u);
  EXPECT_TRUE(model.accesses[0].isStaged);
  EXPECT_FALSE(model.accesses[1].isCoalesced);
  EXPECT_EQ(model.accesses[1].reason, "neighbouring threads are in different rows");
  EXPECT_TRUE(model.accesses[2].isCoalesced);
  EXPECT_EQ(model.accesses[3].reason, "neighbouring threads are 2 words apart");
  EXPECT_EQ(model.accesses[4].reason, "all threads have the same word");
}

namespace {

/// The advice on the size `s` that follows from the text of a program's only nest.
Advice adviceOn(const std::string& text, const std::set<std::string>& data) {
  const ForkJoinSource source = readForkJoin("f.mf", text, ForkJoinLanguage::MetaFork, {});
  EXPECT_TRUE(source.problems.empty());
  const ForkJoinConstruct& schedule = source.constructs[0];
  const NestModel model = modelOf(schedule.nests[0], readNest(schedule.nests[0], schedule.cached));
  const Quotient bound = model.measures.bound();
  return advise(bound.substitute("s", Polynomial(1)), bound, "s", data);
}

} // namespace

// SHOWS: MF-112
TEST(Model, AdviceFromTheTextOfPrograms) {
  // The first phase of the plain product: s coefficients of each polynomial a thread. Its operations grow
  // with s twice, its blocks become as few.
  const char* plainProduct = R"(
void multiply(int n, int m, int l, int s, int a[m], int b[n], int M[m][n]) {
  int x = m / s, y = n / (l * s), one = 1;
  meta_schedule cache(b) {
    meta_for (int v0 = 0; v0 < x; v0++)
      meta_for (int v1 = 0; v1 < y; v1++)
        meta_for (int u0 = 0; u0 < one; u0++)
          meta_for (int u1 = 0; u1 < l; u1++)
            for (int k = 0; k < s; k++)
              for (int j = 0; j < s; j++) M[v0][(v1 * s + k) * l + u1] += a[v0 * s + j] * b[(v1 * s + k) * l + u1];
  }
})";
  const Advice one = adviceOn(plainProduct, {"n", "m"});
  EXPECT_EQ(one.what, Advice::What::One) << one.ratio.text();
  // Eliminations, s of them in a launch on what a block has staged: words are moved once for all s.
  const char* elimination = R"(
void eliminate(int n, int m, int l, int s, int steps, int a[m], int b[m]) {
  int launches = (n + m) / s, blocks = m / l;
  meta_schedule cache(a, b) {
    for (int t = 0; t < launches; t++)
      meta_for (int v = 0; v < blocks; v++)
        meta_for (int u = 0; u < l; u++)
          for (int k = 0; k < s; k++) a[v * l + u] = a[v * l + u] * 3 - b[v * l + u];
  }
})";
  const Advice large = adviceOn(elimination, {"n", "m"});
  EXPECT_EQ(large.what, Advice::What::Large) << large.ratio.text();
}
