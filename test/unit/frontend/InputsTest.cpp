// Calls, marks, flags, languages, and regions that cannot be read.
#include "frontend/Reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// SHOWS: CH-10
TEST(Calls, MathFunctionsArePartOfTheExpression) {
  Region region = regionOf("#include <math.h>\nfloat a[10]; double b[10];\nvoid f(int n) {\n"
                           "  for (int i = 0; i < n; i++) { a[i] = sinf(a[i]); b[i] = pow(b[i], 2.0); } }\n");
  EXPECT_EQ(exprText(*region.statements[0].body), "a[i] = sinf(a[i])");
  EXPECT_THAT(region.statements[1].hostOnly, IsEmpty());
}

TEST(Calls, PureFunctionsWithABodyAreCalled) {
  Region region = regionOf("static double sq(double x) { return x * x; }\ndouble a[10];\nvoid f(int n) {\n  "
                           "for (int i = 0; i < n; i++) a[i] = sq(a[i]); }\n");
  EXPECT_EQ(region.statements[0].kind, Statement::Kind::Assign);
  EXPECT_EQ(region.statements[0].body->operands[1]->kind, Expr::Kind::Call);
  EXPECT_THAT(region.loops[0].mustStaySequential, IsEmpty());
}

TEST(Calls, OtherFunctionsMakeTheStatementHostOnlyWithAReason) {
  struct {
    const char *function, *reason;
  } cases[] = {{"double g(double x);", "`g` has no body here"},
               {"double s; double h(double); double g(double x) { s += h(x); return s; }", "`g`"},
               {"double g(double x) { return x > 1 ? g(x / 2) : x; }", "`g`"},
               {"double g(double x) { static double c; return c++ + x; }", "static variable"}};
  for (const auto& c : cases) {
    FileRegions file = readSource(
        fmt::format("{}\ndouble a[10];\nvoid f(int n) {{\n  for (int i = 0; i < n; i++) a[i] = g(a[i]); }}\n",
                    c.function));
    ASSERT_THAT(file.regions, SizeIs(1));
    const Statement& body = file.regions[0].statements[0];
    EXPECT_EQ(body.kind, Statement::Kind::Opaque) << c.function;
    EXPECT_THAT(body.hostOnly, HasSubstr(c.reason)) << c.function;
    EXPECT_FALSE(file.regions[0].loops[0].mustStaySequential.empty()) << c.function;
  }
}

/// Two loops, with `begin` before the second one and `end` after it.
std::string twoLoops(const std::string& begin, const std::string& end) {
  return "double a[10];\nvoid f(int n) {\n  for (int i = 0; i < n; i++) a[i] = 1;\n" + begin +
         "\n  for (int j = 0; j < n; j++) a[j] = 2;\n" + end + "\n}\n";
}

// SHOWS: CR-1
TEST(Marks, ByPragmaOrByCommentLimitTheRegion) {
  for (auto [begin, end] : {std::pair{"#pragma scop", "#pragma endscop"},
                            std::pair{"// PARALLELIZE IN CUDA START", "// PARALLELIZE IN CUDA END"}}) {
    FileRegions file = readSource(twoLoops(begin, end));
    ASSERT_THAT(file.regions, SizeIs(1));
    EXPECT_TRUE(file.regions[0].marked);
    ASSERT_THAT(file.regions[0].loops, SizeIs(1));
    EXPECT_EQ(file.regions[0].loops[0].index, "j");
  }
}

// SHOWS: CR-1
TEST(Marks, WithoutTheirPartnerAreErrors) {
  EXPECT_FALSE(readSource(twoLoops("#pragma scop", "")).compiled);
  EXPECT_FALSE(readSource(twoLoops("", "// PARALLELIZE IN CUDA END")).compiled);
  EXPECT_FALSE(readSource(twoLoops("#pragma scop", "#pragma scop")).compiled);
}

