// What one thread runs as it stands: functions, loops that are not taken apart; and the layout of structs.
#include "frontend/Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The first call of a function of the program in `expr`.
const Expr* callIn(const Expr& expr) {
  if (expr.kind == Expr::Kind::Call && expr.function) return &expr;
  for (const ExprPtr& operand : expr.operands)
    if (const Expr* found = callIn(*operand)) return found;
  return nullptr;
}

/// What the front end knows of the function `f` in `a[i] = f(i);`.
Function functionOf(const std::string& definition) {
  Region region = regionOf(definition + "\nvoid g(int n, double *a) {\n"
                                        "  for (int i = 0; i < n; i++) a[i] = f(i);\n}\n");
  const Statement& statement = statementWith(region, "f(i)");
  if (!statement.body) return Function{"", {}, {}, nullptr, statement.hostOnly};
  const Expr* call = callIn(*statement.body);
  return call ? *call->function : Function{};
}

TEST(Functions, ArePartOfTheModel) {
  Function f = functionOf("typedef double real;\n#define TWICE(x) ((x) * 2)\n"
                          "static real f(real v) { real r = TWICE(v); if (r > 3) return r; return -r; }");
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.result.kind, Type::Kind::Float);
  ASSERT_EQ(f.parameters.size(), 1U);
  EXPECT_EQ(f.parameters[0].name, "v");
  ASSERT_TRUE(f.body);
  ASSERT_EQ(f.body->children.size(), 3U);
  EXPECT_EQ(f.body->children[0]->kind, Code::Kind::Declare);
  EXPECT_EQ(exprText(*f.body->children[0]->value), "v * 2");
  EXPECT_EQ(f.body->children[1]->kind, Code::Kind::If);
  EXPECT_EQ(f.body->children[2]->kind, Code::Kind::Return);
}

TEST(Functions, HaveOneNamePerVariable) {
  Function f =
      functionOf("int f(int x) { int r = 0; int i = 3; while (r < i) { int i = x; r += i; } return r; }");
  ASSERT_TRUE(f.body) << f.problem;
  std::vector<std::string> names;
  auto look = [&](const Code& code, const auto& self) -> void {
    if (code.kind == Code::Kind::Declare) names.push_back(code.name);
    for (const CodePtr& child : code.children)
      self(*child, self);
  };
  look(*f.body, look);
  EXPECT_THAT(names, ElementsAre("r", "i", "i_2"));
}

TEST(Functions, KnowConstantsByTheirValue) {
  Function f = functionOf("const float half = 0.5f;\ndouble f(double x) { return x * half; }");
  ASSERT_TRUE(f.body) << f.problem;
  EXPECT_EQ(exprText(*f.body->value), "x * (float)0x1p-1");
}

TEST(Functions, ThatCannotBeWrittenSayWhy) {
  EXPECT_THAT(functionOf("static const int t[2] = {1, 2};\nint f(int x) { return t[x & 1]; }").problem,
              HasSubstr("t[x & 1]"));
  EXPECT_THAT(functionOf("int f(int x) { switch (x) { int y; default: y = 3; return y; } }").problem,
              HasSubstr("switch"));
  EXPECT_THAT(functionOf("int f(int x) { int y = (x += 1) * 2; return y; }").problem, HasSubstr("x += 1"));
  EXPECT_THAT(functionOf("int f(int x) { goto end; end: return x; }").problem, HasSubstr("goto"));
  EXPECT_THAT(functionOf("int f(int x) { static int n; return n++ + x; }").problem, HasSubstr("static"));
  EXPECT_THAT(functionOf("int f(int x) { return x < 2 ? 1 : f(x - 1); }").problem, HasSubstr("recursive"));
}

