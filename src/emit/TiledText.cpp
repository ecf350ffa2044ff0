#include "emit/TiledText.h"

#include "analysis/Effort.h"
#include "mapping/Movement.h"
#include "support/Failure.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

namespace warploom {

namespace {

isl::pw_aff parameter(const std::string& name) {
  isl_id* id = isl_id_alloc(islContext().get(), name.c_str(), nullptr);
  isl_space* space = isl_space_add_param_id(isl_space_params_alloc(islContext().get(), 0), isl_id_copy(id));
  return own(isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, id)));
}

const char* axisName(int axis) {
  return axis == 0 ? "x" : axis == 1 ? "y" : "z";
}

/// The loop of tiles' inside: the first loop in `tree` that has the value of `control`.
const LoopTree* pointLoop(const LoopTree& tree, const LoopTree& control) {
  isl::union_map value = own(isl_union_map_from_union_pw_aff(control.value.copy()));
  if (&tree != &control && tree.kind == LoopTree::Kind::Loop && !tree.tile &&
      own(isl_union_map_from_union_pw_aff(tree.value.copy())).is_subset(value))
    return &tree;
  for (const LoopTree& child : tree.children)
    if (const LoopTree* found = pointLoop(child, control)) return found;
  return nullptr;
}

} // namespace

TiledText::TiledText(KernelScope& scope, const isl::set& context)
    : scope(scope), kernel(scope.kernel), tiles(scope.kernel.tiles), context(context) {
  auto note = [&](const std::string& controlName) {
    const LoopTree& control = *findLoop(kernel.tree, controlName);
    const LoopTree& point = *pointLoop(control, control);
    std::string variable = scope.variableOf(point);
    std::string origin = scope.names.of("tile " + variable + "0");
    scope.texts[control.tile->origin] = origin;
    scope.texts[control.tile->size] = control.tile->size;
    known[controlName] = {variable, origin, control.tile->size};
    return point.name;
  };
  for (const TiledLoop& loop : tiles.loops) {
    note(loop.control);
    known[loop.loop] = known[loop.control];
  }
  sequential = note(tiles.control);
  known[sequential] = known[tiles.control];
  for (std::size_t k = 0; k < tiles.shared.size(); ++k)
    shared[static_cast<int>(k)] =
        scope.names.fresh(scope.region.arrays[tiles.shared[k].array].name + "_tile");
  for (const RegisterTile& tile : tiles.registers)
    registers[tile.array] = scope.names.fresh(scope.region.arrays[tile.array].name + "_own");
  scope.bodies.redirect([this](AccessRef access) { return redirected(access); });
}

TiledText::Tile TiledText::tileOf(const std::string& loop) const {
  return known.at(loop);
}

const TiledLoop* TiledText::tiledBy(const std::string& control) const {
  for (const TiledLoop& loop : tiles.loops)
    if (loop.control == control) return &loop;
  return nullptr;
}

std::string TiledText::redirected(AccessRef access) const {
  int array = access.in(scope.region).array;
  if (auto found = registers.find(array); found != registers.end()) return found->second + "[ry][rx]";
  for (std::size_t k = 0; k < tiles.shared.size(); ++k) {
    const SharedTile& tile = tiles.shared[k];
    if (std::count(tile.accesses.begin(), tile.accesses.end(), access) == 0) continue;
    std::string text = shared.at(static_cast<int>(k));
    for (const std::string& loop : tile.loops)
      if (!loop.empty()) text += fmt::format("[{} - {}]", tileOf(loop).variable, tileOf(loop).origin);
    return text;
  }
  return "";
}

std::string TiledText::condition(const isl::set& set, const isl::set& given) {
  std::string text = conditionText(set.gist_params(given).coalesce(), scope.renaming());
  return text == "1" ? "" : text;
}

void TiledText::write(KernelCall& of, TextWriter& to) {
  call = &of;
  call->block = {"THREADS_X", "THREADS_Y"};
  call->grid = {"1", "1"};
  declareShared(to);
  to.line("const int thread = threadIdx.y * THREADS_X + threadIdx.x;");
  writeTree(kernel.tree, {fixed(instances(kernel.tree), kernel.hostLoops), context}, to);
}

