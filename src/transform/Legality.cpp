#include "transform/Legality.h"

#include "analysis/Order.h"
#include "support/IslC.h"
#include "support/Parameters.h"
#include "transform/PrivateCopies.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <map>

namespace warploom {

namespace {

/// { S[i] -> [v] }, the value of `loop` for the instances of the space of `set`.
isl::pw_aff valueOn(const LoopTree& loop, const isl::set& set) {
  isl_space* space = isl_space_add_dims(isl_space_from_domain(isl_set_get_space(set.get())), isl_dim_out, 1);
  return own(isl_union_pw_aff_extract_pw_aff(loop.value.get(), space));
}

/// The maps { S[i] -> T[j] : v(i) < w(j) } and so on.
using Comparison = isl_map* (*)(isl_pw_aff*, isl_pw_aff*);
constexpr Comparison sides[] = {isl_pw_aff_lt_map, isl_pw_aff_gt_map};

/// The part of `pairs` { S[i] -> T[j] } whose values of `loop` compare as asked.
isl::map related(const isl::map& pairs, const LoopTree& loop, Comparison comparison) {
  isl::pw_aff source = valueOn(loop, pairs.domain()), sink = valueOn(loop, pairs.range());
  return pairs.intersect(own(comparison(source.release(), sink.release())));
}

/// The pairs that `loop` may run in the same iteration: of equal values or, for a symbolic tile, in the same
/// tile.
isl::map equalIn(const isl::map& pairs, const LoopTree& loop) {
  if (!loop.tile) return related(pairs, loop, isl_pw_aff_eq_map);
  isl::pw_aff source = valueOn(loop, pairs.domain()), sink = valueOn(loop, pairs.range());
  isl_id* id = isl_id_alloc(islContext().get(), loop.tile->size.c_str(), nullptr);
  isl_space* space = isl_space_add_param_id(isl_pw_aff_get_domain_space(source.get()), isl_id_copy(id));
  isl::pw_aff size = own(isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, id)));
  isl::map above = own(isl_pw_aff_lt_map(source.sub(size).release(), sink.copy())),
           below = own(isl_pw_aff_gt_map(source.add(size).release(), sink.copy()));
  isl::set positive = parameter(loop.tile->size).ge_set(constant(1));
  return pairs.intersect(above).intersect(below).intersect_params(positive.params());
}

/// What runs where in a tree. The tree must outlive it.
class TreeInstances {
public:
  explicit TreeInstances(const LoopTree& tree) { collect(tree); }

  /// The instances of the statement with this tuple name below `tree`; null when there are none.
  const isl::set* of(const LoopTree& tree, const std::string& statement) const {
    const auto& found = below.at(&tree);
    auto at = found.find(statement);
    return at == found.end() ? nullptr : &at->second;
  }

private:
  void collect(const LoopTree& tree) {
    std::map<std::string, isl::set> found;
    auto add = [&](const std::string& name, const isl::set& set) {
      auto [at, isNew] = found.emplace(name, set);
      if (!isNew) at->second = at->second.unite(set);
    };
    tree.domain.foreach_set([&](const isl::set& set) { add(isl_set_get_tuple_name(set.get()), set); });
    for (const LoopTree& child : tree.children) {
      collect(child);
      for (const auto& [name, set] : below.at(&child))
        add(name, set);
    }
    below.emplace(&tree, std::move(found));
  }

  std::map<const LoopTree*, std::map<std::string, isl::set>> below;
};

/// Follows the pairs { S[i] -> T[j] } of one constraint down a tree.
class Follower {
public:
  Follower(const TreeInstances& instances, const isl::map& relation)
      : instances(instances), source(isl_map_get_tuple_name(relation.get(), isl_dim_in)),
        sink(isl_map_get_tuple_name(relation.get(), isl_dim_out)) {}

  /// True when both ends may be below `tree`.
  bool isBelow(const LoopTree& tree) const { return instances.of(tree, source) && instances.of(tree, sink); }

  /// The part of `pairs` with one end below `from` and the other below `to`; nothing when that is empty for
  /// want of instances.
  std::optional<isl::map> between(const isl::map& pairs, const LoopTree& from, const LoopTree& to) const {
    const isl::set *first = instances.of(from, source), *second = instances.of(to, sink);
    if (!first || !second) return std::nullopt;
    return pairs.intersect_domain(*first).intersect_range(*second);
  }

