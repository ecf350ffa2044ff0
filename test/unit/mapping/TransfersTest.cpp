// What moves between host and device, from C text: the piece of each array that a region touches, needs and
// leaves behind.
#include "Planning.h"

namespace warploom {
namespace {

/// "[first .. last]" by leading subscripts over the parameters; "-" for nothing.
std::string text(const std::optional<Span>& span) {
  if (!span) return "-";
  auto values = [](const std::vector<isl::pw_aff>& leading) {
    std::string all;
    for (const isl::pw_aff& one : leading) {
      std::string text = printed(one.isa_aff() ? isl::pw_aff(one.as_aff()) : one);
      std::size_t from = text.find("[("), to = text.rfind(")]");
      all += (all.empty() ? "" : ",") + text.substr(from + 2, to - from - 2);
    }
    return all;
  };
  return "[" + values(span->first) + " .. " + values(span->last) + "]";
}

struct Moves {
  std::string touched, in, out;
  bool gaps;
};

Moves moves(const std::string& source, const std::string& array) {
  Planned of(source);
  EXPECT_EQ(of.plan.refused, "");
  const Transfer& transfer = of.plan.transfers.at(of.index(array));
  return {text(transfer.touched), text(transfer.in), text(transfer.out), transfer.gaps};
}

TEST(Transfers, WhatIsWrittenWithoutGapsDoesNotCome) {
  Moves of = moves(R"(void f(int n, double a[restrict n]) { for (int i = 0; i < n; i++) a[i] = i; })", "a");
  EXPECT_EQ(of.touched, "[0 .. -1 + n]");
  EXPECT_EQ(of.in, "-");
  EXPECT_EQ(of.out, "[0 .. -1 + n]");
  EXPECT_FALSE(of.gaps);
}

TEST(Transfers, WhatIsOnlyReadDoesNotComeBack) {
  Moves of = moves(R"(void f(int n, double a[restrict n], double b[restrict n]) {
    for (int i = 1; i < n; i++) a[i] = b[i - 1];
  })",
                   "b");
  EXPECT_EQ(of.in, "[0 .. -2 + n]");
  EXPECT_EQ(of.out, "-");
}

TEST(Transfers, WhatOnlyADeadStatementReadsStaysWhereItIs) {
  Moves of = moves(R"(void f(int n, double a[restrict n], double b[restrict n]) {
    for (int i = 0; i < n; i++) { double unused = b[i]; a[i]++; }
  })",
                   "b");
  EXPECT_EQ(of.touched, "-");
  EXPECT_EQ(of.in, "-");
}

TEST(Transfers, GapsComeAndGoWithTheRest) {
  for (const char* body :
       {"for (int i = 0; i < n; i += 2) a[i] = i;", "for (int i = 0; i < n; i++) if (b[i] > 0) a[i] = i;",
        "for (int i = 0; i < n; i++) a[k[i]] = i;"}) {
    Planned of(std::string("double a[100], b[100]; int k[100]; void f(int n) {") + body + "}");
    if (!of.plan.refused.empty()) continue; // a scatter whose order matters
    const Transfer& transfer = of.plan.transfers.at(of.index("a"));
    EXPECT_EQ(text(transfer.in), text(transfer.out)) << body;
    EXPECT_TRUE(transfer.gaps) << body;
  }
}

TEST(Transfers, BoundsOfAPartAreNoLooserThanThoseOfAll) {
  // Rows 7, 4 and 1 are written, and no row 0 or 8.
  Moves of = moves(R"(double d[40][40]; void f(int n) {
    for (int i = n - 2; i >= 0; i--)
      for (int j = 1; j <= 8; j += 3)
        d[8 - j][2 * j] = d[(i + 3 * j + 3) / 2][2 * j + 1];
  })",
                   "d");
  EXPECT_TRUE(of.gaps);
  EXPECT_EQ(of.touched.substr(0, 3), "[1 ");
  EXPECT_EQ(of.in, of.touched);
  EXPECT_EQ(of.out, "[1 .. 7]");
}

