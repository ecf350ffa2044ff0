// Rows behind pointers that structs hold, and rows that are matrices: which steps lead there.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// The region of `body` beside an array of structs with pointers.
Region overStructs(const std::string& body) {
  return regionOf("struct row { int n; double *v; char mark; double **u; };\n"
                  "struct image { int w, h; unsigned char *plane[3]; };\n"
                  "void f(struct row *r, struct image *im, double *x, int n, int m) {\n  " +
                  body + "\n}\n");
}

const std::string overAll = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) ";

TEST(Tables, OfPointersInStructsAreAsFarApartAsThese) {
  Region region = overStructs(overAll + "r[i].v[j] = 1;");
  const Array& rows = arrayNamed(region, "r.v");
  EXPECT_EQ(rows.base, "r");
  ASSERT_THAT(rows.tables, SizeIs(1));
  EXPECT_EQ(rows.tables[0].apart, 32);
  EXPECT_EQ(rows.tables[0].at, 8);
  EXPECT_TRUE(rows.tables[0].follows);
  const Statement& statement = statementWith(region, "r[i].v[j] = 1");
  EXPECT_TRUE(accessWith(statement, "r[i].v[j]").exact);
  EXPECT_THAT(conditions(region), Contains("the rows of `r.v` do not overlap"));
}

TEST(Tables, InStructsAreReachedByOneSubscriptForEachArray) {
  Region region = overStructs("for (int c = 0; c < 3; c++) for (int k = 0; k < n; k++) im->plane[c][k] = 0;");
  const Array& planes = arrayNamed(region, "im.plane");
  ASSERT_THAT(planes.tables, SizeIs(2));
  EXPECT_FALSE(planes.tables[0].follows);
  EXPECT_EQ(planes.tables[0].at, 8);
  EXPECT_EQ(planes.tables[1].apart, 8);
  EXPECT_EQ(planes.tables[1].count, 3);
  EXPECT_TRUE(planes.tables[1].follows);
}

TEST(Tables, LeadToTables) {
  Region region = overStructs(overAll + "r[i].u[j][3] = 1;");
  const Array& rows = arrayNamed(region, "r.u");
  ASSERT_THAT(rows.tables, SizeIs(2));
  EXPECT_EQ(rows.tables[0].at, 24);
  EXPECT_EQ(rows.tables[1].apart, 8);
}

TEST(Tables, LeadToRowsThatAreMatrices) {
  Region region = overStructs("for (int k = 0; k < 4; k++) " + overAll + "r[k].v[i * m + j] = 1;");
  const Array& rows = arrayNamed(region, "r.v");
  EXPECT_THAT(rows.tables, SizeIs(1));
  EXPECT_EQ(rows.rank, 3);
  EXPECT_TRUE(rows.recovered);
  EXPECT_TRUE(rows.extents[1] && rows.extents[2]);
}

TEST(Tables, OtherFieldsOfTheStructsChangeNoPointer) {
  Region region = overStructs(
      "for (int i = 0; i < n; i++) { r[i].mark = 1; for (int j = 0; j < m; j++) r[i].v[j] = 1; }");
  EXPECT_THAT(conditions(region), Not(Contains(HasSubstr("no write changes"))));
  EXPECT_FALSE(arrayNamed(region, "r.v").tables.empty());
}

TEST(Tables, WhosePointersAreSetAreNotFollowed) {
  Region region =
      overStructs("for (int i = 1; i < n; i++) { r[i] = r[0]; for (int j = 0; j < m; j++) r[i].v[j] = 1; }");
  for (const Array& array : region.arrays)
    EXPECT_THAT(array.tables, IsEmpty());
}

TEST(Tables, OfAStructThatTheRegionDeclaresAreNotFollowed) {
  const Region region = regionOf("struct s { int n; double *v; };\n"
                                 "void f(int n, int m, struct s *r) {\n"
                                 "  for (int i = 0; i < n; i++) {\n"
                                 "    struct s one = r[i];\n"
                                 "    for (int j = 0; j < m; j++) one.v[j] = 1;\n  }\n}\n");
  for (const Array& array : region.arrays)
    EXPECT_NE(array.name, "one.v");
}

} // namespace
} // namespace warploom
