#include "transform/LibraryCall.h"

#include "support/IslC.h"
#include "support/Piecewise.h"
#include "transform/LibraryEquations.h"
#include "transform/LibrarySolve.h"
#include "transform/Schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <map>
#include <set>

namespace warploom {

namespace {

class Finder : private LibraryEquations {
public:
  Finder(const ScheduleState& state, const std::string& loop) : LibraryEquations(state, loop) {}

  std::variant<LibraryCall, Refusal> find() {
    try {
      found.emplace(LibraryCall{{},
                                {},
                                -1,
                                {},
                                {},
                                {},
                                {},
                                {},
                                {},
                                {},
                                ones(),
                                {},
                                isl::set(islContext(), "{ : }"),
                                {},
                                {},
                                {},
                                {}});
      readEquations();
      findParts();
      findLoops();
      nameOperation();
      return *found;
    } catch (const Refusal& refusal) {
      return refusal;
    }
  }

private:
  static std::array<isl::pw_aff, LibraryCall::roles> ones() {
    return {constant(1), constant(1), constant(1), constant(1)};
  }

  // Which statement is which.

  void findParts() {
    if (equations.empty() || equations.size() > 3) refuse("there are too many statements");
    const bool usesScalar = equations.size() == 3;
    const Equation& adding = usesScalar ? equations[1] : equations.back();
    found->product = adding.statement;
    const Split sum = split(adding, *adding.target);
    if (!sum.old.isOne() || sum.added.size() != 1 || sum.added[0].operands.empty() ||
        sum.added[0].operands.size() > 2)
      refuse(fmt::format("line {} does not add a product of two elements",
                         region.statements[adding.statement].range.line));
    found->alpha = sum.added[0].by;
    if (adding.rows)
      findRows(adding, sum.added[0].operands);
    else
      found->a.access = operandOf(adding, *sum.added[0].operands[0]);
    if (!adding.rows && sum.added[0].operands.size() == 2)
      found->b = LibraryOperand{operandOf(adding, *sum.added[0].operands[1]), -1, {}, {}, {}};
    found->c.access = refOf(adding, *adding.target);
    found->beta = Coefficient{};
    domain = instancesOf(adding.statement);
    if (usesScalar)
      findScalar();
    else if (equations.size() == 2)
      findBeginning(equations[0]);
    for (LibraryOperand* operand : operands()) {
      operand->array = operand->access.in(region).array;
      const bool isFloats = !found->sparse || operand == &found->c;
      checkArray(operand->array, isFloats ? type : Type{Type::Kind::SignedInt, 32, ""});
    }
    if (found->start && !found->beta.isZero) refuse("the old value and something else are added");
    std::vector<int> read = {found->a.array};
    if (found->b) read.push_back(found->b->array);
    if (found->d) read.push_back(found->d->array);
    if (found->sparse)
      read.insert(read.end(), {found->sparse->columns, found->sparse->values, found->sparse->vector});
    for (int array : read)
      if (memoryOf(region, array) == memoryOf(region, found->c.array))
        refuse(fmt::format("`{}` is read and written", region.arrays[array].name));
  }

