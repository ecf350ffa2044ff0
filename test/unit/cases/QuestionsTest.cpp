#include "cases/Questions.h"

#include <gtest/gtest.h>

using namespace warploom::cases;

namespace {

System conditions(const std::vector<const char*>& texts) {
  System result;
  for (const char* text : texts)
    result = result.with(Constraint::parse(text));
  return result;
}

} // namespace

// SHOWS: MF-79
TEST(Questions, FindWhatIsConsistent) {
  Questions questions;
  EXPECT_EQ(questions.isConsistent(conditions({"10 <= R", "R < 10"})), false);
  EXPECT_EQ(questions.isConsistent(conditions({"10 <= R", "R < 11"})), true);
  EXPECT_EQ(questions.isConsistent(conditions({"B^2 + 2*B <= Z", "Z < B^2", "1 <= B"})), false);
  EXPECT_EQ(questions.isConsistent(conditions({"s*B^2 <= Z", "Z < B^2"})), true); // s may be 0
  Questions positive({{Constraint::parse("1 <= s")}});
  EXPECT_EQ(positive.isConsistent(conditions({"s*B^2 <= Z", "Z < B^2"})), false);
}

// SHOWS: MF-81
TEST(Questions, AreAboutWholeNumbers) {
  Questions questions;
  EXPECT_EQ(questions.isConsistent(conditions({"8 < R", "R < 9"})), false);
  EXPECT_EQ(questions.isConsistent(conditions({"B^2 = 2"})), false);
  // 6 divides N, where 2 and 3 do.
  Questions divides({{Constraint::parse("N = 2*x")}, {Constraint::parse("N = 3*y")}});
  EXPECT_EQ(divides.isConsistent(conditions({"N < 6", "1 <= N"})), false);
  EXPECT_EQ(divides.isConsistent(conditions({"N < 7", "1 <= N"})), true);
}

TEST(Questions, NegativeValuesAreNoSolutions) {
  Questions questions;
  EXPECT_EQ(questions.isConsistent(conditions({"B + 1 <= 0"})), false);
}

TEST(Questions, ProveWhatFollows) {
  Questions questions({{Constraint::parse("1 <= s")}, {Constraint::parse("1 <= B")}});
  EXPECT_TRUE(questions.implies(conditions({"s*B^2 + s*B + B <= Z"}), Constraint::parse("B^2 + 2*B <= Z")));
  EXPECT_FALSE(questions.implies(conditions({"B^2 + 2*B <= Z"}), Constraint::parse("s*B^2 + s*B + B <= Z")));
  EXPECT_TRUE(questions.areDisjoint(conditions({"2*s*B <= Z"}), conditions({"Z < 2*B"})));
  EXPECT_TRUE(questions.isCovered({}, {conditions({"2*B <= Z"}), conditions({"Z < 2*s*B"})}));
  EXPECT_FALSE(questions.isCovered({}, {conditions({"2*s*B <= Z"}), conditions({"Z < 2*B"})}));
}

TEST(Questions, FactsMayBeAlternatives) {
  // B is the smaller of two.
  Facts facts = {{Constraint::parse("B <= B0")},
                 {Constraint::parse("B <= B1")},
                 {Constraint::parse("B = B0"), Constraint::parse("B = B1")}};
  Questions questions(facts);
  EXPECT_EQ(questions.isConsistent(conditions({"B < 4", "4 <= B0", "4 <= B1"})), false);
  EXPECT_EQ(questions.isConsistent(conditions({"B < 4", "4 <= B0"})), true);
}

TEST(Questions, SolutionsSatisfy) {
  Questions questions({{Constraint::parse("2 <= s")}});
  const System wanted = conditions({"s*B^2 + s*B + B <= Z", "Z < 100", "3 <= B"});
  auto values = questions.solution(wanted);
  ASSERT_TRUE(values);
  EXPECT_TRUE(wanted.holds(*values));
  EXPECT_FALSE(questions.solution(conditions({"Z < 0"})));
}

TEST(Questions, EndAtTheirLimit) {
  // A sum of three cubes that nobody has found: left open, not waited for.
  Questions questions({}, {200000, 20});
  EXPECT_FALSE(questions.isConsistent(conditions({"x^3 + y^3 = z^3 + 114", "1 <= x", "1 <= y", "1 <= z"})));
  EXPECT_EQ(questions.open(), 1u);
}

// SHOWS: MF-80
TEST(Questions, ConditionsBecomeSimple) {
  Questions questions({{Constraint::parse("1 <= s")}, {Constraint::parse("1 <= B")}});
  EXPECT_EQ(
      simplified(questions, conditions({"9 <= R", "Z < s*B^2", "8 <= R", "7 <= R", "Z < s*B^2 + B"})).text(),
      "9 <= R, Z < s*B^2");
  auto one =
      merged(questions, {conditions({"9 <= R", "2*B <= Z"}), conditions({"8 <= R", "R < 9", "2*B <= Z"})});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].text(), "2*B <= Z, 8 <= R");
  EXPECT_EQ(merged(questions, {conditions({"9 <= R"}), conditions({"10 <= Z"})}).size(), 2u);
}
