#include "emit/CTokens.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace warploom {
namespace {

std::vector<std::string> texts(const std::string& text) {
  std::vector<std::string> result;
  for (const CToken& token : cTokens(text))
    result.push_back(text.substr(token.begin, token.end - token.begin));
  return result;
}

using testing::ElementsAre;

TEST(CTokens, CommentsAndBlanksAreBetweenThem) {
  EXPECT_THAT(texts("a /* ; */ = b; // c = ;\n}"), ElementsAre("a", "=", "b", ";", "}"));
  EXPECT_THAT(texts("a // goes on \\\n b;\nc"), ElementsAre("a", "c"));
  EXPECT_THAT(texts("a /* open"), ElementsAre("a"));
}

TEST(CTokens, LiteralsHideWhatLooksLikeCode) {
  EXPECT_THAT(texts(R"(f("}; \" //", '"', '\'') ;)"),
              ElementsAre("f", "(", R"("}; \" //")", ",", "'\"'", ",", R"('\'')", ")", ";"));
  EXPECT_THAT(texts("R\"x(a\n)\" )x\";"), ElementsAre("R", "\"x(a\n)\" )x\"", ";"));
  EXPECT_THAT(texts("x = 1'000.5e3f;"), ElementsAre("x", "=", "1'000.5e3f", ";"));
}

TEST(CTokens, APreprocessorLineIsOneToken) {
  EXPECT_THAT(texts("  # define A(x) \\\n  (x) \nb"), ElementsAre("# define A(x) \\\n  (x)", "b"));
  EXPECT_THAT(texts("#if 0 /* two\nlines */\nit's\n#endif\r\n;"),
              ElementsAre("#if 0 /* two\nlines */", "it", "'s", "#endif", ";"));
  EXPECT_THAT(texts("a # b"), ElementsAre("a", "#", "b"));
}

TEST(CTokens, OfWhatIsNoC) {
  EXPECT_THAT(texts(""), ElementsAre());
  EXPECT_THAT(texts("\xEF\xBB\xBF"
                    "a"),
              ElementsAre("a"));
  EXPECT_THAT(texts("\"\\"), ElementsAre("\"\\"));
  EXPECT_THAT(texts("'\n\""), ElementsAre("'", "\""));
}

} // namespace
} // namespace warploom
