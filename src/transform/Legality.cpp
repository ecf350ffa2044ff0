#include "transform/Legality.h"

#include "analysis/Order.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <set>

namespace warploom {

namespace {

/// { S[i] -> [v] } for the instances of the space of `set`.
isl::map valueOn(const LoopTree& loop, const isl::space& set) {
  isl_space* space = isl_space_add_dims(isl_space_from_domain(set.copy()), isl_dim_out, 1);
  isl::pw_aff value = own(isl_union_pw_aff_extract_pw_aff(loop.value.get(), space));
  return own(isl_map_from_pw_aff(value.release()));
}

/// The part of `pairs` { S[i] -> T[j] } whose values v and w of `loop` are related by `condition`, text over
/// v, w.
isl::map related(const isl::map& pairs, const LoopTree& loop, const std::string& condition,
                 const std::string& parameter = "") {
  isl::map order(islContext(), fmt::format("[{}] -> {{ [v] -> [w] : {} }}", parameter, condition));
  isl::map source = valueOn(loop, pairs.domain().space()), sink = valueOn(loop, pairs.range().space());
  return pairs.intersect(source.apply_range(order).apply_range(sink.reverse()));
}

/// The pairs that `loop` may run in the same iteration: of equal values or, for a symbolic tile, in the same
/// tile.
isl::map equalIn(const isl::map& pairs, const LoopTree& loop) {
  if (!loop.tile) return related(pairs, loop, "v = w");
  const std::string& size = loop.tile->size;
  return related(pairs, loop, fmt::format("v - w < {0} and w - v < {0} and {0} >= 1", size), size);
}

isl::map between(const isl::map& pairs, const isl::union_set& sources, const isl::union_set& sinks) {
  isl::union_map part = isl::union_map(pairs).intersect_domain(sources).intersect_range(sinks);
  return own(isl_union_map_extract_map(part.get(), isl_map_get_space(pairs.get())));
}

/// The first place in `tree` that breaks `pairs`, of which all loops further out run both ends in one
/// iteration.
std::optional<Violation> broken(const LoopTree& tree, const isl::map& pairs) {
  if (pairs.is_empty()) return std::nullopt;
  switch (tree.kind) {
  case LoopTree::Kind::Leaf:
    return Violation{};
  case LoopTree::Kind::Loop:
    // Tiles follow each other like the values in them, so the same test serves a symbolic tile: with tiles of
    // size 1 any two different values are in different tiles.
    if (!related(pairs, tree, "v > w").is_empty()) return Violation{-1, tree.name, false};
    if (tree.place && !related(pairs, tree, "v < w").is_empty()) return Violation{-1, tree.name, true};
    return broken(tree.children.front(), equalIn(pairs, tree));
  case LoopTree::Kind::Sequence:
    break;
  }
  std::vector<isl::union_set> parts;
  for (const LoopTree& child : tree.children)
    parts.push_back(instances(child));
  for (std::size_t source = 0; source < parts.size(); ++source)
    for (std::size_t sink = 0; sink < source; ++sink)
      if (!between(pairs, parts[source], parts[sink]).is_empty()) return Violation{};
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (auto found = broken(tree.children[k], between(pairs, parts[k], parts[k]))) return found;
  return std::nullopt;
}

/// The pairs that loops further out run in one iteration when control reaches the loop called `name`.
isl::map reaching(const LoopTree& tree, const std::string& name, const isl::map& pairs) {
  const std::vector<const LoopTree*> path = pathTo(tree, name);
  isl::union_set below = instances(*path.back());
  isl::map rest = between(pairs, below, below);
  for (std::size_t k = 0; k + 1 < path.size() && !rest.is_empty(); ++k)
    rest = equalIn(rest, *path[k]);
  return rest;
}

} // namespace

std::optional<Violation> violation(const LoopTree& tree, const std::vector<Constraint>& constraints) {
  isl::union_set all = instances(tree);
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    auto found = broken(tree, between(constraints[k].relation, all, all));
    if (!found) continue;
    found->constraint = static_cast<int>(k);
    return found;
  }
  return std::nullopt;
}

