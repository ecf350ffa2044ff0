// What macros do to source texts: an expression inside one is printed as what it is.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::vector<std::string> parameterTexts(const Region& region) {
  std::vector<std::string> texts;
  for (const Parameter& parameter : region.parameters)
    texts.push_back(parameter.text);
  return texts;
}

const char* matrix = "typedef struct { long rows, cols, stride; double *data; } Matrix;\n"
                     "#define GET(m, i, j) ((m)->data[(long)(i) * (m)->stride + (j)])\n"
                     "#define ROWS(m) ((m)->rows)\n#define COLUMNS(m) (*(m)).cols\n";

TEST(Macros, ASizeInsideAMacroIsNamedByWhatItIs) {
  Region region = regionOf(std::string(matrix) + "void f(Matrix *t, const Matrix *a) {\n"
                                                 "  for (long i = 0; i < a->rows; i++)\n"
                                                 "    for (long j = 0; j < a->cols; j++)\n"
                                                 "      GET(t, j, i) = GET(a, i, j);\n}\n");
  EXPECT_THAT(parameterTexts(region), UnorderedElementsAre("a->rows", "a->cols", "a->stride", "t->stride"));
}

TEST(Macros, OneSizeHasOneNameInAndOutOfMacros) {
  Region region = regionOf(std::string(matrix) + "void f(Matrix *a) {\n"
                                                 "  for (long i = 0; i < ROWS(a); i++)\n"
                                                 "    for (long j = 0; j < a->stride; j++)\n"
                                                 "      if (i + 1 < a->rows) GET(a, i, j) = 0;\n}\n");
  EXPECT_THAT(parameterTexts(region), UnorderedElementsAre("a->rows", "a->stride"));
}

TEST(Macros, APlaceIsPrintedWithAllThatLeadsToIt) {
  Region region = regionOf("#define AT(i) a[i]\n#define TWICE(x) ((x) + (x))\nint a[99], p[99];\n"
                           "void f(int n) { for (int i = 0; i < n; i++) AT(p[i] + TWICE(i)) = 1; }\n");
  const Statement& statement = region.statements.back();
  ASSERT_FALSE(statement.accesses.empty());
  EXPECT_EQ(statement.accesses.back().text, "a[p[i] + (i + i)]");
  EXPECT_THAT(statement.accesses.back().inexactReason, HasSubstr("p[i]"));
}

} // namespace
} // namespace warploom
