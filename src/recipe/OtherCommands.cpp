// The commands that say which region is meant, show the schedule, and ask about it.
#include "recipe/Commands.h"
#include "support/IslC.h"
#include "transform/Trace.h"

#include <fmt/format.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

namespace warploom {

namespace {

/// isl operations that showing something may take.
constexpr unsigned long showOperations = 2'000'000;

void init(Call& call) {
  call.expect(2, 4);
  const long first = call.has(3) ? call.number(3) : 0;
  call.session.select(call.text(1), call.text(2), first, call.has(4) ? call.number(4) : first, call.line);
}

// Of a script of CHiLL's, the same in three lines.

void source(Call& call) {
  call.expect(1, 1);
  call.session.nameFile(call.text(1));
}

void procedure(Call& call) {
  call.expect(1, 1);
  call.session.nameFunction(call.text(1));
}

void loop(Call& call) {
  call.expect(1, 2);
  const long first = call.number(1);
  call.session.selectNamed(first, call.has(2) ? call.number(2) : first, call.line);
}

void region(Call& call) {
  call.expect(1, 2);
  call.session.select(call.text(1), call.has(2) ? call.text(2) : "", call.line);
}

void original(Call& call) {
  call.expect(0, 0);
  call.session.startOver(call.line);
}

template <typename Make> void show(Call& call, Make make) {
  call.expect(0, 1);
  const ScheduleState& state = call.state();
  auto text = limited([&] { return make(state); }, showOperations);
  if (!text) call.fail("it is too large to be shown");
  call.print(*text);
}

void printCode(Call& call) {
  show(call, [](const ScheduleState& state) { return codeText(state.tree()); });
}
void printSpace(Call& call) {
  show(call, [](const ScheduleState& state) { return spacesText(state); });
}
void printDep(Call& call) {
  show(call, [](const ScheduleState& state) { return orderText(state); });
}

void curIndices(Call& call) {
  call.expect(0, 1);
  call.give(call.loopsAround(call.has(1) ? call.number(1) : 0));
}

void numStatements(Call& call) {
  call.expect(0, 0);
  call.give(call.statements());
}

/// The loops on the grid or on the block, by the axis.
std::vector<const LoopTree*> placed(const LoopTree& tree, Place::Kind kind) {
  std::vector<const LoopTree*> result;
  for (int axis = 0; axis < 3; ++axis)
    if (const LoopTree* loop = findLoop(tree, placeName({kind, axis}))) result.push_back(loop);
  return result;
}

template <Place::Kind kind> void indicesOf(Call& call) {
  call.expect(0, 0);
  std::vector<std::string> names;
  for (const LoopTree* loop : placed(call.state().tree(), kind))
    names.push_back(loop->name);
  call.give(names);
}

/// The least and the greatest value of `loop` where they are the same for all sizes; nothing else.
std::optional<std::pair<long, long>> hardBounds(const LoopTree& loop) {
  isl::union_set values = instances(loop).apply(own(isl_union_map_from_union_pw_aff(loop.value.copy())));
  if (loop.tile || values.is_empty()) return std::nullopt;
  isl::set all = own(isl_set_from_union_set(values.release()));
  isl::val low = own(isl_set_dim_min_val(all.copy(), 0)), high = own(isl_set_dim_max_val(all.copy(), 0));
  if (!low.is_int() || !high.is_int()) return std::nullopt;
  return std::pair<long, long>{low.num_si(), high.num_si()};
}

/// Per axis how many values the loop on it has, or a name for it.
template <Place::Kind kind> void dimensionsOf(Call& call) {
  call.expect(0, 0);
  for (const LoopTree* loop : placed(call.state().tree(), kind)) {
    std::optional<std::pair<long, long>> bounds = hardBounds(*loop);
    if (bounds)
      call.give(bounds->second - bounds->first + 1);
    else
      call.give(std::string(loop->tile ? loop->tile->size : "?"));
  }
}

void hardLoopBounds(Call& call) {
  call.expect(1, 2);
  const std::string name = call.isText(1) ? call.text(1) : call.loopAt(call.number(1), call.number(2));
  const LoopTree* loop = findLoop(call.state().tree(), name);
  if (!loop) call.fail(fmt::format("there is no loop `{}`", name));
  std::optional<std::pair<long, long>> bounds = hardBounds(*loop);
  if (!bounds) call.fail(fmt::format("the bounds of `{}` are not known when the kernel is compiled", name));
  call.give(bounds->first);
  call.give(bounds->second);
}

void isParallel(Call& call) {
  call.expect(1, 1);
  const std::string name = call.text(1);
  if (!findLoop(call.state().tree(), name)) call.fail(fmt::format("there is no loop `{}`", name));
  call.give(call.state().isParallel(name).value_or(false));
}

void exists(Call& call) {
  call.expect(1, 1);
  call.give(findLoop(call.state().tree(), call.text(1)) != nullptr);
}

void arrays(Call& call) {
  call.expect(0, 0);
  std::vector<std::string> names;
  for (const Array& array : call.state().region().arrays)
    if (!array.isScalar()) names.push_back(array.name);
  call.give(names);
}

void addSync(Call& call) {
  call.fail("barriers are put where copies in shared memory need them, and nowhere else");
}

} // namespace

std::vector<Command> otherCommands() {
  using Group = Command::Group;
  return {
      {"init", "init(\"file.c\", \"function\" [, first [, last]])",
       "What follows is about the region with the outermost loop of this number, from 0, of the function. "
       "Before its first step, scalars that an iteration writes before it reads them are made private.",
       Group::Select, init},
      {"source", "source(\"file.c\")",
       "Of which file `procedure` and `loop` speak; not needed where there is only one.", Group::Select,
       source},
      {"procedure", "procedure(\"function\")", "Of which function `loop` speaks.", Group::Select, procedure},
      {"loop", "loop(0) | loop(first, last)", "As `init`, of the file and the function that were named.",
       Group::Select, loop},
      {"region", "region(\"matmul:8\" [, \"file.c\"])",
       "What follows is about the region of this name, as messages have it. Not needed where there is only "
       "one.",
       Group::Select, region},
      {"original", "original()", "The order of the program again, and nothing decided.", Group::Select,
       original},
      {"print_code", "print_code()", "Prints the loops as they are now.", Group::Show, printCode},
      {"print_space", "print_space()", "Prints what each statement runs.", Group::Show, printSpace},
      {"print_dep", "print_dep()", "Prints what orders the statements, with distances and lines.",
       Group::Show, printDep},
      {"cur_indices", "cur_indices([statement])", "The loops around a statement, outermost first.",
       Group::Query, curIndices},
      {"num_statements", "num_statements()", "How many statements there are.", Group::Query, numStatements},
      {"block_indices", "block_indices()", "The loops on the grid: x, y, z.", Group::Query,
       indicesOf<Place::Kind::Grid>},
      {"thread_indices", "thread_indices()", "The loops on the block: x, y, z.", Group::Query,
       indicesOf<Place::Kind::Block>},
      {"block_dims", "block_dims()", "How many values they have, or the name of a size.", Group::Query,
       dimensionsOf<Place::Kind::Grid>},
      {"thread_dims", "thread_dims()", "The same for the block.", Group::Query,
       dimensionsOf<Place::Kind::Block>},
      {"hard_loop_bounds", "hard_loop_bounds(statement, level) | hard_loop_bounds(\"i\")",
       "The least and the greatest value of a loop, where they are numbers.", Group::Query, hardLoopBounds},
      {"is_parallel", "is_parallel(\"i\")", "Whether the iterations of a loop may run at the same time.",
       Group::Query, isParallel},
      {"does_exist", "does_exist(\"i\")", "Whether there is a loop of that name.", Group::Query, exists},
      {"arrays", "arrays()", "The names of the arrays.", Group::Query, arrays},
      {"add_sync", "add_sync(statement, \"i\")",
       "Refused: barriers are put where copies in shared memory need them.", Group::Query, addSync},
  };
}

} // namespace warploom
