#include "cases/Constraint.h"

#include <gtest/gtest.h>

using namespace warploom::cases;

namespace {

Polynomial p(const std::string& text) {
  return Polynomial::parse(text);
}

} // namespace

TEST(Polynomial, IsWrittenAsPeopleWriteIt) {
  EXPECT_EQ(p("B + s*B + B*s*B").text(), "s*B^2 + s*B + B");
  EXPECT_EQ(p("B0*B + s*B1*B0 + B*B1*s").text(), "s*B*B1 + s*B0*B1 + B*B0");
  EXPECT_EQ(p("1 - 2*B").text(), "-2*B + 1");
  EXPECT_EQ(p("(N + 1)*(N - 1)").text(), "N^2 - 1");
  EXPECT_EQ(p("B - B").text(), "0");
  EXPECT_EQ(p("(n + 1)/2").text(), "1/2*n + 1/2");
}

TEST(Polynomial, IsWrittenForOtherTools) {
  EXPECT_EQ(p("s*B^2 + 2").c(), "s*B*B + 2");
  EXPECT_EQ(p("s*B^2 - 2*B").smt(), "(+ (* s B B) (* (- 2) B))");
  EXPECT_EQ(p("0").smt(), "0");
  EXPECT_EQ(p("0-3").smt(), "(- 3)");
}

TEST(Polynomial, IsExact) {
  const Polynomial large = p("(x + 1)^40");
  EXPECT_EQ(large.evaluate({{"x", 9}}), mpq_class(mpz_class("1" + std::string(40, '0'))));
  EXPECT_EQ(large - p("(x + 1)^20") * p("(x + 1)^20"), Polynomial());
  EXPECT_EQ(p("s*B^2 + s*B + B").substitute("s", 1), p("B^2 + 2*B"));
  EXPECT_EQ(p("s*B^2 + s*B + B").coefficient("B", 1), p("s + 1"));
  EXPECT_EQ(p("2*s*B").dividedBy(p("s*B")), p("2"));
  EXPECT_FALSE(p("s*B + 1").dividedBy(p("s")));
}

TEST(Polynomial, RefusesWhatIsNone) {
  for (const char* text : {"", "B +", "2B", "(B", "B / s", "B^", "B^n", "B ? 1", "1/0", "x^100"})
    EXPECT_THROW(p(text), std::invalid_argument) << text;
  std::string deep(100000, '(');
  EXPECT_THROW(p(deep), std::invalid_argument);
}

TEST(Constraint, IsReadAndWritten) {
  EXPECT_EQ(Constraint::parse("n >= 1").text(), "1 <= n");
  EXPECT_EQ(Constraint::parse("Z < B^2").negated().text(), "B^2 <= Z");
  EXPECT_EQ(Constraint::parse("B = B0").c(), "B == B0");
  EXPECT_THROW(Constraint::parse("B"), std::invalid_argument);
  System system;
  for (const char* one : {"8 <= R", "s*B <= Z", "R < 9"})
    system = system.with(Constraint::parse(one));
  EXPECT_EQ(system.text(), "8 <= R < 9, s*B <= Z");
  EXPECT_EQ(system.c(), "8 <= R && s*B <= Z && R < 9");
  EXPECT_EQ(system.smt(), "(and (<= 8 R) (<= (* s B) Z) (< R 9))");
  EXPECT_TRUE(system.holds({{"R", 8}, {"s", 2}, {"B", 3}, {"Z", 6}}));
  EXPECT_FALSE(system.holds({{"R", 8}, {"s", 2}, {"B", 3}, {"Z", 5}}));
  EXPECT_EQ(System().text(), "true");
}
