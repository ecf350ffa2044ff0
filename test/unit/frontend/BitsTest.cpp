// What has no memory of its own, as bits of numbers: members of unions, bit-fields, what memcpy and casts of
// addresses make of a number.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The region of `body` in a loop over i, beside values of many types.
Region overBits(const std::string& body) {
  return regionOf("typedef unsigned u32; void *memcpy(void *, const void *, unsigned long);\n"
                  "union word { float f; u32 u; unsigned char b[4]; };\n"
                  "struct flags { unsigned a : 3, b : 5; int c : 8, : 2; int d : 14; double x; };\n"
                  "struct tight { u32 a : 24; unsigned char b; };\n"
                  "struct value { int kind; union word as; };\n"
                  "void f(int n, float *x, u32 *y, union word *w, struct flags *p, struct tight *t,\n"
                  "       struct value *v) {\n  for (int i = 0; i < n; i++) {\n " +
                  body + " }\n}\n");
}

bool runsOnDevice(const Region& region) {
  return std::all_of(region.statements.begin(), region.statements.end(),
                     [](const Statement& one) { return one.hostOnly.empty(); });
}

TEST(Bits, AUnionOfTheFunctionsOwnIsTheNumberItsMemberIs) {
  Region region = overBits("union word v; v.f = x[i]; v.u >>= 1; v.b[3] = 0; y[i] = v.u;");
  EXPECT_TRUE(runsOnDevice(region));
  const Array& number = arrayNamed(region, "v");
  EXPECT_EQ(number.base, "v.u"); // what the text calls it
  EXPECT_EQ(number.element.kind, Type::Kind::UnsignedInt);
  EXPECT_EQ(exprText(*statementWith(region, "v.f = x[i]").body), "v = __builtin_bit_cast(x[i])");
}

TEST(Bits, AUnionWhoseAddressIsTakenStays) {
  Region region = overBits("union word v; union word *q = &v; q->f = x[i]; y[i] = v.u;");
  EXPECT_FALSE(runsOnDevice(region));
}

TEST(Bits, ACopyOfOneNumberIsAnAssignment) {
  Region region = overBits("u32 bits; memcpy(&bits, &x[i], sizeof bits); y[i] = bits & 7;");
  EXPECT_TRUE(runsOnDevice(region));
  EXPECT_TRUE(runsOnDevice(overBits("float one = x[i]; y[i] = *(u32 *)&one;")));
}

TEST(Bits, ACopyWhoseValueIsUsedStays) {
  for (const char* body : {"y[i] = memcpy(&y[i], &x[i], 4) != 0;", "x[i] = (long)memcpy(&y[i], &x[i], 4);",
                           "y[i] = *(u32 *)&x[i] = 5;"})
    EXPECT_FALSE(runsOnDevice(overBits(body))) << body;
}

TEST(Bits, NeighboursInAWordAreOneElement) {
  Region region = overBits("p[i].a = y[i]; p[i].b = i; p[i].c = i;");
  EXPECT_TRUE(runsOnDevice(region));
  const Statement &a = statementWith(region, "p[i].a = y[i]"), &b = statementWith(region, "p[i].b = i");
  EXPECT_EQ(a.accesses.back().array, b.accesses.back().array);
  EXPECT_NE(a.accesses.back().array, statementWith(region, "p[i].c = i").accesses.back().array);
  EXPECT_EQ(region.arrays[a.accesses.back().array].name, "p.a_bits");
  EXPECT_EQ(exprText(*a.body), "p.a_bits[i] = __builtin_with_bits(p.a_bits[i], 0, 3, y[i])");
  // The others are read and written again.
  EXPECT_TRUE(std::any_of(a.accesses.begin(), a.accesses.end(), [&](const Access& one) {
    return one.kind == Access::Kind::Read && one.array == a.accesses.back().array;
  }));
}

TEST(Bits, ThatAreTruthsAreCountedAsNumbers) {
  Region region = regionOf("struct s { _Bool on : 1; int k : 4; };\n"
                           "void f(int n, struct s *p) { for (int i = 0; i < n; i++) { p[i].on++; } }\n");
  const ExprPtr& value = statementWith(region, "p[i].on++").body->operands[1];
  EXPECT_EQ(value->operands.back()->type.kind, Type::Kind::Bool);
  EXPECT_EQ(value->operands.back()->kind, Expr::Kind::Cast);
}

TEST(Bits, AreReadWithTheirSign) {
  Region region = overBits("y[i] = p[i].b + p[i].c;");
  EXPECT_THAT(exprText(*statementWith(region, "y[i] = p[i].b + p[i].c").body),
              HasSubstr("__builtin_bits(p.a_bits[i], 3, 5) + __builtin_signed_bits(p.c_bits[i], 0, 8)"));
}

TEST(Bits, ThatShareAByteWithAnotherFieldAreNotWritten) {
  EXPECT_FALSE(runsOnDevice(overBits("t[i].a = i;")));
}

/// The region of `body` beside bit-fields of more bits than an int has.
Region overWideBits(const std::string& body) {
  return regionOf("struct wide { unsigned long long v : 40, w : 24; long long q : 33, : 31; };\n"
                  "void f(int n, struct wide *p, long *x, unsigned long *u, double *d) {\n"
                  "  for (int i = 0; i < n; i++) {\n " +
                  body + " }\n}\n");
}

TEST(Bits, WiderThanIntAreNotComputedWithWhereCompilersDiffer) {
  for (const char* body :
       {"x[i] = p[i].v + 1;", "x[i] = p[i].v << 4;", "d[i] = -p[i].v;", "x[i] = p[i].v == -1;",
        "d[i] = p[i].v + x[i];", "x[i] = p[i].q * p[i].q;", "x[i] = (i & 1 ? p[i].v : p[i].w) * 9;",
        "x[i] = p[i].v + p[i].w;", "p[i].v /= -3;", "x[i] = p[i].v < p[i].q;"})
    EXPECT_FALSE(runsOnDevice(overWideBits(body))) << body;
}

TEST(Bits, WiderThanIntAreComputedWithWhereCompilersAgree) {
  for (const char* body :
       {"x[i] = p[i].v;", "d[i] = p[i].v * 0.5;", "x[i] = p[i].v >> 3 & 255;", "u[i] += p[i].v;",
        "x[i] = (unsigned long)p[i].v * 3;", "p[i].v *= 3;", "p[i].q -= x[i];", "d[i] = p[i].q + x[i];",
        "x[i] = p[i].w + 1;", "x[i] = !p[i].v;", "x[i] = p[i].v == 77;"})
    EXPECT_TRUE(runsOnDevice(overWideBits(body))) << body;
}

TEST(Bits, MembersOfUnionsInMemoryAreOneElement) {
  Region region = overBits("w[i].u = w[i].f > 0 ? w[i].b[1] : 1; v[i].as.f = v[i].as.u;");
  EXPECT_TRUE(runsOnDevice(region));
  EXPECT_EQ(arrayNamed(region, "w").element.kind, Type::Kind::UnsignedInt);
  EXPECT_THAT(arrayNamed(region, "v.as").members, SizeIs(1));
}

TEST(Bits, OfAUnionMayBeAnythingElse) {
  Region region = overBits("w[i].u = (u32)x[i];");
  EXPECT_THAT(conditions(region), Contains(HasSubstr("do not overlap")));
}

TEST(Bits, ThatDataChooseAreNotFollowed) {
  EXPECT_FALSE(runsOnDevice(overBits("y[i] = w[i].b[y[i] & 3];")));
}

} // namespace
} // namespace warploom