namespace {

/// The statements, by their tuple names, that `tree` runs instances of.
std::set<std::string> statementNames(const LoopTree& tree) {
  std::set<std::string> names;
  instances(tree).foreach_set([&](const isl::set& set) { names.insert(isl_set_get_tuple_name(set.get())); });
  return names;
}

} // namespace

bool carries(const LoopTree& tree, const std::string& loop, const std::vector<Constraint>& constraints) {
  const LoopTree* node = findLoop(tree, loop);
  if (!node) return false;
  const std::set<std::string> inside = statementNames(*node);
  return std::any_of(constraints.begin(), constraints.end(), [&](const Constraint& constraint) {
    const char* source = isl_map_get_tuple_name(constraint.relation.get(), isl_dim_in);
    const char* sink = isl_map_get_tuple_name(constraint.relation.get(), isl_dim_out);
    if (inside.count(source) == 0 || inside.count(sink) == 0) return false;
    isl::map pairs = reaching(tree, loop, constraint.relation);
    return !pairs.is_empty() && !related(pairs, *node, "v != w").is_empty();
  });
}

namespace {

/// The instances inside `loop` that touch `array`, and to which copy each belongs: { S[i] -> [k, ..., l] },
/// the iteration of `loop` and of the loops around it.
isl::union_map copies(const Region& region, int array, int loop) {
  isl::union_map all = isl::union_map::empty(islContext());
  unsigned depth = static_cast<unsigned>(region.loops[loop].depth);
  for (const Statement& statement : region.statements) {
    if (!inside(statement, loop)) continue;
    bool touches =
        std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const Access& access) {
          return access.array == array && (access.reads() || access.writes());
        });
    if (!touches) continue;
    isl::map copy = own(isl_set_identity(statement.domain.copy()));
    copy = own(isl_map_project_out(copy.release(), isl_dim_out, depth,
                                   static_cast<unsigned>(statement.loops.size()) - depth));
    all = all.unite(
        own(isl_map_reset_tuple_id(copy.release(), isl_dim_out)).intersect_domain(statement.domain));
  }
  return all;
}

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

int arrayWithoutScope(const Region& region, const std::vector<Relaxation>& relaxations,
                      const LoopTree& tree) {
  isl::union_set all = instances(tree);
  for (const Relaxation& relaxation : relaxations) {
    if (relaxation.kind != Relaxation::Kind::Private) continue;
    isl::union_map copy = copies(region, relaxation.array, relaxation.loop).intersect_domain(all);
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

/// The parameter values that a source origin `o` and a sink origin `o'` of each tile that `pairs` speak of
/// can have: equal or at least a tile apart; inside another tile only while that is the same one.
isl::set originsApart(const std::vector<SymbolicTile>& tiles, const isl::map& pairs) {
  isl::set all = isl::set(islContext(), "{ : }");
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
    all = all.intersect(apart.params());
  }
  return all;
}

isl::union_set withoutOrigins(const isl::union_set& domain, const std::vector<SymbolicTile>& tiles) {
  isl::union_set result = isl::union_set::empty(islContext());
  domain.foreach_set([&](const isl::set& part) {
    isl::set rest = part;
    for (const SymbolicTile& tile : tiles)
      for (const std::string& name : {tile.origin, tile.size}) {
        int position = isl_set_find_dim_by_name(rest.get(), isl_dim_param, name.c_str());
        if (position >= 0)
          rest = own(isl_set_project_out(rest.release(), isl_dim_param, static_cast<unsigned>(position), 1));
      }
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
      ordered =
          ordered && (wrong.is_empty() || wrong.intersect_params(originsApart(tiles, wrong)).is_empty());
    });
    if (!ordered) return false;
  }
  return true;
}

} // namespace warploom
