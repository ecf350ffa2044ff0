// Lustre programs as their parser leaves them: nodes of declarations and equations, nothing of which is
// checked yet.
#pragma once

#include "sync/model/Error.h"
#include "sync/model/Expr.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warploom::sync {

struct LustreTerm;
using LustreTermPtr = const LustreTerm*;

/// `c`, or `not c`: when something is there.
struct ClockName {
  std::string variable;
  bool positive = true;
  Place place;
};

/// An expression. Lists stand for several flows at once.
struct LustreTerm {
  enum class Kind {
    Literal,
    Name,
    Call,
    Operator, ///< `op` applied to the parts
    Implies,
    List,
    Arrow,   ///< the first part in the first step, the second one later
    Pre,     ///< the part's value of the step before
    Fby,     ///< Arrow of the first part, and Pre of the second
    When,    ///< the part where `clock` holds
    Current, ///< the part's last value
    RealOf   ///< an integer as a real
  };
  Kind kind = Kind::Literal;
  Place place;
  int depth = 1;             ///< on the longest path down; bounded, so that recursion is safe
  std::string name;          ///< Name, Call
  ExprPtr literal = nullptr; ///< Literal
  Expr::Op op = Expr::Op::Add;
  std::vector<LustreTermPtr> parts;
  ClockName clock; ///< When
};

struct LustreDeclaration {
  std::string name;
  ScalarType type;
  std::optional<ClockName> clock; ///< none: the node's own
  Place place;
};

struct LustreEquation {
  std::vector<std::pair<std::string, Place>> left;
  LustreTermPtr right = nullptr;
  Place place;
};

struct LustreAssertion {
  LustreTermPtr condition = nullptr;
  bool assumed = false;
  Place place;
};

struct LustreNode {
  std::string name;
  Place place;
  bool isMain = false; ///< marked as the one to be compiled
  std::vector<LustreDeclaration> inputs, outputs, locals;
  std::vector<LustreEquation> equations;
  std::vector<LustreAssertion> assertions;
};

struct LustreConstant {
  std::string name;
  std::optional<ScalarType> type;
  LustreTermPtr value = nullptr;
  Place place;
};

/// A file: names of nodes, and those of constants, are unique; constants refer to earlier ones.
struct LustreProgram {
  std::deque<LustreTerm> terms; ///< owns them all
  std::vector<LustreConstant> constants;
  std::vector<LustreNode> nodes;
  std::map<std::string, std::size_t, std::less<>> byName;
};

/// Throws Error. `text` need not outlive the result.
LustreProgram parseLustre(const std::string& text);

/// The only integer type of Lustre: 32 bits.
inline constexpr ScalarType lustreInt{ScalarType::Base::Int, std::int64_t(1) << 31};
/// `int`, `bool` or `real`.
const char* lustreName(const ScalarType& type);

} // namespace warploom::sync
