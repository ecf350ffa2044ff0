#include "strategy/generator/Nest.h"

#include "analysis/DistanceVectors.h"
#include "model/MathFunctions.h"
#include "support/Failure.h"
#include "support/IslC.h"
#include "transform/Elements.h"
#include "transform/Levels.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <isl/aff.h>
#include <map>
#include <set>

namespace warploom::strategies {

bool NestArrays::moves(std::size_t loop) const {
  return std::any_of(accesses.begin(), accesses.end(),
                     [&](const NestAccess& access) { return access.moves(loop); });
}

std::vector<double> NestArrays::box(const std::vector<long>& iterations) const {
  std::vector<double> sides;
  const std::size_t rank = accesses.empty() ? 0 : accesses.front().subscripts.size();
  for (std::size_t d = 0; d < rank; ++d) {
    long low = 0, high = 0;
    for (std::size_t a = 0; a < accesses.size(); ++a) {
      const std::vector<long>& subscript = accesses[a].subscripts[d];
      long least = subscript.back(), greatest = subscript.back();
      for (std::size_t l = 0; l + 1 < subscript.size(); ++l)
        (subscript[l] > 0 ? greatest : least) += subscript[l] * (iterations[l] - 1);
      low = a ? std::min(low, least) : least;
      high = a ? std::max(high, greatest) : greatest;
    }
    sides.push_back(static_cast<double>(high - low + 1));
  }
  return sides;
}

double NestArrays::footprint(const std::vector<long>& iterations) const {
  double elements = 1;
  for (double side : box(iterations))
    elements *= side;
  return elements;
}

double NestArrays::reached(const std::vector<long>& iterations) const {
  constexpr long most = 1024;
  long number = 1;
  for (std::size_t l = 0; l < iterations.size(); ++l)
    if (moves(l) && (number *= iterations[l]) > most) return footprint(iterations);
  std::set<std::vector<long>> elements;
  std::vector<long> at(iterations.size(), 0);
  for (long k = 0; k < number; ++k) {
    long rest = k;
    for (std::size_t l = 0; l < iterations.size(); ++l)
      if (moves(l)) {
        at[l] = rest % iterations[l];
        rest /= iterations[l];
      }
    for (const NestAccess& access : accesses) {
      std::vector<long> element;
      for (const std::vector<long>& subscript : access.subscripts) {
        element.push_back(subscript.back());
        for (std::size_t l = 0; l + 1 < subscript.size(); ++l)
          element.back() += subscript[l] * at[l];
      }
      elements.insert(element);
    }
  }
  return static_cast<double>(elements.size());
}

std::size_t Nest::at(const std::string& loop) const {
  for (std::size_t k = 0; k < loops.size(); ++k)
    if (loops[k].name == loop) return k;
  throw Failure("the generator of strategies", "the nest has no loop " + loop);
}

namespace {

/// What a costly function counts for, in operations, and another one; and a quotient or a square root, which
/// take a few steps of Newton's and a question whether they are enough.
constexpr double operationsOfCall = 20, operationsOfOther = 4, operationsOfQuotient = 16;

double operationsOfFunction(const std::string& name) {
  const bool isRoot = name == "sqrt" || name == "sqrtf" || name == "rsqrt" || name == "rsqrtf";
  return isCostly(name) ? operationsOfCall : isRoot ? operationsOfQuotient : operationsOfOther;
}

/// How many instructions the arithmetic of `body` takes: a product and the sum it goes into are one.
double operationsOf(const Expr& body) {
  double products = 0, sums = 0, others = 0;
  std::function<void(const Expr&)> visit = [&](const Expr& expr) {
    // Subscripts are integers that compilers move out of loops.
    if (expr.kind == Expr::Kind::Access) return;
    if (expr.kind == Expr::Kind::Call) others += operationsOfFunction(expr.text);
    if (expr.kind == Expr::Kind::Assign && expr.text != "=") ++sums;
    if (expr.kind == Expr::Kind::Binary) {
      if (expr.text == "*")
        ++products;
      else if (expr.text == "+" || expr.text == "-")
        ++sums;
      else
        others += expr.text == "/" ? operationsOfQuotient : 1;
    }
    for (const ExprPtr& operand : expr.operands)
      visit(*operand);
  };
  visit(body);
  return std::max(1.0, std::max(products, sums) + others);
}

/// Reads the nest off a state.
class Reader {
public:
  Reader(const ScheduleState& state, const std::string& outermost, long assumed)
      : state(state), region(state.region()) {
    for (const LoopTree* loop : nestFrom(*findLoop(state.tree(), outermost)))
      addLoop(*loop, assumed);
  }

  Nest read() {
    const LoopTree& inner = *levels.back();
    std::function<bool(const LoopTree&)> hasLoop = [&](const LoopTree& tree) {
      return tree.kind == LoopTree::Kind::Loop ||
             std::any_of(tree.children.begin(), tree.children.end(), hasLoop);
    };
    nest.isPerfect = !hasLoop(inner.children.front());
    nest.operations = 0;
    std::map<int, NestArrays> byArray;
    for (int s : statementsOf(region, inner)) {
      const Statement& statement = region.statements[s];
      if (statement.body) nest.operations += operationsOf(*statement.body);
      for (std::size_t a = 0; a < statement.accesses.size(); ++a)
        addAccess({s, static_cast<int>(a)}, byArray);
    }
    nest.operations = std::max(1.0, nest.operations);
    for (const auto& [array, use] : byArray)
      join(array, use);
    return std::move(nest);
  }

private:
  void addLoop(const LoopTree& loop, long assumed) {
    NestLoop made{loop.name, assumed, false};
    Effort effort;
    const std::optional<int> source = sourceLoop(region, loop);
    std::optional<long> trips = source ? tripCount(region, *source, effort) : std::nullopt;
    if (!trips && !source) {
      auto extent = limited([&] { return greatestExtent(pathTo(state.tree(), loop.name)); });
      if (extent && *extent) trips = **extent;
    }
    if (trips) made.extent = std::max(1L, *trips), made.isNumber = true;
    nest.loops.push_back(made);
    levels.push_back(&loop);
  }