void TiledText::declareShared(TextWriter& to) {
  for (std::size_t k = 0; k < tiles.shared.size(); ++k) {
    const SharedTile& tile = tiles.shared[k];
    std::vector<std::string> extents;
    for (const std::string& loop : tile.loops)
      if (!loop.empty()) extents.push_back(tileOf(loop).size);
    // A column of the tile is read by neighbouring threads: one element more per row puts it on different
    // banks.
    bool fast = !tile.loops.empty() && tile.loops.back() == tiles.loops.back().loop;
    if (!fast) extents.back() += " + 1";
    to.line("__shared__ {} {}[{}];", scalarType(scope.region.arrays[tile.array].element),
            shared.at(static_cast<int>(k)), fmt::join(extents, "]["));
  }
}

void TiledText::writeTree(const LoopTree& tree, const Place& at, TextWriter& to) {
  if (at.runs.is_empty()) return;
  switch (tree.kind) {
  case LoopTree::Kind::Leaf:
    return writeLeaf(tree, at, to);
  case LoopTree::Kind::Sequence:
    for (const LoopTree& child : tree.children)
      writeTree(child, {at.runs.intersect(instances(child)), at.context}, to);
    return;
  case LoopTree::Kind::Loop:
    break;
  }
  if (tree.tile && tree.place) return writeGridTiles(tree, at, to);
  if (tree.tile) return writeSequentialTiles(tree, at, to);
  if (tree.place && tree.place->kind == warploom::Place::Kind::Grid) return writeBlocks(tree, at, to);
  if (tree.place) return writeThreads(tree, at, to);
  writeLoop(tree, at, to);
}

TiledText::Place TiledText::fixedAt(const std::string& name, const isl::union_pw_aff& value,
                                    const Place& at) const {
  return {fixed(at.runs, {{name, value}}), at.context};
}

/// What runs in one tile of `loop`; `bounds` tell what its origin can be.
TiledText::Place TiledText::inTile(const LoopTree& loop, const Place& at, const isl::set& bounds) const {
  isl::pw_aff size = parameter(loop.tile->size);
  isl::map within(islContext(), fmt::format("[{0}, {1}] -> {{ [v] -> [v] : {0} <= v < {0} + {1} }}",
                                            loop.tile->origin, loop.tile->size));
  isl::union_map values = own(isl_union_map_from_union_pw_aff(loop.value.copy())).intersect_domain(at.runs);
  isl::set positive = size.gt_set(size.sub(size));
  // rangeOf speaks of a fixed loop: the origin takes its place.
  isl_set* renamed = bounds.copy();
  int position = isl_set_find_dim_by_name(renamed, isl_dim_param, fixedName(loop.name).c_str());
  if (position >= 0)
    renamed = isl_set_set_dim_name(renamed, isl_dim_param, static_cast<unsigned>(position),
                                   loop.tile->origin.c_str());
  return {values.apply_range(within).domain(), own(renamed).intersect(positive)};
}

void TiledText::writeGridTiles(const LoopTree& loop, const Place& at, TextWriter& to) {
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  Place inside = inTile(loop, at, bounds);
  const TiledLoop& tiled = *tiledBy(loop.name);
  std::string axis = axisName(tiled.axis), origin = tileOf(loop.name).origin;
  // The grid is a box: blocks of a triangle with nothing to do end at once.
  isl::set whole = context;
  IndexRange all =
      scope.rangeOf({loop.name, loop.value}, fixed(instances(kernel.tree), kernel.hostLoops), whole);
  call->grid[static_cast<std::size_t>(tiled.axis)] =
      fmt::format("warploom::blocks({}, {}, {})", all.first, all.end, tiled.size);
  std::string offset = range.first == "0" ? "" : range.first + " + ";
  to.open("for (Index {0} = {1}blockIdx.{2} * Index({3}); {0} < {4}; {0} += gridDim.{2} * Index({3}))",
          origin, offset, axis, tiled.size, range.end);
  bool innermost = tiled.control == tiles.loops.back().control;
  if (innermost) writeRegisters(inside, true, to);
  writeTree(loop.children.front(), inside, to);
  if (innermost) writeRegisters(inside, false, to);
  to.close();
}

