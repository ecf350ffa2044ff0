// A nest of `meta_schedule` as plain values: loops, assignments, conditions and the expressions in them.
#pragma once

#include "support/Source.h"

#include <map>
#include <string>
#include <vector>

namespace warploom {

/// An expression. Casts between integers are left out, constant expressions are numbers.
struct NestExpr {
  enum class Op { Number, Variable, Add, Subtract, Multiply, Negate, Smaller, Access, Other };
  Op op = Op::Other;
  std::string name; ///< of a variable or an array; of anything else: the operator or the function
  long value = 0;   ///< of a number
  /// Operands; subscripts of an access, the first one first. Smaller is the smaller one of two.
  std::vector<NestExpr> operands;
  bool isInteger = true;
  SourceRange at; ///< with its parentheses where it has some
};

struct NestStatement {
  enum class Kind { Loop, Assign, If, Block };
  Kind kind = Kind::Block;
  SourceRange at;
  // Of a loop that counts from 0 to below `bound` in steps of 1:
  std::string counter;
  bool isParallel = false, declaresCounter = true;
  NestExpr bound;
  SourceRange header; ///< from its keyword to its body
  // Of an assignment:
  NestExpr target, value; ///< a scalar or an access; isInteger: an integer that has room for values of int
  bool declares = false;  ///< the target
  std::string operation;  ///< `+` of `+=`; empty: `=`
  // Of a condition: `value`; its body is where that holds.
  std::vector<NestStatement> body, otherwise;
};

/// What is known of an array that a nest uses.
struct NestArray {
  std::string name;
  unsigned elementSize = 0; ///< bytes
  std::string elementType;
  std::vector<std::string> extents; ///< variables in the sizes of its dimensions
};

struct DeviceNest {
  NestStatement loop;   ///< the outermost parallel one
  std::string unusable; ///< why it cannot be looked into; empty: it can
  SourceRange unusableAt;
  std::vector<std::string> outer;    ///< counters of the loops of the schedule around it
  std::vector<NestExpr> outerBounds; ///< of each: how often it runs; Other where that is not known
  std::map<std::string, NestArray> arrays;
  /// The scalars it reads and does not assign, with what they were initialised to where that is all that is
  /// ever assigned to them.
  std::map<std::string, NestExpr> definitions;
  /// Parameters of the function, and the number that all calls of the file give them. It is no more than
  /// likely that there are no other calls.
  std::map<std::string, long long> likely;
  std::vector<std::string> scalars; ///< that it reads and does not assign, all of them, in order
  std::map<std::string, std::string> scalarTypes;
};

} // namespace warploom
