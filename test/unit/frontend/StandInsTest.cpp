// Loops that others stand for: searches that end early, and loops whose step is a variable. And what is known
// where a region begins.
#include "frontend/Reading.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace warploom {
namespace {

const std::string arrays = "double a[100], b[100]; int p[100], q[100], at, count;\n";

/// True when the only region of a function with this body is a search that runs to its end.
bool runsThrough(const std::string& body) {
  const FileRegions file = readSource(arrays + "void f(int n, int k) { " + body + " }");
  return file.compiled && file.regions.size() == 1 && file.regions[0].loops[0].endsEarly &&
         file.regions[0].loops[0].mustStaySequential.empty();
}

/// The statement that writes `name`.
const Statement& writerOf(const Region& region, const std::string& name) {
  for (const Statement& statement : region.statements)
    for (const Access& access : statement.accesses)
      if (access.writes() && region.arrays[static_cast<std::size_t>(access.array)].name == name)
        return statement;
  throw std::runtime_error("nothing writes `" + name + "`");
}

TEST(Searches, RunTheOtherWayRound) {
  const Region up =
      regionOf(arrays + "void f(int n) { for (int i = 2; i < n; i++) if (p[i] == 5) { at = i; break; } }");
  EXPECT_TRUE(up.loops[0].endsEarly);
  EXPECT_EQ(up.loops[0].step, -1);
  EXPECT_TRUE(hasDomain(writerOf(up, "at"), "[n] -> { S[i] : 2 <= i < n }"));
  const Region down =
      regionOf(arrays + "void f(int n) { for (int i = n; i > 1; --i) if (p[i] == 5) { at = i; break; } }");
  EXPECT_EQ(down.loops[0].step, 1);
  EXPECT_TRUE(hasDomain(writerOf(down, "at"), "[n] -> { S[i] : 2 <= i <= n }"));
}

TEST(Searches, InManyForms) {
  EXPECT_TRUE(runsThrough("int i; for (i = 0; i < n; i++) if (p[i] == k) break; at = i;"));
  EXPECT_TRUE(runsThrough("int i = 3; while (i <= n && p[i] != k) i++; at = i;"));
  EXPECT_TRUE(runsThrough("int i; for (i = 0; n > i && !(a[i] < 0); ++i) ; at = i;"));
  EXPECT_TRUE(runsThrough("for (unsigned long i = 90; i-- > 7;) if (p[i] == k) { at = 1; break; }"));
  EXPECT_TRUE(runsThrough("for (int i = 0; i < n; i++) { double x = a[i] * b[i]; if (x > 2) { count = i; "
                          "at = 1; break; } }"));
  EXPECT_TRUE(
      runsThrough("for (int i = 0; i < n; i++) if (p[i] == k) { at = i; goto out; } out: count = 1;"));
}

// What the iterations do besides, they do up to the one that the search has found.
TEST(Searches, GoBeforeTheWork) {
  const Region region =
      regionOf(arrays + "void f(int n) { for (int i = 0; i < n; i++) { a[i] = 1; if (p[i] == 5) { at = i; "
                        "break; } b[i] = 2; } }");
  ASSERT_EQ(region.loops.size(), 2u);
  EXPECT_TRUE(region.loops[0].endsEarly && region.loops[1].endsEarly);
  EXPECT_EQ(writerOf(region, "at").loops, std::vector<int>{0});
  EXPECT_EQ(writerOf(region, "a").loops, std::vector<int>{1});
  EXPECT_FALSE(writerOf(region, "a").guards.empty());
  EXPECT_TRUE(runsThrough("for (int i = 0; i < n; i++) { if (p[i] == k) break; count += q[i]; }"));
}

// Where an iteration leaves the function, or ends the program, the user's statements do so behind the loop.
TEST(Searches, LeaveBehindTheWork) {
  const std::string ends = arrays + "int puts(const char*); void exit(int) __attribute__((noreturn));\n"
                                    "static void die(const char* what) { puts(what); exit(3); }\n";
  auto read = [&](const std::string& body) {
    return readSource(ends + "int f(int n, int k) { " + body + " return 0; }");
  };
  FileRegions file =
      read("for (int i = 0; i < n; i++) { if (p[i] < 0) { puts(\"a: b\\n\"); exit(1); } q[i] = p[i]; }");
  ASSERT_EQ(file.regions.size(), 1u);
  ASSERT_EQ(file.regions[0].loops.size(), 2u);
  EXPECT_TRUE(file.regions[0].loops[0].endsEarly && file.regions[0].loops[0].rarely);
  EXPECT_EQ(writerOf(file.regions[0], "q").loops, std::vector<int>{1});
  ASSERT_EQ(file.returns.size(), 1u);
  EXPECT_EQ(file.returns[0].declares, "int warploom_i;");
  EXPECT_EQ(file.returns[0].then, "if (warploom_i < (n)) { int i = warploom_i; (void)i; "
                                  "{ puts(\"a: b\\n\"); exit(1); } }");

  // Several checks, and what the iteration has declared for them; a function that does not come back.
  file = read("int i; for (i = 0; i < n; i++) { int d = p[i] - k; if (d == 0) return i; int e = p[i] + k; "
              "if (e < 3) die(\"e\"); q[i] = d * e; }");
  ASSERT_EQ(file.returns.size(), 1u);
  EXPECT_FALSE(file.regions[0].loops[0].rarely) << "one of them returns";
  EXPECT_EQ(file.returns[0].then,
            "{ i = warploom_i; if (warploom_i < (n)) { int d = p[i] - k; if (d == 0) return i; "
            "int e = p[i] + k; if (e < 3) die(\"e\"); } }");

  // What is looked at is made by the loop, is reached through memory, or the text cannot stand twice.
  for (const char* body :
       {"for (int i = 0; i < n; i++) { p[i] = p[i] - 1; if (p[i] < 0) exit(1); }",
        "for (int i = 0; i < n; i++) { if (p[q[i]] < 0) exit(1); a[i] = 1; }",
        "for (int i = 0; i < n; i++) { if (p[i] < 0) { again: exit(1); } a[i] = 1; }",
        "for (int i = 0; i < n; i++) { if (p[i] < 0) { if (k) break; exit(1); } a[i] = 1; }",
        "for (int i = 0; i < n; i++) { if (p[i] < 0) { exit(1); // now\n } a[i] = 1; }"})
    EXPECT_TRUE(read(body).returns.empty()) << body;
}

TEST(Searches, ThatDoMoreThanLookStay) {
  for (const char* body :
       {"for (int i = 0; i < n; i++) if (p[i] == k) { at = at + i; break; }", // what it reads, it gives
        "for (int i = 0; i < n; i++) if (p[q[i]] == k) { at = i; break; }",   // where it looks is read
        "for (int i = 0; i < n; i++) { int j = q[i]; if (p[j] == k) { at = i; break; } }",
        "for (int i = 0; i < n; i++) { p[i] = p[i] + 1; if (p[i] == k) { at = i; break; } }", // it changes
                                                                                              // that
        "for (int i = 0; i < n; i++) { q[i] = at; if (p[i] == k) { at = i; break; } }",
        "for (int i = 0; i < n; i++) { count++; if (p[i] == count) break; }",
        "for (int i = 0; i < n; i++) { n = n - 1; if (p[i] == k) break; }",
        "for (int i = 0; i < n; i++) if (p[i] == at) { at = i; break; }",
        "for (int i = at; i < n; i++) if (p[i] == k) { at = i; break; }", // its bound would move
        "for (int i = 0; i < at; i++) if (p[i] == k) { at = i; break; }",
        "for (int i = 0; i < n; i += 2) if (p[i] == k) { at = i; break; }",
        "for (int i = 0; i < n; i++) if (p[i] == k) { q[i] = 3; break; }"})
    EXPECT_FALSE(runsThrough(body)) << body;
  // Pointers that nothing else reaches are written, too.
  for (const char* body : {"b[i] = a[i] + 1;", "for (int j = 0; j < n; j++) b[j] = a[j] + i;", "*b += 1;"}) {
    const Region region =
        regionOf("int f(int n, double* restrict a, double* restrict b) { int i; for (i = 0; i < n; i++) { " +
                 std::string(body) + " if (b[0] > 3) break; } return i; }");
    EXPECT_FALSE(region.loops[0].endsEarly) << body;
  }
  // In a loop, each iteration searches by itself.
  const Region rows =
      regionOf(arrays + "void f(int n) { for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) "
                        "if (p[i] == j) { q[j] = i; break; } }");
  for (const Loop& loop : rows.loops)
    EXPECT_FALSE(loop.endsEarly);
}

TEST(Strides, AreCountedByTheHost) {
  const Region region =
      regionOf(arrays + "void f(int n, int k, int s) { for (int i = k; i < n; i += s) a[i] = b[i]; }");
  EXPECT_EQ(region.loops[0].step, 1);
  EXPECT_TRUE(region.loops[0].inexactBounds.empty());
  std::vector<std::string> texts;
  for (const Parameter& parameter : region.parameters)
    texts.push_back(parameter.text);
  EXPECT_THAT(texts,
              testing::Contains("((long)(k) < (long)(n) && (long)(s) > 0 ? ((long)(n) - (long)(k) - 1) / "
                                "(long)(s) + 1 : 0)"));
}

// The host counts where the region begins: that is at the loop, not at others before it.
TEST(Strides, BeginTheirRegion) {
  const FileRegions file =
      readSource(arrays + "void f(int n, int s) { for (int i = 0; i < n; i++) b[i] = 1; n = n / 2; "
                          "for (int i = 0; i < n; i += s) a[i] = b[i]; }");
  ASSERT_EQ(file.regions.size(), 2u);
  EXPECT_EQ(file.regions[0].loops.size(), 1u);
  EXPECT_EQ(file.regions[1].loops.size(), 1u);
}

TEST(Strides, ThatMayChangeAreNot) {
  for (const char* body :
       {"for (int i = 0; i < n; i += s) { a[i] = 1; s = s + 1; }",
        "for (unsigned i = 0; i < (unsigned)n; i += (unsigned)s) a[i] = 1;", // may wrap around
        "for (int i = s; i < (unsigned long)n; i += s) a[i] = 1;",           // compared without a sign
        "for (int i = (long)s; i < n; i += s) a[i] = 1;",                    // may lose bits
        "for (int i = 0; i < n; i += at) a[i] = 1;", "for (int i = 0; i < n; i += p[0]) a[i] = 1;"})
    EXPECT_FALSE(regionOf(arrays + "void f(int n, int s) { " + body + " }").loops[0].inexactBounds.empty())
        << body;
}

/// The context of the only region of a function with this body.
isl::set contextOf(const std::string& body) {
  return regionOf(arrays + "void g(int*); void f(int n, int k) { " + body + " }").context;
}

TEST(Begins, WithWhatConditionsAroundItSay) {
  const std::string shift = "for (int i = 0; i < n - k; i++) a[i] = a[i + k];";
  const isl::set positive(islContext(), "[n, k] -> { : k >= 1 }");
  EXPECT_TRUE(contextOf("if (k > 0) " + shift).is_subset(positive));
  EXPECT_TRUE(contextOf("if (k <= 0) at = 1; else " + shift).is_subset(positive));
  EXPECT_TRUE(contextOf("if (k > 0 && n > 3) { count = 1; " + shift + " }").is_subset(positive));
  EXPECT_FALSE(contextOf("switch (n) { if (k > 0) { case 1: " + shift + " } }").is_subset(positive));
  EXPECT_FALSE(contextOf("if (k > 0 || n > 3) " + shift).is_subset(positive));
  EXPECT_FALSE(contextOf("if (k > 0) { k = k - 7; " + shift + " }").is_subset(positive));
  EXPECT_FALSE(contextOf("g(&k); if (k > 0) { g(0); " + shift + " }").is_subset(positive));
  EXPECT_FALSE(contextOf("if (n > 5) goto in; if (k > 0) { in: " + shift + " }").is_subset(positive));
}

TEST(Begins, WithNumbersAndPlacesSetRightBefore) {
  const Region region =
      regionOf(arrays + "double *r; void f(int n) { int off = 4; r = a + off; for (int i = 0; i < n; "
                        "i++) r[i] = a[i + 2] + 1; }");
  EXPECT_EQ(region.arrays.size(), 1u);
  EXPECT_TRUE(touches(statementWith(region, "r[i]"), accessWith(statementWith(region, "r[i]"), "r[i]"),
                      "[n] -> { S[i] -> a[4 + i] }"));
  // Not where it was set to something else in between, or others may have set it.
  for (const char* between : {"r = b;", "off = 5; r = b + off;", "g();"}) {
    const Region other =
        regionOf(arrays + "double *r; void g(void); void f(int n) { int off = 4; r = a + off; " + between +
                 " for (int i = 0; i < n; i++) r[i] = a[i + 2] + 1; }");
    EXPECT_EQ(other.arrays.size(), 2u) << between;
  }
}

} // namespace
} // namespace warploom
