#include "transform/TileProduct.h"

#include "analysis/Reductions.h"
#include "support/IslC.h"
#include "transform/Elements.h"
#include "transform/Levels.h"
#include "transform/Schedule.h"
#include "transform/StepChecks.h"
#include "transform/Terms.h"
#include "transform/ThreadBoxes.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <set>

namespace warploom {

namespace {

bool isOnBlock(const LoopTree& loop) {
  return loop.kind == LoopTree::Kind::Loop && loop.place && loop.place->kind == Place::Kind::Block;
}

class Finder {
public:
  Finder(const ScheduleState& state, const LoopTree& loop)
      : state(state), region(state.region()), loop(loop) {}

  std::variant<TileProduct, Refusal> find() {
    if (!findLoops())
      return Refusal{fmt::format("in `{}` are not two loops on the block and one statement", loop.name)};
    const Statement& statement = region.statements[found.statement];
    const std::optional<Update> update = updateOf(statement);
    if (!update || update->op != "+" || !statement.guards.empty())
      return Refusal{fmt::format("line {} does not add products", statement.range.line)};
    const Expr& target = *statement.body->operands[0];
    if (target.kind != Expr::Kind::Access || !target.type.isFloating())
      return Refusal{
          fmt::format("line {} does not add to an element of floating point", statement.range.line)};
    type = target.type;
    sum = {found.statement, target.access};
    found.sum = sum.in(region).array;
    if (auto refused = splitTerms({statement.body, update->value}, update->negated)) return *refused;
    if (auto refused = refusedSum()) return *refused;
    if (!isBox())
      return Refusal{fmt::format("not every point of `{}` and `{}` has the same iterations of `{}`",
                                 found.rows, found.columns, loop.name)};
    return found;
  }

private:
  bool isOfType(const Expr& value) const {
    return value.type.kind == type.kind && value.type.bits == type.bits;
  }

  bool findLoops() {
    if (loop.place || loop.tile) return false;
    const LoopTree& outer = loop.children.front();
    if (!isOnBlock(outer) || !isOnBlock(outer.children.front())) return false;
    const LoopTree& inner = outer.children.front();
    if (inner.children.front().kind != LoopTree::Kind::Leaf) return false;
    const std::vector<int> all = statementsOf(region, loop);
    if (all.size() != 1) return false;
    found.statement = all.front();
    found.depth = loop.name;
    const bool isTurned = outer.place->dimension == 0; // columns are along x
    if (outer.place->dimension + inner.place->dimension != 1) return false;
    const LoopTree &rows = isTurned ? inner : outer, &columns = isTurned ? outer : inner;
    found.rows = rows.name;
    found.columns = columns.name;
    const auto i = sourceLevel(region, rows, found.statement),
               j = sourceLevel(region, columns, found.statement),
               k = sourceLevel(region, loop, found.statement);
    if (!i || !j || !k) return false;
    levels = {*i, *j, *k};
    return true;
  }

  /// Adds those of the three levels to `used` that `value` depends on. False where `value` cannot be had at
  /// all points of a tile.
  bool dependsOn(const Expr& value, std::set<std::size_t>& used) const {
    switch (value.kind) {
    case Expr::Kind::Literal:
      return true;
    case Expr::Kind::Access: {
      const AccessRef ref{found.statement, value.access};
      const std::optional<isl::multi_aff> subscripts = affineSubscripts(elementsOf(state, ref));
      if (!ref.in(region).exact || !subscripts) return false;
      std::set<std::size_t> own;
      for (std::size_t level : levels)
        for (unsigned d = 0; d < unsigned(subscripts->size()); ++d)
          if (warploom::own(isl_aff_involves_dims(subscripts->at(static_cast<int>(d)).get(), isl_dim_in,
                                                  static_cast<unsigned>(level), 1)))
            own.insert(level);
      used.insert(own.begin(), own.end());
      return own.empty() ? !region.statements[found.statement].writes(ref.in(region).array) : isInShared(ref);
    }
    case Expr::Kind::Unary:
    case Expr::Kind::Binary:
    case Expr::Kind::Cast:
      return std::all_of(value.operands.begin(), value.operands.end(),
                         [&](const ExprPtr& operand) { return dependsOn(*operand, used); });
    default:
      return false;
    }
  }

  /// True when the innermost of `loops` over the level of the statement runs over tiles.
  bool tiles(const std::vector<const LoopTree*>& loops, std::size_t level) const {
    for (std::size_t k = loops.size(); k-- > 0;)
      if (sourceLevel(region, *loops[k], found.statement) == level) return loops[k]->tile.has_value();
    return false;
  }