TEST(Functions, ThatReturnOneExpressionAreLookedIntoInSubscripts) {
  Region region = regionOf("static int at(int i, int j, int m) { return i * m + j; }\n"
                           "void f(int n, int m, double *a) {\n  for (int i = 0; i < n; i++)\n"
                           "    for (int j = 0; j < m; j++) a[at(i, j, m)] = 0;\n}\n");
  const Statement& statement = statementWith(region, "a[at(i, j, m)]");
  EXPECT_TRUE(touches(statement, statement.accesses.back(), "{ S[i, j] -> a[i, j] }"));
  // The parameters of the function are no sizes of the region.
  for (const Parameter& parameter : region.parameters)
    EXPECT_THAT(parameter.name, testing::AnyOf("n", "m"));
}

TEST(Functions, InSubscriptsTakeWhatTheirParametersCanHold) {
  Region region = regionOf("int f(unsigned char x) { return x; }\nvoid g(int n, double *a) {\n"
                           "  for (int i = 0; i < n; i++) a[f(i + 3)] = i;\n}\n");
  ASSERT_EQ(region.conditions.size(), 1U);
  EXPECT_EQ(region.conditions[0].kind, Condition::Kind::NoWrap);
}

TEST(Functions, OfTheProgramHideThoseOfTheLibrary) {
  Function f = functionOf(
      "static double fabs(double x) { return x + 1; }\nstatic double f(double x) { return fabs(x); }");
  ASSERT_TRUE(f.body) << f.problem;
  ASSERT_TRUE(callIn(*f.body->value));
  EXPECT_EQ(callIn(*f.body->value)->function->name, "fabs");
}

const WholeLoop* wholeOf(const Region& region, const std::string& index) {
  for (const WholeLoop& whole : region.wholes)
    if (region.loops[whole.loop].index == index) return &whole;
  return nullptr;
}

TEST(WholeLoops, TouchWhatTheirBoundsAllow) {
  Region region =
      regionOf("void f(int n, int m, double *a, int *p) {\n  for (int i = 0; i < n; i++)\n"
               "    for (int j = 0; j < m; j++)\n      if (a[i * m + j] > 3) { p[i] = j; break; }\n}\n");
  const WholeLoop* whole = wholeOf(region, "j");
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->statements.size(), 1U);
  const Statement& statement = whole->statements[0];
  EXPECT_EQ(statement.kind, Statement::Kind::Opaque);
  EXPECT_THAT(statement.hostOnly, IsEmpty());
  ASSERT_TRUE(statement.code);
  EXPECT_TRUE(
      touches(statement, accessWith(statement, "a[i * m + j]"), "[m] -> { S[i] -> a[i, j] : 0 <= j < m }"));
  EXPECT_EQ(accessWith(statement, "a[i * m + j]").kind, Access::Kind::MayRead);
  EXPECT_TRUE(touches(statement, accessWith(statement, "p[i]"), "[m] -> { S[i] -> p[i] : m > 0 }"));
  EXPECT_EQ(accessWith(statement, "p[i]").kind, Access::Kind::MayWrite);
  // The loop itself is still there for the analysis.
  EXPECT_THAT(region.loops[1].mustStaySequential, HasSubstr("break"));
}

// What a pointer that is set outside reaches at the index of a loop inside is found from that index.
TEST(WholeLoops, RowsByPointers) {
  Region region = regionOf("void f(int n, int m, double *a, int *p) {\n"
                           "  for (int i = 0; i < n; i++) {\n    const double *row = a + i * m; int at = 0;\n"
                           "    for (int j = 0; j < m; j++)\n      if (row[j] > 3) { at = j; break; }\n"
                           "    p[i] = at;\n  }\n}\n");
  const WholeLoop* whole = wholeOf(region, "j");
  ASSERT_TRUE(whole);
  const Statement& statement = whole->statements.back();
  EXPECT_TRUE(touches(statement, accessWith(statement, "row[j]"), "[m] -> { S[i] -> a[i, j] : 0 <= j < m }"));
}

TEST(WholeLoops, OutermostOnesHaveNoOtherForm) {
  Region region = regionOf(
      "void f(int n, double *a) {\n  for (int i = 0; i < n; i++) { if (a[i] > 3) break; a[i] = 1; }\n}\n");
  EXPECT_THAT(region.wholes, IsEmpty());
}

