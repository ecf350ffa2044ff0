// The commands that change the shape of nests. Each has the form of our steps, where loops go by names, and
// that of CHiLL, where statements are counted from 0 and loops around them from 1.
#include "recipe/Commands.h"
#include "transform/TileOrder.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace warploom {

namespace {

/// The method that argument `k` is: a text, as the constants `strided` and `counted` are, or CHiLL's number
/// for it; nothing when it is something else.
std::optional<Tile::Method> methodAt(const Call& call, int k) {
  if (call.isText(k) && call.text(k) == "strided") return Tile::Method::Strided;
  if (call.isText(k) && call.text(k) == "counted") return Tile::Method::Counted;
  if (call.isNumber(k) && call.number(k) == 0) return Tile::Method::Strided;
  if (call.isNumber(k) && call.number(k) == 1) return Tile::Method::Counted;
  return std::nullopt;
}

Tile::Method methodOf(const Call& call, int k, Tile::Method usual) {
  if (!call.has(k)) return usual;
  const std::optional<Tile::Method> method = methodAt(call, k);
  if (!method) call.wants(k, "counted or strided");
  return *method;
}

void tileByIndex(Call& call) {
  // CHiLL's own scripts may begin with the number of a statement.
  call.expect(3, 6);
  const int first = call.isNumber(1) ? 2 : 1;
  Tile step;
  step.loops = call.texts(first);
  step.sizes = call.sizes(first + 1);
  std::vector<std::string> known;
  for (std::size_t k = 1; k <= step.loops.size(); ++k) {
    const std::string control = fmt::format("l{}_control", k), tile = fmt::format("l{}_tile", k);
    step.names.push_back({call.field(first + 2, control), call.field(first + 2, tile)});
    if (step.names.back().control.empty())
      call.fail(fmt::format("no name for the control loop of `{}`: {}=\"...\"", step.loops[k - 1], control));
    if (step.names.back().tile == step.loops[k - 1]) step.names.back().tile.clear();
    known.insert(known.end(), {control, tile});
  }
  for (const std::string& name : call.fieldNames(first + 2))
    if (std::count(known.begin(), known.end(), name) == 0)
      call.fail(fmt::format("`{}` is no name of a loop of {} tiled ones", name, step.loops.size()));
  if (call.has(first + 3)) step.order = call.texts(first + 3);
  step.method = methodOf(call, first + 4, Tile::Method::Counted);
  call.take(tiledInOrder(call.state(), step));
}

/// A name for the control loop of `loop` that nothing has.
std::string newControl(const Call& call, const std::string& loop) {
  return uniqueName(loop + loop, [&](const std::string& name) { return call.state().isTaken(name); });
}

void tile(Call& call) {
  call.expect(3, 7);
  const long statement = call.number(1);
  const std::string loop = call.isText(2) ? call.text(2) : call.loopAt(statement, call.number(2));
  const Size size = call.size(3);
  std::vector<std::string> around = call.loopsAround(statement);
  const auto at = std::find(around.begin(), around.end(), loop);
  if (at == around.end()) call.fail(fmt::format("`{}` is not around statement {}", loop, statement));
  const long level = at - around.begin() + 1, place = call.has(4) ? call.number(4) : 1;
  if (place < 1 || place > level)
    call.fail(
        fmt::format("the control loop of level {} can be at level 1 to {}, not {}", level, level, place));
  // CHiLL has the method fifth, and then where tiles begin: at values that are `offset` more than a multiple.
  const bool isChill = call.has(5) && methodAt(call, 5);
  if (isChill) {
    const long offset = call.has(6) ? call.number(6) : 0, multiple = call.has(7) ? call.number(7) : 1;
    if (offset != 0 || multiple != 1)
      call.fail(fmt::format("tiles cannot be aligned: an offset of {} to multiples of {}", offset, multiple));
  }
  const Tile::Method method = methodOf(call, isChill ? 5 : 7, Tile::Method::Strided);
  const std::string tileName = call.has(5) && !isChill ? call.text(5) : "",
                    controlName = call.has(6) && !isChill ? call.text(6) : "";
  const bool interchange = size == Size(1L);
  if (size == Size(0L)) return; // CHiLL's way of saying that it is not tiled
  const std::string control = !controlName.empty() ? controlName
                              : interchange        ? loop
                                                   : newControl(call, loop);
  std::vector<std::string> order(around.begin() + (place - 1), around.begin() + level);
  if (interchange && controlName.empty()) {
    // Tiles of one iteration: the loop itself goes there.
    std::rotate(order.begin(), order.end() - 1, order.end());
    if (order.size() > 1) call.take({Permute{order}});
    return;
  }
  const bool renames = !tileName.empty() && tileName != loop;
  if (renames) order.back() = tileName;
  order.insert(order.begin(), control);
  call.take({Tile{{loop}, {size}, {{control, renames ? tileName : ""}}, order, method}});
}

void strip(Call& call) {
  call.expect(3, 3);
  if (call.isTable(2))
    call.take({Strip{call.text(1), {}, call.text(3), call.numbers(2)}});
  else
    call.take({Strip{call.text(1), call.size(2), call.text(3)}});
}

void shells(Call& call) {
  call.expect(2, 2);
  call.take({Shells{call.texts(1), call.text(2)}});
}

void permute(Call& call) {
  call.expect(1, 2);
  const int last = call.count();
  long statement = 0;
  if (last == 2)
    statement = call.isTable(1) ? call.numbers(1).empty() ? 0 : call.numbers(1).front() : call.number(1);
  std::vector<std::string> order;
  for (const Size& one : call.sizes(last))
    order.push_back(std::holds_alternative<long>(one) ? call.loopAt(statement, std::get<long>(one))
                                                      : std::get<std::string>(one));
  if (last == 2 && call.isNumber(1)) call.statement(statement); // it must be there
  call.take({Permute{order}});
}

void fuse(Call& call) {
  call.expect(2, 2);
  if (call.isText(1)) return call.take({Fuse{call.text(1), call.text(2)}});
  std::vector<long> statements = call.numbers(1);
  std::sort(statements.begin(), statements.end());
  const long levels = call.number(2);
  if (statements.size() < 2) call.fail("two or more statements are fused");
  if (levels < 1) call.fail(fmt::format("there is no level {}", levels));
  // From the outside in, and each statement to the first; loops that are fused have one name from then on.
  std::vector<Step> steps;
  ScheduleState trial = call.state();
  bool isRefused = false;
  for (std::size_t level = 0; level < static_cast<std::size_t>(levels); ++level)
    for (std::size_t k = 1; k < statements.size() && !isRefused; ++k) {
      const std::vector<std::string> one = call.loopsAround(statements[0], trial),
                                     other = call.loopsAround(statements[k], trial);
      if (level >= one.size() || level >= other.size())
        call.fail(fmt::format("not all statements have a loop at level {}", level + 1));
      if (one[level] == other[level]) continue;
      steps.push_back(Fuse{one[level], other[level]});
      isRefused = trial.take(steps.back()).has_value();
    }
  if (steps.empty()) call.fail("these statements share their loops already");
  call.take(steps);
}

void distribute(Call& call) {
  call.expect(1, 2);
  if (call.isText(1)) {
    Distribute step{call.text(1), {}};
    if (call.has(2)) step.before = call.texts(2);
    return call.take({step});
  }
  std::vector<long> statements = call.numbers(1);
  std::sort(statements.begin(), statements.end());
  const long level = call.number(2);
  if (statements.size() < 2) call.fail("two or more statements are distributed");
  std::vector<std::string> before;
  for (std::size_t k = 1; k < statements.size(); ++k)
    before.push_back(call.statement(statements[k]));
  // From the innermost loop that all of them share out to the level.
  std::vector<std::string> shared = call.loopsAround(statements.front());
  for (long statement : statements) {
    std::vector<std::string> other = call.loopsAround(statement);
    const auto end = std::mismatch(shared.begin(), shared.end(), other.begin(), other.end()).first;
    shared.erase(end, shared.end());
  }
  if (level < 1 || level > static_cast<long>(shared.size()))
    call.fail(fmt::format("these statements share {} loops, and no loop at level {}", shared.size(), level));
  std::vector<Step> steps;
  for (std::size_t k = shared.size(); k >= static_cast<std::size_t>(level); --k)
    steps.push_back(Distribute{shared[k - 1], before});
  call.take(steps);
}

void reorder(Call& call) {
  call.expect(2, 2);
  call.take({Reorder{call.text(1), call.texts(2)}});
}

} // namespace

