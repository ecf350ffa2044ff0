// The text and XML forms: what is read, what is written back, and where errors are said to be.
#include "sync/reader/Aif.h"

#include "Systems.h"
#include "sync/model/Text.h"

#include <gtest/gtest.h>

namespace warploom::sync {
namespace {

const char* const everything = R"(version: v2_0_alpha
timestamp: Mon May 31 12:00:00 2010 ~ free $text
system Everything:
interface:
  go: input bool
  k: input nat{2}
  m: input int{16}[2][3]
  s: output memorized int{16}[2]
  t: output event bool
  u: inout memorized real
  v: output memorized bv{4}
locals:
  __ell0: label bool
  x: local event int{8}
  y: local memorized nat{9}[3]
abbreviations:
  hot = go & __ell0
  hotter = hot | !go & k == 1
init:
  control flow:
    true => next(__ell0) = true
  data flow:
    true => s[0] = -3
    go => u = 1.5 + k*2
  assertions:
    true => __rte0 : assert s[0] < 16 & -16 <= s[0]
main:
  control flow:
    __ell0 => next(__ell0) = true
  data flow:
    hot => next(s[k]) = s[k] + (m[1][k + 1] - (m[0][0] - 2)) - 3
    hotter & x != -(4) => x = -x%5*(2 + 3)
    !(go | hot) => v = v & 0b1010 | !v
    go => t = true
  assertions:
    hot => __rte0@0 : assert s[k] < 16
absence reactions:
  t = false
  y[1] = 4
invar: anything ~ goes
specifications: AG (go -> t); ^^
)";

/// The message and place of the error in `text`, as "line:column: message"; "" when there is none.
std::string errorOf(const std::string& text) {
  try {
    readSystem(text);
  } catch (const Error& error) {
    return fmt::format("{}:{}: {}", error.place.line, error.place.column, error.what());
  }
  return "";
}

std::string systemWith(const std::string& interface, const std::string& actions) {
  return "system S:\ninterface:\n" + interface + "main:\n  data flow:\n" + actions;
}

// SHOWS: GA-01 GA-02 GA-03 GA-11
TEST(Aif, EverySectionIsReadAndWrittenBackUnchanged) {
  const System system = readAif(everything);
  EXPECT_EQ(system.name, "Everything");
  EXPECT_EQ(system.variables.size(), 10u);
  EXPECT_TRUE(system.variables[system.find("u")].isOutput());
  EXPECT_EQ(system.abbreviations.size(), 2u);
  EXPECT_EQ(system.init.assertions[0].name, "__rte0");
  EXPECT_EQ(system.main.assertions[0].name, "__rte0@0");
  EXPECT_EQ(system.reactions.size(), 2u);
  EXPECT_EQ(system.invariant, "anything ~ goes");
  EXPECT_EQ(system.specifications, "AG (go -> t); ^^");
  EXPECT_EQ(writeAif(system), everything);
}

// SHOWS: GA-01
TEST(Aif, XmlHoldsTheSameContent) {
  for (const System& system : {readAif(everything), matrixProduct(2), myModule()}) {
    const std::string xml = writeAifXml(system);
    EXPECT_EQ(writeAif(readSystem(xml)), writeAif(system));
    EXPECT_EQ(writeAifXml(readAifXml(xml)), xml);
  }
}

TEST(Aif, ParenthesesThatMatterSurviveTheRoundTrip) {
  const char* const expressions[] = {"a - (b - c)", "a - b - c", "(a + b) + c", "a + b + c",
                                     "a + (b + c)", "(a - b)*c", "a*(b/c)",     "a*b/c*a",
                                     "-(a + b)",    "-(3)",      "a - -3",      "(a*b)*c",
                                     "a%b*c",       "-a*b",      "--a",         "a + b - c + a"};
  for (const char* expression : expressions) {
    const std::string text =
        systemWith("  a: input int{9}\n  b: input int{9}\n  c: input int{9}\n  o: output memorized int{9}\n",
                   fmt::format("    true => o = {}\n", expression));
    const System system = readAif(text);
    EXPECT_EQ(sync::text(system, *system.main.dataFlow[0].value), expression);
  }
}

// SHOWS: GA-01
TEST(Aif, SectionsMayBeEmptyMissingOrOnOneLine) {
  EXPECT_EQ(errorOf("system S:"), "");
  EXPECT_EQ(
      errorOf(
          "system S:\ninterface:\nlocals:\nabbreviations:\ninit:\ncontrol flow:\ndata flow:\nassertions:\n"
          "main:\ncontrol flow:\ndata flow:\nassertions:\nabsence reactions:\ninvar:\nspecifications:\n"),
      "");
  const System system =
      readAif("system S: interface: go: input bool  k: input nat{2}  s: output memorized int{16}[2]\n"
              "main: data flow: go => next(s[k]) = s[k] + 1\n-1 < s[0] => s[1] = 2 // a comment\n"
              "  go\n  & (k == 1) => s[0]\n = 1\n");
  EXPECT_EQ(system.main.dataFlow.size(), 3u);
}

// SHOWS: GA-01
TEST(Aif, ErrorsAreLocatedToTheColumn) {
  const std::string io =
      "  i: input int{4}\n  p: input bool\n  o: output memorized int{4}\n  q: output event bool\n"
      "  t: output memorized int{4}[2][3]\n";
  EXPECT_EQ(errorOf(""), "1:1: expected `system` before the name of the system, found the end of the text");
  EXPECT_EQ(errorOf("system S:\nlocals:\ninterface:\n"),
            "3:1: section `interface` must come before section `locals`");
  EXPECT_EQ(errorOf("system S:\nmain:\nmain:\n"), "3:1: second section `main`");
  EXPECT_EQ(errorOf("system S:\nfoo\n"), "2:1: expected a section such as `main:`, found `foo`");
  EXPECT_EQ(errorOf(systemWith("  a: input bool\n  a: input bool\n", "")), "4:3: `a` is already declared");
  EXPECT_EQ(errorOf(systemWith("  a: input event bool\n", "")), "3:12: an input has no storage class");
  EXPECT_EQ(errorOf(systemWith("  a: output bool\n", "")),
            "3:13: expected `event` or `memorized`, found `bool`");
  EXPECT_EQ(errorOf(systemWith("  a: sideways bool\n", "")),
            "3:6: expected `input`, `output` or `inout`, found `sideways`");
  EXPECT_EQ(errorOf(systemWith(io, "    p => o = x\n")), "10:14: `x` is not declared");
  EXPECT_EQ(errorOf(systemWith(io, "    i => o = 1\n")), "10:5: a guard must be a boolean");
  EXPECT_EQ(errorOf(systemWith(io, "    p => i = 1\n")), "10:10: input `i` cannot be assigned");
  EXPECT_EQ(errorOf(systemWith(io, "    p => o = p\n")),
            "10:14: this value cannot be assigned to `o`, a int{4}");
  EXPECT_EQ(errorOf(systemWith(io, "    p & i => o = 1\n")),
            "10:9: `&` needs booleans on both sides, and this operand is an integer");
  EXPECT_EQ(errorOf(systemWith(io, "    p => o = 4\n")), "10:14: 4 is outside the range -4..3 of `o`");
  EXPECT_EQ(errorOf(systemWith(io, "    p => t[1] = 1\n")),
            "10:10: `t` has 2 dimensions and is used with 1 subscript");
  EXPECT_EQ(errorOf(systemWith(io, "    p => t[1][3] = 1\n")),
            "10:15: subscript 3 is outside `t`, whose dimension 2 has 3 cells");
  EXPECT_EQ(errorOf(systemWith(io, "    p => o = (i + 1\n")),
            "11:1: expected `)` to close the parenthesis, found the end of the text");
  EXPECT_EQ(errorOf(systemWith(io, "    p => o = i +\n")),
            "11:1: expected an expression, found the end of the text");
  EXPECT_EQ(errorOf(systemWith(io, "    p = o = i\n")), "10:7: expected `=>` after a guard, found `=`");
  EXPECT_EQ(errorOf(systemWith(io, "    p => o = 99999999999999999999\n")),
            "10:14: 99999999999999999999 does not fit into 64 bits");
  EXPECT_EQ(errorOf(systemWith(io, "    p => o = i $ 1\n")),
            "10:16: expected an expression, found the malformed token `$`");
  EXPECT_EQ(errorOf(systemWith(io, "    p => o = 3x\n")),
            "10:14: expected an expression, found the malformed token `3x`");
  EXPECT_EQ(errorOf("system S:\nlocals:\n  l: label bool\nmain:\n data flow:\n  true => l = true\n"),
            "6:3: label `l` can only be assigned with next(l)");
}

// SHOWS: GA-03
TEST(Aif, InfiniteTypesAreRefused) {
  EXPECT_EQ(errorOf(systemWith("  a: input int\n", "")),
            "3:12: `int` without a bound is an infinite type, which cannot be synthesised; write int{N}");
  EXPECT_EQ(errorOf(systemWith("  a: input nat[3]\n", "")),
            "3:12: `nat` without a bound is an infinite type, which cannot be synthesised; write nat{N}");
  EXPECT_EQ(errorOf(systemWith("  a: input bv\n", "")),
            "3:12: `bv` without a bound is an infinite type, which cannot be synthesised; write bv{N}");
  EXPECT_EQ(errorOf(systemWith("  a: input int{0}\n", "")),
            "3:16: the bound of a type must be between 1 and 4611686018427387904");
  EXPECT_EQ(errorOf(systemWith("  a: input bv{65}\n", "")),
            "3:15: the width of a bit vector must be between 1 and 64");
  EXPECT_EQ(errorOf(systemWith("  a: input bool[50000]\n  b: input bool[50000]\n", "")), "");
  EXPECT_EQ(errorOf(systemWith("  a: input bool[40000000][40000000]\n", "")),
            "3:3: `a` takes the system beyond 67108864 cells, the most that can be compiled");
}

// SHOWS: GA-01
TEST(Aif, HostileTextsAreRefusedAndDoNotCrash) {
  EXPECT_NE(errorOf(systemWith("  p: input bool\n  o: output memorized bool\n",
                               "    p => o = " + std::string(100000, '(') + "p\n")),
            "");
  EXPECT_NE(errorOf(systemWith("  p: input bool\n  o: output memorized bool\n",
                               "    p => o = " + std::string(100000, '!') + "p\n")),
            "");
  std::string differences = "p => o = i";
  for (int n = 0; n < 100000; ++n)
    differences += " - i";
  EXPECT_NE(
      errorOf(systemWith("  p: input bool\n  i: input int{4}\n  o: output memorized int{4}\n", differences)),
      "");
  const std::string valid = everything;
  for (std::size_t length = 0; length < valid.size(); length += 3)
    errorOf(valid.substr(0, length));
  for (std::size_t at = 0; at < valid.size(); ++at) {
    std::string damaged = valid;
    damaged[at] = "(]:=x0\x01"[at % 7];
    errorOf(damaged);
  }
}

// SHOWS: GA-01
TEST(Aif, XmlErrorsNameTheElement) {
  EXPECT_EQ(errorOf("<system name='S'>\n<interface>\n <variable name='a' role='input' "
                    "type='int'/>\n</interface></system>"),
            "3:3: attribute `type`: `int` without a bound is an infinite type, which cannot be synthesised; "
            "write int{N}");
  EXPECT_EQ(errorOf("<system name='S'>\n <foo/></system>"), "2:3: unknown element <foo>");
  EXPECT_NE(errorOf("<system name='S'>\n <main></system>").find("XML: "), std::string::npos);
}

TEST(Aif, ErrorsAreShownWithTheirLine) {
  Sources sources;
  sources.files.push_back({"s.aif", "system S:\n\tfoo\n"});
  try {
    readAif(sources);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(located(error, sources),
              "s.aif:2:2: error: expected a section such as `main:`, found `foo`\n  \tfoo\n  \t^\n");
  }
}

TEST(Aif, TheWordIsWideEnoughForValuesInRange) {
  EXPECT_EQ(matrixProduct(3).wordBits, 32);
  EXPECT_EQ(
      readAif(systemWith("  i: input int{65536}\n  o: output memorized int{9}\n", "  true => o = i*i % 9\n"))
          .wordBits,
      64);
  EXPECT_EQ(
      readAif(systemWith("  i: input int{32768}\n  o: output memorized int{9}\n", "  true => o = i*i % 9\n"))
          .wordBits,
      32);
}

} // namespace
} // namespace warploom::sync
