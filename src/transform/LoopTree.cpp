#include "transform/LoopTree.h"

#include "support/Failure.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <set>

namespace warploom {

isl::union_pw_aff LoopTree::noValue() {
  return own(isl_union_pw_aff_empty_ctx(islContext().get()));
}

bool hasPlaces(const LoopTree& tree) {
  return tree.place || std::any_of(tree.children.begin(), tree.children.end(), hasPlaces);
}

isl::union_set instances(const LoopTree& tree) {
  if (tree.kind == LoopTree::Kind::Leaf) return tree.domain;
  isl::union_set all = isl::union_set::empty(islContext());
  for (const LoopTree& child : tree.children)
    all = all.unite(instances(child));
  return all;
}

std::string fixedName(const std::string& loop) {
  return "loop " + loop;
}

isl::union_set fixedAt(const isl::union_set& instances, const std::string& loop,
                       const isl::union_pw_aff& value) {
  isl_id* id = isl_id_alloc(islContext().get(), fixedName(loop).c_str(), nullptr);
  isl_union_pw_aff* here = isl_union_pw_aff_intersect_domain(value.copy(), instances.copy());
  isl_union_pw_aff* parameter = isl_union_pw_aff_param_on_domain_id(instances.copy(), id);
  return own(isl_union_pw_aff_zero_union_set(isl_union_pw_aff_sub(here, parameter)));
}

isl::map insideTile(const SymbolicTile& tile) {
  isl::map inside(islContext(), "[o, size] -> { [v] -> [v] : size >= 1 and o <= v < o + size }");
  // The names may be words of isl's language: the origin of the tiles of `r` is `or`.
  isl_map* named = isl_map_set_dim_name(inside.release(), isl_dim_param, 0, tile.origin.c_str());
  return own(isl_map_set_dim_name(named, isl_dim_param, 1, tile.size.c_str()));
}

isl::union_set insideTile(const LoopTree& loop, const isl::union_set& domain) {
  isl::union_map values = own(isl_union_map_from_union_pw_aff(loop.value.copy())).intersect_domain(domain);
  return values.apply_range(insideTile(*loop.tile)).domain();
}

namespace {

/// { S[i] -> [parameter] } on `domain`.
isl::union_pw_aff parameterOn(const isl::union_set& domain, const std::string& parameter) {
  isl_id* id = isl_id_alloc(islContext().get(), parameter.c_str(), nullptr);
  return own(isl_union_pw_aff_param_on_domain_id(domain.copy(), id));
}

isl::union_set tileDomain(const LoopTree& tree, isl::union_set domain) {
  if (tree.kind == LoopTree::Kind::Loop && tree.tile) {
    isl::union_set own = instances(tree);
    domain = domain.subtract(own).unite(insideTile(tree, domain.intersect(own)));
  }
  for (const LoopTree& child : tree.children)
    domain = tileDomain(child, domain);
  return domain;
}

isl::schedule scheduleWithin(const LoopTree& tree, const isl::union_set& domain) {
  switch (tree.kind) {
  case LoopTree::Kind::Leaf:
    return isl::schedule::from_domain(tree.domain.intersect(domain));
  case LoopTree::Kind::Sequence: {
    isl::schedule all = scheduleWithin(tree.children.front(), domain);
    for (std::size_t k = 1; k < tree.children.size(); ++k)
      all = own(isl_schedule_sequence(all.release(), scheduleWithin(tree.children[k], domain).release()));
    return all;
  }
  case LoopTree::Kind::Loop:
    break;
  }
  isl::schedule body = scheduleWithin(tree.children.front(), domain);
  isl::union_set below = body.domain();
  // A band over nothing would have no space to be in.
  if (below.is_empty()) return body;
  isl::union_pw_aff value = tree.tile
                                ? parameterOn(below, tree.tile->origin)
                                : own(isl_union_pw_aff_intersect_domain(tree.value.copy(), below.copy()));
  isl_multi_union_pw_aff* band = isl_multi_union_pw_aff_from_union_pw_aff(value.release());
  band = isl_multi_union_pw_aff_set_tuple_name(band, isl_dim_set, tree.name.c_str());
  return own(isl_schedule_insert_partial_schedule(body.release(), band));
}

} // namespace

isl::schedule scheduleOf(const LoopTree& tree) {
  return scheduleWithin(tree, tileDomain(tree, instances(tree)));
}

std::vector<SymbolicTile> symbolicTiles(const LoopTree& tree) {
  std::vector<SymbolicTile> tiles;
  if (tree.tile) tiles.push_back(*tree.tile);
  for (const LoopTree& child : tree.children) {
    std::vector<SymbolicTile> below = symbolicTiles(child);
    tiles.insert(tiles.end(), below.begin(), below.end());
  }
  return tiles;
}

namespace {

/// The loops that are called `name`, or that have a place that is called so, with the loops around each.
void collectPaths(const LoopTree& tree, const std::string& name, bool byPlace,
                  std::vector<const LoopTree*>& around, std::vector<std::vector<const LoopTree*>>& found) {
  bool isLoop = tree.kind == LoopTree::Kind::Loop;
  if (isLoop) around.push_back(&tree);
  if (isLoop && (byPlace ? tree.place && placeName(*tree.place) == name : tree.name == name))
    found.push_back(around);
  for (const LoopTree& child : tree.children)
    collectPaths(child, name, byPlace, around, found);
  if (isLoop) around.pop_back();
}

} // namespace

std::string placeName(const Place& place) {
  if (place.kind == Place::Kind::Lane) return "lane";
  return std::string(place.kind == Place::Kind::Grid ? "b" : "t") + "xyz"[place.dimension];
}

std::vector<const LoopTree*> pathTo(const LoopTree& tree, const std::string& name) {
  for (bool byPlace : {false, true}) {
    std::vector<const LoopTree*> around;
    std::vector<std::vector<const LoopTree*>> found;
    collectPaths(tree, name, byPlace, around, found);
    if (found.size() == 1) return found.front();
  }
  return {};
}

const LoopTree* findLoop(const LoopTree& tree, const std::string& name) {
  std::vector<const LoopTree*> path = pathTo(tree, name);
  return path.empty() ? nullptr : path.back();
}

LoopTree* findLoop(LoopTree& tree, const std::string& name) {
  return const_cast<LoopTree*>(findLoop(std::as_const(tree), name));
}

isl::union_map valuesOf(const std::vector<const LoopTree*>& loops) {
  isl_union_map* all = nullptr;
  for (const LoopTree* loop : loops) {
    isl_union_map* value = isl_union_map_from_union_pw_aff(loop->value.copy());
    all = all ? isl_union_map_flat_range_product(all, value) : value;
  }
  return own(all);
}

std::vector<LoopTree*> nestFrom(LoopTree& loop) {
  std::vector<LoopTree*> nest{&loop};
  while (nest.back()->children.front().kind == LoopTree::Kind::Loop)
    nest.push_back(&nest.back()->children.front());
  return nest;
}

std::vector<const LoopTree*> nestFrom(const LoopTree& loop) {
  std::vector<LoopTree*> nest = nestFrom(const_cast<LoopTree&>(loop));
  return {nest.begin(), nest.end()};
}

std::vector<const LoopTree*> partsOf(const LoopTree& body) {
  if (body.kind != LoopTree::Kind::Sequence) return {&body};
  std::vector<const LoopTree*> parts;
  for (const LoopTree& child : body.children)
    parts.push_back(&child);
  return parts;
}

std::vector<std::string> loopNames(const LoopTree& tree) {
  std::vector<std::string> names;
  if (tree.kind == LoopTree::Kind::Loop) names.push_back(tree.name);
  for (const LoopTree& child : tree.children) {
    std::vector<std::string> below = loopNames(child);
    names.insert(names.end(), below.begin(), below.end());
  }
  return names;
}

std::string uniqueName(const std::string& wanted, const std::function<bool(const std::string&)>& taken) {
  std::string name = wanted;
  for (int suffix = 2; taken(name); ++suffix)
    name = fmt::format("{}_{}", wanted, suffix);
  return name;
}

std::optional<LoopTree> restricted(const LoopTree& tree, const isl::union_set& kept) {
  if (tree.kind == LoopTree::Kind::Leaf) {
    LoopTree leaf = tree;
    leaf.domain = leaf.domain.intersect(kept);
    if (leaf.domain.is_empty()) return std::nullopt;
    return leaf;
  }
  std::vector<LoopTree> parts;
  for (const LoopTree& child : tree.children)
    if (auto part = restricted(child, kept)) parts.push_back(std::move(*part));
  if (parts.empty()) return std::nullopt;
  if (tree.kind == LoopTree::Kind::Sequence) return sequence(std::move(parts));
  LoopTree loop = tree;
  loop.children = std::move(parts);
  return loop;
}

LoopTree sequence(std::vector<LoopTree> parts) {
  LoopTree result;
  result.kind = LoopTree::Kind::Sequence;
  for (LoopTree& part : parts) {
    if (part.kind != LoopTree::Kind::Sequence) {
      result.children.push_back(std::move(part));
      continue;
    }
    for (LoopTree& child : part.children)
      result.children.push_back(std::move(child));
  }
  if (result.children.size() > 1) return result;
  LoopTree only = std::move(result.children.front());
  return only;
}

LoopTree loopAround(const std::string& name, const isl::union_pw_aff& value, LoopTree body) {
  LoopTree loop;
  loop.kind = LoopTree::Kind::Loop;
  loop.name = name;
  loop.value = value;
  loop.children.push_back(std::move(body));
  return loop;
}

namespace {

/// { S[..., i, ...] -> [i] } for the statements inside `loop`, negated for a descending loop: smaller runs
/// first.
isl::union_pw_aff indexOf(const Region& region, int loop) {
  isl::union_pw_aff all = LoopTree::noValue();
  for (const Statement& statement : region.statements) {
    auto found = std::find(statement.loops.begin(), statement.loops.end(), loop);
    if (found == statement.loops.end()) continue;
    int level = static_cast<int>(found - statement.loops.begin());
    isl::aff index = statement.domain.space().identity_multi_aff_on_domain().at(level);
    all = all.union_add(isl::pw_aff(region.loops[loop].step < 0 ? index.neg() : index));
  }
  return all;
}

/// True when an array or a parameter of `region` is called `name`.
bool isOtherName(const Region& region, const std::string& name) {
  auto isNamed = [&](const auto& thing) { return thing.name == name; };
  return std::any_of(region.arrays.begin(), region.arrays.end(), isNamed) ||
         std::any_of(region.parameters.begin(), region.parameters.end(), isNamed);
}

/// The tree of `members`, statements that agree in their first `level` loops and positions.
LoopTree treeFrom(const Region& region, const std::vector<std::string>& names,
                  const std::vector<const Statement*>& members, std::size_t level) {
  std::vector<LoopTree> parts;
  for (std::size_t first = 0, last; first < members.size(); first = last) {
    for (last = first; last < members.size(); ++last)
      if (members[last]->position[level] != members[first]->position[level]) break;
    if (members[first]->loops.size() == level) {
      LoopTree& leaf = parts.emplace_back();
      leaf.domain = members[first]->domain;
      continue;
    }
    std::vector<const Statement*> inside(members.begin() + static_cast<long>(first),
                                         members.begin() + static_cast<long>(last));
    int loop = members[first]->loops[level];
    LoopTree body = treeFrom(region, names, inside, level + 1);
    isl::union_pw_aff value =
        own(isl_union_pw_aff_intersect_domain(indexOf(region, loop).release(), instances(body).release()));
    parts.push_back(loopAround(names[static_cast<std::size_t>(loop)], value, std::move(body)));
  }
  return sequence(std::move(parts));
}

/// Makes a tree from an isl schedule, naming the loops.
class Reader {
public:
  explicit Reader(const Region& r) : region(r), names(originalNames(r)) {
    for (std::size_t loop = 0; loop < region.loops.size(); ++loop)
      sources.push_back(
          own(isl_union_map_from_union_pw_aff(indexOf(region, static_cast<int>(loop)).release())));
  }