std::vector<Command> nestCommands() {
  using Group = Command::Group;
  return {
      {"tile_by_index",
       "tile_by_index({\"i\", \"j\"}, {16, \"TJ\"}, {l1_control=\"ii\", l2_control=\"jj\"}, "
       "{\"ii\", \"jj\", \"i\", \"j\"} [, counted | strided])",
       "Tiles loops. Sizes are numbers, or names that stay symbols; `lN_tile=` renames the loop in the tile; "
       "the final order may leave out the innermost loops. With `counted` a control loop counts tiles, with "
       "`strided` it holds the first value of each. A loop that the order puts outside the loop over its "
       "tiles counts from 0 in each tile.",
       Group::Loops, tileByIndex},
      {"tile",
       "tile(statement, level, size [, control_level [, \"tile\" [, \"control\" [, counted | strided]]]]) | "
       "tile(statement, level, size, control_level, counted | strided [, 0 [, 1]])",
       "Tiles the loop at a level around a statement; the control loop comes to `control_level`, the "
       "outermost where nothing is said, and is called after the loop (`jj` of `j`). Size 0 does nothing, 1 "
       "moves the loop itself. The second form is CHiLL's own: the method, also as a number, 0 for `strided` "
       "and 1 for `counted`, and an alignment of tiles, of which only the usual one, 0 and 1, can be had.",
       Group::Loops, tile},
      {"strip", "strip(\"i\", 16, \"ii\")",
       "Tiles one loop where it stands. A list instead of the size has the values before which tiles end.",
       Group::Loops, strip},
      {"shells", "shells({\"ii\", \"jj\"}, \"shell\")",
       "One loop instead of several of a nest, in place of the outermost: it runs by the least of their "
       "values. Of loops over tiles it makes L-shaped shells.",
       Group::Loops, shells},
      {"permute", "permute({\"j\", \"i\"}) | permute(statement, {\"j\", \"i\"}) | permute(statement, {2, 1})",
       "Puts these loops, by names or levels, in this order on the places they have together.", Group::Loops,
       permute},
      {"fuse", "fuse(\"i\", \"i_2\") | fuse({0, 1}, level)",
       "Makes one loop of two that follow each other; or lets statements share their loops down to a level "
       "(a step `fuse` for each loop).",
       Group::Loops, fuse},
      {"distribute", "distribute(\"i\" [, {\"S2\", ...}]) | distribute({0, 1}, level)",
       "A loop for each part of the body; or for each of these statements, from the innermost loop that they "
       "share out to a level (a step `distribute` for each loop).",
       Group::Loops, distribute},
      {"reorder", "reorder(\"k\", {\"j\", \"S1\", \"i\"})",
       "Puts these parts of the body of a loop, loops by their names and others by a statement, in this "
       "order.",
       Group::Loops, reorder},
  };
}

} // namespace warploom