  /// The first place in `tree` that breaks `pairs`, of which all loops further out run both ends in one
  /// iteration.
  std::optional<Violation> broken(const LoopTree& tree, const isl::map& pairs) const {
    if (pairs.is_empty()) return std::nullopt;
    switch (tree.kind) {
    case LoopTree::Kind::Leaf:
      return Violation{};
    case LoopTree::Kind::Loop:
      // Tiles follow each other like the values in them, so the same test serves a symbolic tile: with tiles
      // of size 1 any two different values are in different tiles.
      if (!related(pairs, tree, isl_pw_aff_gt_map).is_empty()) return Violation{-1, tree.name, false};
      if (tree.place && !related(pairs, tree, isl_pw_aff_lt_map).is_empty())
        return Violation{-1, tree.name, true};
      return broken(tree.children.front(), equalIn(pairs, tree));
    case LoopTree::Kind::Sequence:
      break;
    }
    for (auto from = tree.children.begin(); from != tree.children.end(); ++from)
      for (auto to = tree.children.begin(); to != from; ++to)
        if (auto backward = between(pairs, *from, *to); backward && !backward->is_empty()) return Violation{};
    for (const LoopTree& child : tree.children)
      if (auto inside = between(pairs, child, child))
        if (auto found = broken(child, *inside)) return found;
    return std::nullopt;
  }

  /// Those of `pairs` that loops further out run in one iteration when control reaches the last of `path`.
  isl::map reaching(const std::vector<const LoopTree*>& path, const isl::map& pairs) const {
    isl::map rest = *between(pairs, *path.back(), *path.back());
    for (std::size_t k = 0; k + 1 < path.size() && !rest.is_empty(); ++k)
      rest = equalIn(rest, *path[k]);
    return rest;
  }

private:
  const TreeInstances& instances;
  const std::string source, sink;
};

/// True when both nodes order what is below them in the same way, apart from what their children do.
bool areAlike(const LoopTree& a, const LoopTree& b) {
  return a.kind == b.kind && a.children.size() == b.children.size() && a.name == b.name &&
         a.place == b.place && a.tile == b.tile &&
         isl_union_pw_aff_plain_is_equal(a.value.get(), b.value.get()) == isl_bool_true &&
         (a.kind != LoopTree::Kind::Leaf || a.domain.is_equal(b.domain));
}

} // namespace

std::set<std::string> statementsBelow(const LoopTree& tree) {
  std::set<std::string> names;
  instances(tree).foreach_set([&](const isl::set& set) { names.insert(isl_set_get_tuple_name(set.get())); });
  return names;
}

std::set<std::string> reorderedStatements(const LoopTree& before, const LoopTree& after) {
  std::set<std::string> names;
  if (!areAlike(before, after)) {
    names = statementsBelow(before);
    names.merge(statementsBelow(after));
    return names;
  }
  for (std::size_t k = 0; k < after.children.size(); ++k)
    names.merge(reorderedStatements(before.children[k], after.children[k]));
  return names;
}

std::optional<Violation> violation(const LoopTree& tree, const std::vector<Constraint>& constraints,
                                   const std::set<std::string>& only) {
  const TreeInstances instances(tree);
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    isl_map* relation = constraints[k].relation.get();
    if (!only.count(isl_map_get_tuple_name(relation, isl_dim_in)) ||
        !only.count(isl_map_get_tuple_name(relation, isl_dim_out)))
      continue;
    const Follower follower(instances, constraints[k].relation);
    auto pairs = follower.between(constraints[k].relation, tree, tree);
    auto found = pairs ? follower.broken(tree, *pairs) : std::nullopt;
    if (!found) continue;
    found->constraint = static_cast<int>(k);
    return found;
  }
  return std::nullopt;
}

