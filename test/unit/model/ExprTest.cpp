// Bodies of statements: when two are the same, and their C text.
#include "model/Expr.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

ExprPtr name(const std::string& text) {
  return makeExpr(Expr::Kind::Index, text);
}

ExprPtr binary(const std::string& op, ExprPtr left, ExprPtr right) {
  return makeExpr(Expr::Kind::Binary, op, {}, {std::move(left), std::move(right)});
}

ExprPtr unary(const std::string& op, ExprPtr operand) {
  return makeExpr(Expr::Kind::Unary, op, {}, {std::move(operand)});
}

ExprPtr cast(const std::string& type, ExprPtr operand) {
  Expr expr = *makeExpr(Expr::Kind::Cast, "", {}, {std::move(operand)});
  expr.type.spelling = type;
  return std::make_shared<const Expr>(std::move(expr));
}

ExprPtr affine(const std::string& text, const char* value) {
  Expr expr = *makeExpr(Expr::Kind::Affine, text);
  expr.value = isl::pw_aff(islContext(), value);
  return std::make_shared<const Expr>(std::move(expr));
}

const ExprPtr a = name("a"), b = name("b"), c = name("c");

TEST(ExprText, LeavesOutParenthesesThatPrecedenceGives) {
  EXPECT_EQ(exprText(*binary("+", binary("*", a, b), c)), "a * b + c");
  EXPECT_EQ(exprText(*binary("-", binary("-", a, b), c)), "a - b - c");
  EXPECT_EQ(exprText(*binary("||", binary("&&", a, b), c)), "a && b || c");
  EXPECT_EQ(exprText(*binary("<", binary("<<", a, b), binary("+", a, c))), "a << b < a + c");
}

TEST(ExprText, KeepsParenthesesThatChangeTheValue) {
  EXPECT_EQ(exprText(*binary("*", binary("+", a, b), c)), "(a + b) * c");
  EXPECT_EQ(exprText(*binary("-", a, binary("-", b, c))), "a - (b - c)");
  EXPECT_EQ(exprText(*binary("/", a, binary("*", b, c))), "a / (b * c)");
  // Not the same in floating point.
  EXPECT_EQ(exprText(*binary("+", a, binary("+", b, c))), "a + (b + c)");
  EXPECT_EQ(exprText(*binary("==", binary("&", a, b), c)), "(a & b) == c");
  EXPECT_EQ(exprText(*unary("!", binary("<", a, b))), "!(a < b)");
  EXPECT_EQ(exprText(*cast("float", binary("+", a, b))), "(float)(a + b)");
}

TEST(ExprText, KeepsSignsApart) {
  EXPECT_EQ(exprText(*unary("-", unary("-", a))), "-(-a)");
  EXPECT_EQ(exprText(*unary("-", makeExpr(Expr::Kind::Literal, "-1"))), "-(-1)");
  EXPECT_EQ(exprText(*unary("-", unary("~", a))), "-~a");
  EXPECT_EQ(exprText(*unary("!", unary("!", a))), "!!a");
  EXPECT_EQ(exprText(*binary("-", a, unary("-", b))), "a - -b");
}

TEST(ExprText, PrintsConditionals) {
  ExprPtr inner = makeExpr(Expr::Kind::Conditional, "", {}, {a, b, c});
  EXPECT_EQ(exprText(*makeExpr(Expr::Kind::Conditional, "", {}, {binary("<", a, b), inner, inner})),
            "a < b ? a ? b : c : a ? b : c");
  EXPECT_EQ(exprText(*makeExpr(Expr::Kind::Conditional, "", {}, {inner, b, c})), "(a ? b : c) ? b : c");
  EXPECT_EQ(exprText(*binary("+", inner, a)), "(a ? b : c) + a");
}

TEST(ExprText, PrintsAccessesCallsMembersAndAssignments) {
  ExprPtr element = makeExpr(Expr::Kind::Access, "A", {}, {binary("+", a, b), c});
  EXPECT_EQ(exprText(*element), "A[a + b][c]");
  EXPECT_EQ(exprText(*makeExpr(Expr::Kind::Call, "fmax", {}, {element, binary("+", a, b)})),
            "fmax(A[a + b][c], a + b)");
  EXPECT_EQ(exprText(*makeExpr(Expr::Kind::Call, "now")), "now()");
  EXPECT_EQ(exprText(*makeExpr(Expr::Kind::Member, "x", {}, {makeExpr(Expr::Kind::Call, "f", {}, {a})})),
            "f(a).x");
  EXPECT_EQ(exprText(*makeExpr(Expr::Kind::Assign, "+=", {},
                               {element, makeExpr(Expr::Kind::Conditional, "", {}, {a, b, c})})),
            "A[a + b][c] += a ? b : c");
}

TEST(ExprText, PrintsAClosedFormAsOneOperand) {
  EXPECT_EQ(exprText(*binary("*", affine("2 * i + 1", "{ S[i] -> [(2i + 1)] }"), a)), "(2 * i + 1) * a");
  EXPECT_EQ(exprText(*binary("*", affine("n_1", "[n] -> { S[i] -> [(n)] }"), a)), "n_1 * a");
  EXPECT_EQ(exprText(*makeExpr(Expr::Kind::Access, "A", {}, {affine("i + 1", "{ S[i] -> [(i + 1)] }")})),
            "A[i + 1]");
}

TEST(ExprText, ParenthesisesWhatIsNotLookedInto) {
  EXPECT_EQ(exprText(*binary("*", makeExpr(Expr::Kind::Opaque, "p->x, y"), a)), "(p->x, y) * a");
}

TEST(SameExpr, ComparesTheWholeTree) {
  EXPECT_TRUE(sameExpr(*binary("+", a, unary("-", b)), *binary("+", name("a"), unary("-", name("b")))));
  EXPECT_FALSE(sameExpr(*binary("+", a, b), *binary("+", b, a)));
  EXPECT_FALSE(sameExpr(*binary("+", a, b), *binary("-", a, b)));
  EXPECT_FALSE(sameExpr(*a, *makeExpr(Expr::Kind::Literal, "a")));
  EXPECT_FALSE(
      sameExpr(*makeExpr(Expr::Kind::Call, "f", {}, {a}), *makeExpr(Expr::Kind::Call, "f", {}, {a, b})));
}

TEST(SameExpr, DistinguishesCastsByType) {
  EXPECT_TRUE(sameExpr(*cast("float", a), *cast("float", a)));
  EXPECT_FALSE(sameExpr(*cast("float", a), *cast("int", a)));
}

TEST(SameExpr, ComparesClosedForms) {
  EXPECT_TRUE(sameExpr(*affine("k", "{ S[i] -> [(2i)] }"), *affine("k", "{ S[i] -> [(2i)] }")));
  EXPECT_FALSE(sameExpr(*affine("k", "{ S[i] -> [(2i)] }"), *affine("k", "{ S[i] -> [(2i + 1)] }")));
}

} // namespace
} // namespace warploom