TEST(Transfers, EndAtTheLastElementOfAStride) {
  // Behind the last element of `a` there may be nothing.
  Moves of = moves("void f(int n, double* a) { for (int i = 0; i < n; i += 2) a[i] = -a[i]; }", "a");
  EXPECT_EQ(of.touched, "[0 .. -1 + n - (1 + n) mod 2]");
}

TEST(Transfers, WrittenForSomeSizesOnly) {
  // With m < n the elements from m on stay as they were.
  Moves of = moves(R"(void f(int n, int m, double a[restrict n]) {
    for (int i = 0; i < n; i++) if (i < m) a[i] = i; else a[i] += 1;
  })",
                   "a");
  EXPECT_EQ(of.in, of.out);
  EXPECT_FALSE(of.gaps);
}

TEST(Transfers, TheTwoHalvesOfAnArray) {
  Moves of = moves(
      R"(void f(int n, double a[restrict 2 * n]) { for (int i = 0; i < n; i++) a[n + i] = a[i]; })", "a");
  EXPECT_EQ(of.touched, "[0 .. -1 + 2n]");
  EXPECT_EQ(of.in, "[0 .. -1 + n]");
  EXPECT_EQ(of.out, "[n .. -1 + 2n]");
}

TEST(Transfers, WhatIsReadOnlyAfterItWasWritten) {
  Moves of = moves(R"(void f(int n, double a[restrict n], double b[restrict n], double c[restrict n]) {
    for (int i = 0; i < n; i++) a[i] = b[i];
    for (int i = 0; i < n; i++) c[i] = a[i] + a[n - 1 - i];
  })",
                   "a");
  EXPECT_EQ(of.in, "-");
  EXPECT_EQ(of.out, "[0 .. -1 + n]");
}

TEST(Transfers, OneRowMoreIsNotWorthALine) {
  Moves of = moves(R"(void f(int n, double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) a[i][j] = b[i - 1][j] + b[i + 1][j] + a[i][0];
  })",
                   "a");
  EXPECT_EQ(of.touched, "[1 .. -2 + n]");
  EXPECT_EQ(of.in, of.touched);
  EXPECT_EQ(of.out, of.touched);
}

TEST(Transfers, APartOfALinearisedMatrixEndsAtItsLastElement) {
  Moves of = moves(R"(void f(int n, int m, int w, double* restrict a) {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++) a[i * w + j] = 1;
  })",
                   "a");
  EXPECT_EQ(of.touched, "[0,1 .. -1 + n,-1 + m]");
  EXPECT_TRUE(of.gaps);
  // Whole rows need one subscript.
  EXPECT_EQ(moves(R"(void f(int n, int w, double* restrict a) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < w; j++) a[i * w + j] = 1;
  })",
                  "a")
                .touched,
            "[0 .. -1 + n]");
}

TEST(Transfers, OfAPrivateCopyTheLastOneIsLeft) {
  // s is expanded: every iteration of i has its own.
  const char* source =
      R"(void f(int n, double a[restrict n][n], double b[restrict n][n], double s[restrict %d]) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 100; j++) s[j] = a[i][j];
      for (int j = 0; j < 100; j++) b[i][j] = s[j] + s[99 - j];
    }
  })";
  for (int extent : {100, 200}) {
    char text[1000];
    std::snprintf(text, sizeof text, source, extent);
    Planned of(text);
    ASSERT_NE(of.plan.expansionOf(static_cast<int>(of.index("s"))), nullptr);
    const Transfer& transfer = of.plan.transfers.at(of.index("s"));
    EXPECT_TRUE(transfer.out);
    EXPECT_EQ(transfer.in.has_value(), extent == 200); // the second half stays as it was
  }
}

TEST(Transfers, UnlessItIsNotReadAnyMore) {
  Planned of(R"(double f(int n, const double* restrict b) {
    double t[100], s = 0;
    for (int i = 0; i < 100; i++) t[i] = b[i];
    for (int i = 0; i < 100; i++) s += t[i] * t[99 - i];
    return s;
  })");
  const Transfer& t = of.plan.transfers.at(of.index("t"));
  EXPECT_EQ(text(t.in), "-");
  EXPECT_EQ(text(t.out), "-");
}

} // namespace
} // namespace warploom