  /// Finds the matrix that a loop along its rows reads: `values[k] * vector[columns[k]]` for k from
  /// `starts[i]` to before `starts[i + 1]`.
  void findRows(const Equation& adding, const std::vector<ExprPtr>& factors) {
    const RowLoop& rows = *adding.rows;
    auto isCounted = [&](const Expr& access) {
      return access.kind == Expr::Kind::Access && access.operands.size() == 1 &&
             withoutWidening(*access.operands[0]).kind == Expr::Kind::Local &&
             withoutWidening(*access.operands[0]).text == rows.counter;
    };
    auto isGathered = [&](const Expr& access) {
      return access.operands.size() == 1 && isCounted(withoutWidening(*access.operands[0]));
    };
    if (factors.size() != 2) refuse("a row adds something else than products of two elements");
    const bool valuesFirst = isCounted(*factors[0]);
    const Expr &value = *factors[valuesFirst ? 0 : 1], &vector = *factors[valuesFirst ? 1 : 0];
    if (!isCounted(value) || !isGathered(vector)) refuse("a row is no list of values and their columns");
    const Expr &begin = withoutWidening(*rows.begin), &end = withoutWidening(*rows.end);
    if (begin.kind != Expr::Kind::Access || end.kind != Expr::Kind::Access)
      refuse("rows do not begin and end where an array says");
    found->a.access = operandOf(adding, begin);
    const Access &from = found->a.access.in(region), &to = operandOf(adding, end).in(region);
    auto subscripts = [](const Access& access) {
      return affineSubscripts(own(isl_map_reset_tuple_id(access.map.copy(), isl_dim_in)));
    };
    const auto first = subscripts(from), last = subscripts(to);
    const isl::val one(islContext(), 1);
    if (from.array != to.array || !from.exact || !to.exact || !first || !last || first->size() != 1 ||
        !last->at(0).sub(first->at(0)).is_cst() ||
        !own(isl_aff_get_constant_val(last->at(0).sub(first->at(0)).get())).eq(one))
      refuse("a row does not end where the next one begins");
    if (!refOf(adding, *adding.target).in(region).exact)
      refuse(fmt::format("`{}` reaches elements that data choose", exprText(*adding.target)));
    found->sparse = SparseRows{arrayOf(adding, withoutWidening(*vector.operands[0])), arrayOf(adding, value),
                               arrayOf(adding, vector)};
    checkArray(found->sparse->columns, Type{Type::Kind::SignedInt, 32, ""});
    checkArray(found->sparse->values, type);
    checkArray(found->sparse->vector, type);
  }

  std::vector<LibraryOperand*> operands() {
    std::vector<LibraryOperand*> all = {&found->a, &found->c};
    if (found->b) all.push_back(&*found->b);
    return all;
  }

  /// `s = beta c; s += a b; c = s`, and its like: the sum has a scalar of its own.
  void findScalar() {
    const Equation &begin = equations[0], &adding = equations[1], &end = equations[2];
    const int scalar = arrayOf(adding, *adding.target);
    if (!region.arrays[scalar].isScalar() || region.arrays[scalar].liveAfter ||
        arrayOf(begin, *begin.target) != scalar || arrayOf(end, *end.target) == scalar)
      refuse("the sum is not that of a scalar which nobody else uses");
    for (std::size_t s = 0; s < region.statements.size(); ++s)
      for (const Access& access : region.statements[s].accesses)
        if (access.array == scalar && access.kind != Access::Kind::Kill &&
            std::none_of(equations.begin(), equations.end(),
                         [&](const Equation& one) { return one.statement == static_cast<int>(s); }))
          refuse(fmt::format("line {} uses `{}`, too", region.statements[s].range.line,
                             region.arrays[scalar].name));
    const std::vector<int>&outer = region.statements[begin.statement].loops,
          &inner = region.statements[adding.statement].loops;
    const std::size_t own = adding.rows ? 0 : 1; // the loop of the sum
    if (region.statements[end.statement].loops != outer || inner.size() != outer.size() + own ||
        !std::equal(outer.begin(), outer.end(), inner.begin()) ||
        !(begin.statement < adding.statement && adding.statement < end.statement))
      refuse("the sum is not begun, added to and stored by the same loops");
    const isl::set points = warploom::own(isl_set_project_out(
        domain.copy(), isl_dim_set, static_cast<unsigned>(outer.size()), static_cast<unsigned>(own)));
    for (int s : {begin.statement, end.statement})
      if (!unnamed(instancesOf(s)).intersect_params(domain.params()).is_equal(unnamed(points)))
        refuse("the sum is not begun and stored where it is added to");
    Split stored = split(end, *end.target);
    auto isSum = [&](const Scaled& one) {
      return one.operands.size() == 1 && arrayOf(end, *one.operands[0]) == scalar;
    };
    if (stored.added.size() == 2 && isSum(stored.added[1])) std::swap(stored.added[0], stored.added[1]);
    if (stored.added.empty() || stored.added.size() > 2 || !isSum(stored.added[0]))
      refuse(fmt::format("line {} does more than to store the sum",
                         region.statements[end.statement].range.line));
    found->c.access = refOf(end, *end.target);
    found->further = stored.added[0].by;
    found->beta = stored.old;
    const Split begun = split(begin, *end.target);
    if (begun.added.size() + stored.added.size() > 2) refuse("several things are added to the sum");
    // The statements around the sum have the loops of its own, but for the innermost.
    isl::map around = warploom::own(isl_set_identity(domain.copy()));
    around = warploom::own(isl_map_project_out(
        around.release(), isl_dim_out, static_cast<unsigned>(outer.size()), static_cast<unsigned>(own)));
    if (stored.added.size() == 2) findStart(end, stored.added[1], around);
    if (!begun.added.empty()) {
      if (!found->further.isOne()) refuse("what the sum begins with is multiplied later");
      findStart(begin, begun.added[0], around);
    }
    if (begun.old.isZero) return;
    if (!stored.old.isZero || !found->further.isOne()) refuse("the old value is added twice");
    found->beta = begun.old;
  }

