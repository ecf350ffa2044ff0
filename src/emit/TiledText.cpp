#include "emit/TiledText.h"

#include "support/Failure.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

namespace warploom {

namespace {

/// The first loop in `tree` that runs over the values in the tiles of `control`.
const LoopTree* pointLoop(const LoopTree& tree, const LoopTree& control) {
  isl::union_map value = own(isl_union_map_from_union_pw_aff(control.value.copy()));
  if (&tree != &control && tree.kind == LoopTree::Kind::Loop && !tree.tile &&
      own(isl_union_map_from_union_pw_aff(tree.value.copy())).is_subset(value))
    return &tree;
  for (const LoopTree& child : tree.children)
    if (const LoopTree* found = pointLoop(child, control)) return found;
  return nullptr;
}

/// Those of `context` where origin <= value < origin + size.
isl::set withinTile(const isl::set& context, const std::string& value, const std::string& origin,
                    const std::string& size) {
  isl::pw_aff at = parameter(value), first = parameter(origin);
  return context.intersect(at.ge_set(first)).intersect(at.lt_set(first.add(parameter(size))));
}

/// The values that `set` has in dimension `d`.
isl::set valuesAlong(const isl::set& set, std::size_t d) {
  auto dimensions = static_cast<std::size_t>(isl_set_dim(set.get(), isl_dim_set));
  isl_set* rest = isl_set_project_out(set.copy(), isl_dim_set, static_cast<unsigned>(d) + 1,
                                      static_cast<unsigned>(dimensions - d - 1));
  return own(isl_set_reset_tuple_id(isl_set_project_out(rest, isl_dim_set, 0, static_cast<unsigned>(d))));
}

} // namespace

TiledText::TiledText(KernelScope& scope, const isl::set& context)
    : scope(scope), kernel(scope.kernel), tiles(scope.kernel.tiles), context(context), shared(scope, known) {
  for (const std::string& name : loopNames(kernel.tree)) {
    const LoopTree& control = *findLoop(kernel.tree, name);
    if (!control.tile) continue;
    const LoopTree* point = pointLoop(control, control);
    std::string variable = scope.variableOf(point ? *point : control);
    std::string origin = scope.names.of("tile " + variable + "0");
    // Tiles in tiles of the same loop have origins of their own.
    if (std::any_of(known.begin(), known.end(),
                    [&](const auto& other) { return other.second.origin == origin; }))
      origin = scope.names.of("tile " + name + " first");
    scope.texts[control.tile->origin] = origin;
    scope.texts[control.tile->size] = control.tile->size;
    known[name] = {variable, origin};
  }
  for (const RegisterTile& tile : tiles.registers)
    registers[tile.array] = {scope.names.fresh(scope.region.arrays[tile.array].name + "_own"), &tile};
  for (const Loop& loop : scope.region.loops)
    scope.texts["index " + loop.index] = scope.names.of("index " + loop.index);
  scope.bodies.redirect([this](AccessRef access) { return redirected(access); });
}

std::string TiledText::itemOf(const TiledLoop& loop) const {
  return local(fmt::format("r{}", axisName(loop.axis)));
}

std::string TiledText::registerOf(int array, bool whole) const {
  auto [text, tile] = registers.at(array);
  for (const TiledLoop* loop : loopsAlong(*tile))
    if (!loop->onePerThread() && !(whole && loop->axis == 0)) text += "[" + itemOf(*loop) + "]";
  return text;
}

std::string TiledText::redirected(AccessRef access) {
  int array = access.in(scope.region).array;
  if (registers.count(array) && !inMemory) return registerOf(array);
  if (std::string element = scope.sliceElement(access); !element.empty()) return element;
  return shared.element(access);
}

void TiledText::write(KernelCall& of, TextWriter& definitions, TextWriter& to) {
  call = &of;
  call->grid.assign(3, "1");
  for (std::size_t axis = 0; axis < tiles.threads.size(); ++axis)
    if (!tiles.threads[axis].empty()) {
      call->block.resize(axis, "1");
      call->block.push_back(tiles.threads[axis]);
    }
  call->shared = shared.define(definitions);
  shared.declare(to);
  // Threads that walk in strides leave and enter loops at different times: what is private stands outside.
  TextWriter body(false);
  writeTree(kernel.tree, {fixed(instances(kernel.tree), kernel.hostLoops), context}, body);
  if (tiles.strided) declarePrivate(body.text(), to);
  to.lines(body.text());
  while (call->grid.back() == "1" && call->grid.size() > 1)
    call->grid.pop_back();
}

void TiledText::writeTree(const LoopTree& tree, const Position& at, TextWriter& to) {
  if (at.runs.is_empty()) return;
  if (tree.kind == LoopTree::Kind::Leaf) return writeLeaf(tree, at, to);
  if (tree.kind == LoopTree::Kind::Sequence) return writeSequence(tree, at, to);
  bool onGrid = tree.place && tree.place->kind == warploom::Place::Kind::Grid;
  if (tree.place && !onGrid && tiles.strided) return writeStrides(tree, at, to);
  if (tree.tile) return onGrid ? writeGridTiles(tree, at, to) : writeSequentialTiles(tree, at, to);
  if (onGrid) return writeBlocks(tree, at, to);
  if (tree.place) return writeThreads(tree, at, to);
  writeLoop(tree, at, to);
}

void TiledText::writeSequence(const LoopTree& sequence, const Position& at, TextWriter& to) {
  std::vector<int> before;
  for (const LoopTree& child : sequence.children) {
    std::vector<int> now = statementsOf(scope.region, child);
    // Inside the loops on the block, a thread has only its own to wait for.
    if (threadLoops == 0 && needsBarrier(before, now)) {
      to.line("__syncthreads();");
      before.clear();
    }
    before.insert(before.end(), now.begin(), now.end());
    writeTree(child, {at.runs.intersect(instances(child)), at.context}, to);
  }
}

/// True when threads that run `second` may see what others do in `first`.
bool TiledText::needsBarrier(const std::vector<int>& first, const std::vector<int>& second) const {
  auto isIn = [](const std::vector<int>& all, int s) { return std::count(all.begin(), all.end(), s) > 0; };
  for (const Dependence& dependence : scope.facts.dependences.all) {
    bool ownElements =
        registers.count(dependence.array) > 0 || kernel.placement[dependence.array] == Placement::Private;
    if (!ownElements && isIn(first, dependence.source.statement) && isIn(second, dependence.sink.statement))
      return true;
  }
  return false;
}

TiledText::Position TiledText::fixedAt(const std::string& name, const isl::union_pw_aff& value,
                                       const Position& at) const {
  return {fixed(at.runs, {{name, value}}), at.context};
}

/// What runs in one tile of `loop`; `bounds` tell what its origin can be, if `loop` advanced by `step`.
TiledText::Position TiledText::inTile(const LoopTree& loop, const Position& at, const isl::set& bounds,
                                      long step) const {
  isl::pw_aff size = parameter(loop.tile->size);
  isl::set positive = size.gt_set(constant(0));
  // rangeOf speaks of a fixed loop: the origin takes its place.
  isl_set* renamed = bounds.copy();
  int position = isl_set_find_dim_by_name(renamed, isl_dim_param, fixedName(loop.name).c_str());
  if (position >= 0)
    renamed = isl_set_set_dim_name(renamed, isl_dim_param, static_cast<unsigned>(position),
                                   loop.tile->origin.c_str());
  // Values are `step` apart, but the origins of tiles are not.
  if (step != 1) renamed = isl_set_remove_divs(renamed);
  return {insideTile(loop, at.runs), own(renamed).intersect(positive)};
}

void TiledText::writeGridTiles(const LoopTree& loop, const Position& at, TextWriter& to) {
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  std::string axis = axisName(loop.place->dimension), origin = known.at(loop.name).origin,
              size = loop.tile->size;
  // The grid is a box: blocks of a triangle with nothing to do end at once.
  isl::set whole = context;
  IndexRange all =
      scope.rangeOf({loop.name, loop.value}, fixed(instances(kernel.tree), kernel.hostLoops), whole);
  call->grid[static_cast<std::size_t>(loop.place->dimension)] =
      fmt::format("warploom::blocks({}, {}, {})", all.first, all.end, size);
  std::string offset = range.first == "0" ? "" : range.first + " + ";
  to.open("for (Index {0} = {1}blockIdx.{2} * Index({3}); {0} < {4}; {0} += gridDim.{2} * Index({3}))",
          origin, offset, axis, size, range.end);
  writeIteration(loop, inTile(loop, at, bounds, range.step), to);
  to.close();
}

void TiledText::writeBlocks(const LoopTree& loop, const Position& at, TextWriter& to) {
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  std::string variable = scope.variableOf(loop), axis = axisName(loop.place->dimension);
  scope.texts[fixedName(loop.name)] = variable;
  // The grid is a box: blocks of a triangle with nothing to do end at once.
  isl::set whole = context;
  IndexRange all =
      scope.rangeOf({loop.name, loop.value}, fixed(instances(kernel.tree), kernel.hostLoops), whole);
  call->grid[static_cast<std::size_t>(loop.place->dimension)] =
      fmt::format("warploom::blocks({}, {}, {})", all.first, all.end, all.step);
  std::string offset = range.first == "0" ? "" : range.first + " + ",
              step = range.step == 1 ? "" : fmt::format("{} * ", range.step);
  std::string block = "blockIdx." + axis;
  if (!offset.empty()) block = "Index(" + block + ")";
  to.open("for (Index {0} = {1}{2}{5}; {0} < {4}; {0} += {2}gridDim.{3})", variable, offset, step, axis,
          range.end, block);
  writeIteration(loop, fixedAt(loop.name, loop.value, {at.runs, bounds}), to);
  to.close();
}

/// The tiles of `loop`, each sent for while the threads work on the one before it. One round more than there
/// are tiles does it, and one barrier in each: behind it the next tile is there, and the copy that it took
/// the place of is free.
void TiledText::writeOverlappedTiles(const LoopTree& loop, const Position& at, TextWriter& to) {
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  Position inside = inTile(loop, at, bounds, range.step);
  TileNames& names = known.at(loop.name);
  const std::string origin = names.origin, size = loop.tile->size, next = local("next");
  to.open("for (Index {0} = {1}, {2} = {3}, {4} = 0; {0} < {5}; {0} = {2}, {2} += {6}, {4} ^= 1)", origin,
          range.first == "0" ? "-" + size : fmt::format("{} - {}", range.first, size), next, range.first,
          shared.buffer(), range.end, size);
  to.open("if ({} < {})", next, range.end);
  names.origin = scope.texts[loop.tile->origin] = next;
  writeFullOrNot(loop, inside, false, to,
                 [&](const Position& where) { shared.writeCopiesIn(loop, where, to); });
  names.origin = scope.texts[loop.tile->origin] = origin;
  to.close();
  to.open("if ({} >= {})", origin, range.first);
  writeIteration(loop, inside, to);
  to.close();
  to.line("warploom::waitForCopies();");
  to.line("__syncthreads();");
  to.close();
}

void TiledText::writeSequentialTiles(const LoopTree& loop, const Position& at, TextWriter& to) {
  if (shared.overlapsIn(loop)) return writeOverlappedTiles(loop, at, to);
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  to.open("for (Index {0} = {1}; {0} < {2}; {0} += {3})", known.at(loop.name).origin, range.first, range.end,
          loop.tile->size);
  writeIteration(loop, inTile(loop, at, bounds, range.step), to);
  to.close();
}

void TiledText::writeLoop(const LoopTree& loop, const Position& at, TextWriter& to) {
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  std::string variable = scope.variableOf(loop);
  scope.texts[fixedName(loop.name)] = variable;
  to.line(loop.unroll > 1 ? fmt::format("#pragma unroll {}", loop.unroll) : "#pragma unroll");
  to.open("for (Index {0} = {1}; {0} < {2}; {3})", variable, range.first, range.end,
          range.step == 1 ? "++" + variable : fmt::format("{} += {}", variable, range.step));
  Position inside = fixedAt(loop.name, loop.value, {at.runs, bounds});
  if (threadLoops == 0)
    writeIteration(loop, inside, to);
  else
    writeTree(loop.children.front(), inside, to);
  to.close();
}

template <typename Write>
void TiledText::writeFullOrNot(const LoopTree& loop, const Position& at, bool vectors, TextWriter& to,
                               Write write) {
  std::optional<FullTile> full = vectors || shared.keepsIn(loop) ? fullTile(loop, at) : std::nullopt;
  if (!full) return write(at);
  to.open("if ({})", full->text);
  // With all points of the tile there, no guard is left.
  write({at.runs, at.context.intersect(full->parameters)});
  to.reopen("else");
  // Vectors are for whole tiles; what is left of them works on memory.
  inMemory = vectors;
  write(at);
  inMemory = false;
  to.close();
}

void TiledText::writeIteration(const LoopTree& loop, const Position& at, TextWriter& to) {
  bool vectors = std::any_of(tiles.registers.begin(), tiles.registers.end(), [&](const RegisterTile& tile) {
    return tile.loop == loop.name && tile.contiguous;
  });
  // Overlapped copies have their barriers where they are sent for.
  bool overlaps = shared.overlapsIn(loop), keeps = shared.keepsIn(loop) && !overlaps;
  writeFullOrNot(loop, at, vectors, to, [&](const Position& where) {
    if (!inMemory) writeRegisters(loop, where, true, to);
    if (keeps && shared.writeCopiesIn(loop, where, to)) to.line("__syncthreads();");
    writeTree(loop.children.front(), where, to);
    if (!inMemory) writeRegisters(loop, where, false, to);
    if (!keeps) return;
    TextWriter copies(false);
    if (!shared.writeCopiesOut(loop, where, copies)) return;
    to.line("__syncthreads();");
    to.lines(copies.text());
  });
  std::vector<int> statements = statementsOf(scope.region, loop);
  bool onGrid = loop.place.has_value();
  // Inside the loops on the block, a thread has only its own to wait for.
  bool waits = threadLoops == 0 && !overlaps && !onGrid && needsBarrier(statements, statements);
  if (keeps || waits) to.line("__syncthreads();");
}

/// The condition that every point of the tiles around is one of the domain, or nothing when it is not worth
/// writing. `at` is inside `loop`.
std::optional<TiledText::FullTile> TiledText::fullTile(const LoopTree& loop, const Position& at) {
  isl::set missing = isl::set(islContext(), "{ : false }");
  std::vector<const LoopTree*> controls = pathTo(kernel.tree, loop.name);
  std::erase_if(controls, [](const LoopTree* control) { return !control->tile; });
  for (int s : statementsOf(scope.region, loop)) {
    const Statement& statement = scope.region.statements[s];
    isl::multi_aff indices = statement.domain.space().identity_multi_aff_on_domain();
    isl::set here = own(isl_set_from_union_set(at.runs.intersect(statement.domain).release()));
    // The box of the tile in the statement's own space; other loops have the values that they have in it.
    isl::set box = isl::set::universe(statement.domain.space());
    std::vector<isl::map> bounds;
    for (std::size_t level = 0; level < statement.loops.size(); ++level)
      bounds.push_back(own(isl_map_from_range(valuesAlong(here, level).release())));
    for (const LoopTree* control : controls) {
      std::optional<std::size_t> level = sourceLevel(scope.region, *control, s);
      if (!level) return std::nullopt;
      bounds[*level] = own(isl_map_from_range(insideTile(*control->tile).range().release()));
    }
    for (std::size_t level = 0; level < statement.loops.size(); ++level) {
      isl::map index = own(isl_map_from_aff(indices.at(static_cast<int>(level)).release()));
      box = box.intersect(index.intersect_range(bounds[level].range()).domain());
    }
    missing = missing.unite(box.subtract(statement.domain).params());
  }
  isl::set full = at.context.subtract(missing).coalesce();
  full = full.gist(at.context).coalesce();
  if (full.is_empty() || isl_set_n_basic_set(full.get()) > 1) return std::nullopt;
  std::string text = conditionText(full, scope.renaming());
  if (text == "1") return std::nullopt;
  return FullTile{full, text};
}

/// The tiled loops whose points have elements of their own in `tile`.
std::vector<const TiledLoop*> TiledText::loopsAlong(const RegisterTile& tile) const {
  std::vector<const TiledLoop*> result;
  for (const TiledLoop& loop : tiles.loops)
    if (std::count(tile.elements.along.begin(), tile.elements.along.end(), loop.control) > 0)
      result.push_back(&loop);
  return result;
}

/// Which point along `loop` a thread works on; with neighbouring points, `first`: the first of them.
std::string TiledText::pointText(const TiledLoop& loop, bool first) const {
  std::string origin = known.at(loop.control).origin,
              thread = fmt::format("threadIdx.{}", axisName(loop.axis));
  if (loop.onePerThread()) return fmt::format("{} + {}", origin, thread);
  if (!loop.adjacent) return fmt::format("{} + {} * {} + {}", origin, itemOf(loop), loop.threads, thread);
  std::string begin = fmt::format("{} + {} * {}", origin, thread, loop.items);
  return first ? begin : begin + " + " + itemOf(loop);
}

/// How the elements of `tile` are reached where `at` runs.
TiledText::RegisterMove TiledText::moveOf(const RegisterTile& tile, const Position& at) {
  RegisterMove move{&tile, loopsAlong(tile), {}, "", false};
  Position inside = at;
  for (const TiledLoop* loop : move.along) {
    const LoopTree& control = *findLoop(kernel.tree, loop->control);
    // The variable has the name that the statement's subscripts use.
    std::optional<std::size_t> level = sourceLevel(scope.region, control, tile.elements.access.statement);
    const Statement& statement = tile.elements.access.statementIn(scope.region);
    move.indices.push_back(level
                               ? scope.names.of("index " + scope.region.loops[statement.loops[*level]].index)
                               : known.at(loop->control).variable);
    std::string point = fixedName(loop->control + " point");
    scope.texts[point] = move.indices.back();
    inside = fixedAt(loop->control + " point", control.value, inside);
    inside.context = withinTile(inside.context, point, loop->origin, loop->size);
  }
  isl::union_set touching = isl::union_set::empty(islContext());
  for (int s : kernel.statements)
    for (const Access& access : scope.region.statements[s].accesses)
      if (access.array == tile.array) touching = touching.unite(scope.region.statements[s].domain);
  isl::set exists = own(isl_union_set_params(inside.runs.intersect(touching).release()));
  move.guard = condition(exists, inside.context);
  // Where all points are there, neighbours move together.
  move.whole = tile.contiguous && move.guard.empty();
  fixIndices(move);
  return move;
}

/// Finds the indices that the source's subscripts have although the element does not depend on them: those of
/// loops that run once.
void TiledText::fixIndices(RegisterMove& move) {
  const AccessRef access = move.tile->elements.access;
  const Statement& statement = access.statementIn(scope.region);
  const auto subscripts = affineSubscripts(access.in(scope.region));
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

/// Loads or stores the elements that a thread keeps in an iteration of `loop`.
void TiledText::writeRegisters(const LoopTree& loop, const Position& at, bool load, TextWriter& to) {
  std::vector<RegisterMove> moves;
  for (const RegisterTile& tile : tiles.registers) {
    if (tile.loop != loop.name) continue;
    if (load) {
      std::string extents;
      for (const TiledLoop* one : loopsAlong(tile))
        if (!one->onePerThread()) extents += "[" + one->items + "]";
      to.line("{} {}{};", scalarType(scope.region.arrays[tile.array].element), registers.at(tile.array).first,
              extents);
    }
    if (load ? tile.elements.load : tile.elements.store) moves.push_back(moveOf(tile, at));
  }
  for (auto first = moves.begin(); first != moves.end();) {
    auto end = std::find_if(first, moves.end(), [&](const RegisterMove& move) {
      return move.along != first->along || move.indices != first->indices || move.whole != first->whole ||
             move.fixed != first->fixed;
    });
    writeMoves({first, end}, load, to);
    first = end;
  }
}

/// Writes `moves`, of elements that are reached in the same way.
void TiledText::writeMoves(const std::vector<RegisterMove>& moves, bool load, TextWriter& to) {
  const auto& [tile, along, indices, guard, whole, fixed] = moves.front();
  auto loops = [&, together = whole](const TiledLoop& loop) {
    return !loop.onePerThread() && !(together && loop.axis == 0);
  };
  bool braces = along.empty() || !loops(*along.front());
  if (braces) to.open("");
  for (std::size_t k = 0; k < along.size(); ++k) {
    if (loops(*along[k])) {
      to.line("#pragma unroll");
      to.open("for (int {0} = 0; {0} < {1}; ++{0})", itemOf(*along[k]), along[k]->items);
    }
    to.line("const Index {} = {};", indices[k], pointText(*along[k], whole));
  }
  for (const auto& [name, value] : fixed)
    to.line("const Index {} = {};", name, value);
  for (const RegisterMove& move : moves) {
    int array = move.tile->array;
    scope.used.arrays.insert(array);
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

void TiledText::writeThreads(const LoopTree& loop, const Position& at, TextWriter& to) {
  const TiledLoop& tiled = *tiles.onAxis(loop.place->dimension);
  std::string variable = scope.variableOf(loop);
  scope.texts[fixedName(loop.name)] = variable;
  bool braces = !tiled.onePerThread() || threadLoops == 0;
  if (tiled.onePerThread()) {
    if (braces) to.open("");
    to.line("const Index {} = {};", variable, pointText(tiled, false));
  } else {
    to.line("#pragma unroll");
    to.open("for (int {0} = 0; {0} < {1}; ++{0})", itemOf(tiled), tiled.items);
    to.line("const Index {} = {};", variable, pointText(tiled, false));
  }
  Position inside = fixedAt(loop.name, loop.value, at);
  inside.context = withinTile(inside.context, fixedName(loop.name), tiled.origin, tiled.size);
  ++threadLoops;
  if (threadLoops < tiles.loops.size()) {
    writeTree(loop.children.front(), inside, to);
  } else {
    isl::set exists = own(isl_union_set_params(inside.runs.copy())).coalesce();
    std::string guard;
    if (isl_set_n_basic_set(exists.get()) == 1) {
      guard = condition(exists, inside.context);
      inside.context = inside.context.intersect(exists);
    }
    if (!guard.empty()) to.open("if ({})", guard);
    TextWriter body(false);
    writeTree(loop.children.front(), inside, body);
    declarePrivate(body.text(), to);
    to.lines(body.text());
    if (!guard.empty()) to.close();
  }
  --threadLoops;
  if (braces) to.close();
}

std::string TiledText::firstThread() const {
  std::string condition;
  for (int axis : {0, 1, 2})
    if (!tiles.threads[static_cast<std::size_t>(axis)].empty() && openAxes.count(axis) == 0)
      condition += fmt::format("{}threadIdx.{} == 0", condition.empty() ? "" : " && ", axisName(axis));
  return condition;
}

/// A loop on the block whose iterations, or tiles, the threads along its axis take in turn.
void TiledText::writeStrides(const LoopTree& loop, const Position& at, TextWriter& to) {
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  const int axis = loop.place->dimension;
  const std::string& threads = tiles.threads[static_cast<std::size_t>(axis)];
  std::string variable = loop.tile ? known.at(loop.name).origin : scope.freeVariableOf(loop),
              step = loop.tile ? loop.tile->size : std::to_string(range.step),
              thread = fmt::format("Index(threadIdx.{})", axisName(axis));
  if (!loop.tile) scope.texts[fixedName(loop.name)] = variable;
  to.open("for (Index {0} = {1}{2}{3}; {0} < {4}; {0} += {2}{5})", variable,
          range.first == "0" ? "" : range.first + " + ", step == "1" ? "" : step + " * ", thread, range.end,
          threads);
  ++threadLoops;
  const bool isNew = openAxes.insert(axis).second;
  writeTree(loop.children.front(),
            loop.tile ? inTile(loop, at, bounds, range.step)
                      : fixedAt(loop.name, loop.value, {at.runs, bounds}),
            to);
  if (isNew) openAxes.erase(axis);
  --threadLoops;
  to.close();
  if (!loop.tile) scope.texts.erase(fixedName(loop.name));
}

/// Declares what every point has for itself, as far as `body` uses it.
void TiledText::declarePrivate(const std::string& body, TextWriter& to) {
  for (std::size_t a = 0; a < scope.region.arrays.size(); ++a) {
    if (kernel.placement[a] != Placement::Private || registers.count(static_cast<int>(a))) continue;
    std::string name = scope.names.of(scope.region.arrays[a].name);
    if (mentions(body, name)) to.line(scope.privateDeclaration(static_cast<int>(a)));
  }
}

void TiledText::writeLeaf(const LoopTree& leaf, const Position& at, TextWriter& to) {
  for (int s : statementsOf(scope.region, leaf)) {
    const Statement& statement = scope.region.statements[s];
    isl::union_set here = at.runs.intersect(statement.domain);
    if (here.is_empty()) continue;
    std::string guard = condition(own(isl_union_set_params(here.copy())), at.context);
    isl::set instance = own(isl_set_from_union_set(here.release()));
    std::vector<std::string> indices;
    for (std::size_t level = 0; level < statement.loops.size(); ++level) {
      isl::pw_aff value = own(isl_set_dim_max(instance.copy(), static_cast<int>(level)));
      indices.push_back(text(simplified(value, at.context)));
    }
    if (!guard.empty()) to.open("if ({})", guard);
    scope.writeInstance(s, indices, tiles.strided ? firstThread() : "", to);
    if (!guard.empty()) to.close();
  }
}

} // namespace warploom