// SHOWS: CH-1
TEST(Inputs, OneFunctionOfSeveralIsSelectedByName) {
  Folder folder;
  FrontendOptions options;
  options.files = {folder.write("input.c",
                                "double a[9];\nvoid f(int n) { for (int i = 0; i < n; i++) a[i] = 1; }\n"
                                "void g(int n) { for (int i = 0; i < n; i++) a[i] = 2; }\n")};
  options.function = "g";
  FileRegions file = readFiles(options).front();
  ASSERT_THAT(file.regions, SizeIs(1));
  EXPECT_EQ(file.regions[0].function, "g");
  EXPECT_EQ(file.regions[0].name(), "g:3");
}

TEST(Inputs, FlagsAfterTheDashesAreClangs) {
  std::string source = "double a[SIZE];\nvoid f(void) { for (int i = 0; i < SIZE; i++) a[i] = 1; }\n";
  FileRegions file = readSource(source, {"-DSIZE=12"});
  ASSERT_TRUE(file.compiled);
  EXPECT_TRUE(hasDomain(file.regions[0].statements[0], "{ S[i] : 0 <= i < 12 }"));
  EXPECT_THAT(file.flags, testing::Contains("-DSIZE=12"));
  EXPECT_FALSE(readSource(source).compiled);
}

TEST(Inputs, ACompilationDatabaseSaysHow) {
  Folder folder;
  std::string file = folder.write(
      "src/input.c",
      "#include \"size.h\"\ndouble a[SIZE];\nvoid f(void) { for (int i = 0; i < SIZE; i++) a[i] = 1; }\n");
  folder.write("include/size.h", "#define SIZE 7\n");
  std::string database = fmt::format(
      R"([{{"directory": "{}", "file": "src/input.c", "arguments": ["cc", "-Iinclude", "-c", "src/input.c", "-o", "x.o"]}}])",
      folder.path.string());
  folder.write("build/compile_commands.json", database);
  FrontendOptions options;
  options.files = {file};
  EXPECT_FALSE(readFiles(options).front().compiled);
  options.buildPath = folder.path / "build";
  FileRegions byOption = readFiles(options).front();
  ASSERT_TRUE(byOption.compiled);
  EXPECT_TRUE(hasDomain(byOption.regions[0].statements[0], "{ S[i] : 0 <= i < 7 }"));
  // Beside the file, or above it, it is found without being named.
  folder.write("compile_commands.json", database);
  options.buildPath.clear();
  FileRegions found = readFiles(options).front();
  ASSERT_TRUE(found.compiled);
  EXPECT_THAT(found.regions, SizeIs(1));
}

TEST(Inputs, ADatabaseThatDoesNotKnowTheFileSaysNothing) {
  Folder folder;
  std::string file = folder.write("input.c", "void f(int n, double* restrict a) {\n"
                                             "  for (int i = 0; i < n; i++) a[i] = 1;\n}\n");
  folder.write("input.cpp", "int x;\n");
  folder.write(
      "compile_commands.json",
      fmt::format(R"([{{"directory": "{}", "file": "input.cpp", "arguments": ["c++", "-c", "input.cpp"]}}])",
                  folder.path.string()));
  FrontendOptions options;
  options.files = {file};
  FileRegions found = readFiles(options).front();
  EXPECT_TRUE(found.compiled);
  EXPECT_THAT(found.flags, testing::IsEmpty());
}

TEST(Inputs, TheCommonSubsetOfCxxIsTaken) {
  FileRegions file = readSource("namespace q { template <typename T> T one() { return 1; } }\n"
                                "void f(int n, double* __restrict__ a) {\n  for (auto i = 0; i < n; ++i) "
                                "a[i] = static_cast<double>(i);\n"
                                "  for (int& x : *new int[1][1]) x = 1;\n}\n",
                                {}, "input.cpp");
  ASSERT_TRUE(file.compiled);
  ASSERT_THAT(file.regions, SizeIs(1));
  EXPECT_TRUE(hasDomain(file.regions[0].statements[0], "[n] -> { S[i] : 0 <= i < n }"));
}

/// A loop around a sum of `terms` elements of b.
std::string longSum(int terms) {
  std::string sum = "b[i]";
  for (int k = 1; k < terms; ++k)
    sum += fmt::format(" + b[i + {}]", k);
  return sum;
}

