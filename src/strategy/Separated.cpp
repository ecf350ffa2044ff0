#include "strategy/Product.h"
#include "strategy/Strategies.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/set.h>
#include <optional>

namespace warploom {

namespace {

/// One part of a nest's body: a loop with a loop in it that may be a product's.
class InnerProduct {
public:
  InnerProduct(ScheduleState& state, const ParallelNest& nest, std::size_t part)
      : state(state), region(state.region()), nest(nest), parts(nest.body(state).children), part(part),
        outer(parts[part]) {}

  /// Gives it a nest of its own, tiled; false, and `state` as it was, where it is no product.
  bool separate() {
    if (outer.kind != LoopTree::Kind::Loop) return false;
    const LoopTree& inside = outer.children.front();
    const std::vector<const LoopTree*> all = partsOf(inside);
    std::size_t at = all.size();
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k]->kind == LoopTree::Kind::Loop) {
        if (at < all.size()) return false;
        at = k;
      }
    if (at == all.size()) return false;
    inner = all[at];
    if (!isLong()) return false;
    // As much of what comes behind as there may be.
    for (std::size_t cut = all.size(); cut > at; --cut) {
      ScheduleState trial = state;
      const std::string rest = cut < all.size() ? firstIn(region, *all[cut]) : "";
      if (!expandScalars(trial) || (!rest.empty() && trial.take(Distribute{outer.name, {rest}}))) continue;
      const bool isPerfect = all.size() == 1;
      if (!isPerfect && !trial.isParallel(outer.name).value_or(false)) continue;
      if (!distribute(trial, rest) || !tile(trial, isPerfect)) return false;
      state = std::move(trial);
      return true;
    }
    return false;
  }

private:
  /// True when the loop has as many iterations as one of the nest's: then what is read in it is read again
  /// and again, and the more the longer they are.
  bool isLong() const {
    const std::vector<int> statements = statementsOf(region, *inner);
    if (statements.empty()) return false; // nothing runs there
    const int s = statements.front();
    auto greatest = [&](const LoopTree& loop) -> std::optional<isl::pw_aff> {
      const auto level = sourceLevel(region, loop, s);
      if (!level) return std::nullopt;
      return own(isl_set_dim_max(region.statements[s].domain.copy(), static_cast<int>(*level)));
    };
    const auto most = greatest(outer);
    return most && std::any_of(nest.parallel.begin(), nest.parallel.end(), [&](const std::string& name) {
             const auto other = greatest(*findLoop(state.tree(), name));
             return other && isl_pw_aff_is_equal(most->get(), other->get()) == isl_bool_true;
           });
  }

  /// Gives scalars that the part uses a copy for each iteration that they are private to: others use them,
  /// too.
  bool expandScalars(ScheduleState& trial) const {
    const std::vector<int> statements = statementsOf(region, outer);
    for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array) {
      if (!region.arrays[array].isScalar() || !isPrivate(state, array)) continue;
      const bool isUsed = std::any_of(statements.begin(), statements.end(), [&](int s) {
        const auto& accesses = region.statements[s].accesses;
        return std::any_of(accesses.begin(), accesses.end(),
                           [&](const Access& access) { return access.array == array; });
      });
      if (isUsed && !expandScalar(trial, array)) return false;
    }
    return true;
  }

  /// Gives each part of the nest around a nest of its own: what is before, the product, and what is behind,
  /// `rest` or the next part.
  bool distribute(ScheduleState& trial, std::string rest) const {
    if (rest.empty() && part + 1 < parts.size()) rest = firstIn(region, parts[part + 1]);
    std::vector<std::string> before;
    if (part > 0) before.push_back(firstIn(region, outer));
    if (!rest.empty()) before.push_back(rest);
    return before.empty() ||
           std::none_of(nest.parallel.rbegin(), nest.parallel.rend(), [&](const std::string& loop) {
             return trial.take(Distribute{loop, before}).has_value();
           });
  }

  bool tile(ScheduleState& trial, bool isPerfect) const {
    std::vector<std::string> names = namesOf(pathTo(trial.tree(), inner->name));
    std::string fastest = outer.name;
    names.resize(names.size() - 2);
    if (isPerfect) {
      // The loop in the part is parallel, and what it adds up to is added up by the loop around it.
      std::vector<std::string> order = names;
      order.insert(order.end(), {inner->name, outer.name});
      fastest = inner->name;
      if (trial.take(Permute{order}) || !trial.isParallel(fastest).value_or(false)) return false;
    }
    return tileBatch(trial, names, fastest, nest.tileCopies);
  }

  ScheduleState& state;
  const Region& region;
  const ParallelNest& nest;
  const std::vector<LoopTree> parts; ///< of the nest's body
  const std::size_t part;
  const LoopTree& outer; ///< that part
  const LoopTree* inner = nullptr;
};

} // namespace

bool mapSeparated(ScheduleState& state, const ParallelNest& nest) {
  const LoopTree& body = nest.body(state);
  if (!nest.further.empty() || body.kind != LoopTree::Kind::Sequence) return false;
  for (std::size_t part = 0; part < nest.body(state).children.size(); ++part)
    if (InnerProduct(state, nest, part).separate()) return true;
  return false;
}

} // namespace warploom