  LoopTree read(const isl::schedule_node& node) {
    switch (isl_schedule_node_get_type(node.get())) {
    case isl_schedule_node_domain:
    case isl_schedule_node_filter:
    case isl_schedule_node_context:
    case isl_schedule_node_guard:
    case isl_schedule_node_mark:
      return read(node.child(0));
    case isl_schedule_node_band:
      return readBand(node, 0);
    case isl_schedule_node_sequence:
    case isl_schedule_node_set: {
      std::vector<LoopTree> parts;
      for (unsigned k = 0; k < unsigned(node.n_children()); ++k)
        parts.push_back(read(node.child(static_cast<int>(k))));
      return sequence(std::move(parts));
    }
    case isl_schedule_node_leaf: {
      LoopTree leaf;
      leaf.domain = own(isl_schedule_node_get_domain(node.get()));
      return leaf;
    }
    default:
      throw Failure(region.name(), "a schedule with a node that no loop tree has");
    }
  }

private:
  LoopTree readBand(const isl::schedule_node& node, int member) {
    if (member == static_cast<int>(isl_schedule_node_band_n_member(node.get()))) return read(node.child(0));
    isl::multi_union_pw_aff band = own(isl_schedule_node_band_get_partial_schedule(node.get()));
    isl::union_set below = own(isl_schedule_node_get_domain(node.get()));
    isl::union_pw_aff value = own(isl_union_pw_aff_intersect_domain(
        isl_multi_union_pw_aff_get_union_pw_aff(band.get(), member), below.release()));
    // Before the loops inside, which come later in a depth-first order.
    std::string name = uniqueName(wantedName(value), [&](const std::string& n) {
      return taken.count(n) > 0 || isOtherName(region, n);
    });
    taken.insert(name);
    return loopAround(name, value, readBand(node, member + 1));
  }