bool carries(const LoopTree& tree, const std::string& loop, const std::vector<Constraint>& constraints,
             const std::string& apartFrom) {
  const std::vector<const LoopTree*> path = pathTo(tree, loop);
  if (path.empty()) return false;
  const LoopTree& node = *path.back();
  const LoopTree* pivot = findLoop(tree, apartFrom);
  const TreeInstances instances(tree);
  // The instances of `set` in iterations of the loop below or above that of `pivot`.
  auto beside = [&](const isl::set& set, Comparison comparison) {
    isl::map same = own(isl_set_identity(set.copy()));
    isl::pw_aff value = valueOn(node, set), at = valueOn(*pivot, set);
    return same.intersect(own(comparison(value.release(), at.release()))).domain();
  };
  return std::any_of(constraints.begin(), constraints.end(), [&](const Constraint& constraint) {
    const Follower follower(instances, constraint.relation);
    if (!follower.isBelow(node)) return false;
    isl::map pairs = follower.reaching(path, constraint.relation);
    if (pairs.is_empty()) return false;
    pairs = related(pairs, node, isl_pw_aff_lt_map).unite(related(pairs, node, isl_pw_aff_gt_map));
    if (!pivot || pairs.is_empty()) return !pairs.is_empty();
    return std::any_of(std::begin(sides), std::end(sides), [&](Comparison side) {
      isl::map apart = pairs.intersect_domain(beside(pairs.domain(), side));
      return !apart.is_empty() && !apart.intersect_range(beside(apart.range(), side)).is_empty();
    });
  });
}

isl::union_map copiesOf(const Region& region, int array, int loop) {
  isl::union_map all = isl::union_map::empty(islContext());
  unsigned depth = static_cast<unsigned>(region.loops[loop].depth);
  for (const Statement& statement : region.statements) {
    if (!inside(statement, loop) || !statement.touches(array)) continue;
    isl::map copy = own(isl_set_identity(statement.domain.copy()));
    copy = own(isl_map_project_out(copy.release(), isl_dim_out, depth,
                                   static_cast<unsigned>(statement.loops.size()) - depth));
    all = all.unite(
        own(isl_map_reset_tuple_id(copy.release(), isl_dim_out)).intersect_domain(statement.domain));
  }
  return all;
}

namespace {

/// True when some loop of `tree` runs each copy in exactly one iteration and nothing of another copy in it;
/// `prefix` { S[i] -> [t] } are the values of the loops further out. Symbolic tile loops are functions of the
/// loops in them.
bool hasScope(const LoopTree& tree, const isl::union_map& copy, const isl::union_map& prefix) {
  isl::union_map together = prefix.reverse().apply_range(copy);
  if (together.is_single_valued() && together.reverse().is_single_valued()) return true;
  if (tree.kind == LoopTree::Kind::Leaf) return false;
  if (tree.kind == LoopTree::Kind::Loop) {
    if (tree.tile) return hasScope(tree.children.front(), copy, prefix);
    isl::union_map value = own(isl_union_map_from_union_pw_aff(tree.value.copy()));
    isl::union_map longer = own(isl_union_map_flat_range_product(prefix.copy(), value.release()));
    return hasScope(tree.children.front(), copy, longer);
  }
  // Copies may be spread over the children, as long as none is in two of them.
  isl::union_map seen = isl::union_map::empty(islContext());
  isl::union_set used = isl::union_set::empty(islContext());
  for (const LoopTree& child : tree.children) {
    isl::union_set below = instances(child);
    isl::union_map part = copy.intersect_domain(below);
    if (part.is_empty()) continue;
    isl::union_set mine = part.range();
    if (!mine.is_disjoint(used)) return false;
    used = used.unite(mine);
    if (!hasScope(child, part, prefix.intersect_domain(below))) return false;
  }
  return true;
}

} // namespace

int arrayWithoutScope(const Region& region, const std::vector<Relaxation>& relaxations, const LoopTree& tree,
                      const std::set<std::string>& only) {
  auto isTouched = [&](int array) {
    return std::any_of(region.statements.begin(), region.statements.end(), [&](const Statement& statement) {
      return only.count(statement.name) &&
             std::any_of(statement.accesses.begin(), statement.accesses.end(),
                         [&](const Access& access) { return access.array == array; });
    });
  };
  isl::union_set all = instances(tree);
  for (const Relaxation& relaxation : relaxations) {
    if (relaxation.kind != Relaxation::Kind::Private || !isTouched(relaxation.array)) continue;
    isl::union_map copy = copiesOf(region, relaxation.array, relaxation.loop).intersect_domain(all);
    if (copy.is_empty()) continue;
    isl::set point = isl::set(islContext(), "{ [0] }");
    isl::union_map prefix =
        own(isl_union_map_from_domain_and_range(copy.domain().release(), isl::union_set(point).release()));
    if (!hasScope(tree, copy, prefix)) return relaxation.array;
  }
  return -1;
}

