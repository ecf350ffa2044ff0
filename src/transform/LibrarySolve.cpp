#include "transform/LibrarySolve.h"

#include "support/IslC.h"
#include "support/Piecewise.h"
#include "transform/Boxes.h"
#include "transform/LibraryEquations.h"
#include "transform/Schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

namespace {

/// Without the names of its tuples.
isl::map plain(const isl::map& map) {
  return own(isl_map_reset_tuple_id(isl_map_reset_tuple_id(map.copy(), isl_dim_in), isl_dim_out));
}
isl::set plain(const isl::set& set) {
  return own(isl_set_reset_tuple_id(set.copy()));
}

/// The outputs of `map` from `first` on, `count` of them.
isl::map outputs(const isl::map& map, unsigned first, unsigned count) {
  const auto all = static_cast<unsigned>(isl_map_dim(map.get(), isl_dim_out));
  isl_map* rest = isl_map_project_out(map.copy(), isl_dim_out, first + count, all - first - count);
  return own(isl_map_project_out(rest, isl_dim_out, 0, first));
}

/// { x -> [first(x), second(x)] }
isl::map beside(const isl::map& first, const isl::map& second) {
  return own(isl_map_flat_range_product(first.copy(), second.copy()));
}

class SolveFinder : private LibraryEquations {
public:
  SolveFinder(const ScheduleState& state, const std::string& loop) : LibraryEquations(state, loop) {}

  std::optional<std::variant<LibraryCall, Refusal>> find() {
    try {
      readEquations();
      findSum();
      if (!isSolve) return std::nullopt;
      findParts();
      findGeometry();
      checkOrder();
      return call();
    } catch (const Refusal& refusal) {
      if (!isSolve) return std::nullopt;
      return refusal;
    }
  }

private:
  const Statement& statementOf(const Equation& equation) const {
    return region.statements[equation.statement];
  }
  int lineOf(const Equation& equation) const { return static_cast<int>(statementOf(equation).range.line); }

  // Which statement is which.

  /// Finds the sum: t -= a x, where t is an element of the result x, or a scalar from which it is made.
  void findSum() {
    for (const Equation& one : equations) {
      if (one.rows) continue;
      const bool adds = std::any_of(one.terms.begin(), one.terms.end(), [&](const Term& term) {
        return term.factors.size() == 1 && sameExpr(*term.factors[0], *one.target);
      });
      if (adds && !sum) sum = &one;
    }
    if (!sum) return;
    const Split parts = split(*sum, *sum->target);
    if (!parts.old.isOne() || parts.added.size() != 1 || parts.added[0].operands.size() != 2 ||
        !parts.added[0].by.factors.empty())
      return;
    const int target = arrayOf(*sum, *sum->target);
    const bool isInScalar = region.arrays[target].isScalar();
    for (const Equation& one : equations) {
      const int array = arrayOf(one, *one.target);
      if (isInScalar ? !region.arrays[array].isScalar() : array == target) solution = array;
    }
    if (solution < 0) return;
    const AccessRef left = operandOf(*sum, *parts.added[0].operands[0]),
                    right = operandOf(*sum, *parts.added[0].operands[1]);
    const bool isLeft = left.in(region).array == solution, isRight = right.in(region).array == solution;
    if (isLeft == isRight) return;
    read = isLeft ? left : right;
    matrix = isLeft ? right : left;
    isAdded = !parts.added[0].by.negated;
    scalar = isInScalar ? target : -1;
    isSolve = true;
  }

