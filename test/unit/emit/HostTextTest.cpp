// The user's text with calls in it: what it looks like, and what C compilers make of it. Launchers are
// written by hand.
#include "emit/HostText.h"

#include "Folder.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <regex>
#include <sys/wait.h>

namespace warploom {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
namespace fs = std::filesystem;

struct Ended {
  int status;
  std::string output;
};

class HostTextTest : public testing::Test {
protected:
  fs::path write(const std::string& name, const std::string& text) { return folder.write(name, text); }

  FileRegions read(const std::string& source) {
    FrontendOptions options;
    options.files = {write("user.c", source)};
    FileRegions file = readFiles(options).front();
    file.file = "user.c";
    EXPECT_TRUE(file.compiled);
    return file;
  }

  /// Every region of `file` gets a launcher `launch<k>` that takes `arguments`.
  static GeneratedProgram launchers(const FileRegions& file, const std::string& parameters = "void",
                                    const std::string& arguments = "") {
    GeneratedProgram program;
    for (const Region& region : file.regions) {
      GeneratedRegion generated;
      generated.region = &region;
      generated.launcher = fmt::format("launch{}", program.regions.size());
      generated.prototype = fmt::format("int {}({})", generated.launcher, parameters);
      generated.arguments = arguments;
      program.regions.push_back(generated);
    }
    return program;
  }

  std::string hosted(const std::string& source) {
    FileRegions file = read(source);
    EXPECT_FALSE(file.regions.empty());
    return hostText(file, launchers(file), HostMode::Guarded);
  }

  Ended shell(const std::string& command) {
    std::string output;
    FILE* pipe = popen(("cd " + folder.path.string() + " && (" + command + ") 2>&1").c_str(), "r");
    char buffer[256];
    while (std::size_t length = std::fread(buffer, 1, sizeof buffer, pipe))
      output.append(buffer, length);
    int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
  }

  /// What the program made of `host` and `launchers` prints, compiled by `compiler` with all warnings as
  /// errors.
  std::string run(const std::string& host, const std::string& launchersText,
                  const std::string& compiler = "gcc") {
    write("user.host.c", host);
    write("launchers.c", launchersText);
    Ended built = shell(compiler + " -O1 -Wall -Wextra -Werror user.host.c launchers.c -o program");
    EXPECT_EQ(built.status, 0) << built.output << host;
    return shell("./program").output;
  }

  /// `text` without what hostText may add. The texts of these tests have no such lines of their own.
  static std::string withoutGuards(std::string text) {
    text = std::regex_replace(text, std::regex("#line [0-9]+ \"user.c\"\r?\n"), "");
    text = std::regex_replace(text, std::regex("int launch[0-9]+\\(void\\);\r?\n"), "");
    text = std::regex_replace(text, std::regex("(\\{ )?if \\(!launch[0-9]+\\(\\)\\) \\{( |\r?\n)"), "");
    text = std::regex_replace(text, std::regex("; \\}( \\})?"), ";");
    return text;
  }

  Folder folder;
};

const char* const plain = R"(/* A file
   comment. */
#include <stdio.h>
#define TWICE(x) \
  ((x) * 2)   // kept

double a[10],	b[10]; // a tab before b

/* The loop. */
void scale(void) {
  int k = 3;   /* odd   spacing */
  for (int i = 0; i < 10; i++)   // why
    a[i] = TWICE(b[i]) + k;   /* after */
#pragma nobody knows this   // but it stays
  printf("%s\n", "for (;;) ; // no comment");
}
)";

// SHOWS: RT-10
TEST_F(HostTextTest, KeepsEveryByteOutsideTheGuards) {
  std::string host = hosted(plain);
  EXPECT_EQ(withoutGuards(host), plain);
  EXPECT_THAT(host, HasSubstr("  if (!launch0()) { for (int i = 0; i < 10; i++)   // why\n"));
  EXPECT_THAT(host, HasSubstr("a[i] = TWICE(b[i]) + k; }   /* after */\n"));
  EXPECT_THAT(host, HasSubstr("  ((x) * 2)   // kept\nint launch0(void);\n#line 6 \"user.c\"\n\ndouble"));
  EXPECT_THAT(host, StartsWith("#line 1 \"user.c\"\n/* A file"));
}

