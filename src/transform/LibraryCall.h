// Kernels, and loops of the host, that a library of linear algebra could stand in for: which products and
// triangular solves they are.
#pragma once

#include "analysis/AccessRef.h"
#include "model/Expr.h"
#include "transform/LoopTree.h"
#include "transform/Step.h"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warploom {

class ScheduleState;

/// A number that does not change while a kernel runs: the product of `factors`, literals and scalars that
/// nothing writes, with a sign; of no factors 1.
struct Coefficient {
  bool isZero = false;
  bool negated = false;
  std::vector<ExprPtr> factors;
  int statement = -1; ///< whose accesses the scalars among `factors` are

  bool isOne() const { return !isZero && !negated && factors.empty(); }
};

/// The elements of an operand, which loops of a product move.
struct LibraryOperand {
  AccessRef access;
  int array = -1;
  std::vector<isl::pw_aff> first; ///< subscripts of the first element, over parameters and loops of the host
  std::vector<std::array<long, 4>>
      steps; ///< per subscript: how far an iteration of each role's loop moves it
  std::vector<std::vector<long>> foldedSteps; ///< the same for the loops of LibraryCall::folded
};

/// The matrix of a product of sparse rows: arrays of the region, whose first elements count as 0.
struct SparseRows {
  int columns = -1, values = -1;
  int vector = -1; ///< what the matrix is multiplied by
};

/// Which half of a matrix is read, and whether its diagonal is ones.
struct Triangle {
  bool isUpper = false, isUnit = false;
};

/// c[i][j] = alpha * (the sum over k of a[i][k] * b[k][j]) + beta * c[i][j]: all that the kernel does to
/// memory that anybody reads later. Each of the loops over i, j, k and over many such products may be
/// missing, where it makes no sense to call it that; without `b`, c[i] = alpha * a[i] + c[i], or, with
/// `sparse`, c[i] = alpha * (the sum over k from a[i] to before a[i + 1] of values[k] * vector[columns[k]]) +
/// beta * c[i]. With `start` the results begin with something else than themselves: beta is then 0, and
/// start * d[i][j] is added, or start alone where there is no `d`. With `triangle` it is c with a c = what c
/// begins with, of which the columns may be missing: the rows of `a` are Rows, its columns Terms.
struct LibraryCall {
  enum Role { Rows, Columns, Terms, Batch };
  static constexpr std::size_t roles = 4;

  std::string
      operation; ///< as BLAS calls it: gemm, gemv, ger, dot, axpy, trsv, trsm, `batched gemm`, `sparse gemv`
  LibraryUse use = LibraryUse::Auto;
  int product = -1;    ///< the statement that adds the products
  LibraryOperand a, c; ///< c: of the statement that writes the results
  std::optional<LibraryOperand> b;
  Coefficient alpha, beta;
  Coefficient further; ///< another factor of alpha, from the statement that writes the results
  std::array<std::optional<std::size_t>, roles> levels; ///< the loop of each role around `product`
  std::array<isl::pw_aff, roles> counts;                ///< how many iterations it has; 1 where there is none
  /// Another loop of a role, around the one that was found before: together they are one, where an iteration
  /// of it moves every element as far as all iterations of that one.
  struct Folded {
    Role role;
    std::size_t level;
    isl::pw_aff count;
  };
  std::vector<Folded> folded; ///< those of a role from the inside out
  isl::set applies;           ///< the parameters and loops of the host for which there is anything to add
  std::optional<SparseRows> sparse;
  std::optional<Coefficient> start;
  std::optional<LibraryOperand> d;
  std::optional<Triangle> triangle;
};

/// What the kernel whose outermost loop is called `loop` computes, or why it is no such product or solve; of
/// a loop of the host, which solve it and the kernels in it are.
std::variant<LibraryCall, Refusal> libraryCall(const ScheduleState& state, const std::string& loop);

} // namespace warploom