  /// Finds the statements that begin and end the sum.
  void findParts() {
    const Equation* begin = nullptr;
    for (const Equation& one : equations) {
      if (&one == sum) continue;
      const int array = arrayOf(one, *one.target);
      if (array == scalar && !begin) {
        begin = &one;
      } else if (array == solution && isQuotient(one) && !end) {
        end = &one;
      } else if (array == solution && scalar >= 0 && !end) {
        end = &one;
      } else if (array == solution && scalar < 0 && !begin) {
        begin = &one;
      } else {
        refuse(fmt::format("line {} is no part of a triangular solve", lineOf(one)));
      }
    }
    if (scalar >= 0) {
      findScalar(begin);
    } else {
      if (isAdded) refuse("what other sums made is added, and not subtracted");
      if (end) findDiagonal(*end);
      if (begin) findStart(*begin, split(*begin, *begin->target));
    }
    checkArray(solution, type);
    checkArray(matrix.in(region).array, type);
    if (memoryOf(region, matrix.in(region).array) == memoryOf(region, solution))
      refuse("the matrix is what is solved for");
  }

  static bool isQuotient(const Equation& equation) {
    return equation.terms.size() == 1 && !equation.terms[0].negated &&
           equation.terms[0].factors.size() == 1 &&
           equation.terms[0].factors[0]->kind == Expr::Kind::Binary &&
           equation.terms[0].factors[0]->text == "/";
  }
  /// What `equation`, if it is a quotient, divides; else the equation itself.
  Equation numeratorOf(const Equation& equation) {
    if (!isQuotient(equation)) return equation;
    const Expr& quotient = *equation.terms[0].factors[0];
    const Expr& by = *quotient.operands[1];
    if (by.kind != Expr::Kind::Access) refuse(fmt::format("`{}` is no element of the matrix", exprText(by)));
    diagonal = operandOf(equation, by);
    if (diagonal->in(region).array != matrix.in(region).array)
      refuse(fmt::format("`{}` is no element of the matrix", exprText(by)));
    return {equation.statement, equation.target, termsOf(quotient.operands[0], type), {}};
  }

  /// x = x / a
  void findDiagonal(const Equation& equation) {
    const Equation over = numeratorOf(equation);
    if (over.terms.size() != 1 || over.terms[0].negated || over.terms[0].factors.size() != 1 ||
        !sameExpr(*over.terms[0].factors[0], *over.target))
      refuse(fmt::format("line {} does more than to divide", lineOf(equation)));
  }

  /// s = b; s -= a x; x = s / a, and its like.
  void findScalar(const Equation* begin) {
    if (!end) refuse("the sum is not stored");
    const Equation over = numeratorOf(*end);
    const Split stored = split(over, *over.target);
    if (!begin) begin = beginningElsewhere();
    const std::vector<int>&outer = statementOf(*end).loops, &inner = statementOf(*sum).loops;
    if (statementOf(*begin).loops != outer || inner.size() != outer.size() + 1 ||
        !std::equal(outer.begin(), outer.end(), inner.begin()) ||
        !(begin->statement < sum->statement && sum->statement < end->statement))
      refuse("the sum is not begun, added to and stored by the same loops");
    if (region.arrays[scalar].liveAfter) refuse("the sum is used afterwards");
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
      for (const Access& access : region.statements[s].accesses)
        if (access.array == scalar && access.kind != Access::Kind::Kill && s != begin->statement &&
            s != sum->statement && s != end->statement)
          refuse(fmt::format("line {} uses `{}`, too", region.statements[s].range.line,
                             region.arrays[scalar].name));
    if (!plain(instancesOf(end->statement)).is_subset(plain(region.statements[begin->statement].domain)))
      refuse("the sum is not begun where it is stored");
    // The sum, with its sign, and what else there is.
    std::optional<bool> isNegated;
    Split rest;
    rest.old = stored.old;
    for (const Scaled& one : stored.added) {
      const bool isSum = one.operands.size() == 1 && arrayOf(over, *one.operands[0]) == scalar;
      if (isSum && (isNegated || !one.by.factors.empty())) refuse("the sum is multiplied");
      if (isSum)
        isNegated = one.by.negated;
      else
        rest.added.push_back(one);
    }
    if (!isNegated) refuse("the sum is not stored");
    if (isAdded != *isNegated) refuse("what other sums made is added, and not subtracted");
    const Split begun = split(*begin, *begin->target);
    const bool beginsWithNothing = begun.old.isZero && begun.added.empty();
    const bool addsNothing = rest.old.isZero && rest.added.empty();
    if (addsNothing && *isNegated && !beginsWithNothing) refuse("what the sum begins with is subtracted");
    if (!addsNothing && !beginsWithNothing) refuse("several things are added to the sum");
    if (addsNothing)
      findStart(*begin, begun);
    else
      findStart(over, rest);
  }