  void addAccess(AccessRef ref, std::map<int, NestArrays>& byArray) {
    const Access& access = ref.in(region);
    const Array& array = region.arrays[access.array];
    // A scalar with a copy for each iteration is an array.
    const bool isExpanded = array.isScalar() && !expandedAlong(state, access.array).empty();
    if (access.kind == Access::Kind::Kill || (array.isScalar() && !isExpanded)) return;
    auto [found, isNew] = byArray.emplace(access.array, NestArrays{});
    NestArrays& use = found->second;
    use.isWritten = use.isWritten || access.writes();
    use.isRead = use.isRead || access.reads();
    if (isNew) {
      use.names = {array.name};
      use.bytes = std::max(1, static_cast<int>(array.element.bits / 8));
      nest.isDouble = nest.isDouble || (array.element.isFloating() && array.element.bits == 64);
      use.wholeBytes = use.bytes;
      for (const auto& extent : array.extents) {
        const bool isNumber = extent && use.wholeBytes > 0 && own(isl_pw_aff_is_cst(extent->get()));
        const isl::val value = isNumber ? extent->max_val() : isl::val::zero(islContext());
        use.wholeBytes *= value.is_int() ? value.num_si() : 0;
      }
      if (isExpanded) use.wholeBytes = 0;
    }
    NestAccess made;
    made.reads = access.reads(), made.writes = access.writes();
    const ArrayFacts& facts = state.facts().arrays[access.array];
    auto known = std::find_if(facts.accesses.begin(), facts.accesses.end(),
                              [&](const AccessFacts& one) { return one.access == ref; });
    std::optional<isl::multi_aff> subscripts =
        access.exact ? affineSubscripts(elementsOf(state, ref)) : std::nullopt;
    if (subscripts)
      made.subscripts.assign(unsigned(subscripts->size()), std::vector<long>(nest.loops.size() + 1, 0));
    else
      use.isAffine = false;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const std::optional<std::size_t> level = sourceLevel(region, *levels[l], ref.statement);
      long stride = NestAccess::far;
      if (level && known != facts.accesses.end() && *level < known->strides.size() &&
          known->strides[*level].kind == Stride::Kind::Constant)
        stride = known->strides[*level].value;
      made.strides.push_back(stride);
      if (!level) use.isAffine = false;
      if (!level || !subscripts) continue;
      for (std::size_t d = 0; d < made.subscripts.size(); ++d)
        made.subscripts[d][l] = coefficient(subscripts->at(static_cast<int>(d)), *level, use) *
                                region.loops[ref.statementIn(region).loops[*level]].step;
    }
    for (std::size_t l = 0; isExpanded && l < levels.size(); ++l) {
      made.strides[l] = 0;
      for (std::size_t d = 0; d < made.subscripts.size(); ++d)
        if (made.subscripts[d][l])
          made.strides[l] = d + 1 < made.subscripts.size() ? NestAccess::far : made.subscripts[d][l];
    }
    if (subscripts)
      for (std::size_t d = 0; d < made.subscripts.size(); ++d) {
        const isl::val number = own(isl_aff_get_constant_val(subscripts->at(static_cast<int>(d)).get()));
        made.subscripts[d].back() = number.is_int() ? number.num_si() : 0;
      }
    // An element that is read twice in an iteration is loaded once.
    if (std::none_of(use.accesses.begin(), use.accesses.end(),
                     [&](const NestAccess& other) { return isSame(made, other); }))
      use.accesses.push_back(made);
  }

  static long coefficient(const isl::aff& subscript, std::size_t level, NestArrays& use) {
    const isl::val factor =
        own(isl_aff_get_coefficient_val(subscript.get(), isl_dim_in, static_cast<int>(level)));
    if (!factor.is_int()) use.isAffine = false;
    return factor.is_int() ? factor.num_si() : 1;
  }

  /// Adds `use` to those that are treated alike: the fields of a struct, and arrays that are moved by the
  /// same loops, in the same way, and all written or all not.
  void join(int array, const NestArrays& use) {
    for (NestArrays& other : nest.arrays) {
      const auto first = std::find_if(region.arrays.begin(), region.arrays.end(),
                                      [&](const Array& one) { return one.name == other.names.front(); });
      const bool sameStruct = !first->field.empty() && first->variable == region.arrays[array].variable;
      const bool alike = other.isWritten == use.isWritten && other.bytes == use.bytes &&
                         other.isAffine == use.isAffine && sameAccesses(other, use);
      if (!alike || (!sameStruct && !first->field.empty())) continue;
      other.names.push_back(use.names.front());
      return;
    }
    nest.arrays.push_back(use);
  }

  static bool isSame(const NestAccess& one, const NestAccess& other) {
    return one.strides == other.strides && one.subscripts == other.subscripts && one.writes == other.writes;
  }

  static bool sameAccesses(const NestArrays& one, const NestArrays& other) {
    return one.wholeBytes == other.wholeBytes &&
           std::equal(one.accesses.begin(), one.accesses.end(), other.accesses.begin(), other.accesses.end(),
                      isSame);
  }

  const ScheduleState& state;
  const Region& region;
  std::vector<const LoopTree*> levels;
  Nest nest;
};

} // namespace

Nest nestOf(const ScheduleState& state, const std::string& outermost, long assumed) {
  return Reader(state, outermost, assumed).read();
}

} // namespace warploom::strategies