// Loops around regions tell how often they run: with and without braces, behind a pragma, left by a jump.
TEST_F(HostTextTest, LoopsAroundRegionsTellHowOftenTheyRun) {
  const std::string source = R"(#include <stdio.h>
static double a[100];
static void step(void) {
  for (int i = 0; i < 100; i++) a[i] += 1;
}
void elsewhere(int t);
static int early(int n) {
  for (int t = 0; t < n; t++) {
    step();
    if (a[0] > 5) return t;
  }
  return -1;
}
int main(int argc, char** argv) {
  (void)argv;
  int n = argc + 2;
  if (n > 2)
#pragma GCC unroll 2
    for (int t = 0; t < n; t++) step(), printf("%d\n", t);
  else
    puts("less");
  printf("early %d\n", early(10));
  for (int t = 1; t < n; t++) elsewhere(t);
  return 0;
}
)";
  const std::string others = R"(#include <stdio.h>
int launch0(void) { return 0; }
void elsewhere(int t) { printf("elsewhere %d\n", t); }
#ifndef UNTOLD
void warploom_loopBegins(double times, int most) { printf("begins %g %d\n", times, most); }
void warploom_loopEnds(void) { puts("ends"); }
#endif
)";
  FileRegions file = read(source);
  GeneratedProgram program = launchers(file);
  for (std::size_t k = 1; k < program.regions.size(); ++k)
    program.regions[k].refused = "for a reason";
  EXPECT_EQ(run(hostText(file, program, HostMode::Guarded), others),
            "begins 3 0\n0\n1\n2\nends\nbegins 10 1\nearly 2\nbegins 2 0\nelsewhere 1\nelsewhere 2\nends\n");
  EXPECT_THAT(hostText(file, program, HostMode::Verify), Not(HasSubstr("loopBegins")));
  // Without launchers, other files may have them, and nobody has to.
  program.regions[0].refused = "for a reason";
  const std::string host = hostText(file, program, HostMode::Guarded);
  EXPECT_EQ(run(host, others), "0\n1\n2\nearly 2\nbegins 2 0\nelsewhere 1\nelsewhere 2\nends\n");
  EXPECT_EQ(run(host, "#define UNTOLD\n" + others), "0\n1\n2\nearly 2\nelsewhere 1\nelsewhere 2\n");
}

TEST_F(HostTextTest, WithoutLaunchersIsTheTextItself) {
  FileRegions file = read(plain);
  GeneratedProgram program = launchers(file);
  for (GeneratedRegion& region : program.regions) {
    region.launcher.clear();
    region.refused = "for a reason";
  }
  EXPECT_EQ(hostText(file, program, HostMode::Guarded), plain);
  EXPECT_EQ(hostText(file, program, HostMode::Verify), plain);
}

TEST_F(HostTextTest, KeepsLineEndings) {
  std::string windows = std::regex_replace(std::string(plain), std::regex("\n"), "\r\n");
  std::string host = hosted(windows);
  EXPECT_EQ(withoutGuards(host), windows);
  EXPECT_EQ(std::count(host.begin(), host.end(), '\n'), std::count(host.begin(), host.end(), '\r'));
  std::string unfinished = "double a[9]; void f(void) { for (int i = 0; i < 9; i++) a[i] = 0; }";
  EXPECT_THAT(hosted(unfinished), EndsWith("{ if (!launch0()) { for (int i = 0; i < 9; i++) a[i] = 0; } }"));
  std::string marked = "\xEF\xBB\xBF" + unfinished;
  EXPECT_THAT(hosted(marked), StartsWith("\xEF\xBB\xBFint launch0(void);\n#line 1 \"user.c\"\ndouble"));
}

