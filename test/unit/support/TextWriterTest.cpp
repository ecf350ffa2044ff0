// What generated text mentions, and how its lines are broken.
#include "support/TextWriter.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

TEST(Mentions, FindsWholeIdentifiersOnly) {
  EXPECT_TRUE(mentions("x = n*m;", "n"));
  EXPECT_TRUE(mentions("n", "n"));
  EXPECT_TRUE(mentions("nn + n", "n"));
  EXPECT_TRUE(mentions("a[TILE_X - 1]", "TILE_X"));
  EXPECT_FALSE(mentions("x = nn*m_n;", "n"));
  EXPECT_FALSE(mentions("gemm_TILE_X", "TILE_X"));
  EXPECT_FALSE(mentions("TILE_X2", "TILE_X"));
  EXPECT_FALSE(mentions("", "n"));
}

TEST(TextWriter, BreaksLongCodeAtOperatorsAndIndentsWhatFollows) {
  TextWriter out;
  out.open("f()");
  out.line("x = {} + {};", std::string(70, 'a'), std::string(70, 'b'));
  out.close();
  EXPECT_EQ(out.text(),
            "f() {\n  x = " + std::string(70, 'a') + " +\n      " + std::string(70, 'b') + ";\n}\n");
}

TEST(TextWriter, LeavesStringsCommentsAndDirectivesOnTheirLine) {
  for (const std::string begin : {"puts(\"", "f(); // ", "#define X "}) {
    const std::string text = begin + std::string(60, 'a') + " " + std::string(60, 'b');
    TextWriter out;
    out.line(text);
    EXPECT_EQ(out.text(), text + "\n");
  }
}

} // namespace
} // namespace warploom