TEST(Unread, OneRegionDoesNotTakeTheOthersWithIt) {
  FileRegions file =
      readSource(fmt::format("void f(int n, long *restrict a, long *restrict b) {{\n"
                             "  for (int k = 0; k < n; k++) {{\n"
                             "    for (int i = 0; i < n; i++) a[i] = {};\n"
                             "    for (int j = 0; j < n; j++) a[j] = 1;\n  }}\n}}\n"
                             "void g(int n, long *a) {{\n  for (int i = 0; i < n; i++) a[i] = 1;\n}}\n",
                             longSum(10000)));
  ASSERT_TRUE(file.compiled);
  ASSERT_THAT(file.regions, SizeIs(3)); // around k; around i and j, tried once more; and in g
  const Region& outer = file.regions[0];
  ASSERT_THAT(outer.loops, SizeIs(1));
  EXPECT_EQ(outer.loops[0].index, "k");
  EXPECT_THAT(outer.loops[0].inexactBounds, HasSubstr("line 3"));
  EXPECT_THAT(outer.fixedText, HasSubstr("it was not read"));
  ASSERT_THAT(outer.remarks, SizeIs(1));
  EXPECT_THAT(file.regions[1].loops, SizeIs(2));
  EXPECT_EQ(file.regions[2].function, "g");
  EXPECT_THAT(file.regions[2].remarks, IsEmpty());
}

TEST(Unread, DeepExpressionsOfEveryShape) {
  std::string choice, both, nested;
  for (int k = 0; k < 4000; ++k) {
    choice += fmt::format("b[i] > {0} ? {0} : ", k);
    both += fmt::format("{}b[i] > {}", k ? " && " : "", k);
    nested += k ? " + i" : "i";
  }
  for (const std::string& value : {choice + "0", both, "b[" + nested + "]"}) {
    FileRegions file = readSource(fmt::format("void f(int n, long *restrict a, long *restrict b) {{\n  for "
                                              "(int i = 0; i < n; i++) a[i] = {};\n}}\n",
                                              value));
    ASSERT_TRUE(file.compiled);
    ASSERT_THAT(file.regions, SizeIs(1));
    EXPECT_THAT(file.regions[0].remarks[0].text, HasSubstr("deep"));
  }
}

TEST(OldC, WhatGccAcceptsWithAWarningIsRead) {
  struct {
    const char *what, *source;
  } cases[] = {
      {"K&R definitions",
       "int a[9];\nvoid f(n, v) int n; int v; { for (int i = 0; i < n; i++) a[i] = v; }\n"},
      {"implicit int", "int a[9];\nf(n) { register i; for (i = 0; i < n; i++) a[i] = 1; return 0; }\n"},
      {"implicit declarations", "int a[9];\nvoid f(int n) { g(n); for (int i = 0; i < n; i++) a[i] = 1; }\n"},
      {"numbers as pointers",
       "int a[9], *p;\nvoid f(int n) { p = n; for (int i = 0; i < n; i++) a[i] = 1; }\n"},
      {"other pointers",
       "int a[9]; double *q;\nvoid f(int n) { q = a; for (int i = 0; i < n; i++) a[i] = 1; }\n"},
      {"functions as others", "int a[9]; void g(int); int (*h)(double) = g;\n"
                              "void f(int n) { for (int i = 0; i < n; i++) a[i] = 1; }\n"},
      {"no value returned", "int a[9];\nint f(int n) { for (int i = 0; i < n; i++) a[i] = 1; return; }\n"}};
  for (const auto& c : cases) {
    FileRegions file = readSource(c.source, {"-w"});
    EXPECT_TRUE(file.compiled) << c.what;
    ASSERT_THAT(file.regions, SizeIs(1)) << c.what;
    EXPECT_THAT(file.regions[0].loops[0].mustStaySequential, IsEmpty()) << c.what;
    EXPECT_THAT(file.regions[0].statements[0].hostOnly, IsEmpty()) << c.what;
  }
}

} // namespace
} // namespace warploom