TEST_F(HostTextTest, MessagesNameTheUsersLines) {
  // After the guard, on the guarded line, and before the prototypes.
  std::string source = std::string(plain) + "int wrong(void) { return undeclaredLater; }\n";
  write("user.host.c", [&] {
    std::string host = hosted(plain) + "int wrong(void) { return undeclaredLater; }\n";
    host.replace(host.find("TWICE(b[i])"), 11, "TWICE(undeclaredInside)");
    host.replace(host.find("#include <stdio.h>"), 18, "#include <missing_header.h>");
    return host;
  }());
  for (const char* compiler : {"gcc", "clang-19"}) {
    EXPECT_THAT(shell(std::string(compiler) + " -c user.host.c").output,
                HasSubstr("user.c:3:10: fatal error: "))
        << compiler;
    shell("sed -i 's/missing_header.h/stdio.h/' user.host.c");
    std::string output = shell(std::string(compiler) + " -c user.host.c").output;
    EXPECT_THAT(output, testing::ContainsRegex("user.c:13:[0-9]+: error: .*undeclaredInside")) << compiler;
    EXPECT_THAT(output, testing::ContainsRegex("user.c:17:[0-9]+: error: .*undeclaredLater")) << compiler;
    shell("sed -i 's/<stdio.h>/<missing_header.h>/' user.host.c");
  }
}

const char* const bodies = R"(#include <stdio.h>
int a[8];
void f(int x) {
  if (x > 2)
    for (int i = 0; i < 8; i++) a[i] = x;
  else if (x > 1)
    for (int i = 0; i < 8; i++) { if (i > 3) a[i] = 10 * x; }
  else
    for (int i = 0; i < 8; i++)
      if (i > 3) a[i] = 100 * x;
      else a[i] = 5;
  switch (x) {
  case 1: for (int i = 0; i < 2; i++) a[i] += 1000;
  }
  while (x-- > 1) for (int i = 6; i < 8; i++) a[i] += 7;
}
int main(void) {
  int x = 0;
  while (x < 4) {
    f(x);
    printf("%d %d %d %d\n", x, a[0], a[4], a[7]);
    x++;
  }
  return 0;
}
)";

TEST_F(HostTextTest, BodiesWithoutBracesAndDanglingElse) {
  FileRegions file = read(bodies);
  ASSERT_EQ(file.regions.size(), 6u);
  std::string host = hostText(file, launchers(file), HostMode::Guarded);
  std::string kept, skipped;
  for (int k = 0; k < 6; ++k) {
    kept += fmt::format("int launch{}(void);\nint launch{}(void) {{ return 0; }}\n", k, k);
    // The last one is the loop of main, which counts, too.
    skipped += fmt::format("int launch{}(void);\nint launch{}(void) {{ return {}; }}\n", k, k, k < 5 ? 1 : 0);
  }
  std::string original = "0 5 0 0\n1 1005 100 100\n2 1005 20 27\n3 3 3 17\n";
  for (const char* compiler : {"gcc", "clang-19"}) {
    EXPECT_EQ(run(bodies, "", compiler), original);
    EXPECT_EQ(run(host, kept, compiler), original);
    EXPECT_EQ(run(host, skipped, compiler), "0 0 0 0\n1 0 0 0\n2 0 0 0\n3 0 0 0\n");
  }
}

const char* const outliving = R"(#include <stdio.h>
double sum(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = i;
  double s = 0, *unused = a;
  (void)unused;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
int main(void) {
  double a[4];
  printf("%g\n", sum(4, a));
  return 0;
}
)";

TEST_F(HostTextTest, VariablesThatOutliveTheRegion) {
  FileRegions file = read(outliving);
  ASSERT_EQ(file.regions.size(), 1u);
  ASSERT_EQ(file.regions[0].variables.size(), 2u);
  EXPECT_TRUE(file.regions[0].variables[0].usedLater);
  EXPECT_FALSE(file.regions[0].variables[1].usedLater);
  std::string host = hostText(file, launchers(file, "double* s", "&s"), HostMode::Guarded);
  std::string declared = "int launch0(double* s);\nint launch0(double* s)";
  for (const char* compiler : {"gcc", "clang-19"}) {
    EXPECT_EQ(run(host, declared + "{ *s = 99; return 0; }", compiler), "6\n");
    EXPECT_EQ(run(host, declared + "{ *s = 99; return 1; }", compiler), "99\n");
  }
}

