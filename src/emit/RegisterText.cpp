#include "emit/RegisterText.h"

#include "emit/SharedText.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/union_set.h>

namespace warploom {

RegisterText::RegisterText(KernelScope& scope) : scope(scope), tree(scope.kernel.body) {
  for (const RegisterTile& tile : tree.registers)
    registers[tile.array] = {scope.names.fresh(scope.region.arrays[tile.array].name + "_own"), &tile};
}

std::string RegisterText::itemOf(const TiledLoop& loop) const {
  return scope.local(fmt::format("r{}", axisName(loop.axis)));
}

std::string RegisterText::element(AccessRef access) const {
  const auto found = registers.find(access.in(scope.region).array);
  if (found == registers.end()) return "";
  const auto& [name, tile] = found->second;
  if (!tile->elements.box) return registerOf(found->first, false);
  const std::vector<std::string> places = placesIn(scope, *tile->elements.box, access);
  if (places.empty()) return "";
  std::string text = name;
  for (std::size_t d = 0; d < places.size(); ++d)
    if (tile->elements.box->stride[d] > 0) text += "[" + places[d] + "]";
  return text;
}

std::string RegisterText::registerOf(int array, bool whole) const {
  auto [text, tile] = registers.at(array);
  for (const TiledLoop* loop : loopsAlong(*tile))
    if (!loop->onePerThread() && !(whole && loop->axis == 0)) text += "[" + itemOf(*loop) + "]";
  return text;
}

/// The tiled loops whose points have elements of their own in `tile`.
std::vector<const TiledLoop*> RegisterText::loopsAlong(const RegisterTile& tile) const {
  std::vector<const TiledLoop*> result;
  for (const TiledLoop& loop : tree.tiles)
    if (std::count(tile.elements.along.begin(), tile.elements.along.end(), loop.control) > 0)
      result.push_back(&loop);
  return result;
}

/// Which point along `loop` a thread works on; with neighbouring points, `first`: the first of them.
std::string RegisterText::pointText(const TiledLoop& loop, bool first) const {
  std::string origin = scope.tiles.at(loop.control).origin,
              thread = fmt::format("threadIdx.{}", axisName(loop.axis));
  if (loop.onePerThread()) return fmt::format("{} + {}", origin, thread);
  switch (loop.points) {
  case Points::Apart:
    return fmt::format("{} + {} * {} + {}", origin, itemOf(loop), scope.used.size(loop.threads), thread);
  case Points::Grouped:
    return fmt::format("{} + warploom::pointOf<{}, {}, {}>({}, {})", origin, loop.group,
                       scope.used.size(loop.items), scope.used.size(loop.threads), itemOf(loop), thread);
  case Points::Columns:
  case Points::Rows:
    return fmt::format("{} + warploom::{}<{}>({})", origin, loop.axis == 0 ? "tensorColumn" : "tensorRow",
                       scope.used.size(loop.items), itemOf(loop));
  case Points::Adjacent:
    break;
  }
  std::string items = scope.used.size(loop.items);
  if (items.find(' ') != std::string::npos) items = "(" + items + ")";
  std::string begin = fmt::format("{} + {} * {}", origin, thread, items);
  return first ? begin : begin + " + " + itemOf(loop);
}

/// How the elements of `tile` are reached where `at` runs.
RegisterText::Move RegisterText::moveOf(const RegisterTile& tile, const Position& at) {
  Move move{&tile, loopsAlong(tile), {}, "", false};
  Position inside = at;
  for (const TiledLoop* loop : move.along) {
    const LoopTree& control = *findLoop(scope.kernel.tree, loop->control);
    // The variable has the name that the statement's subscripts use.
    std::optional<std::size_t> level = sourceLevel(scope.region, control, tile.elements.access.statement);
    const Statement& statement = tile.elements.access.statementIn(scope.region);
    move.indices.push_back(level
                               ? scope.names.of("index " + scope.region.loops[statement.loops[*level]].index)
                               : scope.tiles.at(loop->control).variable);
    std::string point = fixedName(loop->control + " point");
    scope.texts[point] = move.indices.back();
    inside = {fixedAt(inside.runs, loop->control + " point", control.value),
              withinTile(inside.context, point, loop->origin, loop->size)};
  }
  isl::union_set touching = isl::union_set::empty(islContext());
  for (int s : scope.kernel.statements)
    for (const Access& access : scope.region.statements[s].accesses)
      if (access.array == tile.array) touching = touching.unite(scope.region.statements[s].domain);
  isl::set exists = own(isl_union_set_params(inside.runs.intersect(touching).release()));
  move.guard = scope.condition(exists, inside.context);
  for (const TiledLoop* loop : move.along)
    scope.texts.erase(fixedName(loop->control + " point"));
  // Where all points are there, neighbours move together.
  move.whole = tile.contiguous && move.guard.empty();
  fixIndices(move);
  return move;
}

/// Finds the indices that the source's subscripts have although the element does not depend on them: those of
/// loops that run once.
void RegisterText::fixIndices(Move& move) {
  const AccessRef access = move.tile->elements.access;
  const Statement& statement = access.statementIn(scope.region);
  const auto subscripts = affineSubscripts(move.tile->elements.reached);
  if (!subscripts) return;
  auto nameOf = [&](std::size_t level) {
    return scope.names.of("index " + scope.region.loops[statement.loops[level]].index);
  };
  auto matters = [&](std::size_t level) {
    for (int d = 0; d < static_cast<int>(unsigned(subscripts->size())); ++d)
      if (own(isl_aff_involves_dims(subscripts->at(d).get(), isl_dim_in, static_cast<unsigned>(level), 1)))
        return true;
    return false;
  };
  const std::string element = scope.bodies.element(access);
  for (std::size_t level = 0; level < statement.loops.size(); ++level) {
    const std::string name = nameOf(level);
    if (matters(level) || !mentions(element, name) ||
        std::count(move.indices.begin(), move.indices.end(), name) > 0)
      continue;
    // Its least value, which is its only one, in terms of the indices that matter.
    isl_set* values = statement.domain.copy();
    for (std::size_t other = statement.loops.size(); other-- > 0;) {
      if (other == level) continue;
      const auto at = static_cast<unsigned>(other);
      if (!matters(other)) {
        values = isl_set_project_out(values, isl_dim_set, at, 1);
        continue;
      }
      const std::string symbol = "index " + scope.region.loops[statement.loops[other]].index;
      scope.texts[symbol] = nameOf(other);
      const auto last = static_cast<unsigned>(isl_set_dim(values, isl_dim_param));
      values = isl_set_move_dims(values, isl_dim_param, last, isl_dim_set, at, 1);
      values = isl_set_set_dim_name(values, isl_dim_param, last, symbol.c_str());
    }
    isl::pw_aff least = own(isl_set_dim_min(values, 0));
    move.fixed.emplace_back(name, scope.text(least.gist(least.domain()).coalesce()));
  }
}

std::string RegisterText::extentsOf(const RegisterTile& tile) const {
  std::string extents;
  if (tile.elements.box) {
    for (std::size_t d = 0; d < tile.elements.box->low.size(); ++d)
      if (tile.elements.box->stride[d] > 0) extents += "[" + scope.text(tile.elements.box->extent(d)) + "]";
    return extents;
  }
  for (const TiledLoop* one : loopsAlong(tile))
    if (!one->onePerThread()) extents += "[" + scope.used.size(one->items) + "]";
  return extents;
}

void RegisterText::writeBox(const RegisterTile& tile, const RegistersNode& node, TextWriter& to) {
  const Box& box = *tile.elements.box;
  isl::union_set runs = node.at.runs;
  isl::set given = node.at.context;
  to.open("");
  for (const auto& [name, bounds] : node.threads) {
    if (std::count(tile.elements.threads.begin(), tile.elements.threads.end(), name) == 0) continue;
    const LoopTree& loop = *findLoop(scope.kernel.tree, name);
    const IndexRange range = scope.rangeOf(bounds);
    const std::string variable = scope.freeVariableOf(loop),
                      thread = fmt::format("Index(threadIdx.{})", axisName(loop.place->dimension));
    to.line("const Index {} = {}{};", variable, range.first == "0" ? "" : range.first + " + ",
            range.step == 1 ? thread : fmt::format("{} * {}", range.step, thread));
    scope.texts[fixedName(name)] = variable;
    runs = fixedAt(runs, name, loop.value);
    given = given.intersect(parameter(fixedName(name)).ge_set(bounds.low));
  }
  isl::set elements = isl::set::empty(box.reached.front().range().space());
  for (const isl::map& reached : box.reached)
    elements = elements.unite(runs.extract_set(reached.domain().space()).apply(reached));
  std::vector<std::string> coordinates(box.low.size());
  std::string kept = registers.at(tile.array).first;
  const isl::set inside = bySubscripts(box, elements, given);
  int loops = 0;
  for (std::size_t d = 0; d < box.low.size(); ++d) {
    const std::string low = scope.text(box.low[d]);
    std::string& coordinate = coordinates[d];
    if (box.stride[d] == 0) {
      coordinate = low.find(' ') == std::string::npos ? low : "(" + low + ")";
    } else {
      static const char* const sides[] = {"column", "row", "plane", "cube"};
      const std::string r = scope.local(fmt::format("r{}", d));
      coordinate = scope.local(sides[std::min<std::size_t>(box.low.size() - 1 - d, 3)]);
      to.line("#pragma unroll");
      to.open("for (int {0} = 0; {0} < {1}; ++{0})", r, scope.text(box.extent(d)));
      to.line("const Index {} = {} + {};", coordinate, low,
              box.stride[d] == 1 ? r : fmt::format("{} * {}", box.stride[d], r));
      kept += "[" + r + "]";
      ++loops;
    }
    scope.texts[subscriptName(d)] = coordinate;
  }
  const std::string guard = scope.condition(inside, given);
  scope.used.arrays.insert(memoryOf(scope.region, tile.array));
  const std::string element = scope.bodies.elementAt(tile.array, coordinates);
  const std::string text = node.direction == RegistersNode::Direction::Load
                               ? fmt::format("{} = {};", kept, scope.bodies.loaded(tile.array, element))
                               : fmt::format("{} = {};", element, kept);
  to.line(guard.empty() ? text : fmt::format("if ({}) {}", guard, text));
  for (; loops > 0; --loops)
    to.close();
  to.close();
  for (std::size_t d = 0; d < box.low.size(); ++d)
    scope.texts.erase(subscriptName(d));
  for (const auto& [name, bounds] : node.threads)
    scope.texts.erase(fixedName(name));
}

void RegisterText::write(const RegistersNode& node, TextWriter& to) {
  const bool load = node.direction == RegistersNode::Direction::Load;
  std::vector<Move> moves;
  for (const RegisterTile& tile : tree.registers) {
    if (tile.loop != node.loop) continue;
    const bool isSum = std::any_of(tree.products.begin(), tree.products.end(),
                                   [&](const TileProduct& product) { return product.sum == tile.array; });
    if (load)
      to.line("{} {}{}{};", scalarType(scope.region.arrays[tile.array].element),
              registers.at(tile.array).first, extentsOf(tile), isSum ? " = {}" : "");
    if (tile.elements.box) {
      if (load ? tile.elements.load : tile.elements.store) writeBox(tile, node, to);
      continue;
    }
    if (load ? tile.elements.load : tile.elements.store) moves.push_back(moveOf(tile, node.at));
  }
  for (auto first = moves.begin(); first != moves.end();) {
    auto end = std::find_if(first, moves.end(), [&](const Move& move) {
      return move.along != first->along || move.indices != first->indices || move.whole != first->whole ||
             move.fixed != first->fixed;
    });
    writeMoves({first, end}, load, to);
    first = end;
  }
}

/// Writes `moves`, of elements that are reached in the same way.
void RegisterText::writeMoves(const std::vector<Move>& moves, bool load, TextWriter& to) {
  const auto& [tile, along, indices, guard, whole, fixed] = moves.front();
  auto loops = [&, together = whole](const TiledLoop& loop) {
    return !loop.onePerThread() && !(together && loop.axis == 0);
  };
  bool braces = along.empty() || !loops(*along.front());
  if (braces) to.open("");
  for (std::size_t k = 0; k < along.size(); ++k) {
    if (loops(*along[k])) {
      to.line("#pragma unroll");
      to.open("for (int {0} = 0; {0} < {1}; ++{0})", itemOf(*along[k]), scope.used.size(along[k]->items));
    }
    to.line("const Index {} = {};", indices[k], pointText(*along[k], whole));
  }
  for (const auto& [name, value] : fixed)
    to.line("const Index {} = {};", name, value);
  for (const Move& move : moves) {
    int array = move.tile->array;
    scope.used.arrays.insert(memoryOf(scope.region, array));
    std::string own = registerOf(array, whole), element = scope.bodies.element(move.tile->elements.access);
    std::string text = whole  ? load ? fmt::format("warploom::loadVector({}, &{});", own, element)
                                     : fmt::format("warploom::storeVector(&{}, {});", element, own)
                        : load ? fmt::format("{} = {};", own, element)
                              : fmt::format("{} = {};", element, own);
    to.line(move.guard.empty() ? text : fmt::format("if ({}) {}", move.guard, text));
  }
  for (const TiledLoop* loop : along)
    if (loops(*loop)) to.close();
  if (braces) to.close();
}

} // namespace warploom