void TiledText::writeBlocks(const LoopTree& loop, const Place& at, TextWriter& to) {
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  std::string variable = scope.variableOf(loop), axis = axisName(loop.place->dimension);
  scope.texts[fixedName(loop.name)] = variable;
  call->grid.resize(3, "1");
  call->grid[static_cast<std::size_t>(loop.place->dimension)] =
      fmt::format("warploom::blocks({}, {}, {})", range.first, range.end, range.step);
  std::string offset = range.first == "0" ? "" : range.first + " + ",
              step = range.step == 1 ? "" : fmt::format("{} * ", range.step);
  to.open("for (Index {0} = {1}{2}blockIdx.{3}; {0} < {4}; {0} += {2}gridDim.{3})", variable, offset, step,
          axis, range.end);
  Place inside = fixedAt(loop.name, loop.value, {at.runs, bounds});
  writeTree(loop.children.front(), inside, to);
  to.close();
}

/// Everything that runs with the points of the tile's loops y and x, as `registers` know them.
void TiledText::writeRegisters(const Place& at, bool load, TextWriter& to) {
  const TiledLoop &y = tiles.loops[0], &x = tiles.loops[1];
  for (const RegisterTile& tile : tiles.registers) {
    const Array& array = scope.region.arrays[tile.array];
    if (load) to.line("{} {}[ITEMS_Y][ITEMS_X];", scalarType(array.element), registers.at(tile.array));
    if (!(load ? tile.load : tile.store)) continue;
    Place inside = at;
    std::vector<std::string> lines;
    for (const TiledLoop* loop : {&y, &x}) {
      const LoopTree& control = *findLoop(kernel.tree, loop->control);
      const std::string variable = tileOf(loop->control).variable;
      // The variable has the name that the statement's subscripts use.
      std::optional<std::size_t> level = sourceLevel(scope.region, control, tile.access.statement);
      const Statement& statement = tile.access.statementIn(scope.region);
      std::string index =
          level ? scope.names.of("index " + scope.region.loops[statement.loops[*level]].index) : variable;
      scope.texts[fixedName(loop->loop + " point")] = index;
      inside = fixedAt(loop->loop + " point", control.value, inside);
      isl::pw_aff value = parameter(fixedName(loop->loop + " point")), origin = parameter(loop->origin);
      inside.context = inside.context.intersect(value.ge_set(origin))
                           .intersect(value.lt_set(origin.add(parameter(loop->size))));
      const char* axis = axisName(loop->axis);
      lines.push_back(fmt::format("const Index {} = {} + r{} * THREADS_{} + threadIdx.{};", index,
                                  tileOf(loop->control).origin, axis, loop->axis == 0 ? 'X' : 'Y', axis));
    }
    isl::union_set touching = isl::union_set::empty(islContext());
    for (int s : kernel.statements)
      for (const Access& access : scope.region.statements[s].accesses)
        if (access.array == tile.array) touching = touching.unite(scope.region.statements[s].domain);
    isl::set exists = own(isl_union_set_params(inside.runs.intersect(touching).release()));
    std::string guard = condition(exists, inside.context);
    scope.used.arrays.insert(tile.array);
    to.line("#pragma unroll");
    to.open("for (int ry = 0; ry < ITEMS_Y; ++ry)");
    to.line("#pragma unroll");
    to.open("for (int rx = 0; rx < ITEMS_X; ++rx)");
    for (const std::string& line : lines)
      to.line(line);
    std::string own = registers.at(tile.array) + "[ry][rx]", element = scope.bodies.element(tile.access);
    std::string move = load ? fmt::format("{} = {};", own, element) : fmt::format("{} = {};", element, own);
    to.line(guard.empty() ? move : fmt::format("if ({}) {}", guard, move));
    to.close();
    to.close();
  }
}

void TiledText::writeSequentialTiles(const LoopTree& loop, const Place& at, TextWriter& to) {
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  Place inside = inTile(loop, at, bounds);
  Tile tile = tileOf(loop.name);
  to.open("for (Index {0} = {1}; {0} < {2}; {0} += {3})", tile.origin, range.first, range.end, tile.size);
  const LoopTree& body = loop.children.front();
  auto writeTile = [&](const Place& where) {
    writeCopies(where, to);
    to.line("__syncthreads();");
    writeTree(body, where, to);
  };
  if (std::optional<std::string> full = fullTile(body, inside)) {
    to.open("if ({})", *full);
    // With all points of the tile there, no guard is left.
    writeTile({inside.runs, inside.context.intersect(*fullSet)});
    to.reopen("else");
    writeTile(inside);
    to.close();
  } else {
    writeTile(inside);
  }
  to.line("__syncthreads();");
  to.close();
}