  /// Finds what results begin with: `one` of an equation whose instances are those that `at` has for those of
  /// the statement that adds.
  void findStart(const Equation& equation, const Scaled& one, const isl::map& at) {
    if (one.operands.size() > 1) refuse("the sum begins with a product of elements");
    found->start = one.by;
    if (one.operands.empty()) return;
    const AccessRef ref = operandOf(equation, *one.operands[0]);
    const int array = ref.in(region).array;
    if (!ref.in(region).exact ||
        region.statements[ref.statement].loops != region.statements[equation.statement].loops)
      refuse(fmt::format("`{}` reaches elements that data choose", ref.in(region).text));
    checkArray(array, type);
    const isl::map elements = own(isl_map_reset_tuple_id(ref.in(region).map.copy(), isl_dim_in));
    startElements = own(isl_map_reset_tuple_id(at.copy(), isl_dim_out)).apply_range(elements);
    if (!own(isl_map_is_single_valued(startElements->get()))) refuse("the sum begins with several elements");
    found->d = LibraryOperand{ref, array, {}, {}, {}};
  }

  /// `c = 0`, `c = beta c` or `c = d` before the products are added to it.
  void findBeginning(const Equation& begin) {
    const AccessRef target = refOf(begin, *begin.target);
    const Split begun = split(begin, *begin.target);
    if (target.in(region).array != found->c.access.in(region).array || begun.added.size() > 1)
      refuse(fmt::format("line {} does not begin a sum", region.statements[begin.statement].range.line));
    found->beta = begun.old;
    const isl::set begins = instancesOf(begin.statement).intersect_params(domain.params());
    const isl::map written = target.in(region).map.intersect_domain(begins),
                   added = found->c.access.in(region).map.intersect_domain(domain);
    if (!own(isl_map_is_injective(written.get())) || !written.range().is_equal(added.range()))
      refuse("the sum does not begin where it is added to");
    if (!begun.added.empty()) findStart(begin, begun.added[0], added.apply_range(written.reverse()));
    // Everything that is added to an element comes after what it begins with.
    const isl::union_map order = originalOrder(region);
    const isl::map meeting = written.apply_range(added.reverse());
    const isl::union_map times = isl::union_map(meeting).apply_domain(order).apply_range(order);
    if (times.is_empty()) return;
    const isl::map all = own(isl_map_from_union_map(times.copy()));
    const isl::map after = own(isl_map_lex_lt(isl_set_get_space(all.domain().get())));
    if (!all.is_subset(after)) refuse("the sum does not begin before it is added to");
  }

  // The loops.