  /// True when all of the tile that `ref` reaches is in shared memory, with a 0 for what is not there. Of an
  /// array that is there twice it is not said which one has it.
  bool isInShared(AccessRef ref) const {
    const std::vector<const LoopTree*> around = pathTo(state.tree(), loop.name);
    const auto isShared = [&](const Staging& staging) {
      return staging.kind == Staging::Kind::Shared && staging.array == ref.in(region).array;
    };
    if (std::count_if(state.staging().begin(), state.staging().end(), isShared) > 1) return false;
    return std::any_of(state.staging().begin(), state.staging().end(), [&](const Staging& staging) {
      if (!isShared(staging) || std::none_of(around.begin(), around.end() - 1,
                                             [&](const LoopTree* one) { return one->name == staging.loop; }))
        return false;
      // Only of tiles of a symbolic size all points are kept; of others as many as there may be.
      const std::vector<const LoopTree*> outside = pathTo(state.tree(), staging.loop);
      if (hasNumericTiles(region, outside, found.statement) ||
          std::any_of(levels.begin(), levels.end(),
                      [&](std::size_t level) { return !tiles(outside, level); }))
        return false;
      const std::vector<Box> boxes = sharedBoxes(state, staging.loop, staging.array);
      return std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) {
        return std::count(box.accesses.begin(), box.accesses.end(), ref) > 0;
      });
    });
  }

  /// Finds which factors of the terms of `value`, a sum, go with rows and which with columns.
  std::optional<Refusal> splitTerms(const ExprPtr& value, bool negated) {
    std::vector<Term> terms;
    try {
      terms = termsOf(value, type);
    } catch (const Refusal& refusal) {
      return refusal;
    }
    for (const Term& term : terms) {
      TileProduct::Term& split = found.terms.emplace_back();
      split.negated = negated != term.negated;
      for (const ExprPtr& factor : term.factors) {
        std::set<std::size_t> used;
        if (!isOfType(*factor) || !dependsOn(*factor, used) ||
            (used.count(levels[0]) && used.count(levels[1])))
          return Refusal{
              fmt::format("`{}` is no factor of rows or of columns in shared memory", exprText(*factor))};
        (used.count(levels[1]) ? split.right : split.left).push_back(factor);
      }
    }
    if (terms.empty() || std::any_of(found.terms.begin(), found.terms.end(), [](const auto& term) {
          return term.left.empty() || term.right.empty();
        }))
      return Refusal{fmt::format("line {} adds no product of rows and columns",
                                 region.statements[found.statement].range.line)};
    return std::nullopt;
  }

  /// Refuses sums that others use at points where the product has none.
  std::optional<Refusal> refusedSum() const {
    const bool isKept =
        std::any_of(state.staging().begin(), state.staging().end(), [&](const Staging& staging) {
          return staging.kind == Staging::Kind::Registers && staging.array == found.sum;
        });
    if (!isKept) return Refusal{fmt::format("`{}` is not in registers", region.arrays[found.sum].name)};
    const isl::set domain = region.statements[found.statement].domain;
    const isl::set sums = domain.apply(elementsOf(state, sum));
    for (int s : statementsOf(region, *pathTo(state.tree(), loop.name).front()))
      for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a) {
        const AccessRef other{s, a};
        if (other.in(region).array != found.sum || s == found.statement) continue;
        if (other.in(region).kind == Access::Kind::Kill) continue;
        const isl::set elements = region.statements[s].domain.apply(elementsOf(state, other));
        if (unsigned(elements.tuple_dim()) != unsigned(sums.tuple_dim()) ||
            !elements.intersect_params(domain.params()).is_subset(sums))
          return Refusal{fmt::format("line {} uses `{}` where nothing is added",
                                     region.statements[s].range.line, region.arrays[found.sum].name)};
      }
    return std::nullopt;
  }

  /// True when every point of rows and columns has the same iterations of the loop.
  bool isBox() const {
    const isl::set domain = region.statements[found.statement].domain;
    auto without = [&](std::vector<std::size_t> free) {
      isl_set* result = domain.copy();
      for (std::size_t level : free) {
        const auto at = static_cast<unsigned>(level);
        result = isl_set_eliminate(result, isl_dim_set, at, 1);
      }
      return own(result);
    };
    return without({levels[2]}).intersect(without({levels[0], levels[1]})).is_equal(domain);
  }

  const ScheduleState& state;
  const Region& region;
  const LoopTree& loop;
  TileProduct found;
  AccessRef sum;
  Type type;                       ///< of the sums and all factors
  std::vector<std::size_t> levels; ///< of rows, columns and the loop among those of the statement
};

} // namespace

std::variant<TileProduct, Refusal> tileProduct(const ScheduleState& state, const LoopTree& loop) {
  return Finder(state, loop).find();
}

std::optional<Refusal> apply(const MapToTensor& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  LoopTree* loop = findLoop(tree, step.loop);
  if (!loop) return noSuchLoop(step.loop);
  const auto product = tileProduct(state, *findLoop(state.tree(), step.loop));
  if (const Refusal* refused = std::get_if<Refusal>(&product)) return *refused;
  if (loop->unroll != 1) return Refusal{fmt::format("`{}` is unrolled", step.loop)};
  if (state.strictFp()) return Refusal{"tensor cores add in another order"};
  const Type& element = state.region().arrays[std::get<TileProduct>(product).sum].element;
  if (element.kind != Type::Kind::Float || element.bits != 64)
    return Refusal{fmt::format("`{}` has no doubles, which tensor cores add as exactly as others",
                               state.region().arrays[std::get<TileProduct>(product).sum].name)};
  loop->onTensor = true;
  return state.adopt(std::move(tree), ScheduleState::Change::Marks);
}

} // namespace warploom
