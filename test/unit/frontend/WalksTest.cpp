// Pointers that walk to an end that is another pointer, and structs that are made of values.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// The region of `body` in a function of three pointers.
Region walk(const std::string& body) {
  return regionOf("void f(double *o, const double *p, const double *end) {\n  " + body + "\n}\n");
}

TEST(Walks, EndWhereAnotherPointerPoints) {
  Region region = walk("for (; p < end; p++) *o++ = *p;");
  ASSERT_THAT(region.parameters, SizeIs(1));
  EXPECT_EQ(region.parameters[0].text, "(end - p)");
  const Statement& statement = statementWith(region, "*o++ = *p");
  EXPECT_TRUE(hasDomain(statement, "[end_from_p] -> { S[i] : 0 <= i < end_from_p }"));
  EXPECT_TRUE(touches(statement, accessWith(statement, "*p"), "{ S[i] -> p[i] }"));
}

TEST(Walks, StepWhereTheyAreUsed) {
  Region region = walk("while (p < end) *o++ = *p++;");
  const Statement& statement = statementWith(region, "*o++ = *p++");
  EXPECT_TRUE(hasDomain(statement, "[end_from_p] -> { S[i] : 0 <= i < end_from_p }"));
  EXPECT_TRUE(touches(statement, accessWith(statement, "*p++"), "{ S[i] -> p[i] }"));
  EXPECT_TRUE(touches(statement, accessWith(statement, "*o++"), "{ S[i] -> o[i] }"));
}

TEST(Walks, MeetTheirEndByWholeSteps) {
  Region region = walk("for (; p != end; p += 2) *o++ = *p;");
  EXPECT_THAT(conditions(region), testing::Contains(HasSubstr("end_from_p % 2 == 0")));
}

TEST(Walks, HaveNoDistanceFromWhatChanges) {
  for (const char* body : {"for (; p < end; p++) { *o++ = *p; if (*p < 0) end--; }",
                           "double *volatile q = o; for (; p < q; p++) *o++ = *p;"}) {
    FileRegions file =
        readSource("void f(double *o, double *p, double *end) {\n  " + std::string(body) + "\n}\n");
    ASSERT_TRUE(file.compiled);
    for (const Region& region : file.regions)
      for (const Loop& loop : region.loops)
        EXPECT_NE(loop.inexactBounds + loop.mustStaySequential, "") << body;
  }
}

/// The bodies of the assignments in a loop that gives the struct s `value`.
std::vector<std::string> assignments(const std::string& value) {
  Region region = regionOf("struct pair { double x, y; };\n"
                           "double f(int n, const struct pair *a) {\n  struct pair s = {0, 0};\n"
                           "  for (int i = 0; i < n; i++)\n    s = (struct pair){" +
                           value + "};\n  return s.x + s.y;\n}\n");
  std::vector<std::string> texts;
  for (const Statement& statement : region.statements)
    if (statement.kind == Statement::Kind::Assign && statement.body && !statement.loops.empty())
      texts.push_back(exprText(*statement.body));
  return texts;
}

TEST(Fields, AreAssignedOneByOne) {
  EXPECT_THAT(assignments("s.x + a[i].x, s.y - a[i].y"),
              testing::ElementsAre("s.x = s.x + a.x[i]", "s.y = s.y - a.y[i]"));
}

TEST(Fields, StayTogetherWhereOneNeedsWhatAnotherWas) {
  EXPECT_THAT(assignments("s.y + a[i].x, s.x"), SizeIs(1));
  EXPECT_THAT(assignments("s.y + a[i].x, a[i].y"), SizeIs(2));
}

} // namespace
} // namespace warploom
