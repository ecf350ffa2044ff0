// The functions of <ctype.h>, whatever glibc's header makes of them.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string header = "#include <ctype.h>\n";

Region overText(const std::string& body, const std::vector<std::string>& flags) {
  return regionOf(header +
                      "static int word(char c) { return isalnum((unsigned char)c) || c == '_'; }\n"
                      "void f(int n, char *s, int *k) {\n  for (int i = 0; i < n; i++) " +
                      body + "\n}\n",
                  flags);
}

TEST(Characters, AreAskedByCallsAgain) {
  for (const char* level : {"-O0", "-O2"}) {
    Region region = overText("k[i] = isalpha((unsigned char)s[i]) + toupper(s[i]);", {level});
    const std::string text = exprText(*region.statements.at(0).body);
    EXPECT_THAT(text, HasSubstr("isalpha(")) << level;
    EXPECT_THAT(text, HasSubstr("toupper(")) << level;
    EXPECT_THAT(conditions(region), Contains("the locale has the characters of \"C\""));
  }
}

TEST(Characters, AreAskedInFunctionsToo) {
  Region region = overText("k[i] = word(s[i]);", {});
  EXPECT_THAT(conditions(region), Contains(HasSubstr("locale")));
}

TEST(Characters, OfTheProgramsOwnFunctionsAreNoMatterOfTheLocale) {
  Region region =
      regionOf("static int isalpha(int c) { return c > 'a'; }\n"
               "void f(int n, char *s, int *k) { for (int i = 0; i < n; i++) k[i] = isalpha(s[i]); }\n",
               {"-fno-builtin"});
  EXPECT_THAT(conditions(region), Not(Contains(HasSubstr("locale"))));
}

} // namespace
} // namespace warploom