/// The condition that every point of the tile is one of the domain, or nothing when it is not worth writing.
std::optional<std::string> TiledText::fullTile(const LoopTree& inside, const Place& at) {
  isl::set missing = isl::set(islContext(), "{ : false }");
  std::vector<std::string> controls = {tiles.loops[0].control, tiles.loops[1].control, tiles.control};
  isl::union_set all = instances(inside);
  for (int s : kernel.statements) {
    const Statement& statement = scope.region.statements[s];
    if (all.is_disjoint(statement.domain)) continue;
    // The box of the tile in the statement's own space, the other loops being fixed.
    isl::set box = isl::set::universe(statement.domain.space());
    isl::union_set fixedPart = at.runs.intersect(statement.domain);
    std::set<std::size_t> levels;
    for (const std::string& name : controls) {
      const LoopTree& control = *findLoop(kernel.tree, name);
      std::optional<std::size_t> level = sourceLevel(scope.region, control, s);
      if (!level) return std::nullopt;
      levels.insert(*level);
      isl::pw_aff index(statement.domain.space().identity_multi_aff_on_domain().at(static_cast<int>(*level)));
      isl::map bounds(islContext(), fmt::format("[{0}, {1}] -> {{ [v] -> [v] : {0} <= v < {0} + {1} }}",
                                                control.tile->origin, control.tile->size));
      box = box.intersect(own(isl_map_from_pw_aff(index.release())).apply_range(bounds).domain());
    }
    for (std::size_t level = 0; level < statement.loops.size(); ++level) {
      if (levels.count(level)) continue;
      // A loop outside the tile: it has the one value that it has in what runs here.
      isl::set here = own(isl_set_from_union_set(fixedPart.copy()));
      isl::set value = own(isl_set_project_out(here.release(), isl_dim_set, static_cast<unsigned>(level) + 1,
                                               static_cast<unsigned>(statement.loops.size() - level - 1)));
      value = own(isl_set_project_out(value.release(), isl_dim_set, 0, static_cast<unsigned>(level)));
      isl::pw_aff index(statement.domain.space().identity_multi_aff_on_domain().at(static_cast<int>(level)));
      isl::map same = own(isl_map_from_pw_aff(index.release()));
      box = box.intersect(same.intersect_range(own(isl_set_reset_tuple_id(value.release()))).domain());
    }
    missing = missing.unite(box.subtract(statement.domain).params());
  }
  isl::set full = at.context.subtract(missing).coalesce();
  full = full.gist(at.context).coalesce();
  if (full.is_empty() || isl_set_n_basic_set(full.get()) > 1) return std::nullopt;
  fullSet = full;
  std::string text = conditionText(full, scope.renaming());
  return text == "1" ? std::nullopt : std::optional(text);
}

/// Every thread copies some elements of each tile, neighbouring threads neighbouring ones.
void TiledText::writeCopies(const Place& at, TextWriter& to) {
  for (std::size_t k = 0; k < tiles.shared.size(); ++k) {
    const SharedTile& tile = tiles.shared[k];
    std::vector<std::string> loops;
    for (const std::string& loop : tile.loops)
      if (!loop.empty()) loops.push_back(loop);
    std::vector<std::string> sizes;
    for (const std::string& loop : loops)
      sizes.push_back(tileOf(loop).size);
    std::string elements = fmt::format("{}", fmt::join(sizes, " * "));
    to.line("#pragma unroll");
    to.open("for (int first = 0; first < {}; first += THREADS_X * THREADS_Y)", elements);
    to.line("const int t = first + thread;");
    to.open("if ({0} % (THREADS_X * THREADS_Y) == 0 || t < {0})", elements);
    Place inside = at;
    std::string guard;
    for (std::size_t d = 0; d < loops.size(); ++d) {
      Tile of = tileOf(loops[d]);
      std::string part = "t";
      for (std::size_t later = d + 1; later < loops.size(); ++later)
        part += " / " + sizes[later];
      if (d > 0) part += " % " + sizes[d];
      to.line("const Index {} = {} + {};", of.variable, of.origin, part);
      const LoopTree& control = *controlOf(loops[d]);
      isl::set values = valuesIn({control.name, control.value}, at.runs);
      std::string name = fixedName(loops[d] + " copied");
      scope.texts[name] = of.variable;
      isl::set hull = own(isl_set_from_basic_set(isl_set_simple_hull(values.release())));
      isl::pw_aff index = parameter(name), origin = parameter(control.tile->origin);
      isl::set given = at.context.intersect(index.ge_set(origin))
                           .intersect(index.lt_set(origin.add(parameter(control.tile->size))));
      std::string one = condition(atParameter(hull, name), given);
      if (!one.empty()) guard += (guard.empty() ? "" : " && ") + one;
    }
    std::string text = shared.at(static_cast<int>(k));
    for (const std::string& loop : loops)
      text += fmt::format("[{} - {}]", tileOf(loop).variable, tileOf(loop).origin);
    // A choice, not a branch: so the loads of several elements are under way at the same time.
    std::string element = scope.bodies.element(tile.accesses.front());
    to.line(guard.empty() ? fmt::format("{} = {};", text, element)
                          : fmt::format("{} = {} ? {} : 0;", text, guard, element));
    to.close();
    to.close();
  }
}