TEST_F(HostTextTest, PragmasStayWithTheirLoop) {
  std::string source = R"(double a[9];
int main(void) {
  int unrolled = 0;
  if (unrolled == 0)
    #pragma GCC unroll 3
    for (int i = 0; i < 9; i++) a[i] = i;
#pragma scop
  for (int i = 0; i < 9; i++) a[i] += 1;
#pragma endscop
  return (int)a[3] - 4;
}
)";
  FileRegions file = read(std::regex_replace(source, std::regex("#pragma (end)?scop"), "// no mark"));
  ASSERT_EQ(file.regions.size(), 2u);
  std::string host = hostText(file, launchers(file), HostMode::Guarded);
  EXPECT_THAT(host, HasSubstr("{ if (!launch0()) {\n#line 5 \"user.c\"\n#pragma GCC unroll 3\n    for"));
  std::string kept;
  for (int k = 0; k < 2; ++k)
    kept += fmt::format("int launch{0}(void);\nint launch{0}(void) {{ return 0; }}\n", k);
  EXPECT_EQ(run(host, kept), "");
  EXPECT_EQ(shell("./program").status, 0);
  // A mark is about the region, and stays where it was.
  EXPECT_THAT(hosted(source), HasSubstr("#pragma scop\n  if (!launch0()) { for"));
}

TEST_F(HostTextTest, PreprocessorConditionalsInsideStay) {
  std::string source = R"(double a[9];
void f(void) {
#if 1
  for (int i = 0; i < 9; i++) {
#else
  for (int i = 0; i < 8; i++) {
#endif
    a[i] = 0;
#ifdef MORE
    a[i]++;
#endif
  }
}
)";
  std::string host = hosted(source);
  EXPECT_THAT(host, HasSubstr("#if 1\n  { if (!launch0()) { for (int i = 0; i < 9"));
  EXPECT_THAT(host, HasSubstr("#endif\n  } } }\n}\n"));
  write("user.host.c", host);
  EXPECT_EQ(shell("gcc -Wall -Wextra -Werror -c user.host.c").status, 0);
}

TEST_F(HostTextTest, ARegionOutOfAMacroMayNotBeWrapped) {
  auto refusal = [&](const std::string& source) {
    FileRegions file = read(source);
    EXPECT_EQ(file.regions.size(), 1u);
    return SourceText(file).locate(file.regions.at(0)).refused;
  };
  std::string head = "double a[9]; int s;\n";
  // The first statement of the macro is not the loop's, and the second is not the loop.
  EXPECT_THAT(
      refusal(head + "#define TWO a[i] = 0; s = 1;\nvoid f(void) { for (int i = 0; i < 9; i++) TWO }\n"),
      HasSubstr("macro"));
  EXPECT_THAT(
      refusal(head + "#define SETUP s = 1; for (int i = 0; i < 9; i++)\nvoid f(void) { SETUP a[i] = 0; }\n"),
      HasSubstr("macro"));
  // A macro that is wholly inside is text like any other.
  EXPECT_EQ(
      refusal(head + "#define EACH(i) for (int i = 0; i < 9; i++)\nvoid f(void) { EACH(i) a[i] = 0; }\n"),
      "");
  EXPECT_EQ(
      refusal(head + "#define ZERO(x) (0)\nvoid f(void) { for (int i = 0; i < 9; i++) a[i] = ZERO(i); }\n"),
      "");
  EXPECT_EQ(
      refusal(head + "#define ALL(x) for (int i = 0; i < 9; i++) { x; }\nvoid f(void) { ALL(a[i] = 0) }\n"),
      "");
}

TEST_F(HostTextTest, ARegionOfAnotherFileMayNotBeWrapped) {
  write("loop.inc", "\n\n  for (int i = 0; i < 9; i++)\n    a[i] = 0;\n");
  // Of a directive with a comment that goes on, the text does not take the place.
  FileRegions file = read("double a[9];\nvoid f(void) {\n#include \"loop.inc\" /* a\nloop */\n}\n");
  ASSERT_EQ(file.regions.size(), 1u);
  EXPECT_THAT(SourceText(file).locate(file.regions[0]).refused, HasSubstr("included file"));
}

