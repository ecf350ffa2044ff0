// Code that one thread runs as it stands: the body of a function, or a loop that is not taken apart into
// statements with domains. Its expressions are those of Expr.h.
#pragma once

#include "model/Expr.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warploom {

struct Code;
using CodePtr = std::shared_ptr<const Code>;

/// A node of code. Immutable once made; children are never null.
struct Code {
  enum class Kind {
    Block,    ///< children, one after the other; what they declare ends with it
    Declare,  ///< the variable `name` of `type[extents]`; value: its first value, or null
    Evaluate, ///< value: an Assign
    If,       ///< value: the condition; children: then, and else where there is one
    Loop,     ///< value: the condition, null for none; children: the body
    Break,
    Continue,
    Return ///< value: null for none
  };
  Kind kind = Kind::Block;
  SourceRange range;
  ExprPtr value;
  std::vector<CodePtr> children;
  std::vector<ExprPtr> steps; ///< Loop: Assigns after each iteration, also after `continue`
  bool testsLast = false;     ///< Loop: the condition is asked after an iteration, as by `do`
  std::string name;           ///< Declare: unique in the function or statement
  Type type;
  std::vector<long> extents;
};

/// A function that computes its result from its arguments' values alone.
/// Invariant: `body` is null exactly when `problem` says why.
struct Function {
  struct Parameter {
    std::string name;
    Type type;
  };
  std::string name;
  Type result;
  std::vector<Parameter> parameters;
  CodePtr body;
  std::string problem; ///< why it cannot be written again, as a predicate; else empty
};

/// Calls `visit` for every expression of `code`, not for the operands of each.
void forEachExpr(const Code& code, const std::function<void(const Expr&)>& visit);

/// True when `code` may read its local `variable` before it has given it a value.
bool mayReadFirst(const Code& code, const std::string& variable);

/// `code` with every expression replaced by what `change` makes of it.
CodePtr withExprs(const Code& code, const std::function<ExprPtr(const ExprPtr&)>& change);

} // namespace warploom
