// Comprehensive optimisation: which form of a code fragment is taken under which conditions on the machine
// and on block sizes. The algorithm of quintuples (code, strategies taken and left, counters to evaluate,
// conditions), which accepts what a counter finds, or refuses it and takes a strategy that improves it.
#pragma once

#include "cases/Questions.h"

#include <memory>
#include <stdexcept>

namespace warploom::cases {

/// An amount that may be a fraction: over / under, with under > 0.
struct Amount {
  Polynomial over, under = Polynomial(1);
  std::string text() const;
};

/// A code fragment in one of its forms.
class Code {
public:
  virtual ~Code() = default;
  /// What the counter of this number finds.
  virtual Amount amount(std::size_t counter) const = 0;
  /// The form that the strategy of this number makes of it; null where it has nothing to do.
  virtual std::shared_ptr<const Code> applied(std::size_t strategy) const = 0;
  /// The form in words; two forms with the same words are the same code.
  virtual std::string text() const = 0;
};

/// A resource of which code needs some amount, at most `limit`; or, with `isPerformance`, a measure that
/// should reach `limit`.
struct Counter {
  std::string name;
  Polynomial limit;                    ///< a symbol, or a number where the device is known
  std::vector<std::size_t> strategies; ///< that improve it, in the order in which they are tried
  std::string acceptCode;              ///< for the log
  bool isPerformance = false;
  bool isWish = false; ///< where nothing is left that improves it, the code is taken as it is
};

struct Strategy {
  std::string name;
  std::string code; ///< for the log
  /// It costs nothing, and so is taken at the end where it was not needed before.
  bool isFree = false;
};

struct Discussion {
  std::vector<Counter> counters; ///< resources first
  std::vector<Strategy> strategies;
  Facts facts; ///< of the parameters
  /// What the log says where code is accepted with what `whenLogged` has accepted.
  std::string keptCode, whenLogged;
  std::size_t mostNodes = 2000;
};

/// The tree would have more nodes than were allowed.
class TreeTooLarge : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// One leaf as the algorithm finds it.
struct Leaf {
  std::shared_ptr<const Code> code; ///< null: no code satisfies these conditions
  System condition;
  std::vector<std::string> log;
  std::size_t theCase = 0; ///< in CaseTree::cases, where there is code
};

/// One form of the code, and where it is taken: one of `conditions` holds, and no two of them together.
struct Case {
  std::shared_ptr<const Code> code;
  std::vector<System> conditions;
  std::vector<std::vector<std::string>> logs; ///< of its leaves, in order
};

/// A node: what was asked there, and what follows from either answer.
struct Node {
  std::string question;  ///< `registers: 9`; empty at a leaf
  std::string condition; ///< on the edge to it
  std::string strategy;  ///< taken on the way to it, where the answer was no
  bool isAccepted = true;
  std::optional<std::size_t> leaf;
  std::vector<Node> children;
};

struct CaseTree {
  Discussion discussion;
  Node root;
  std::vector<Leaf> leaves;
  std::vector<Case> cases;
  std::vector<System> none; ///< where there is no code
  std::size_t nodes = 0, height = 0;
  unsigned open = 0; ///< questions that Z3 left open; the branches were kept
};

/// The tree for `code`. Throws TreeTooLarge.
CaseTree discuss(const Discussion& discussion, std::shared_ptr<const Code> code);

} // namespace warploom::cases