  /// Per subscript of `ref` how far each loop around the statement that adds moves it.
  std::vector<std::vector<long>> stepsOf(AccessRef ref) const {
    return stepsOf(ref, ref.in(region).map, region.statements[ref.statement].loops.size());
  }
  /// The same where `reached` has its elements, for instances of so many loops.
  std::vector<std::vector<long>> stepsOf(AccessRef ref, const isl::map& reached, std::size_t around) const {
    const std::size_t depth = region.statements[found->product].loops.size();
    std::vector<std::vector<long>> steps(static_cast<std::size_t>(region.arrays[ref.in(region).array].rank),
                                         std::vector<long>(depth));
    if (steps.empty()) return steps;
    const std::optional<isl::multi_aff> subscripts = affineSubscripts(reached);
    if (!subscripts) refuse(fmt::format("`{}` is not subscripted by loops", ref.in(region).text));
    for (std::size_t d = 0; d < steps.size(); ++d)
      for (std::size_t level = 0; level < std::min(depth, around); ++level)
        steps[d][level] = own(isl_aff_get_coefficient_val(subscripts->at(static_cast<int>(d)).get(),
                                                          isl_dim_in, static_cast<int>(level)))
                              .num_si();
    return steps;
  }

  /// True when the loop at `level` moves any of the subscripts.
  static bool moves(const std::vector<std::vector<long>>& steps, std::size_t level) {
    return std::any_of(steps.begin(), steps.end(), [&](const auto& one) { return one[level] != 0; });
  }

  /// Finds where `operand` begins, and how the loops move it.
  void place(LibraryOperand& operand, const std::vector<std::vector<long>>& steps,
             const isl::set& known) const {
    const isl::set begin = instancesOf(operand.access.statement).intersect_params(domain.params()).lexmin();
    placeAt(operand, steps, begin.apply(operand.access.in(region).map), known);
  }
  void placeAt(LibraryOperand& operand, const std::vector<std::vector<long>>& steps, const isl::set& element,
               const isl::set& known) const {
    for (std::size_t d = 0; d < steps.size(); ++d) {
      operand.first.push_back(simplified(own(isl_set_dim_min(element.copy(), static_cast<int>(d))), known));
      std::array<long, LibraryCall::roles> own{};
      for (std::size_t role = 0; role < LibraryCall::roles; ++role)
        if (found->levels[role]) own[role] = steps[d][*found->levels[role]];
      operand.steps.push_back(own);
      operand.foldedSteps.emplace_back();
      for (const LibraryCall::Folded& folded : found->folded)
        operand.foldedSteps.back().push_back(steps[d][folded.level]);
    }
  }

  void findLoops() {
    const std::size_t depth = region.statements[found->product].loops.size();
    const isl::set known =
        domain.params().intersect(region.context).intersect(state.assumed()).intersect(state.conditions());
    found->applies = domain.params().gist(region.context).coalesce();
    const auto inA = stepsOf(found->a.access), inC = stepsOf(found->c.access),
               inB = found->b ? stepsOf(found->b->access) : std::vector<std::vector<long>>{};
    isl::set box = own(isl_set_universe(isl_set_get_space(domain.get())));
    std::array<std::vector<LibraryCall::Folded>, LibraryCall::roles> loops;
    for (std::size_t level = 0; level < depth; ++level) {
      const int at = static_cast<int>(level);
      const isl::pw_aff least = own(isl_set_dim_min(domain.copy(), at)),
                        greatest = own(isl_set_dim_max(domain.copy(), at));
      box = box.intersect(between(level, least, greatest));
      if (own(isl_pw_aff_is_equal(least.get(), greatest.get())))
        continue; // a loop of the host, or one of a single iteration
      const auto role = roleOf(moves(inA, level), moves(inB, level), moves(inC, level));
      loops[role].push_back({role, level, simplified(greatest.sub(least).add_constant(1), known)});
    }
    for (std::size_t role = 0; role < LibraryCall::roles; ++role) {
      // The innermost is the one that moves the last subscript.
      const auto& steps = role == LibraryCall::Terms ? inA : inC;
      auto last = [&](const LibraryCall::Folded& loop) {
        std::size_t moved = 0;
        for (std::size_t d = 0; d < steps.size(); ++d)
          if (steps[d][loop.level] != 0) moved = d;
        return moved;
      };
      std::stable_sort(loops[role].begin(), loops[role].end(),
                       [&](const auto& one, const auto& other) { return last(one) > last(other); });
      if (loops[role].empty()) continue;
      found->levels[role] = loops[role].front().level;
      found->counts[role] = loops[role].front().count;
      found->folded.insert(found->folded.end(), loops[role].begin() + 1, loops[role].end());
    }
    if (!box.intersect_params(domain.params()).is_equal(domain))
      refuse("loops have other bounds in different iterations of others, or steps");
    place(found->a, inA, known);
    place(found->c, inC, known);
    if (found->b) place(*found->b, inB, known);
    if (found->d) {
      const auto inD = stepsOf(found->d->access, *startElements, depth);
      for (const LibraryCall::Folded& loop : loops[LibraryCall::Terms])
        if (moves(inD, loop.level)) refuse("the sum begins with several elements");
      placeAt(*found->d, inD, domain.lexmin().apply(*startElements), known);
    }
  }

