// Sizes and pointers that are read from memory: they count as fixed only where no write of the region can
// change them.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string types = "struct G { int n; };\n"
                          "struct S { int n, m[4]; struct G* g; double* d; unsigned char* c; };\n";

/// The only loop of a function with the parameters and the body given.
struct OneLoop {
  OneLoop(const std::string& parameters, const std::string& body)
      : region(regionOf(types + "void f(" + parameters + ") {\n" + body + "\n}\n")) {}
  bool hasFixedBounds() const { return region.loops.at(0).inexactBounds.empty(); }
  Region region;
};

TEST(Changes, ASizeInMemoryIsFixedUnlessItsTypeIsWritten) {
  OneLoop other("struct S* s, double* a", "for (int i = 0; i < s->n; i++) a[i] = 1;");
  EXPECT_TRUE(other.hasFixedBounds());
  EXPECT_THAT(conditions(other.region), IsEmpty());
  EXPECT_FALSE(OneLoop("int* n", "for (int i = 0; i < *n; i++) n[i] = 1;").hasFixedBounds());
  EXPECT_FALSE(
      OneLoop("struct S* s, struct S* t", "for (int i = 0; i < s->n; i++) t->n = i;").hasFixedBounds());
}

TEST(Changes, ASizeInAUnionIsFixedUnlessAnotherMemberIsWritten) {
  const std::string sizes = "union sizes { float f; int n; }* s, struct { union sizes u; double d[9]; }* p, ";
  EXPECT_TRUE(OneLoop(sizes + "double* a", "for (int i = 0; i < s->n; i++) a[i] = 1;").hasFixedBounds());
  EXPECT_FALSE(OneLoop(sizes + "double* a", "for (int i = 0; i < s->n; i++) s->f = a[i];").hasFixedBounds());
  EXPECT_FALSE(OneLoop(sizes + "double* a", "for (int i = 0; i < p->u.n; i++) p->u.f = 1;").hasFixedBounds());
}

// A launcher asks whether what is written lies there.
TEST(Changes, ThatIntegersWrittenElsewhereAreNotASizeIsACondition) {
  OneLoop ints("struct S* s, int* a", "for (int i = 0; i < s->n; i++) a[i] = 1;");
  EXPECT_TRUE(ints.hasFixedBounds());
  EXPECT_THAT(conditions(ints.region), ElementsAre("no write changes `s->n`"));
  ASSERT_EQ(ints.region.conditions[0].arrays.size(), 1U);
  EXPECT_EQ(ints.region.arrays[ints.region.conditions[0].arrays[0]].name, "a");
  EXPECT_EQ(ints.region.conditions[0].place, "s->n");
  OneLoop sign("int* n, unsigned* a", "for (int i = 0; i < *n; i++) a[i] = 1;");
  EXPECT_TRUE(sign.hasFixedBounds());
  EXPECT_THAT(conditions(sign.region), ElementsAre("no write changes `*n`"));
  OneLoop counter("struct S* s", "extern int k; for (int i = 0; i < s->n; i++) k += i;");
  EXPECT_TRUE(counter.hasFixedBounds());
  EXPECT_THAT(conditions(counter.region), Contains("no write changes `s->n`"));
  EXPECT_THAT(
      conditions(
          OneLoop("struct S* s, int* a, double* b", "for (int i = 0; i < s->n; i++) b[i] = a[i];").region),
      IsEmpty());
}

TEST(Changes, OtherFieldsOfAStructAreNotASize) {
  OneLoop other("struct S* s, struct S* t", "for (int i = 0; i < s->n; i++) t->m[2] = i;");
  EXPECT_TRUE(other.hasFixedBounds());
  OneLoop inner("struct S* s, struct G* g", "for (int i = 0; i < s->n; i++) g[i].n = i;");
  EXPECT_TRUE(inner.hasFixedBounds());
  EXPECT_THAT(conditions(inner.region), Contains("no write changes `s->n`"));
}

TEST(Changes, MemoryThatCannotOverlapIsNotAskedFor) {
  Region region = regionOf("#include <stdlib.h>\n" + types +
                           "void f(struct S* s, int k) { int* a = malloc(k * sizeof *a);\n"
                           "for (int i = 0; i < s->n; i++) a[i] = 1; s->m[0] = a[0]; free(a); }");
  EXPECT_TRUE(region.loops.at(0).inexactBounds.empty());
  EXPECT_THAT(conditions(region), IsEmpty());
}

TEST(Changes, WritingAStructWritesItsFields) {
  EXPECT_FALSE(OneLoop("struct G* s, struct G* a, struct G one", "for (int i = 0; i < s->n; i++) a[i] = one;")
                   .hasFixedBounds());
  EXPECT_THAT(conditions(OneLoop("struct S* s, struct G* a, struct G one",
                                 "for (int i = 0; i < s->n; i++) a[i] = one;")
                             .region),
              Contains("no write changes `s->n`"));
  EXPECT_THAT(
      conditions(
          OneLoop("int* n, struct G one", "static struct G g; for (int i = 0; i < *n; i++) g = one;").region),
      Contains("no write changes `*n`"));
}

