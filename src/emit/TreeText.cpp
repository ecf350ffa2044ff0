#include "emit/TreeText.h"

#include "emit/CodeText.h"
#include "support/IslC.h"
#include "transform/Levels.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/union_map.h>
#include <optional>
#include <set>

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

/// `factor * value`, where `value` may be a sum or product.
std::string scaled(long factor, const std::string& value) {
  if (factor == 1) return value;
  return fmt::format("{} * {}", factor, value.find(' ') == std::string::npos ? value : "(" + value + ")");
}

/// `first + value`, where `value` is unsigned: a negative number is taken from it.
std::string from(const std::string& first, const std::string& value) {
  if (first == "0") return value;
  const bool isNegative =
      first.starts_with("-") && first.find_first_not_of("0123456789", 1) == std::string::npos;
  return isNegative ? value + " - " + first.substr(1) : first + " + " + value;
}

} // namespace

TreeText::TreeText(KernelScope& scope, KernelCall& call)
    : scope(scope), kernel(scope.kernel), call(call), registers(scope), shared(scope), combined(scope) {
  for (const std::string& name : loopNames(kernel.tree)) {
    const LoopTree& control = *findLoop(kernel.tree, name);
    if (!control.tile) continue;
    const LoopTree* point = pointLoop(control, control);
    std::string variable = scope.variableOf(point ? *point : control);
    std::string origin = scope.names.of("tile " + variable + "0");
    // Tiles in tiles of the same loop have origins of their own.
    if (std::any_of(scope.tiles.begin(), scope.tiles.end(),
                    [&](const auto& other) { return other.second.origin == origin; }))
      origin = scope.names.of("tile " + name + " first");
    scope.texts[control.tile->origin] = origin;
    scope.tiles[name] = {variable, origin};
  }
  // Elements in shared memory are told by the source's indices.
  if (!kernel.body.shared.empty() || !kernel.body.registers.empty())
    for (const Loop& loop : scope.region.loops)
      scope.texts["index " + loop.index] = scope.names.of("index " + loop.index);
  scope.bodies.redirect([this](AccessRef access) { return redirected(access); });
}

/// What stands for `access` where it is not made in device memory.
std::string TreeText::redirected(AccessRef access) {
  const int array = access.in(scope.region).array;
  if (auto part = stateParts.find(array); part != stateParts.end()) return part->second;
  if (kernel.contracted.count(array)) return scope.names.of(scope.region.arrays[array].name);
  if (!inMemory)
    if (std::string element = registers.element(access); !element.empty()) return element;
  if (std::string element = scope.sliceElement(access); !element.empty()) return element;
  return shared.element(access);
}

void TreeText::write(TextWriter& definitions, TextWriter& to) {
  for (const std::string& threads : kernel.body.threads)
    call.block.push_back(scope.used.size(threads));
  call.grid.assign(3, "1");
  if (kernel.inOneLaunch) call.widestGrid.assign(3, "1");
  call.shared = shared.define(definitions);
  call.sharedBySet = shared.isBySet();
  shared.declare(to);
  write(kernel.body.nodes, to);
  for (std::vector<std::string>* grid : {&call.grid, &call.widestGrid})
    while (grid->size() > 1 && grid->back() == "1")
      grid->pop_back();
}

void TreeText::write(const MappedNodes& nodes, TextWriter& to) {
  for (const MappedNode& node : nodes)
    std::visit([&](const auto& one) { write(one, to); }, node.is);
}

void TreeText::write(const CodeNode& code, TextWriter& to) {
  inMemory = code.inMemory;
  CodeText(scope, code).write(to);
  inMemory = false;
}

void TreeText::write(const BarrierNode& barrier, TextWriter& to) {
  to.line(barrier.scope == Threads::Warp ? "__syncwarp();" : "__syncthreads();");
}

void TreeText::write(const ChoiceNode& choice, TextWriter& to) {
  to.open("if ({})", conditionText(choice.isWhole, scope.renaming()));
  write(choice.whole, to);
  to.reopen("else");
  write(choice.edge, to);
  to.close();
}

void TreeText::write(const GuardNode& guard, TextWriter& to) {
  const std::string condition = scope.condition(guard.condition, guard.context);
  if (!condition.empty()) to.open("if ({})", condition);
  write(guard.body, to);
  if (!condition.empty()) to.close();
}

void TreeText::write(const BinsNode& bins, TextWriter& to) {
  auto forAll = [&](const char* what) {
    for (const auto& [array, op] : bins.arrays)
      to.line("{}.{}();", scope.names.of(scope.region.arrays[array].name), what);
  };
  forAll("clear");
  to.line("__syncthreads();");
  write(bins.body, to);
  to.line("__syncthreads();");
  forAll("combine");
  call.bins = bins.arrays;
}