TEST(WholeLoops, GiveAnIndexThatIsUsedLaterItsFirstValueForCertain) {
  Region region =
      regionOf("void f(int n, int m, int *a, int *p) {\n  int j;\n  for (int i = 0; i < n; i++) {\n"
               "    for (j = 0; j < m; j++) if (a[i]) break;\n    p[i] = j;\n  }\n}\n");
  const WholeLoop* whole = wholeOf(region, "j");
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->statements.size(), 2U);
  EXPECT_EQ(exprText(*whole->statements[0].body), "j = 0");
  EXPECT_EQ(whole->statements[0].accesses.back().kind, Access::Kind::Write);
  auto after = std::count_if(region.statements.begin(), region.statements.end(),
                             [&](const Statement& s) { return s.afterLoop == whole->loop; });
  EXPECT_EQ(after, 1);
}

TEST(WholeLoops, AreRefusedWhereTheHeaderCannotBeDoneTwice) {
  Region region = regionOf("void f(int n, int m, int *a) {\n  int j = 0;\n  for (int i = 0; i < n; i++)\n"
                           "    for (j = j + 1; j < m; j++) if (a[j]) break;\n}\n");
  EXPECT_FALSE(wholeOf(region, "j"));
}

const Statement& opaqueOf(const Region& region) {
  for (const Statement& statement : region.statements)
    if (statement.kind == Statement::Kind::Opaque) return statement;
  throw std::runtime_error("no opaque statement");
}

TEST(OpaqueCode, HasItsOwnVariablesWhereverTheyAreDeclared) {
  Region region = regionOf("void f(int n, int *a) {\n  int t, last = 0;\n  for (int i = 0; i < n; i++) {\n"
                           "    while (a[i] > 1) { t = a[i] / 2; a[i] = t + last; last = t; }\n  }\n}\n");
  const Statement& statement = opaqueOf(region);
  ASSERT_TRUE(statement.code) << statement.hostOnly;
  // `t` is set before it is read; `last` is read before it is set, and so remembers.
  std::vector<std::string> touched;
  for (const Access& access : statement.accesses)
    touched.push_back(region.arrays[access.array].name);
  EXPECT_THAT(touched, testing::Not(testing::Contains("t")));
  EXPECT_THAT(touched, testing::Contains("last"));
}

TEST(OpaqueCode, IsNotThereForWhatNoThreadCanDo) {
  auto reason = [](const std::string& body) {
    Region region = regionOf("#include <stdio.h>\nvoid f(int n, int *a, volatile int *v) {\n  int *p = a;\n"
                             "  for (int i = 0; i < n; i++) {\n" +
                             body + "\n  }\n}\n");
    const Statement& statement = opaqueOf(region);
    EXPECT_FALSE(statement.code) << body;
    return statement.hostOnly;
  };
  EXPECT_THAT(reason("while (a[i]--) printf(\"x\");"), HasSubstr("while"));
  EXPECT_THAT(reason("while (a[i] > 1) { if (a[i] == 7) return; a[i]--; }"), HasSubstr("while"));
  EXPECT_THAT(reason("while (*v) a[i]++;"), HasSubstr("while"));
  EXPECT_THAT(reason("while (*p) p++;"), HasSubstr("while"));
}