TEST(Changes, ThePointerOnTheWayMayChange) {
  const std::string loop = "for (int i = 0; i < s->g->n; i++) ";
  EXPECT_TRUE(OneLoop("struct S* s, double* a", loop + "a[i] = 1;").hasFixedBounds());
  EXPECT_FALSE(OneLoop("struct S* s, double* a, struct G* g", loop + "s->g = g;").hasFixedBounds());
}

TEST(Changes, AVariableWithAnAddressMayChangeWhatAPointerReads) {
  EXPECT_FALSE(
      OneLoop("int* a", "int n = 9, *p = &n; for (int i = 0; i < *p; i++) n = a[i];").hasFixedBounds());
  EXPECT_TRUE(OneLoop("int* n, int* a", "int k; for (int i = 0; i < *n; i++) k = a[i];").hasFixedBounds());
}

TEST(Changes, WhatNoPointerReachesStaysAsItIs) {
  const std::string loop = "for (int i = 0; i < s.n; i++) a[i] = 1;";
  EXPECT_TRUE(OneLoop("struct S s, int* a", loop).hasFixedBounds());
  EXPECT_TRUE(OneLoop("struct S s, unsigned char* a", loop).hasFixedBounds());
  EXPECT_THAT(conditions(OneLoop("struct S s, unsigned char* a", loop).region), IsEmpty());
  EXPECT_THAT(conditions(OneLoop("struct S s", "int* a = &s.n; " + loop).region),
              Contains("no write changes `s.n`"));
}

TEST(Changes, ARestrictPointerChangesNothingThatIsReadOtherwise) {
  const std::string bound = "for (int i = 0; i < s->n; i++) ";
  OneLoop ints("struct S* s, int* restrict a", bound + "a[i] = 1;");
  OneLoop rows("struct S* s, unsigned char (*restrict a)[4]", bound + "a[i][2] = 1;");
  OneLoop sum("struct S* s, unsigned char* restrict a", bound + "*(a + i) = 1;");
  OneLoop behind("struct S* s, struct S* restrict a", bound + "a[0].c[i] = 1;");
  EXPECT_TRUE(ints.hasFixedBounds());
  EXPECT_THAT(conditions(ints.region), IsEmpty());
  EXPECT_THAT(conditions(rows.region), IsEmpty());
  EXPECT_THAT(conditions(sum.region), IsEmpty());
  EXPECT_THAT(conditions(behind.region), Contains("no write changes `s->n`"));
  EXPECT_FALSE(OneLoop("int* restrict a", "for (int i = 0; i < a[0]; i++) a[i] = 1;").hasFixedBounds());
  EXPECT_FALSE(
      OneLoop("unsigned char* restrict a", "for (int i = 0; i < a[0]; i++) a[i] = 1;").hasFixedBounds());
}

TEST(Changes, ThatAPointerIsNotToAGlobalSizeIsACondition) {
  const std::string source = "int n, m;\nvoid f(int* a, int* b) {\n  for (int i = 0; i < n; i++) a[i] = 1;\n"
                             "  for (int i = 0; i < m; i++) b[i] = 1;\n}\n";
  EXPECT_THAT(conditions(regionOf(source)),
              ElementsAre("`a` and `b` do not overlap", "`a` does not point to `m`",
                          "`a` does not point to `n`", "`b` does not point to `m`",
                          "`b` does not point to `n`"));
}

// Characters may be part of anything, but seldom are.
TEST(Changes, ThatCharactersChangeNothingIsACondition) {
  OneLoop size("int* n, unsigned char* a", "for (int i = 0; i < *n; i++) a[i] = 1;");
  EXPECT_TRUE(size.hasFixedBounds());
  EXPECT_THAT(conditions(size.region), ElementsAre("no write changes `*n`"));
  EXPECT_EQ(size.region.conditions[0].kind, Condition::Kind::Unchanged);
  EXPECT_THAT(size.region.conditions[0].loops, ElementsAre(0));

  OneLoop pointer("struct S* s, int n", "for (int i = 0; i < n; i++) s->c[i] = 1;");
  EXPECT_THAT(conditions(pointer.region), ElementsAre("no write changes `s->c`"));

  OneLoop array("int n",
                "static unsigned char a[100]; extern int k[]; for (int i = 0; i < k[0]; i++) a[i] = 1;");
  EXPECT_THAT(conditions(array.region), IsEmpty());
}

TEST(Changes, WhatCharactersMayChangeIsReadWhereItIsUsed) {
  OneLoop loop("int n, int* k, unsigned char* a", "for (int i = 0; i < n; i++) a[i] = k[0];");
  const Statement& body = statementWith(loop.region, "a[i] =");
  EXPECT_TRUE(accessWith(body, "k[0]").reads());
  EXPECT_THAT(conditions(loop.region), ElementsAre("`k` and `a` do not overlap"));
}

} // namespace
} // namespace warploom