  /// The statement outside this loop that gives the scalar its first values.
  const Equation* beginningElsewhere() {
    for (int s = 0; s < sum->statement; ++s) {
      const Statement& statement = region.statements[s];
      const bool writes =
          std::any_of(statement.accesses.begin(), statement.accesses.end(),
                      [&](const Access& access) { return access.array == scalar && access.writes(); });
      if (!writes) continue;
      if (statement.kind != Statement::Kind::Assign || !statement.guards.empty() || elsewhere)
        refuse("how the sum begins is not known");
      elsewhere = equationOf(s, *statement.body);
    }
    if (!elsewhere) refuse("how the sum begins is not known");
    return &*elsewhere;
  }

  /// Finds what the result begins with in `equation`, of which `parts` are what is no sum.
  void findStart(const Equation& equation, const Split& parts) {
    startOf = equation.statement;
    if (!parts.old.isZero) {
      if (!parts.old.isOne() || !parts.added.empty()) refuse("the old value and something else are added");
      return; // x = x
    }
    if (parts.added.size() != 1 || parts.added[0].operands.size() > 1)
      refuse("several things are added to the sum");
    start = parts.added[0].by;
    if (parts.added[0].operands.empty()) return;
    const AccessRef from = operandOf(equation, *parts.added[0].operands[0]);
    const int array = from.in(region).array;
    if (from.statement != equation.statement &&
        region.statements[from.statement].loops != statementOf(equation).loops)
      refuse(fmt::format("`{}` is read elsewhere", from.in(region).text));
    startFrom = from;
    if (elsewhere) checkStillThere(from);
    if (memoryOf(region, array) == memoryOf(region, solution)) {
      if (array != solution || !start->isOne())
        refuse("the sum begins with something else than the old value");
      return; // geometry tells whether it is that element
    }
    checkArray(array, type);
  }

  /// Refuses elements that `from`, before this loop, has read, and that anything but its end writes later.
  void checkStillThere(AccessRef from) const {
    const isl::map reads = from.in(region).map.intersect_domain(region.statements[from.statement].domain);
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
      for (const Access& access : region.statements[s].accesses) {
        if (!access.writes() || s == end->statement ||
            memoryOf(region, access.array) != memoryOf(region, from.in(region).array))
          continue;
        const isl::map writes = access.map.intersect_domain(region.statements[s].domain);
        if (access.array != from.in(region).array || !isBefore(writes.apply_range(reads.reverse())))
          refuse(fmt::format("`{}` is written, too", from.in(region).text));
      }
  }

  // Where its elements are. Rows and columns of the matrix are counted by the subscript of the result that
  // they are of: p is that of what is solved for, q that of what is known, c the right-hand side.

  isl::map elementsOf(AccessRef ref) const { return plain(ref.in(region).map); }

  AccessRef targetOf(const Equation& equation) const { return refOf(equation, *equation.target); }