TEST(Records, HaveTheLayoutOfTheSource) {
  Region region =
      regionOf("struct in { char c; double d[2]; };\n"
               "typedef struct { int n; struct in part[3]; void *p; union { int i; float f; } u;\n"
               "  union { void *p; int i; } v; } out;\n"
               "void f(int n, out *a) {\n  for (int i = 0; i < n; i++) a[i].part[1].d[0] = a[i].n;\n}\n");
  const Array& field = arrayNamed(region, "a.part.d");
  ASSERT_GE(field.within, 0);
  const Array& structs = region.arrays[field.within];
  EXPECT_EQ(structs.name, "a");
  EXPECT_EQ(structs.base, "a");
  EXPECT_EQ(field.outerRank, 1);
  ASSERT_EQ(field.members.size(), 2U);
  EXPECT_EQ(field.members[0].field, "part");
  EXPECT_EQ(field.members[0].rank, 1);
  EXPECT_EQ(field.members[1].field, "d");
  EXPECT_EQ(field.members[1].rank, 1);
  ASSERT_TRUE(structs.element.record);
  const Record& record = *structs.element.record;
  EXPECT_EQ(record.name, "out");
  EXPECT_EQ(record.size, 104);
  EXPECT_THAT(record.problem, IsEmpty());
  const Field* part = fieldOf(record, "part");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->offset, 8);
  EXPECT_THAT(part->extents, ElementsAre(3));
  ASSERT_TRUE(part->type.record);
  EXPECT_EQ(part->type.record->size, 24);
  EXPECT_EQ(fieldOf(record, "u")->type.kind, Type::Kind::UnsignedInt); // the number that it is
  EXPECT_EQ(fieldOf(record, "v")->type.record->problem, "is a union");
  EXPECT_EQ(fieldOf(record, "absent"), nullptr);
}

TEST(Records, SayWhyTheyCannotBeDefinedAgain) {
  auto problem = [](const std::string& definition) {
    Region region = regionOf(definition + ";\nvoid f(int n, struct s *a) {\n"
                                          "  for (int i = 0; i < n; i++) a[i].x = i;\n}\n");
    return arrayNamed(region, "a").element.record->problem;
  };
  EXPECT_EQ(problem("struct s { int x; }"), "");
  EXPECT_EQ(problem("struct s { int x; unsigned b : 3; }"), "");
  EXPECT_EQ(problem("struct s { long : 7; int x; }"), "");
  EXPECT_THAT(problem("struct s { unsigned b : 24; char x; }"), HasSubstr("bit-field `b`"));
  EXPECT_THAT(problem("struct s { char x; int : 0; char b : 3; }"), HasSubstr("gaps"));
  EXPECT_THAT(problem("struct s { char c; int x; } __attribute__((packed))"), HasSubstr("packed"));
  EXPECT_THAT(problem("#pragma pack(1)\nstruct s { char c; int x; }"), HasSubstr("packed"));
  EXPECT_THAT(problem("struct s { char c; __attribute__((aligned(32))) int x; }"), HasSubstr("aligns `x`"));
  EXPECT_THAT(problem("struct s { int x; double v[]; }"), HasSubstr("without a size"));
  EXPECT_THAT(problem("struct s { int x; struct { } e; }"), HasSubstr("empty"));
}

TEST(Records, FieldsOfAStructThatIsNeverAWholeAreOnTheirOwn) {
  Region region = regionOf(
      "struct g { double h, v[8]; double *p; };\nvoid f(int n, struct g s, struct g *q, double *a) {\n"
      "  for (int i = 0; i < n; i++) a[i] = s.h + s.v[i & 7] + s.p[i] + q->p[i] + q->h;\n}\n");
  EXPECT_EQ(arrayNamed(region, "s.h").within, -1);
  EXPECT_EQ(arrayNamed(region, "s.h").base, "s.h");
  EXPECT_EQ(arrayNamed(region, "s.v").base, "s.v");
  EXPECT_EQ(arrayNamed(region, "s.p").base, "s.p");
  EXPECT_EQ(arrayNamed(region, "q.p").base, "q->p");
  EXPECT_EQ(arrayNamed(region, "q.p").within, -1);
  const Array& field = arrayNamed(region, "q.h");
  ASSERT_GE(field.within, 0);
  EXPECT_EQ(region.arrays[field.within].base, "q");
}

TEST(Records, AWholeStructDoesNotReachBeyondItsPointers) {
  Region region = regionOf("struct g { double h; double *p; };\nvoid f(int n, struct g *q, struct g r) {\n"
                           "  for (int i = 0; i < n; i++) { q->p[i] = 1; *q = r; }\n}\n");
  const Statement& copy = statementWith(region, "*q = r");
  for (const Access& access : copy.accesses)
    EXPECT_NE(region.arrays[access.array].name, "q.p") << access.text;
}

} // namespace
} // namespace warploom
