// Trees as text, JSON, SMT-LIB and pictures.
#include "cases/CaseText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <z3.h>

using namespace warploom::cases;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Needs 2*s*B words of a limit; or 2*B; or none.
class Form : public Code {
public:
  explicit Form(int l) : level(l) {}
  Amount amount(std::size_t) const override {
    return {Polynomial::parse(level == 0 ? "2*s*B" : level == 1 ? "2*B + 1/4" : "0")};
  }
  std::shared_ptr<const Code> applied(std::size_t) const override {
    return std::make_shared<Form>(level + 1);
  }
  std::string text() const override { return std::string("form <") + std::to_string(level) + ">"; }
  int level;
};

CaseTree tree() {
  Discussion of;
  of.counters = {{"words", Polynomial::symbol("Z"), {0, 1}, "(4a)", false}};
  of.strategies = {{"one element", "(3b)", false}, {"no words", "(4b)", false}};
  for (const char* fact : {"1 <= s", "1 <= B"})
    of.facts.push_back({Constraint::parse(fact)});
  return discuss(of, std::make_shared<Form>(0));
}

const Title title = {"f.mf:3", "f", {{"s", "of the program"}}, "none"};

} // namespace

TEST(CaseText, SaysWhatIsTakenWhere) {
  EXPECT_EQ(text(title, tree()), R"(f.mf:3: f: 3 cases
  s: of the program
  known: 1 <= s
  known: 1 <= B
  registers: none

case 1: form <0>
  needs 2*s*B words
  if 2*s*B <= Z
  by (4a)

case 2: form <1>
  needs 2*B + 1/4 words
  if 2*B + 1/4 <= Z < 2*s*B
  by (3b)(4a)

case 3: form <2>
  needs 0 words
  if Z < 2*s*B, Z < 2*B + 1/4
  by (3b)(4b)
)");
}

// SHOWS: MF-109
TEST(CaseText, IsReadByMachines) {
  const auto read = nlohmann::ordered_json::parse(json(title, tree()).dump());
  EXPECT_EQ(read["cases"].size(), 3u);
  EXPECT_EQ(read["cases"][1]["conditions"][0][0], "Z < 2*s*B");
  EXPECT_EQ(read["cases"][0]["needs"]["words"], "2*s*B");
  EXPECT_EQ(read["tree"]["children"][0]["case"], 1);
  EXPECT_EQ(read["tree"]["children"][1]["strategy"], "one element");

  // Every question of the file has the answer that stands beside it.
  const std::string script = smt(title, tree());
  std::string expected;
  for (std::size_t at = script.find("(check-sat) ; "); at != std::string::npos;
       at = script.find("(check-sat) ; ", at + 1))
    expected += script.substr(at + 14, script.find('\n', at) - at - 14) + "\n";
  Z3_config config = Z3_mk_config();
  Z3_context context = Z3_mk_context(config);
  const std::string answers = Z3_eval_smtlib2_string(context, script.c_str());
  Z3_del_context(context);
  Z3_del_config(config);
  EXPECT_EQ(answers, expected);
  EXPECT_EQ(expected, "sat\nsat\nsat\nunsat\nunsat\nunsat\nunsat\n");
}

TEST(CaseText, IsAPictureThatNeedsNothingElse) {
  const std::string page = html(title, tree());
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("form &lt;0&gt;"));
  EXPECT_THAT(page, HasSubstr("2*s*B &lt;= Z"));
  EXPECT_THAT(page, HasSubstr("case 3"));
  for (const char* from : {"href", "src=", "@import", "url("})
    EXPECT_THAT(page, Not(HasSubstr(from)));
}