  void findGeometry() {
    const isl::set sums = plain(instancesOf(sum->statement));
    const auto depth = static_cast<unsigned>(statementOf(*sum).loops.size());
    isl::map written = scalar < 0 ? elementsOf(targetOf(*sum)) : elementsOf(targetOf(*end));
    if (scalar >= 0) { // the statement that ends has the loops of the sum, but for the innermost
      isl_map* around = isl_set_identity(isl_set_universe(isl_set_get_space(sums.get())));
      written = own(isl_map_project_out(around, isl_dim_out, depth - 1, 1)).apply_range(written);
    }
    const auto into = subscriptsOf(written, sums), from = subscriptsOf(elementsOf(read), sums);
    const auto inMatrix = subscriptsOf(elementsOf(matrix), sums);
    const auto rank = static_cast<unsigned>(into.size());
    int rows = -1, terms = -1;
    for (unsigned level = 0; level < depth; ++level) {
      const bool isFixed =
          own(isl_pw_aff_is_equal(own(isl_set_dim_min(sums.copy(), static_cast<int>(level))).get(),
                                  own(isl_set_dim_max(sums.copy(), static_cast<int>(level))).get()));
      if (isFixed) continue;
      const bool isIn = moves(into, level), isFrom = moves(from, level), isOfMatrix = moves(inMatrix, level);
      int* role = isIn && !isFrom && isOfMatrix   ? &rows
                  : !isIn && isFrom && isOfMatrix ? &terms
                  : isIn && isFrom && !isOfMatrix ? &columns
                                                  : nullptr;
      if (!role || *role >= 0) refuse("its loops are not those of a triangular solve");
      *role = static_cast<int>(level);
    }
    if (rows < 0 || terms < 0) refuse("its loops are not those of a triangular solve");
    for (unsigned d = 0; d < rank; ++d) {
      const bool isRow = step(into, d, rows) != 0, isTerm = step(from, d, terms) != 0;
      const bool isColumn = columns >= 0 && step(into, d, columns) != 0;
      const bool isSame =
          own(isl_aff_plain_is_equal(into.at(static_cast<int>(d)).get(), from.at(static_cast<int>(d)).get()));
      if (isRow && isTerm && !isColumn && row < 0)
        row = static_cast<int>(d);
      else if (isRow || isTerm || !isSame)
        refuse("rows of the result do not follow one another");
    }
    if (row < 0 || std::abs(step(into, static_cast<unsigned>(row), rows)) != 1 ||
        std::abs(step(from, static_cast<unsigned>(row), terms)) != 1)
      refuse("rows of the result do not follow one another");
    const isl::map p = outputs(written, static_cast<unsigned>(row), 1),
                   q = outputs(elementsOf(read), static_cast<unsigned>(row), 1);
    sumRow = withColumn(p, sums).intersect_domain(sums);
    sumTerm = withColumn(q, sums).intersect_domain(sums);
    const isl::map all = beside(p, *sumTerm).intersect_domain(sums); // [p, q, c]
    if (!own(isl_map_is_injective(all.get()))) refuse("terms are added twice");
    const isl::set found = all.range();
    if (end) {
      const isl::set ends = plain(instancesOf(end->statement));
      endRow = withColumn(outputs(elementsOf(targetOf(*end)), static_cast<unsigned>(row), 1), ends)
                   .intersect_domain(ends);
      if (!own(isl_map_is_injective(endRow->get()))) refuse("results are stored twice");
      results = endRow->range();
    } else {
      results = sumRow->range().unite(sumTerm->range());
    }
    const isl::set box = boxOf(*results);
    if (!results->is_equal(box))
      refuse("loops have other bounds in different iterations of others, or steps");
    results = box;
    const isl::set rowsAndTerms = pairsOf(box);
    const isl::set below = rowsAndTerms.intersect(compared(found, false)),
                   above = rowsAndTerms.intersect(compared(found, true));
    known =
        results->params().intersect(region.context).intersect(state.assumed()).intersect(state.conditions());
    if (found.intersect_params(*known).is_equal(below.intersect_params(*known)))
      triangle.isUpper = false;
    else if (found.intersect_params(*known).is_equal(above.intersect_params(*known)))
      triangle.isUpper = true;
    else
      refuse("what is read of the matrix is no triangle without its diagonal");
    triangle.isUnit = !diagonal;
    // Elements of the matrix for all rows and columns, as subscripts say it for the triangle.
    const auto ofMatrix = subscriptsOf(all.reverse().apply_range(elementsOf(matrix)), found);
    const isl::map entries = own(isl_map_from_multi_aff(ofMatrix.copy()));
    for (unsigned d = 0; d < static_cast<unsigned>(ofMatrix.size()); ++d)
      matrixSteps.push_back({step(ofMatrix, d, 0), 0, step(ofMatrix, d, 1), 0});
    const isl::map diagonals = diagonalOf(box).apply_range(entries);
    if (diagonal) {
      const isl::map divided = endRow->reverse().apply_range(elementsOf(*diagonal));
      if (!divided.is_equal(diagonals)) refuse("what is divided by is not the diagonal");
    }
    const isl::set corner = own(isl_set_lexmin(box.copy()));
    place(matrixOperand, matrix, corner.apply(diagonals), matrixSteps);
    // The result, and what it begins with.
    const isl::map resultAt =
        end ? endRow->reverse().apply_range(elementsOf(targetOf(*end)))
            : sumRow->reverse().apply_range(written).unite(sumTerm->reverse().apply_range(elementsOf(read)));
    checkElements(resultAt);
    place(resultOperand, end ? targetOf(*end) : targetOf(*sum), corner.apply(resultAt),
          stepsOf(resultAt, box));
    if (startFrom) {
      const isl::map at = startRow().apply_range(elementsOf(*startFrom)).intersect_domain(box);
      if (!own(isl_map_is_single_valued(at.get())) || !box.is_subset(at.domain()))
        refuse("the sum begins with several elements");
      if (startFrom->in(region).array == solution) {
        if (!at.is_equal(resultAt)) refuse("the sum begins with something else than the old value");
        start.reset();
        startFrom.reset();
      } else {
        startOperand.emplace();
        place(*startOperand, *startFrom, corner.apply(at), stepsOf(at, box));
      }
    }
    counts[LibraryCall::Rows] = countOf(box, 0);
    if (columns >= 0) counts[LibraryCall::Columns] = countOf(box, 1);
  }