void TreeText::write(const PrivateNode& own, TextWriter& to) {
  TextWriter body(false);
  write(own.body, body);
  // What the text mentions may be something else of the same name, as in `threadIdx.x`.
  std::set<int> accessed;
  for (int s : kernel.statements)
    for (const Access& access : scope.region.statements[s].accesses)
      accessed.insert(memoryOf(scope.region, access.array));
  for (int array : accessed) {
    const std::string name = scope.names.of(scope.region.arrays[array].name);
    if (!mentions(body.text(), name)) continue;
    if (kernel.contracted.count(array))
      to.line("{} {};", scalarType(scope.region.arrays[array].element), name);
    else if (kernel.placement[array] == Placement::Private && !registers.keeps(array))
      to.line(scope.privateDeclaration(array));
  }
  to.lines(body.text());
}

void TreeText::write(const LoopNode& loop, TextWriter& to) {
  std::visit([&](const auto& share) { write(loop, share, to); }, loop.share);
}

const LoopTree& TreeText::treeOf(const LoopNode& loop) const {
  return *findLoop(kernel.tree, loop.loops.front());
}

std::string TreeText::openVariable(const LoopNode& loop) {
  const LoopTree& tree = treeOf(loop);
  if (loop.tile) return scope.tiles.at(tree.name).origin;
  return scope.texts[fixedName(tree.name)] = scope.freeVariableOf(tree);
}

void TreeText::closeVariable(const LoopNode& loop) {
  for (const std::string& name : loop.loops)
    scope.texts.erase(fixedName(name));
}

/// How many iterations a loop has, where that is a number.
static std::optional<long> iterationsOf(const LoopBounds& bounds) {
  const isl::pw_aff steps = bounds.high.sub(bounds.low).coalesce();
  if (!own(isl_pw_aff_is_cst(steps.get())) || !steps.isa_aff()) return std::nullopt;
  return own(isl_aff_get_constant_val(steps.as_aff().get())).num_si() / bounds.step + 1;
}

void TreeText::write(const LoopNode& loop, const Serial&, TextWriter& to) {
  if (!loop.prefetch.empty()) return writePrefetched(loop, to);
  const IndexRange range = scope.rangeOf(loop.bounds.front());
  const std::string variable = openVariable(loop),
                    step = loop.tile ? scope.used.size(loop.tile->size) : std::to_string(range.step);
  if (!loop.tile || treeOf(loop).unroll != 1)
    scope.writeUnroll(treeOf(loop), iterationsOf(loop.bounds.front()), to);
  const std::string next = step == "1" ? "++" + variable : fmt::format("{} += {}", variable, step);
  if (loop.trips > 0) {
    // The compiler sees how many iterations there are.
    const std::string beyond = from(range.first, std::to_string(loop.trips * range.step));
    to.open("for (Index {0} = {1}; {0} < {2}; {3})", variable, range.first, beyond, next);
    if (beyond != range.end) to.open("if ({} < {})", variable, range.end);
    write(loop.body, to);
    if (beyond != range.end) to.close();
  } else {
    to.open("for (Index {0} = {1}; {0} < {2}; {3})", variable, range.first, range.end, next);
    write(loop.body, to);
  }
  to.close();
  closeVariable(loop);
}

/// The only iteration of `loop`, where `condition` holds.
void TreeText::writeOnce(const LoopNode& loop, const std::string& condition, TextWriter& to) {
  scope.texts[fixedName(loop.loops.front())] = asFactor(scope.rangeOf(loop.bounds.front()).first);
  if (!condition.empty()) to.open("if ({})", condition);
  write(loop.body, to);
  if (!condition.empty()) to.close();
  closeVariable(loop);
}

/// The iterations of `loop`, whose tiles are copied while the threads work on those before. As many rounds
/// more than there are iterations as there are copies to spare do it, and one barrier in each: behind it the
/// tiles of the next round are there, and the buffer that was worked on is free.
void TreeText::writePrefetched(const LoopNode& loop, TextWriter& to) {
  const IndexRange range = scope.rangeOf(loop.bounds.front());
  const std::string& name = loop.loops.front();
  int copies = 2;
  for (const SharedTile& tile : kernel.body.shared)
    if (tile.loop == name) copies = tile.copies;
  const std::string variable = openVariable(loop), next = scope.local("next"), buffer = shared.buffer(),
                    size = loop.tile ? scope.used.size(loop.tile->size) : std::to_string(range.step),
                    ahead = copies == 2 ? size : fmt::format("{} * {}", copies - 1, size);
  // What stands for the iteration.
  auto run = [&](const std::string& text, const MappedNodes& nodes) {
    if (loop.tile)
      scope.tiles.at(name).origin = scope.texts[loop.tile->origin] = text;
    else
      scope.texts[fixedName(name)] = text;
    write(nodes, to);
  };
  const std::string round = copies == 2
                                ? fmt::format("{0} = {1}, {1} += {2}, {3} ^= 1", variable, next, size, buffer)
                                : fmt::format("{0} += {2}, {1} += {2}, {3} = ({3} + 1) % {4}", variable, next,
                                              size, buffer, copies);
  if (treeOf(loop).unroll != 1) scope.writeUnroll(treeOf(loop), std::nullopt, to);
  to.open("for (Index {0} = {1}, {2} = {3}, {4} = 0; {0} < {5}; {6})", variable,
          range.first == "0" ? "-" + (copies == 2 ? ahead : "(" + ahead + ")")
                             : fmt::format("{} - {}", range.first, ahead),
          next, range.first, buffer, range.end, round);
  to.open("if ({} < {})", next, range.end);
  run(next, loop.prefetch);
  to.close();
  to.open("if ({} >= {})", variable, range.first);
  run(variable, loop.body);
  to.close();
  to.line(copies == 2 ? "warploom::waitForCopies();"
                      : fmt::format("warploom::waitForCopies<{}>();", copies - 2));
  to.line("__syncthreads();");
  to.close();
  if (!loop.tile) closeVariable(loop);
}

