// Modules of Quartz as their parser leaves them: kernel statements, and the variables they speak of.
#pragma once

#include "sync/reader/SystemBuilder.h"

#include <memory>

namespace warploom::sync {

struct KernelStatement;
using KernelStatementPtr = std::shared_ptr<KernelStatement>;

/// A kernel statement; everything else is written in terms of these while parsing.
struct KernelStatement {
  enum class Kind { Nothing, Pause, Assign, Check, Sequence, If, Parallel, DoWhile, Abort, Suspend, Scope };
  Kind kind = Kind::Nothing;
  Place place;
  std::vector<KernelStatementPtr>
      parts; ///< Sequence, Parallel: any number; If: then and else; others: the body
  ExprPtr condition = nullptr;
  bool weak = false, immediate = false;
  Target label; ///< Pause; immediate Suspend: where it waits to be started. A cell, or no variable
  Target target;
  bool delayed = false;
  ExprPtr value = nullptr;
  Assertion check;         ///< Check
  std::vector<int> locals; ///< Scope: variables of which every start of the body makes new ones
};

/// A module: its body, and its interface, locals and labels as variables of a system without actions.
struct Module {
  SystemBuilder builder;
  KernelStatementPtr body;
};

/// The last module in the first of `sources`, with those it instantiates; files that are imported are added
/// to the sources. Throws Error.
Module parseQuartz(Sources& sources);

} // namespace warploom::sync