  /// Refuses statements to which a row and a column are another element of the result than `resultAt`, and
  /// what says of others than these what they begin with.
  void checkElements(const isl::map& resultAt) const {
    auto isPart = [&](const isl::map& at) { return at.intersect_params(*known).is_subset(resultAt); };
    const bool agree = own(isl_map_is_single_valued(resultAt.get())) &&
                       isPart(sumTerm->reverse().apply_range(elementsOf(read))) &&
                       (scalar >= 0 || isPart(sumRow->reverse().apply_range(elementsOf(targetOf(*sum)))));
    if (!agree) refuse("its statements differ in which columns elements are of");
    if (scalar >= 0 || !start) return;
    const isl::map begun = startRow().apply_range(elementsOf(targetOf(*startEquation())));
    if (!begun.intersect_params(*known).is_equal(resultAt.intersect_params(*known)))
      refuse("what it begins with is not said of the elements that it solves for");
  }

  /// What says what the result begins with.
  const Equation* startEquation() const {
    const auto found = std::find_if(equations.begin(), equations.end(),
                                    [&](const Equation& one) { return one.statement == *startOf; });
    return &*found;
  }

  /// { [p, c] -> instances } of the statement that says what the result begins with.
  isl::map startRow() const {
    if (scalar >= 0) return endRow->reverse(); // it has the same loops
    const isl::set begins = plain(instancesOf(*startOf));
    return withColumn(outputs(elementsOf(targetOf(*startEquation())), static_cast<unsigned>(row), 1), begins)
        .intersect_domain(begins)
        .reverse();
  }

  /// { i -> [p, c] } for { i -> [p] }, where i are the instances `of` a statement in the loops of the sum.
  isl::map withColumn(const isl::map& rows, const isl::set& of) const {
    if (columns < 0) return rows;
    isl_map* indices = isl_set_identity(isl_set_universe(isl_set_get_space(of.get())));
    return beside(rows, outputs(own(indices), static_cast<unsigned>(columns), 1));
  }