  std::string wantedName(const isl::union_pw_aff& value) const {
    isl::union_map whole = own(isl_union_map_from_union_pw_aff(value.copy()));
    for (std::size_t loop = 0; loop < sources.size(); ++loop)
      if (!whole.is_empty() && whole.is_subset(sources[loop])) return names[loop];
    for (const Statement& statement : region.statements) {
      isl::union_map part = whole.intersect_domain(statement.domain);
      for (std::size_t loop = 0; loop < sources.size(); ++loop)
        if (!part.is_empty() && part.is_subset(sources[loop])) return names[loop];
    }
    return "t";
  }

  const Region& region;
  std::vector<std::string> names;
  std::vector<isl::union_map> sources; ///< per loop of the region
  std::set<std::string> taken;
};

void print(const LoopTree& tree, int depth, std::string& text) {
  std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  switch (tree.kind) {
  case LoopTree::Kind::Leaf: {
    std::set<std::string> names;
    tree.domain.foreach_set([&](const isl::set& set) { names.insert(isl_set_get_tuple_name(set.get())); });
    text += fmt::format("{}{}\n", indent, fmt::join(names, " "));
    return;
  }
  case LoopTree::Kind::Loop:
    text += indent + tree.name;
    if (tree.tile) text += fmt::format(" = tiles of {} from {}", tree.tile->size, tree.tile->origin);
    if (tree.place && tree.place->kind == Place::Kind::Lane)
      text += " on lanes";
    else if (tree.place)
      text += fmt::format(" on {}.{}", tree.place->kind == Place::Kind::Grid ? "grid" : "block",
                          "xyz"[tree.place->dimension]);
    if (tree.unroll == 0) text += " unrolled";
    if (tree.unroll > 1) text += fmt::format(" unrolled by {}", tree.unroll);
    text += "\n";
    print(tree.children.front(), depth + 1, text);
    return;
  case LoopTree::Kind::Sequence:
    for (const LoopTree& child : tree.children)
      print(child, depth, text);
    return;
  }
}

} // namespace

std::vector<std::string> originalNames(const Region& region) {
  std::vector<std::string> names;
  for (const Loop& loop : region.loops)
    names.push_back(uniqueName(loop.index, [&](const std::string& name) {
      return std::count(names.begin(), names.end(), name) > 0 || isOtherName(region, name);
    }));
  return names;
}

LoopTree originalTree(const Region& region, const std::vector<std::string>& names) {
  std::vector<const Statement*> all;
  for (const Statement& statement : region.statements)
    if (statement.kind != Statement::Kind::Kill) all.push_back(&statement);
  return all.empty() ? LoopTree() : treeFrom(region, names, all, 0);
}

LoopTree loopTree(const Region& region, const isl::schedule& schedule) {
  return Reader(region).read(schedule.root());
}

std::string printed(const LoopTree& tree) {
  std::string text;
  print(tree, 0, text);
  return text;
}

} // namespace warploom