TEST_F(HostTextTest, WhatCannotBeJumpedOverIsRefused) {
  auto refusal = [&](const std::string& middle, const std::string& after) {
    FileRegions file =
        read("double f(int n, double* a) {\n  for (int i = 0; i < n; i++) a[i] = i;\n  " + middle +
             "\n  for (int i = 0; i < n; i++) a[i] *= 2;\n  " + after + "\n  return a[0];\n}\n");
    for (const Region& region : file.regions) {
      RegionText text = SourceText(file).locate(region);
      if (!text.refused.empty()) return text.refused;
    }
    return std::string();
  };
  EXPECT_EQ(refusal("double s = 2;", "a[0] += s;"), "");
  EXPECT_EQ(refusal("const double s = 2;", ""), "");
  EXPECT_THAT(refusal("const double s = 2;", "a[0] += s;"), HasSubstr("constant `s`"));
  EXPECT_THAT(refusal("double t[n];", ""), HasSubstr("`t`"));
  EXPECT_THAT(refusal("struct pair { int x, y; };", "struct pair p = {1, 2}; a[0] += p.x;"),
              HasSubstr("type"));
}

TEST_F(HostTextTest, VerifyComparesAndGoesOnWithTheOriginal) {
  std::string source = R"(#include <stdio.h>
double a[3]; int counts[3]; float sum;
void f(void) {
  if (sum >= 0)
    for (int i = 0; i < 3; i++) { a[i] = i + 1; counts[i] += 1; sum += 1; }
}
int main(void) { f(); f(); printf("%g %d %g\n", a[2], counts[2], sum); return 0; }
)";
  FileRegions file = read(source);
  ASSERT_EQ(file.regions.size(), 1u);
  write("user.host.c",
        hostText(file, launchers(file, "double* a, int* c, float* s", "a, counts, &sum"), HostMode::Verify));
  auto launcher = [](const std::string& body, int result) {
    return fmt::format(R"(#include "warploom_verify.h"
#include <math.h>
int launch0(double* a, int* c, float* s);
int launch0(double* a, int* c, float* s) {{ for (int i = 0; i < 3; i++) {{ a[i] = i + 1; c[i] += 1; *s += 1; }} {} return {}; }}
void launch0_outputs(double* a, int* c, float* s, warploom_verify_visitor* visit, void* context);
void launch0_outputs(double* a, int* c, float* s, warploom_verify_visitor* visit, void* context) {{
  (void)c; (void)s;
  visit(context, "a", a, 3, 8, "double"); visit(context, "counts", c, 3, 4, "int"); visit(context, "sum", s, 1, 4, "float");
}}
)",
                       body, result);
  };
  auto outcome = [&](const std::string& body, int result = 1, const std::string& environment = "") {
    write("launchers.c", launcher(body, result));
    Ended built =
        shell("gcc -Wall -Wextra -Werror -I " WARPLOOM_RUNTIME_FOLDER
              " user.host.c launchers.c " WARPLOOM_RUNTIME_FOLDER "/warploom_verify.c -lm -o program");
    EXPECT_EQ(built.status, 0) << built.output;
    return shell(environment + " ./program");
  };
  Ended right = outcome("");
  EXPECT_EQ(right.status, 0);
  EXPECT_EQ(right.output, "3 2 6\n"
                          "verify: region f:5 array a max abs 0 max rel 0 ok\n"
                          "verify: region f:5 array counts max abs 0 max rel 0 ok\n"
                          "verify: region f:5 array sum max abs 0 max rel 0 ok\n"
                          "verify: 1 regions compared, 3 arrays, 0 mismatches\n");
  Ended wrong = outcome("c[1] = 7;");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.output, StartsWith("3 2 6\n"));
  EXPECT_THAT(wrong.output, HasSubstr("array counts max abs 6 max rel 0.857 MISMATCH\n"));
  EXPECT_THAT(wrong.output, HasSubstr("array counts element 1 is 7, and was 1 in the original\n"));
  EXPECT_EQ(outcome("a[1] = NAN;").status, 1);
  EXPECT_EQ(outcome("a[1] = INFINITY;").status, 1);
  // Within the tolerance, which is relative to the largest value: 3 for the doubles.
  EXPECT_EQ(outcome("a[0] += 2.9e-6;").status, 0);
  EXPECT_EQ(outcome("a[0] += 3.1e-6;").status, 1);
  EXPECT_EQ(outcome("*s *= 1.0009f;").status, 0);
  EXPECT_EQ(outcome("*s *= 1.0011f;").status, 1);
  EXPECT_EQ(outcome("a[0] += 1e-9;", 1, "WARPLOOM_TOLERANCE=0").status, 1);
  EXPECT_EQ(outcome("a[0] += 1;", 1, "WARPLOOM_TOLERANCE=0.5").status, 0);
  EXPECT_EQ(outcome("", 1, "WARPLOOM_TOLERANCE=much").status, 1);
  // A launcher that declines leaves nothing to compare, and what it touched is brought back.
  Ended declined = outcome("a[0] = 50;", 0);
  EXPECT_EQ(declined.status, 0);
  EXPECT_THAT(declined.output,
              HasSubstr("region f:5 was not compared: each of 2 times it stayed on the host"));
}

