// Expressions and code in CUDA C++: the value must be the one they have in C.
#include "emit/ExprText.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

Type numberType(Type::Kind kind, unsigned bits) {
  Type type;
  type.kind = kind;
  type.bits = bits;
  type.spelling = "t";
  return type;
}
const Type real = numberType(Type::Kind::Float, 64), single = numberType(Type::Kind::Float, 32),
           whole = numberType(Type::Kind::SignedInt, 32), truth = numberType(Type::Kind::Bool, 8);

ExprPtr local(const std::string& name, const Type& type) {
  return makeExpr(Expr::Kind::Local, name, type);
}
ExprPtr literal(const std::string& text) {
  return makeExpr(Expr::Kind::Literal, text, whole);
}

ExprText leafText(const Expr& leaf) {
  return {leaf.text + subscriptsText(leaf, 0, leafText), ExprText::primary};
}
std::string text(const ExprPtr& expr) {
  return cudaText(*expr, leafText).text;
}

TEST(CudaText, ConvertsArgumentsAsCDoes) {
  auto call = [&](const std::string& name, const Type& type, const ExprPtr& argument) {
    return text(makeExpr(Expr::Kind::Call, name, type, {argument}));
  };
  EXPECT_EQ(call("sqrt", real, local("d", real)), "sqrt(d)");
  EXPECT_EQ(call("sqrt", real, local("f", single)), "sqrt(double(f))");
  EXPECT_EQ(call("sqrtf", single, local("d", real)), "sqrtf(float(d))");
  EXPECT_EQ(call("erf", real, local("i", whole)), "erf(double(i))");
  EXPECT_EQ(call("abs", whole, local("d", real)), "abs(static_cast<int>(d))");
  EXPECT_EQ(call("__builtin_fabs", real, local("d", real)), "fabs(d)");
  EXPECT_EQ(text(makeExpr(Expr::Kind::Call, "ldexp", real, {local("d", real), local("i", whole)})),
            "ldexp(d, i)");
}

TEST(CudaText, BuildsStructs) {
  auto record = std::make_shared<Record>();
  record->name = "pair";
  record->fields = {{"a", single, {}, 0, 4, 4}, {"b", whole, {2}, 4, 8, 4}};
  Type pair;
  pair.kind = Type::Kind::Struct;
  pair.record = record;
  ExprPtr values = makeExpr(Expr::Kind::Aggregate, "", {}, {literal("1"), literal("2")});
  ExprPtr aggregate = makeExpr(Expr::Kind::Aggregate, "", pair, {local("d", real), values});
  EXPECT_EQ(text(aggregate),
            "source::pair{static_cast<float>(d), {static_cast<int>(1), static_cast<int>(2)}}");
  EXPECT_EQ(text(makeExpr(Expr::Kind::Member, "b", whole, {local("p", pair), local("i", whole)})), "p.b[i]");
}

std::shared_ptr<Code> code(Code::Kind kind, ExprPtr value = nullptr, std::vector<CodePtr> children = {}) {
  auto made = std::make_shared<Code>();
  made->kind = kind;
  made->value = std::move(value);
  made->children = std::move(children);
  return made;
}
CodePtr step(const std::string& name, const Type& type, const std::string& by = "1") {
  return code(Code::Kind::Evaluate,
              makeExpr(Expr::Kind::Assign, "+=", type, {local(name, type), literal(by)}));
}
std::string written(const Code& of) {
  TextWriter out;
  writeCode(of, leafText, [](const std::string& name) { return name; }, out);
  return out.text();
}

TEST(WriteCode, WritesLoopsAsOneWould) {
  auto declare = code(Code::Kind::Declare, literal("0"));
  declare->name = "i";
  declare->type = whole;
  auto loop =
      code(Code::Kind::Loop, makeExpr(Expr::Kind::Binary, "<", whole, {local("i", whole), literal("9")}),
           {code(Code::Kind::Break)});
  loop->steps = {step("i", whole)->value};
  EXPECT_EQ(written(*code(Code::Kind::Block, nullptr, {declare, loop})),
            "for (int i = 0; i < 9; ++i) {\n  break;\n}\n");
  EXPECT_EQ(written(*loop), "for (; i < 9; ++i) {\n  break;\n}\n");
  auto last = std::make_shared<Code>(*loop);
  last->testsLast = true;
  last->steps.clear();
  EXPECT_EQ(written(*last), "do {\n  break;\n} while (i < 9);\n");
  auto plain = std::make_shared<Code>(*loop);
  plain->steps.clear();
  EXPECT_EQ(written(*plain), "while (i < 9) {\n  break;\n}\n");
  auto endless = std::make_shared<Code>(*plain);
  endless->value = nullptr;
  EXPECT_EQ(written(*endless), "for (;;) {\n  break;\n}\n");
}

TEST(WriteCode, CountsTruthValuesWithoutIncrement) {
  EXPECT_EQ(written(*step("b", truth)), "b += 1;\n");
  EXPECT_EQ(written(*step("i", whole)), "++i;\n");
  EXPECT_EQ(written(*step("i", whole, "2")), "i += 2;\n");
}

TEST(WriteCode, KeepsElseWithItsIf) {
  auto inner = code(Code::Kind::If, local("b", whole), {step("x", whole)});
  auto outer = code(Code::Kind::If, local("a", whole), {inner, step("y", whole)});
  EXPECT_EQ(written(*outer), "if (a) {\n  if (b) {\n    ++x;\n  }\n} else {\n  ++y;\n}\n");
}

} // namespace
} // namespace warploom