namespace {

/// `map` with the parameter `from` called `to`.
isl::union_map renamed(const isl::union_map& map, const std::string& from, const std::string& to) {
  isl::union_map result = isl::union_map::empty(islContext());
  map.foreach_map([&](const isl::map& part) {
    int position = isl_map_find_dim_by_name(part.get(), isl_dim_param, from.c_str());
    isl_map* copy = part.copy();
    if (position >= 0)
      copy = isl_map_set_dim_name(copy, isl_dim_param, static_cast<unsigned>(position), to.c_str());
    result = result.unite(own(copy));
  });
  return result;
}

std::string later(const std::string& origin) {
  return origin + "'";
}

/// For each tile that `pairs` speak of, the parameter values that its source origin `o` and sink origin `o'`
/// can have: equal or at least a tile apart; inside another tile only while that is the same one.
std::vector<isl::set> originsApart(const std::vector<SymbolicTile>& tiles, const isl::map& pairs) {
  std::vector<isl::set> all;
  auto occurs = [&](const std::string& name) {
    int position = isl_map_find_dim_by_name(pairs.get(), isl_dim_param, name.c_str());
    return position >= 0 &&
           own(isl_map_involves_dims(pairs.get(), isl_dim_param, static_cast<unsigned>(position), 1));
  };
  for (const SymbolicTile& tile : tiles) {
    if (!occurs(tile.origin) && !occurs(later(tile.origin))) continue;
    isl::pw_aff source = parameter(tile.origin), sink = parameter(later(tile.origin)),
                size = parameter(tile.size);
    isl::set apart =
        source.eq_set(sink).unite(source.add(size).le_set(sink)).unite(sink.add(size).le_set(source));
    if (!tile.within.empty())
      apart = apart.unite(parameter(tile.within).ne_set(parameter(later(tile.within))));
    all.push_back(apart.params());
  }
  return all;
}

/// True when some of `pairs` remain with parameters in all of `sets` from number `k` on. Each basic map is
/// followed by itself: most are empty after one or two sets, and the product of all their cases never arises.
bool remain(const isl::map& pairs, const std::vector<isl::set>& sets, std::size_t k = 0) {
  if (pairs.is_empty()) return false;
  if (k == sets.size()) return true;
  bool found = false;
  pairs.foreach_basic_map([&](const isl::basic_map& part) {
    found = found || remain(isl::map(part).intersect_params(sets[k]), sets, k + 1);
  });
  return found;
}

isl::union_set withoutOrigins(const isl::union_set& domain, const std::vector<SymbolicTile>& tiles) {
  isl::union_set result = isl::union_set::empty(islContext());
  domain.foreach_set([&](const isl::set& part) {
    isl::set rest = part;
    for (const SymbolicTile& tile : tiles)
      rest = withoutParameter(withoutParameter(rest, tile.origin), tile.size);
    result = result.unite(rest);
  });
  return result;
}

} // namespace

bool legal(const isl::schedule& schedule, const std::vector<SymbolicTile>& tiles,
           const isl::union_set& instances, const std::vector<Constraint>& constraints) {
  // Every instance is in some tile; that it is in no second one is the same lemma about origins.
  if (!withoutOrigins(schedule.domain(), tiles).is_equal(instances)) return false;
  isl::union_map source = own(isl_schedule_get_map(schedule.get())), sink = source;
  for (const SymbolicTile& tile : tiles)
    sink = renamed(sink, tile.origin, later(tile.origin));
  for (const Constraint& constraint : constraints) {
    isl::union_map times = isl::union_map(constraint.relation).apply_domain(source).apply_range(sink);
    bool ordered = true;
    times.foreach_map([&](const isl::map& part) {
      isl::map backward = own(isl_map_lex_ge(isl_space_domain(isl_map_get_space(part.get()))));
      isl::map wrong = part.intersect(backward);
      ordered = ordered && !remain(wrong, originsApart(tiles, wrong));
    });
    if (!ordered) return false;
  }
  return true;
}

} // namespace warploom