TEST_F(HostTextTest, VerifyAllowsWhatRoundingDoesAndNoMore) {
  // The original leaves 1e-10 of 1e6: a thousand roundings of numbers of that size may move it by 2.2e-7.
  FileRegions file = read(R"(#include <stdio.h>
double a[3] = {1e6, 1e6, 1e6};
void f(void) { for (int i = 0; i < 3; i++) a[i] = a[i] - 1e6 + 1e-10; }
int main(void) { f(); return 0; }
)");
  ASSERT_EQ(file.regions.size(), 1u);
  GeneratedProgram program = launchers(file, "double* a", "a");
  program.regions[0].notesRounding = true;
  write("user.host.c", hostText(file, program, HostMode::Verify));
  auto outcome = [&](const std::string& apart, const std::string& size, const std::string& environment = "") {
    write("launchers.c", fmt::format(R"(#include "warploom_verify.h"
int launch0(double* a);
int launch0(double* a) {{ for (int i = 0; i < 3; i++) a[i] = 1e-10 + {}; return 1; }}
void launch0_outputs(double* a, warploom_verify_visitor* visit, void* context);
void launch0_outputs(double* a, warploom_verify_visitor* visit, void* context) {{ visit(context, "a", a, 3, 8, "double"); }}
void launch0_rounding(double* a, warploom_verify_listener* note, void* context);
void launch0_rounding(double* a, warploom_verify_listener* note, void* context) {{
  (void)a;
  note(context, "b", 1e9, 1e9);
  note(context, "a", 1000, {});
}}
)",
                                     apart, size));
    Ended built =
        shell("gcc -Wall -Wextra -Werror -I " WARPLOOM_RUNTIME_FOLDER
              " user.host.c launchers.c " WARPLOOM_RUNTIME_FOLDER "/warploom_verify.c -lm -o program");
    EXPECT_EQ(built.status, 0) << built.output;
    return shell(environment + " ./program");
  };
  EXPECT_EQ(outcome("2.2e-7", "1e6").status, 0);
  Ended wrong = outcome("2.3e-7", "1e6");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.output, HasSubstr("array a rounding alone may do 2.22e-07\n"));
  EXPECT_EQ(outcome("2.2e-7", "0").status, 1) << "nothing is known of the size";
  EXPECT_EQ(outcome("2.2e-7", "1e6", "WARPLOOM_TOLERANCE=1e-6").status, 1) << "a given tolerance is all";
  // What overflows bounds nothing.
  EXPECT_EQ(outcome("2.2e-7", "1e308").status, 1);
}

TEST_F(HostTextTest, VerifyKeepsVariablesThatOutliveTheRegion) {
  FileRegions file = read(outliving);
  std::string host = hostText(file, launchers(file, "double* a, double* s", "a, &s"), HostMode::Verify);
  write("user.host.c", host);
  write("launchers.c", R"(#include "warploom_verify.h"
int launch0(double* a, double* s);
int launch0(double* a, double* s) { a[0] = 0; *s = 5; return 1; }
void launch0_outputs(double* a, double* s, warploom_verify_visitor* visit, void* context);
void launch0_outputs(double* a, double* s, warploom_verify_visitor* visit, void* context) {
  (void)a;
  visit(context, "s", s, 1, 8, "double");
}
)");
  Ended built =
      shell("gcc -Wall -Wextra -Werror -I " WARPLOOM_RUNTIME_FOLDER
            " user.host.c launchers.c " WARPLOOM_RUNTIME_FOLDER "/warploom_verify.c -lm -o program");
  EXPECT_EQ(built.status, 0) << built.output;
  Ended ended = shell("./program");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.output, StartsWith("6\n"));
  EXPECT_THAT(ended.output, HasSubstr("array s element 0 is 5, and was 6 in the original"));
}

} // namespace
} // namespace warploom