  isl::multi_aff subscriptsOf(const isl::map& reached, const isl::set& instances) const {
    const auto result = affineSubscripts(reached.intersect_domain(instances));
    if (!result) refuse("its elements are not subscripted by loops");
    return *result;
  }
  static long step(const isl::multi_aff& subscripts, unsigned d, int level) {
    return own(isl_aff_get_coefficient_val(subscripts.at(static_cast<int>(d)).get(), isl_dim_in, level))
        .num_si();
  }
  static bool moves(const isl::multi_aff& subscripts, unsigned level) {
    for (unsigned d = 0; d < static_cast<unsigned>(subscripts.size()); ++d)
      if (step(subscripts, d, static_cast<int>(level)) != 0) return true;
    return false;
  }
  std::vector<std::array<long, 4>> stepsOf(const isl::map& at, const isl::set& box) const {
    const isl::multi_aff subscripts = subscriptsOf(at, box);
    std::vector<std::array<long, 4>> steps;
    for (unsigned d = 0; d < static_cast<unsigned>(subscripts.size()); ++d)
      steps.push_back({step(subscripts, d, 0), columns < 0 ? 0 : step(subscripts, d, 1), 0, 0});
    return steps;
  }

  /// The smallest box around `set`.
  static isl::set boxOf(const isl::set& set) {
    isl::set box = own(isl_set_universe(isl_set_get_space(set.get()))).intersect_params(set.params());
    for (int k = 0; k < static_cast<int>(isl_set_dim(set.get(), isl_dim_set)); ++k) {
      isl_local_space* local = isl_local_space_from_space(isl_set_get_space(set.get()));
      const isl::pw_aff value =
          own(isl_pw_aff_from_aff(isl_aff_var_on_domain(local, isl_dim_set, static_cast<unsigned>(k))));
      auto onPoints = [&](isl_pw_aff* bound) {
        return own(isl_pw_aff_insert_domain(bound, isl_set_get_space(set.get())));
      };
      box = box.intersect(value.ge_set(onPoints(isl_set_dim_min(set.copy(), k))))
                .intersect(value.le_set(onPoints(isl_set_dim_max(set.copy(), k))));
    }
    return box;
  }

  /// { [p, q, c] } for which [p, c] and [q, c] are in `box`.
  static isl::set pairsOf(const isl::set& box) {
    isl_set* rows = isl_set_insert_dims(box.copy(), isl_dim_set, 1, 1);
    isl_set* terms = isl_set_insert_dims(box.copy(), isl_dim_set, 0, 1);
    return own(isl_set_intersect(rows, terms));
  }
  /// { [p, q, c] : q > p }, or q < p, in the space of `like`.
  static isl::set compared(const isl::set& like, bool isAbove) {
    isl_constraint* difference =
        isl_constraint_alloc_inequality(isl_local_space_from_space(isl_set_get_space(like.get())));
    difference = isl_constraint_set_coefficient_si(difference, isl_dim_set, isAbove ? 1 : 0, 1);
    difference = isl_constraint_set_coefficient_si(difference, isl_dim_set, isAbove ? 0 : 1, -1);
    difference = isl_constraint_set_constant_si(difference, -1);
    return own(isl_set_add_constraint(isl_set_universe(isl_set_get_space(like.get())), difference));
  }
  /// { [p, c] -> [p, p, c] } for `box`.
  static isl::map diagonalOf(const isl::set& box) {
    const isl::map same = own(isl_set_identity(box.copy()));
    return beside(outputs(same, 0, 1), same);
  }

  isl::pw_aff countOf(const isl::set& box, int k) const {
    const isl::pw_aff least = own(isl_set_dim_min(box.copy(), k)),
                      greatest = own(isl_set_dim_max(box.copy(), k));
    return simplified(greatest.sub(least).add_constant(1), *known);
  }

  void place(LibraryOperand& operand, AccessRef access, const isl::set& element,
             const std::vector<std::array<long, 4>>& steps) const {
    operand.access = access;
    operand.array = access.in(region).array;
    operand.steps = steps;
    operand.foldedSteps.resize(steps.size());
    for (int k = 0; k < static_cast<int>(steps.size()); ++k)
      operand.first.push_back(simplified(own(isl_set_dim_min(element.copy(), k)), *known));
  }