void TreeText::write(const LoopNode& loop, const OnTile& share, TextWriter& to) {
  const TiledLoop& tile = share.tile;
  const bool braces = !tile.onePerThread() || tileLoops == 0;
  if (!tile.onePerThread()) {
    to.line("#pragma unroll");
    to.open("for (int {0} = 0; {0} < {1}; ++{0})", registers.itemOf(tile), scope.used.size(tile.items));
  } else if (braces) {
    to.open("");
  }
  to.line("const Index {} = {};", openVariable(loop), registers.pointText(tile, false));
  ++tileLoops;
  write(loop.body, to);
  --tileLoops;
  if (braces) to.close();
  closeVariable(loop);
}

void TreeText::write(const LoopNode& loop, const OnBlock& share, TextWriter& to) {
  const IndexRange range = scope.rangeOf(loop.bounds.front());
  const std::string variable = openVariable(loop),
                    step = loop.tile         ? scope.used.size(loop.tile->size) + " * "
                           : range.step == 1 ? ""
                                             : fmt::format("{} * ", range.step),
                    thread = fmt::format("Index(threadIdx.{})", axisName(share.axis));
  if (treeOf(loop).unroll != 1) scope.writeUnroll(treeOf(loop), std::nullopt, to);
  to.open("for (Index {0} = {1}; {0} < {2}; {0} += {3}{4})", variable, from(range.first, step + thread),
          range.end, step, scope.used.size(share.threads));
  write(loop.body, to);
  to.close();
  closeVariable(loop);
}

void TreeText::write(const LoopNode& loop, const OnLanes&, TextWriter& to) {
  if (loop.bounds.front().isSingle()) return writeOnce(loop, firstAlong({0}), to);
  const IndexRange range = scope.rangeOf(loop.bounds.front());
  const std::string variable = openVariable(loop),
                    lane = scaled(range.step, range.first == "0" ? "threadIdx.x" : "Index(threadIdx.x)");
  to.open("for (Index {0} = {1}; {0} < {2}; {0} += {3})", variable, from(range.first, lane), range.end,
          range.step == 1 ? scope.used.size(sizeName::lanes)
                          : fmt::format("{} * {}", scope.used.size(sizeName::lanes), range.step));
  write(loop.body, to);
  to.close();
  closeVariable(loop);
}

void TreeText::write(const LoopNode& loop, const OnGrid& share, TextWriter& to) {
  noteLaunch(loop, share);
  std::vector<std::string> indices;
  for (const std::string& name : loop.loops)
    if (!loop.tile) scope.texts[fixedName(name)] = scope.freeVariableOf(*findLoop(kernel.tree, name));
  const IndexRange range = rangeOf(loop, loop.bounds, indices);
  const std::string index = loop.loops.size() > 1 ? scope.names.of("number")
                            : loop.tile           ? scope.tiles.at(loop.loops.front()).origin
                                                  : scope.texts.at(fixedName(loop.loops.front()));
  const std::string axis = axisName(share.axis), step = loop.tile ? scope.used.size(loop.tile->size) : "";
  // The built-in variables are unsigned, and might be narrower than what is added to them.
  std::string start = range.first == "0" ? "blockIdx." + axis : "Index(blockIdx." + axis + ")",
              advance = "gridDim." + axis;
  if (loop.tile) {
    start = fmt::format("blockIdx.{} * Index({})", axis, step);
    advance = fmt::format("gridDim.{} * Index({})", axis, step);
  } else if (share.anyGrid) {
    start = "warploom::threadNumber<Index>()";
    advance = "warploom::threadCount<Index>()";
  } else if (!share.threads.empty()) {
    const std::string threads = share.anyBlock ? "blockDim.x" : scope.used.size(share.threads);
    start = fmt::format("blockIdx.{} * Index({}) + threadIdx.{}", axis, threads, axisName(share.threadAxis));
    advance = fmt::format("gridDim.{} * Index({})", axis, threads);
  }
  if (share.byLevels) {
    const std::string place = scope.local("place"), level = scope.local("level");
    to.open("for (Index {0} = {1}; {0} < Index({2}.count); {0} += {3})", place, start, level, advance);
    to.line("const Index {} = {};", index,
            from(range.first, scaled(range.step, fmt::format("Index({}[{}])", level, place))));
  } else {
    if (!loop.tile) {
      start = scaled(range.step, start);
      advance = scaled(range.step, advance);
    }
    to.open("for (Index {0} = {1}; {0} < {2}; {0} += {3})", index, from(range.first, start), range.end,
            advance);
  }
  for (const std::string& declaration : indices)
    to.line(declaration);
  write(loop.body, to);
  to.close();
  closeVariable(loop);
}

