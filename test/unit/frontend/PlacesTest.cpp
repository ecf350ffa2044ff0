// Places that are reached in more ways than by the subscripts of an array: matrices by pointers to their
// first element, structs with a fixed index, small arrays that begin with values.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// The region of `body` beside a matrix of 60 rows of 80.
Region overRows(const std::string& body) {
  return regionOf("double m[60][80];\nvoid f(int n, int w, double t[n][w]) {\n  " + body + "\n}\n");
}

TEST(Matrices, RowsAndColumnsAreFoundInWhatCountsThemTogether) {
  Region region =
      overRows("for (int i = 0; i < 60; i++) for (int j = 0; j < 80; j++) (&m[0][0])[i * 80 + j] = 1;");
  const Statement& statement = statementWith(region, "(&m[0][0])[i * 80 + j] = 1");
  EXPECT_TRUE(touches(statement, accessWith(statement, "(&m[0][0])[i * 80 + j]"), "{ S[i, j] -> m[i, j] }"));
  EXPECT_THAT(conditions(region), SizeIs(0));
}

TEST(Matrices, OneIndexGoesOverAllRows) {
  for (const char* pointer : {"(&m[0][0])", "((double*)m)"}) {
    Region region = overRows(std::string("for (int k = 0; k < 4800; k++) ") + pointer + "[k] = 1;");
    const std::string place = std::string(pointer) + "[k]";
    const Statement& statement = statementWith(region, place + " = 1");
    EXPECT_TRUE(touches(statement, accessWith(statement, place), "{ S[k] -> m[floor(k/80), k mod 80] }"));
  }
}

TEST(Matrices, OfSizesThatAreNamesStayInTheirRowsOnACondition) {
  Region region =
      overRows("for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) (&t[0][0])[i * w + j] = 1;");
  const Statement& statement = statementWith(region, "(&t[0][0])[i * w + j] = 1");
  EXPECT_TRUE(touches(statement, accessWith(statement, "(&t[0][0])[i * w + j]"), "{ S[i, j] -> t[i, j] }"));
  EXPECT_THAT(conditions(region), SizeIs(1));
}

/// The region of `body` in a function of an array of structs with pointers, and of an index.
Region overLayers(const std::string& body) {
  return regionOf("struct layer { int rows; double *w; };\nstruct net { struct layer *layers; };\n"
                  "void f(struct net *t, double *x, int l) {\n  " +
                  body + "\n}\n");
}

TEST(Places, WithAFixedIndexAreReadWhereTheRegionBegins) {
  Region region = overLayers("for (int i = 0; i < t->layers[l].rows; i++) t->layers[l - 1].w[i] = 1;");
  ASSERT_THAT(region.parameters, SizeIs(1));
  EXPECT_EQ(region.parameters[0].text, "t->layers[l].rows");
  EXPECT_THAT(region.through.at("t->layers[l].rows"), ElementsAre("t", "t->layers"));
  EXPECT_THAT(region.through.at("t->layers[l - 1].w"), ElementsAre("t", "t->layers"));
}

TEST(Places, WhoseIndexOnlySomeIterationsUseAreNot) {
  Region region = overLayers("for (int i = 0; i < 9; i++) if (l > 0) x[i] = t->layers[l].rows;");
  for (const Parameter& parameter : region.parameters)
    EXPECT_EQ(parameter.text, "l");
}

/// The assignments in a loop that declares `declaration`.
std::vector<std::string> valuesOf(const std::string& declaration) {
  Region region =
      regionOf("struct point { double x, y; };\nvoid f(double *a) {\n  for (int i = 0; i < 9; i++) {\n    " +
               declaration + "\n    a[i] = 5;\n  }\n}\n");
  std::vector<std::string> texts;
  for (const Statement& statement : region.statements)
    if (statement.kind == Statement::Kind::Assign && statement.body)
      texts.push_back(exprText(*statement.body));
  texts.pop_back();
  return texts;
}

TEST(Initialisers, AssignToEachElement) {
  EXPECT_THAT(valuesOf("double w[3] = {1, a[i]};"), ElementsAre("w[0] = 1", "w[1] = a[i]", "w[2] = 0"));
  EXPECT_THAT(valuesOf("struct point p[2] = {{1, 2}, {.y = a[i]}};"),
              ElementsAre("p.x[0] = 1", "p.y[0] = 2", "p.x[1] = 0", "p.y[1] = a[i]"));
}

TEST(Initialisers, OfManyElementsStayOnTheHost) {
  Region region = regionOf(
      "void f(double *a) {\n  for (int i = 0; i < 9; i++) {\n    int bins[300] = {1};\n    a[i] = bins[i];\n"
      "  }\n}\n");
  const Statement& declaration = statementWith(region, "int bins[300] = {1};");
  EXPECT_NE(declaration.hostOnly, "");
  EXPECT_EQ(declaration.code, nullptr);
  EXPECT_TRUE(std::any_of(declaration.accesses.begin(), declaration.accesses.end(),
                          [](const Access& access) { return access.kind == Access::Kind::MayWrite; }));
}

} // namespace
} // namespace warploom