  // Whether the loops come to all of this in the right order.

  void checkOrder() const {
    // What is read is there: results end before others read them, and all of a sum is added before it ends.
    if (end) {
      check(end->statement, *endRow, sum->statement, *sumTerm, "results are read before they are there");
      check(sum->statement, *sumRow, end->statement, *endRow, "something is added to results that are there");
    } else {
      check(sum->statement, *sumRow, sum->statement, *sumTerm, "results are read before they are there");
    }
    if (scalar < 0 && startOf) {
      const isl::map begins = startRow().reverse();
      check(*startOf, begins, sum->statement, *sumRow, "the sum does not begin before it is added to");
      if (end)
        check(*startOf, begins, end->statement, *endRow, "the sum does not begin before it is added to");
    }
  }

  /// Refuses for `reason` where an instance of a statement does not come before one of another that has the
  /// same row and right-hand side.
  void check(int earlier, const isl::map& its, int later, const isl::map& others, const char* reason) const {
    auto named = [&](int s, const isl::map& map) {
      isl_id* id = isl_set_get_tuple_id(region.statements[s].domain.get());
      return own(isl_map_set_tuple_id(map.copy(), isl_dim_in, id));
    };
    const isl::map pairs = named(earlier, its).apply_range(named(later, others).reverse());
    if (!isBefore(pairs)) refuse(reason);
  }

  /// True when in `pairs` of instances the first comes before the second.
  bool isBefore(const isl::map& pairs) const {
    const isl::union_map order = originalOrder(region);
    const isl::union_map times = isl::union_map(pairs).apply_domain(order).apply_range(order);
    if (times.is_empty()) return true;
    const isl::map all = own(isl_map_from_union_map(times.copy()));
    return all.is_subset(own(isl_map_lex_lt(isl_set_get_space(all.domain().get()))));
  }

  LibraryCall call() const {
    LibraryCall result{columns < 0 ? "trsv" : "trsm",
                       {},
                       sum->statement,
                       matrixOperand,
                       resultOperand,
                       {},
                       {},
                       Coefficient{true, false, {}, -1},
                       {},
                       {},
                       counts,
                       {},
                       results->params().gist(region.context).coalesce(),
                       {},
                       start,
                       startOperand,
                       triangle};
    return result;
  }

  bool isSolve = false;          ///< a sum has terms that other sums made
  const Equation* sum = nullptr; ///< what adds
  const Equation* end = nullptr; ///< what divides, or stores
  std::optional<Equation> elsewhere;
  bool isAdded = false;           ///< the sum, and not its negative
  int solution = -1, scalar = -1; ///< arrays; the second one of the sum, where it has one of its own
  AccessRef read, matrix;         ///< of the sum
  std::optional<AccessRef> diagonal, startFrom;
  std::optional<Coefficient> start;
  std::optional<int> startOf; ///< the statement that says what results begin with

  int columns = -1,
      row = -1; ///< the loop of the right-hand sides; the subscript of the result that is the row
  /// { i -> [p, c] } and { i -> [q, c] } of the sum, and the first of what ends it.
  std::optional<isl::map> sumRow, sumTerm, endRow;
  std::optional<isl::set> results, known; ///< { [p, c] }
  std::vector<std::array<long, 4>> matrixSteps;
  Triangle triangle;
  LibraryOperand matrixOperand, resultOperand;
  std::optional<LibraryOperand> startOperand;
  std::array<isl::pw_aff, LibraryCall::roles> counts = {constant(1), constant(1), constant(1), constant(1)};
};

} // namespace

std::optional<std::variant<LibraryCall, Refusal>> librarySolve(const ScheduleState& state,
                                                               const std::string& loop) {
  return SolveFinder(state, loop).find();
}

} // namespace warploom