IndexRange TreeText::rangeOf(const LoopNode& loop, const std::vector<LoopBounds>& bounds,
                             std::vector<std::string>& indices) {
  std::vector<IndexRange> ranges;
  for (const LoopBounds& one : bounds)
    ranges.push_back(scope.rangeOf(one));
  if (ranges.size() == 1) return ranges.front();
  std::string inner; // how many iterations the loops further in have together
  for (std::size_t k = ranges.size(); k-- > 0;) {
    const auto& [first, end, all, step] = ranges[k];
    std::string count = asFactor(all), number = scope.names.of("number");
    if (!inner.empty()) number += " / " + (k + 2 == ranges.size() ? inner : "(" + inner + ")");
    if (k > 0) number += " % " + count;
    if (step != 1) number = fmt::format("{} * ({})", step, number);
    if (first != "0") number = first + " + " + number;
    indices.insert(indices.begin(),
                   fmt::format("const Index {} = {};", scope.texts[fixedName(loop.loops[k])], number));
    inner = inner.empty() ? count : count + " * " + inner;
  }
  return {"0", inner, inner, 1};
}

std::string TreeText::blocksFor(const OnGrid& share, const IndexRange& range, const std::string& size) {
  std::string each = !size.empty() ? size : share.threads.empty() ? "1" : scope.used.size(share.threads);
  if (size.empty() && range.step != 1)
    each = each == "1" ? std::to_string(range.step) : fmt::format("{} * {}", range.step, each);
  if (share.leastEach > 0)
    return fmt::format("warploom::slices({}, {}, {}, {}, {})", range.first, range.end, each, share.leastEach,
                       share.mostBlocks);
  return fmt::format("warploom::blocks({}, {}, {})", range.first, range.end, each);
}

/// Tells the launcher how many blocks there are along the axis of `loop`.
void TreeText::noteLaunch(const LoopNode& loop, const OnGrid& share) {
  const std::size_t axis = static_cast<std::size_t>(share.axis);
  const std::string size = loop.tile ? scope.used.size(loop.tile->size) : "";
  auto line = [&](const IndexRange& range) {
    return share.anyBlock ? fmt::format("warploom::line({}, {}, {}{})", range.first, range.end,
                                        scope.used.size(share.threads),
                                        range.step == 1 ? "" : fmt::format(", {}", range.step))
                          : "";
  };
  std::vector<std::string> unused;
  if (share.byLevels) {
    if (loop.loops.size() > 1) call.iterations = rangeOf(loop, loop.launched, unused).count;
    const std::string count = scope.local("level") + ".count", threads = scope.used.size(share.threads);
    call.grid[axis] = fmt::format("warploom::blocks(0, {}, {})", count, threads);
    call.line = fmt::format("warploom::line(0, {}, {})", count, threads);
    return closeVariable(loop);
  }
  const IndexRange range = rangeOf(loop, loop.launched, unused);
  if (loop.loops.size() > 1) call.iterations = range.count;
  call.grid[axis] = blocksFor(share, range, size);
  const std::string turned = loop.tile ? scope.plan.sizes.tunable(loop.tile->size).turned : "";
  if (std::any_of(kernel.body.tiles.begin(), kernel.body.tiles.end(),
                  [&](const TiledLoop& other) { return other.size == turned; }))
    call.tiled[axis] = range.first + " to " + range.end;
  call.line = line(range);
  if (!loop.widest.empty()) {
    UsedNames before = scope.used; // the launcher needs it, not the kernel
    const IndexRange widest = rangeOf(loop, loop.widest, unused);
    scope.used = before;
    call.widestGrid[axis] = blocksFor(share, widest, size);
    call.widestLine = line(widest);
    if (loop.loops.size() > 1) call.iterations = widest.count;
  }
  closeVariable(loop);
}

} // namespace warploom
