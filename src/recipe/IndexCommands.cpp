// The commands that change what a loop runs over: CHiLL's forms beside those of our steps.
#include "recipe/Commands.h"
#include "transform/Levels.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fmt/format.h>

namespace warploom {

namespace {

/// The loop that the statements of the argument `k`, a number or a list, have at the level in argument k + 1.
/// They must share it: a step changes a loop for all that is in it.
std::string sharedLoop(const Call& call, int k) {
  const std::vector<long> statements = call.isTable(k) ? call.numbers(k) : std::vector{call.number(k)};
  if (statements.empty()) call.wants(k, "a list of statements");
  const std::string loop = call.loopAt(statements.front(), call.number(k + 1));
  for (long statement : statements)
    if (std::string other = call.loopAt(statement, call.number(k + 1)); other != loop)
      call.fail(fmt::format("the statements are in different loops, `{}` and `{}`: one command for each",
                            loop, other));
  return loop;
}

void skew(Call& call) {
  call.expect(3, 3);
  if (call.isText(1)) return call.take({Skew{call.text(1), call.text(2), call.number(3)}});
  // New index = a1 * L1 + ... + an * Ln, of which the last is the level's own.
  const std::string loop = sharedLoop(call, 1);
  const std::vector<long> factors = call.numbers(3);
  const long statement = call.isTable(1) ? call.numbers(1).front() : call.number(1);
  std::vector<std::string> around = call.loopsAround(statement);
  const auto level = static_cast<std::size_t>(call.number(2));
  if (factors.size() < level || factors.size() > around.size())
    call.fail(fmt::format("{} amounts for the loops down to level {}", factors.size(), level));
  if (factors[level - 1] != 1)
    call.fail(
        fmt::format("`{}` itself counts once, not {} times: use scale or reverse", loop, factors[level - 1]));
  std::vector<Step> steps;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (k + 1 == level || factors[k] == 0) continue;
    if (k + 1 > level) call.fail("amounts are of the loop itself and of those around it");
    steps.push_back(Skew{loop, around[k], factors[k]});
  }
  if (steps.empty()) call.fail("all amounts are 0");
  call.take(steps);
}

void shift(Call& call) {
  call.expect(3, 3);
  auto amount = [&](int k) {
    const Size size = call.size(k);
    const long* number = std::get_if<long>(&size);
    return number ? std::to_string(*number) : std::get<std::string>(size);
  };
  if (call.isText(2)) return call.take({Shift{call.texts(1), call.text(2), amount(3)}});
  const std::vector<long> statements = call.isTable(1) ? call.numbers(1) : std::vector{call.number(1)};
  std::vector<std::string> names;
  for (long statement : statements)
    names.push_back(call.statement(statement));
  call.take({Shift{names, sharedLoop(call, 1), amount(3)}});
}

void scale(Call& call) {
  call.expect(2, 3);
  if (call.isText(1)) return call.take({Scale{call.text(1), call.number(2)}});
  call.expect(3, 3);
  call.take({Scale{sharedLoop(call, 1), call.number(3)}});
}

void reverse(Call& call) {
  call.expect(1, 2);
  if (call.isText(1)) return call.take({Reverse{call.text(1)}});
  call.take({Reverse{sharedLoop(call, 1)}});
}

void normalise(Call& call) {
  call.expect(1, 1);
  call.take({Normalise{call.text(1)}});
}

void rename(Call& call) {
  call.expect(2, 3);
  if (call.isText(1)) {
    call.expect(2, 2);
    return call.take({RenameLoop{call.text(1), call.text(2)}});
  }
  call.statement(call.number(1));
  call.take({RenameLoop{call.text(2), call.text(3)}});
}

std::string freshName(const Call& call, const std::string& loop, const std::string& suffix) {
  return uniqueName(loop + suffix, [&](const std::string& name) { return call.state().isTaken(name); });
}

void peel(Call& call) {
  call.expect(2, 3);
  if (call.isText(1)) {
    const std::string loop = call.text(1);
    return call.take(
        {Peel{loop, call.number(2), call.has(3) ? call.text(3) : freshName(call, loop, "_peel")}});
  }
  const std::string loop = sharedLoop(call, 1);
  call.take({Peel{loop, call.has(3) ? call.number(3) : 1, freshName(call, loop, "_peel")}});
}

/// The point in front of which a condition `L2 < point` or `L2 <= point` cuts, where L2 is the loop at
/// `level`; loops further out may be in the point, by level too.
std::string pointOf(const Call& call, std::string text, const std::vector<std::string>& around,
                    std::size_t level) {
  std::string found;
  for (std::size_t at = 0; at < text.size();) {
    const bool starts =
        text[at] == 'L' &&
        (at == 0 || (!std::isalnum(static_cast<unsigned char>(text[at - 1])) && text[at - 1] != '_'));
    std::size_t end = at + 1;
    while (starts && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    if (!starts || end == at + 1) {
      found += text[at++];
      continue;
    }
    const std::string digits = text.substr(at + 1, end - at - 1);
    const std::size_t number = digits.size() > 3 ? 0 : std::stoul(digits);
    if (number < 1 || number > around.size())
      call.fail(fmt::format("there is no level {} in `{}`", digits, text));
    found += around[number - 1];
    at = end;
  }
  const std::string& loop = around[level - 1];
  std::size_t sign = found.find('<');
  std::string left = sign == found.npos ? "" : found.substr(0, sign);
  std::erase(left, ' ');
  if (left != loop)
    call.fail(fmt::format("a condition has the form L{0} < point or L{0} <= point, not `{1}`", level, text));
  const bool isIncluded = found.compare(sign, 2, "<=") == 0;
  std::string point = found.substr(sign + (isIncluded ? 2 : 1));
  return isIncluded ? fmt::format("({}) + 1", point) : point;
}

void split(Call& call) {
  call.expect(2, 3);
  if (call.isText(1)) {
    call.expect(2, 3);
    const std::string loop = call.text(1);
    return call.take(
        {Split{loop, call.text(2), call.has(3) ? call.text(3) : freshName(call, loop, "_rest")}});
  }
  call.expect(3, 3);
  const std::string loop = sharedLoop(call, 1);
  const long statement = call.isTable(1) ? call.numbers(1).front() : call.number(1);
  const std::string at =
      pointOf(call, call.text(3), call.loopsAround(statement), static_cast<std::size_t>(call.number(2)));
  call.take({Split{loop, at, freshName(call, loop, "_rest")}});
}

void unroll(Call& call) {
  call.expect(1, 4);
  auto factor = [&](long value) {
    if (value < 0 || value > 1'000'000) call.fail(fmt::format("a loop cannot be unrolled by {}", value));
    return static_cast<int>(value);
  };
  if (call.isText(1)) {
    call.expect(1, 2);
    return call.take({Unroll{call.text(1), factor(call.has(2) ? call.number(2) : 0)}});
  }
  call.expect(3, 4);
  if (call.has(4) && call.number(4) != 0)
    call.fail("where the rest of the iterations goes cannot be chosen: a kernel has them after the others");
  const std::string loop = call.isText(2) ? call.text(2) : sharedLoop(call, 1);
  call.take({Unroll{loop, factor(call.number(3))}});
}

void unrollToDepth(Call& call) {
  call.expect(1, 1);
  const long depth = call.number(1);
  if (depth < 0 || depth > 1000) call.fail(fmt::format("a depth of {}", depth));
  if (depth > 0) call.take({UnrollToDepth{static_cast<int>(depth)}});
}

void reschedule(Call& call) {
  call.expect(1, 1);
  const std::string how = call.text(1);
  if (how != "fuse" && how != "separate" && how != "earliest")
    call.wants(1, "\"fuse\", \"separate\" or \"earliest\"");
  call.take({Reschedule{how == "fuse"       ? Reschedule::Fusion::Most
                        : how == "separate" ? Reschedule::Fusion::Least
                                            : Reschedule::Fusion::Earliest}});
}

void nonsingular(Call& call) {
  call.expect(1, 2);
  if (call.has(2)) return call.take({Nonsingular{call.texts(1), call.rows(2)}});
  // Of a script: the nest around all statements.
  const std::vector<std::vector<long>> rows = call.rows(1);
  std::vector<std::string> loops = call.loopsAround(0);
  if (rows.size() > loops.size())
    call.fail(fmt::format("{} rows for the {} loops of the nest", rows.size(), loops.size()));
  loops.resize(rows.size());
  call.take({Nonsingular{loops, rows}});
}

/// The loop in argument 1, by its name, or in arguments 1 and 2, by statements and level.
std::string loopIn(const Call& call, int& next) {
  next = call.isText(1) ? 2 : 3;
  return call.isText(1) ? call.text(1) : sharedLoop(call, 1);
}

void shiftTo(Call& call) {
  call.expect(2, 3);
  int next = 0;
  const std::string loop = loopIn(call, next);
  call.expect(next, next);
  const long first = call.number(next);
  std::vector<std::string> inside;
  const LoopTree* found = findLoop(call.state().tree(), loop);
  if (!found) call.fail(fmt::format("there is no loop `{}`", loop));
  for (int s : statementsOf(call.state().region(), *found))
    inside.push_back(call.state().region().statements[s].name);
  std::vector<Step> steps = {Normalise{loop}};
  if (first != 0) steps.push_back(Shift{inside, loop, std::to_string(first)});
  call.take(steps);
}

/// What stands in a CHiLL script before a loop, for a C compiler: said in other ways here.
void pragma(Call& call) {
  call.expect(2, 3);
  int next = 0;
  const std::string loop = loopIn(call, next);
  call.expect(next, next);
  std::string text = call.text(next);
  text.erase(0, text.find_first_not_of(' '));
  if (text == "nounroll") return call.take({Unroll{loop, 1}});
  if (text == "unroll") return call.take({Unroll{loop, 0}});
  int times = 0, end = 0;
  const bool isUnroll = std::sscanf(text.c_str(), "unroll %4d%n", &times, &end) == 1 ||
                        std::sscanf(text.c_str(), "unroll(%4d)%n", &times, &end) == 1;
  if (!isUnroll || times < 1 || static_cast<std::size_t>(end) != text.size())
    call.fail(fmt::format("kernels have `unroll`, `unroll 4` and `nounroll`, not `{}`", text));
  call.take({Unroll{loop, times}});
}

void ompFor(Call& call) {
  call.fail(
      "what runs in parallel runs on the device, map_to_grid says it; loops that stay keep their threads");
}

void prefetch(Call& call) {
  call.fail("copy_to_shared with two copies, or pipeline, has data there before they are needed");
}

} // namespace

std::vector<Command> indexCommands() {
  using Group = Command::Group;
  return {
      {"skew", "skew(\"j\", \"i\", 1) | skew({0}, 2, {1, 1})",
       "Adds a multiple of the value of a loop around it; amounts of all loops down to the level, of which "
       "the loop's own is 1, are a step `skew` each.",
       Group::Index, skew},
      {"shift", "shift({\"S1\"}, \"i\", \"n - 1\") | shift({1}, level, 2)",
       "Adds an amount to the value of a loop for some of its statements.", Group::Index, shift},
      {"scale", "scale(\"i\", 2) | scale({0}, level, 2)", "Multiplies the value of a loop.", Group::Index,
       scale},
      {"reverse", "reverse(\"i\") | reverse({0}, level)", "Runs a loop the other way round.", Group::Index,
       reverse},
      {"normalize_index", "normalize_index(\"i\")",
       "Counts the iterations of a loop from 0 in each iteration of the loops around it.", Group::Index,
       normalise},
      {"rename_index", "rename_index(\"i\", \"r\") | rename_index(statement, \"i\", \"r\")",
       "Gives a loop another name.", Group::Index, rename},
      {"peel", "peel(\"i\", 1 [, \"first\"]) | peel(statement, level [, count])",
       "Runs the first iterations, with a negative count the last, in a loop of their own, called `i_peel`.",
       Group::Index, peel},
      {"split", "split(\"j\", \"i\" [, \"rest\"]) | split(statement, level, \"L2 < L1\")",
       "Runs the values below a point first, and the others in a loop of their own, called `j_rest`.",
       Group::Index, split},
      {"unroll", "unroll(\"k\", 4) | unroll(statement, level, 4)",
       "Writes out iterations in a row; 0: all of them.", Group::Index, unroll},
      {"unroll_to_depth", "unroll_to_depth(2)",
       "Unrolls wholly the innermost loops around every statement where that is possible, up to a mapped "
       "one. "
       "0 does nothing.",
       Group::Index, unrollToDepth},
      {"unroll_to_level", "unroll_to_level(2)", "The same.", Group::Index, unrollToDepth},
      {"reschedule", "reschedule(\"fuse\") | reschedule(\"separate\") | reschedule(\"earliest\")",
       "A new order by isl's scheduler: with loops that can be tiled, as PLUTO's; or, `earliest`, with steps "
       "of time "
       "outside and parallel loops inside, as Feautrier's.",
       Group::Index, reschedule},
      {"unroll_extra", "unroll_extra(statement, level, 4)",
       "The same as `unroll`: what is left of the iterations is unrolled, too, where it pays.", Group::Index,
       unroll},
      {"shift_to", "shift_to(\"i\", 1) | shift_to(statement, level, 1)",
       "Counts the iterations of a loop from this number in each iteration of the loops around it.",
       Group::Index, shiftTo},
      {"nonsingular", "nonsingular({\"i\", \"j\"}, {{1, 1}, {0, 1}}) | nonsingular({{0, 1}, {1, 0}})",
       "Gives the loops of a perfect nest, without names the outermost, new values: row by row, how often "
       "each old one counts and, with one number more, what is added.",
       Group::Index, nonsingular},
      {"pragma", "pragma(\"k\", \"unroll 4\") | pragma(statement, level, \"nounroll\")",
       "The same as `unroll`; other pragmas mean nothing in a kernel.", Group::Index, pragma},
      {"omp_for", "omp_for(statement, level)",
       "Refused: `map_to_grid` says what runs in parallel; loops that stay keep their threads.", Group::Index,
       ompFor},
      {"prefetch", "prefetch(statement, level, \"a\")",
       "Refused: `copy_to_shared` with two copies, or `pipeline`, has data there before they are needed.",
       Group::Index, prefetch},
  };
}

} // namespace warploom
