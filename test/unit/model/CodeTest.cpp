// Code that one thread runs: what it may read before it has set it.
#include "model/Code.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

const ExprPtr t = makeExpr(Expr::Kind::Local, "t"), u = makeExpr(Expr::Kind::Local, "u");

CodePtr code(Code::Kind kind, ExprPtr value, std::vector<CodePtr> children = {}) {
  Code made;
  made.kind = kind;
  made.value = std::move(value);
  made.children = std::move(children);
  return std::make_shared<const Code>(std::move(made));
}

CodePtr set(const ExprPtr& target, const ExprPtr& value, const std::string& op = "=") {
  return code(Code::Kind::Evaluate, makeExpr(Expr::Kind::Assign, op, {}, {target, value}));
}

CodePtr block(std::vector<CodePtr> children) {
  return code(Code::Kind::Block, nullptr, std::move(children));
}

TEST(MayReadFirst, FollowsTheOrderOfStatements) {
  EXPECT_FALSE(mayReadFirst(*block({set(t, u), set(u, t)}), "t"));
  EXPECT_TRUE(mayReadFirst(*block({set(u, t), set(t, u)}), "t"));
  EXPECT_TRUE(mayReadFirst(*set(t, u, "+="), "t")) << "an update reads";
}

TEST(MayReadFirst, TakesBothSidesOfAnIf) {
  EXPECT_FALSE(mayReadFirst(*block({code(Code::Kind::If, u, {set(t, u), set(t, u)}), set(u, t)}), "t"));
  EXPECT_TRUE(mayReadFirst(*block({code(Code::Kind::If, u, {set(t, u)}), set(u, t)}), "t"));
  EXPECT_TRUE(mayReadFirst(*code(Code::Kind::If, t, {set(t, u)}), "t")) << "the condition reads";
}

TEST(MayReadFirst, ALoopMayNotRun) {
  EXPECT_TRUE(mayReadFirst(*block({code(Code::Kind::Loop, u, {set(t, u)}), set(u, t)}), "t"));
  EXPECT_FALSE(mayReadFirst(*code(Code::Kind::Loop, u, {block({set(t, u), set(u, t)})}), "t"));
}

TEST(MayReadFirst, WhatComesAfterContinueMayBeLeftOut) {
  CodePtr skip = code(Code::Kind::If, u, {code(Code::Kind::Continue, nullptr)});
  Code loop = *code(Code::Kind::Loop, u, {block({skip, set(t, u)})});
  loop.steps = {makeExpr(Expr::Kind::Assign, "=", {}, {u, t})};
  EXPECT_TRUE(mayReadFirst(loop, "t"));
  loop.children = {block({set(t, u), skip})};
  EXPECT_TRUE(mayReadFirst(loop, "t"))
      << "refused for caution: what was set before the `continue` is not kept";
  loop.children = {set(t, u)};
  EXPECT_FALSE(mayReadFirst(loop, "t"));
}

} // namespace
} // namespace warploom