const LoopTree* TiledText::controlOf(const std::string& loop) const {
  for (const TiledLoop& tiled : tiles.loops)
    if (tiled.loop == loop) return findLoop(kernel.tree, tiled.control);
  return findLoop(kernel.tree, tiles.control);
}

void TiledText::writeLoop(const LoopTree& loop, const Place& at, TextWriter& to) {
  isl::set bounds = at.context;
  IndexRange range = scope.rangeOf({loop.name, loop.value}, at.runs, bounds);
  std::string variable = scope.variableOf(loop);
  scope.texts[fixedName(loop.name)] = variable;
  to.line("#pragma unroll");
  to.open("for (Index {0} = {1}; {0} < {2}; {3})", variable, range.first, range.end,
          range.step == 1 ? "++" + variable : fmt::format("{} += {}", variable, range.step));
  writeTree(loop.children.front(), fixedAt(loop.name, loop.value, {at.runs, bounds}), to);
  to.close();
}

void TiledText::writeThreads(const LoopTree& loop, const Place& at, TextWriter& to) {
  int axis = loop.place->dimension;
  const TiledLoop& tiled = tiles.loops[axis == 0 ? 1 : 0];
  std::string variable = scope.variableOf(loop), name = axisName(axis);
  scope.texts[fixedName(loop.name)] = variable;
  to.line("#pragma unroll");
  to.open("for (int r{0} = 0; r{0} < ITEMS_{1}; ++r{0})", name, axis == 0 ? 'X' : 'Y');
  to.line("const Index {} = {} + r{} * THREADS_{} + threadIdx.{};", variable, tileOf(tiled.control).origin,
          name, axis == 0 ? 'X' : 'Y', name);
  isl::pw_aff value = parameter(fixedName(loop.name)), origin = parameter(tiled.origin);
  Place inside = fixedAt(loop.name, loop.value, at);
  inside.context = inside.context.intersect(value.ge_set(origin))
                       .intersect(value.lt_set(origin.add(parameter(tiled.size))));
  writeTree(loop.children.front(), inside, to);
  to.close();
}

void TiledText::writeLeaf(const LoopTree& leaf, const Place& at, TextWriter& to) {
  for (int s : statementsOf(scope.region, leaf)) {
    const Statement& statement = scope.region.statements[s];
    isl::union_set here = at.runs.intersect(statement.domain);
    if (here.is_empty()) continue;
    std::string guard = condition(own(isl_union_set_params(here.copy())), at.context);
    isl::set instance = own(isl_set_from_union_set(here.release()));
    std::vector<std::string> indices;
    for (std::size_t level = 0; level < statement.loops.size(); ++level) {
      isl::pw_aff value = own(isl_set_dim_max(instance.copy(), static_cast<int>(level)));
      indices.push_back(valueText(simplified(value, at.context), scope.renaming()));
    }
    if (!guard.empty()) to.open("if ({})", guard);
    scope.writeInstance(s, indices, "", to);
    if (!guard.empty()) to.close();
  }
}

} // namespace warploom