  /// Those points whose value of a loop is from `least` to `greatest`.
  isl::set between(std::size_t level, const isl::pw_aff& least, const isl::pw_aff& greatest) const {
    isl_local_space* local = isl_local_space_from_space(isl_set_get_space(domain.get()));
    const isl::pw_aff value =
        own(isl_pw_aff_from_aff(isl_aff_var_on_domain(local, isl_dim_set, static_cast<unsigned>(level))));
    auto onPoints = [&](const isl::pw_aff& bound) {
      return own(isl_pw_aff_insert_domain(bound.copy(), isl_set_get_space(domain.get())));
    };
    return value.ge_set(onPoints(least)).intersect(value.le_set(onPoints(greatest)));
  }

  LibraryCall::Role roleOf(bool inA, bool inB, bool inC) const {
    if (!found->b) {
      if (inA && inC) return LibraryCall::Rows;
    } else {
      if (inA && inB) return inC ? LibraryCall::Batch : LibraryCall::Terms;
      if (inC && inA) return LibraryCall::Rows;
      if (inC && inB) return LibraryCall::Columns;
    }
    refuse("a loop moves one of the elements only");
  }

  void nameOperation() {
    const auto& levels = found->levels;
    const bool rows = levels[LibraryCall::Rows].has_value(),
               columns = levels[LibraryCall::Columns].has_value(),
               terms = levels[LibraryCall::Terms].has_value(), batch = levels[LibraryCall::Batch].has_value();
    if (found->sparse) {
      if (!rows || columns || terms || batch || !found->folded.empty() || found->a.steps.size() != 1 ||
          found->c.steps.size() != 1 || found->a.steps[0][LibraryCall::Rows] != 1 ||
          found->c.steps[0][LibraryCall::Rows] != 1)
        refuse("rows do not follow one another");
      found->operation = "sparse gemv";
      return;
    }
    if (!found->b) {
      if (!rows || !found->beta.isOne() || equations.size() != 1) refuse("it is no sum of vectors");
      found->operation = "axpy";
      return;
    }
    if (batch && !(rows && columns && terms)) refuse("it is no product of matrices");
    if (!terms && !(rows && columns)) refuse("it is no product of vectors or matrices");
    found->operation = batch                      ? "batched gemm"
                       : rows && columns && terms ? "gemm"
                       : rows && columns          ? "ger"
                       : rows || columns          ? "gemv"
                                                  : "dot";
  }

  isl::set domain; ///< of the statement that adds, in one launch
  /// What its results begin with, where that is in an array.
  std::optional<isl::map> startElements;
  std::optional<LibraryCall> found;
};

} // namespace

std::variant<LibraryCall, Refusal> libraryCall(const ScheduleState& state, const std::string& loop) {
  auto result = limited([&] {
    std::variant<LibraryCall, Refusal> product = Finder(state, loop).find();
    if (std::holds_alternative<LibraryCall>(product)) return product;
    const auto solve = librarySolve(state, loop);
    return solve ? *solve : product;
  });
  if (!result) return Refusal{"it takes too long to see which operation it is"};
  return *result;
}

} // namespace warploom
