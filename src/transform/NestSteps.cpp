// The steps that change the shape of a nest: tile, strip, shells, permute, fuse, distribute, reorder.
#include "support/IslC.h"
#include "transform/Levels.h"
#include "transform/Schedule.h"
#include "transform/StepChecks.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <isl/aff.h>
#include <isl/val.h>
#include <set>

namespace warploom {

namespace {

/// The loops of `names` by their places in the perfect nest that holds them all, and that nest.
struct Places {
  std::vector<LoopTree*> nest;
  std::vector<std::size_t> of; ///< per name, its place in `nest`
};

/// Where `names` are in one perfect nest, or why they are not.
std::variant<Places, Refusal> placesOf(LoopTree& tree, const std::vector<std::string>& names) {
  LoopTree* top = nullptr;
  std::size_t least = 0;
  std::set<std::string> seen;
  for (const std::string& name : names) {
    std::size_t depth = pathTo(tree, name).size();
    if (depth == 0) return noSuchLoop(name);
    if (!seen.insert(name).second) return Refusal{fmt::format("`{}` is named twice", name)};
    if (!top || depth < least) {
      top = findLoop(tree, name);
      least = depth;
    }
  }
  Places places{nestFrom(*top), {}};
  for (const std::string& name : names) {
    auto found = std::find_if(places.nest.begin(), places.nest.end(),
                              [&](const LoopTree* loop) { return loop->name == name; });
    if (found == places.nest.end())
      return Refusal{fmt::format("`{}` and `{}` are not perfectly nested: something else is between them",
                                 top->name, name)};
    places.of.push_back(static_cast<std::size_t>(found - places.nest.begin()));
  }
  return places;
}

/// Puts the loops called `order` into that order on the places they have together.
std::optional<Refusal> reorder(LoopTree& tree, const std::vector<std::string>& order) {
  if (order.empty()) return std::nullopt;
  auto found = placesOf(tree, order);
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
  Places& places = std::get<Places>(found);
  std::vector<LoopTree> headers;
  for (const LoopTree* loop : places.nest) {
    LoopTree header = *loop;
    header.children.clear();
    headers.push_back(std::move(header));
  }
  LoopTree body = places.nest.back()->children.front();
  std::vector<std::size_t> sorted = places.of;
  std::sort(sorted.begin(), sorted.end());
  std::vector<LoopTree> arranged = headers;
  for (std::size_t k = 0; k < sorted.size(); ++k)
    arranged[sorted[k]] = headers[places.of[k]];
  for (std::size_t k = arranged.size(); k-- > 0;) {
    arranged[k].children = {std::move(body)};
    body = std::move(arranged[k]);
  }
  *places.nest.front() = std::move(body);
  return std::nullopt;
}

/// What changes where the loops `names` of a nest are reordered or tiled. Where all from the outermost of
/// them to the innermost are parallel, instances that depend on each other are in one iteration of all of
/// those.
ScheduleState::Change changeOf(const ScheduleState& state, const std::vector<std::string>& names) {
  std::vector<const LoopTree*> path;
  for (const std::string& name : names)
    if (std::vector<const LoopTree*> other = pathTo(state.tree(), name); other.size() > path.size())
      path = std::move(other);
  const auto first = std::find_if(path.begin(), path.end(), [&](const LoopTree* loop) {
    return std::count(names.begin(), names.end(), loop->name) > 0;
  });
  const bool keepsOrder = std::all_of(
      first, path.end(), [&](const LoopTree* loop) { return state.isParallel(loop->name).value_or(false); });
  return keepsOrder ? ScheduleState::Change::Independent : ScheduleState::Change::Order;
}

/// The value of a control loop over tiles of `size` values.
isl::union_pw_aff tileValue(const isl::union_pw_aff& value, long size, Tile::Method method) {
  auto number = [&] { return isl_val_int_from_si(islContext().get(), size); };
  isl_union_pw_aff* tile = isl_union_pw_aff_floor(isl_union_pw_aff_scale_down_val(value.copy(), number()));
  if (method == Tile::Method::Strided) tile = isl_union_pw_aff_scale_val(tile, number());
  return own(tile);
}

/// Checks what is wrong with one loop of `step` before anything is built.
std::optional<Refusal> refusedTile(const ScheduleState& state, const Tile& step, std::size_t k) {
  const std::string& name = step.loops[k];
  const LoopTree* loop = findLoop(state.tree(), name);
  if (!loop) return noSuchLoop(name);
  if (auto refused = refusedMapped(*loop)) return refused;
  if (loop->tile)
    return Refusal{
        fmt::format("`{}` runs over tiles of symbolic size `{}`, which cannot be tiled again: tile the "
                    "loop inside first by the larger, then by the smaller size",
                    name, loop->tile->size)};
  if (auto refused = refusedName(state, step.names[k].control)) return refused;
  const std::string& renamed = step.names[k].tile;
  if (!renamed.empty() && renamed != name)
    if (auto refused = refusedName(state, renamed)) return refused;
  if (const long* size = std::get_if<long>(&step.sizes[k]))
    return *size >= 1 && *size <= 1L << 30 ? std::nullopt
                                           : std::optional(Refusal{fmt::format("a tile of size {}", *size)});
  // Several tiles may share a size, which is no other thing's name.
  const std::string& size = std::get<std::string>(step.sizes[k]);
  std::vector<SymbolicTile> tiles = symbolicTiles(state.tree());
  bool known = state.sizes().declarationOf(size) ||
               std::any_of(tiles.begin(), tiles.end(), [&](const SymbolicTile& t) { return t.size == size; });
  return known ? std::nullopt : refusedName(state, size);
}

} // namespace

std::optional<Refusal> apply(const Tile& step, ScheduleState& state) {
  if (step.sizes.size() != step.loops.size() || step.names.size() != step.loops.size())
    return Refusal{fmt::format("{} loops, {} sizes and {} names", step.loops.size(), step.sizes.size(),
                               step.names.size())};
  std::set<std::string> fresh;
  for (std::size_t k = 0; k < step.loops.size(); ++k) {
    if (auto refused = refusedTile(state, step, k)) return refused;
    for (const std::string& name : {step.names[k].control, step.names[k].tile})
      if (!name.empty() && !fresh.insert(name).second)
        return Refusal{fmt::format("`{}` is named twice", name)};
    if (const std::string* size = std::get_if<std::string>(&step.sizes[k]); size && fresh.count(*size))
      return Refusal{fmt::format("`{}` is both a loop and a size", *size)};
  }

  LoopTree tree = state.tree();
  if (!step.loops.empty()) {
    auto found = placesOf(tree, step.loops);
    if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
    const Places& places = std::get<Places>(found);
    LoopTree* top = places.nest[*std::min_element(places.of.begin(), places.of.end())];
    std::vector<LoopTree> controls;
    for (std::size_t k = 0; k < step.loops.size(); ++k) {
      LoopTree& point = *places.nest[places.of[k]];
      LoopTree control = point;
      control.name = step.names[k].control;
      control.children.clear();
      control.unroll = 1;
      if (const long* size = std::get_if<long>(&step.sizes[k])) {
        control.value = tileValue(point.value, *size, step.method);
      } else {
        auto taken = [&](const std::string& name) {
          bool here = std::any_of(controls.begin(), controls.end(), [&](const LoopTree& other) {
            return other.tile && other.tile->origin == name;
          });
          return here || fresh.count(name) > 0 || state.isTaken(name) ||
                 std::count(step.sizes.begin(), step.sizes.end(), Size(name)) > 0;
        };
        control.tile =
            SymbolicTile{uniqueName("o" + step.loops[k], taken), std::get<std::string>(step.sizes[k]), {}};
      }
      controls.push_back(std::move(control));
      if (!step.names[k].tile.empty()) point.name = step.names[k].tile;
    }
    LoopTree nest = *top;
    for (std::size_t k = controls.size(); k-- > 0;) {
      controls[k].children = {std::move(nest)};
      nest = std::move(controls[k]);
    }
    *top = std::move(nest);
  }
  if (auto refused = reorder(tree, step.order)) return refused;
  if (!step.order.empty()) return state.adopt(std::move(tree));
  // Tiles of one loop where it stands follow each other as its values do.
  return state.adopt(std::move(tree),
                     step.loops.size() == 1 ? ScheduleState::Change::Loops : changeOf(state, step.loops));
}

namespace {

/// How many of `points`, which ascend, are not above `value`.
isl::union_pw_aff tileBetween(const isl::union_pw_aff& value, const std::vector<long>& points) {
  isl_space* space = isl_space_set_alloc(islContext().get(), 0, 1);
  isl_map* counts = isl_map_empty(isl_space_map_from_set(isl_space_copy(space)));
  for (std::size_t k = 0; k <= points.size(); ++k) {
    isl_map* one = isl_map_universe(isl_space_map_from_set(isl_space_copy(space)));
    one = isl_map_fix_si(one, isl_dim_out, 0, static_cast<int>(k));
    if (k > 0)
      one =
          isl_map_lower_bound_val(one, isl_dim_in, 0, isl_val_int_from_si(islContext().get(), points[k - 1]));
    if (k < points.size())
      one =
          isl_map_upper_bound_val(one, isl_dim_in, 0, isl_val_int_from_si(islContext().get(), points[k] - 1));
    counts = isl_map_union(counts, one);
  }
  isl_space_free(space);
  isl_union_map* tiles = isl_union_map_apply_range(isl_union_map_from_union_pw_aff(value.copy()),
                                                   isl_union_map_from_map(counts));
  isl_multi_union_pw_aff* all = isl_multi_union_pw_aff_from_union_map(tiles);
  isl::union_pw_aff only = own(isl_multi_union_pw_aff_get_union_pw_aff(all, 0));
  isl_multi_union_pw_aff_free(all);
  return only;
}

} // namespace

std::optional<Refusal> apply(const Strip& step, ScheduleState& state) {
  if (!step.points.empty()) {
    if (auto refused = refusedTile(state, Tile{{step.loop}, {1L}, {{step.control}}}, 0)) return refused;
    if (std::adjacent_find(step.points.begin(), step.points.end(), std::greater_equal<>()) !=
        step.points.end())
      return Refusal{"tiles end at values that do not ascend"};
    LoopTree tree = state.tree();
    LoopTree& point = *findLoop(tree, step.loop);
    if (isl_union_pw_aff_n_pw_aff(point.value.get()) == 0)
      return Refusal{fmt::format("`{}` never runs", step.loop)};
    LoopTree inside = point;
    point.name = step.control;
    point.value = tileBetween(inside.value, step.points);
    point.unroll = 1;
    point.children = {std::move(inside)};
    return state.adopt(std::move(tree), ScheduleState::Change::Loops);
  }
  return apply(Tile{{step.loop}, {step.size}, {{step.control}}}, state);
}

std::optional<Refusal> apply(const Shells& step, ScheduleState& state) {
  if (step.loops.empty()) return Refusal{"no loops to run by"};
  if (auto refused = refusedName(state, step.shell)) return refused;
  LoopTree tree = state.tree();
  auto found = placesOf(tree, step.loops);
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
  const Places& places = std::get<Places>(found);
  std::string names;
  std::vector<const LoopTree*> taken, left;
  for (std::size_t place : places.of) {
    const LoopTree& loop = *places.nest[place];
    if (auto refused = refusedMapped(loop)) return refused;
    if (loop.tile) return Refusal{fmt::format("`{}` runs over tiles of symbolic size", loop.name)};
    if (loop.unroll != 1) return Refusal{fmt::format("`{}` is unrolled", loop.name)};
    names += fmt::format("{}v{}", names.empty() ? "" : ", ", place);
    taken.push_back(&loop);
  }
  for (const LoopTree* loop : pathTo(tree, places.nest.back()->name))
    if (!loop->tile && std::count(taken.begin(), taken.end(), loop) == 0) left.push_back(loop);
  // What ran in different iterations of them must not become one iteration of all other loops.
  if (left.empty() || !valuesOf(left).reverse().apply_range(valuesOf(taken)).is_single_valued())
    return Refusal{"the other loops of the nest do not tell their iterations apart: strip them first"};
  const std::size_t top = *std::min_element(places.of.begin(), places.of.end());
  LoopTree shell = *places.nest[top];
  shell.name = step.shell;
  if (step.loops.size() > 1) {
    const isl::map least(islContext(), fmt::format("{{ [{0}] -> [min({0})] }}", names));
    const isl::union_map values = valuesOf(taken).apply_range(least).coalesce();
    if (!values.is_empty()) {
      isl_multi_union_pw_aff* value = isl_multi_union_pw_aff_from_union_map(values.copy());
      shell.value = own(isl_multi_union_pw_aff_get_union_pw_aff(value, 0));
      isl_multi_union_pw_aff_free(value);
    }
  }
  LoopTree body = places.nest.back()->children.front();
  for (std::size_t k = places.nest.size(); k-- > top;)
    if (std::count(places.of.begin(), places.of.end(), k) == 0) {
      LoopTree loop = *places.nest[k];
      loop.children = {std::move(body)};
      body = std::move(loop);
    }
  shell.children = {std::move(body)};
  *places.nest[top] = std::move(shell);
  return state.adopt(std::move(tree));
}

std::optional<Refusal> apply(const Permute& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  if (auto refused = reorder(tree, step.order)) return refused;
  return state.adopt(std::move(tree), changeOf(state, step.order));
}

namespace {

/// The sequence in `tree` with the loop called `name` among its children; null when there is none.
LoopTree* sequenceWith(LoopTree& tree, const std::string& name) {
  for (LoopTree& child : tree.children) {
    if (tree.kind == LoopTree::Kind::Sequence && child.kind == LoopTree::Kind::Loop && child.name == name)
      return &tree;
    if (LoopTree* found = sequenceWith(child, name)) return found;
  }
  return nullptr;
}

} // namespace

std::optional<Refusal> apply(const Fuse& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  for (const std::string& name : {step.first, step.second}) {
    const LoopTree* loop = findLoop(tree, name);
    if (!loop) return noSuchLoop(name);
    if (auto refused = refusedMapped(*loop)) return refused;
    if (loop->tile)
      return Refusal{fmt::format("`{}` runs over tiles of symbolic size: fuse before tiling", name)};
  }
  LoopTree* around = sequenceWith(tree, step.first);
  auto isSecond = [&](const LoopTree& child) {
    return child.kind == LoopTree::Kind::Loop && child.name == step.second;
  };
  auto isFirst = [&](const LoopTree& child) {
    return child.kind == LoopTree::Kind::Loop && child.name == step.first;
  };
  if (!around) return Refusal{fmt::format("nothing follows `{}`", step.first)};
  auto first = std::find_if(around->children.begin(), around->children.end(), isFirst);
  auto second = std::next(first);
  if (second == around->children.end() || !isSecond(*second))
    return Refusal{fmt::format("`{}` does not follow `{}` directly", step.second, step.first)};
  if (first->unroll != second->unroll)
    return Refusal{
        fmt::format("`{}` and `{}` are not unrolled alike: fuse before unrolling", step.first, step.second)};
  first->value = own(isl_union_pw_aff_union_add(first->value.copy(), second->value.copy()));
  first->children = {sequence({std::move(first->children.front()), std::move(second->children.front())})};
  around->children.erase(second);
  if (around->children.size() == 1) {
    LoopTree only = std::move(around->children.front());
    *around = std::move(only);
  }
  return state.adopt(std::move(tree));
}

std::optional<Refusal> apply(const Distribute& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  LoopTree* loop = findLoop(tree, step.loop);
  if (!loop) return noSuchLoop(step.loop);
  if (auto refused = refusedMapped(*loop)) return refused;
  if (loop->tile)
    return Refusal{fmt::format("`{}` runs over tiles of symbolic size: distribute before tiling", step.loop)};
  if (loop->children.front().kind != LoopTree::Kind::Sequence)
    return Refusal{fmt::format("the body of `{}` is one piece", step.loop)};
  std::vector<std::vector<LoopTree>> pieces;
  const std::set<std::string> before(step.before.begin(), step.before.end());
  std::set<std::string> found;
  for (LoopTree& child : loop->children.front().children) {
    bool cut = pieces.empty() || before.empty();
    if (child.kind == LoopTree::Kind::Loop && before.count(child.name)) {
      found.insert(child.name);
      cut = true;
    }
    for (int s : statementsOf(state.region(), child))
      if (const std::string& name = state.region().statements[s].name; before.count(name)) {
        found.insert(name);
        cut = true;
      }
    if (cut) pieces.emplace_back();
    pieces.back().push_back(std::move(child));
  }
  for (const std::string& name : before)
    if (found.count(name) == 0)
      return Refusal{fmt::format("`{}` is not in the body of `{}`", name, step.loop)};
  if (pieces.size() == 1)
    return Refusal{fmt::format("nothing of the body of `{}` is in front of the cut", step.loop)};
  std::vector<LoopTree> parts;
  std::set<std::string> fresh;
  for (std::vector<LoopTree>& piece : pieces) {
    LoopTree body = sequence(std::move(piece));
    isl::union_set inside = instances(body);
    LoopTree part = loopAround(loop->name, loop->value, std::move(body));
    part.value = own(isl_union_pw_aff_intersect_domain(part.value.release(), inside.release()));
    if (!parts.empty())
      part.name =
          uniqueName(part.name, [&](const std::string& n) { return state.isTaken(n) || fresh.count(n); });
    fresh.insert(part.name);
    parts.push_back(std::move(part));
  }
  // Iterations of a parallel loop have nothing to do with each other, nor have their parts.
  const bool keepsOrder = state.isParallel(step.loop).value_or(false);
  LoopTree all = sequence(std::move(parts));
  *loop = std::move(all);
  return state.adopt(flattened(std::move(tree)),
                     keepsOrder ? ScheduleState::Change::Independent : ScheduleState::Change::Order);
}

std::optional<Refusal> apply(const Reorder& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  LoopTree* loop = findLoop(tree, step.loop);
  if (!loop) return noSuchLoop(step.loop);
  if (auto refused = refusedMapped(*loop)) return refused;
  if (loop->children.front().kind != LoopTree::Kind::Sequence)
    return Refusal{fmt::format("the body of `{}` is one piece", step.loop)};
  std::vector<LoopTree>& parts = loop->children.front().children;
  auto isCalled = [&](const LoopTree& part, const std::string& name) {
    if (part.kind == LoopTree::Kind::Loop) return part.name == name;
    const std::vector<int> all = statementsOf(state.region(), part);
    return std::any_of(all.begin(), all.end(),
                       [&](int s) { return state.region().statements[s].name == name; });
  };
  std::vector<std::size_t> order;
  for (const std::string& name : step.parts) {
    const auto at =
        std::find_if(parts.begin(), parts.end(), [&](const auto& one) { return isCalled(one, name); });
    if (at == parts.end())
      return Refusal{fmt::format("`{}` is no part of the body of `{}`", name, step.loop)};
    const auto place = static_cast<std::size_t>(at - parts.begin());
    if (std::count(order.begin(), order.end(), place) > 0)
      return Refusal{fmt::format("`{}` is named twice", name)};
    order.push_back(place);
  }
  if (order.empty()) return Refusal{"no parts are named"};
  const std::size_t first = *std::min_element(order.begin(), order.end());
  std::vector<LoopTree> arranged(parts.begin(), parts.begin() + static_cast<long>(first));
  for (std::size_t place : order)
    arranged.push_back(parts[place]);
  for (std::size_t place = first; place < parts.size(); ++place)
    if (std::count(order.begin(), order.end(), place) == 0) arranged.push_back(parts[place]);
  parts = std::move(arranged);
  return state.adopt(std::move(tree));
}

} // namespace warploom
