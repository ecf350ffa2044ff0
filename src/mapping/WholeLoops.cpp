#include "mapping/WholeLoops.h"

#include <algorithm>
#include <map>
#include <set>

namespace warploom {

namespace {

/// The loop of `wholes` that is `loop` or around it, the outermost of several; -1 when there is none.
int wholeAround(const Region& region, const std::set<int>& wholes, int loop) {
  int found = -1;
  for (int around = loop; around >= 0; around = region.loops[static_cast<std::size_t>(around)].parent)
    if (wholes.count(around)) found = around;
  return found;
}

} // namespace

Region withWholeLoops(const Region& region) {
  std::set<int> wholes;
  std::map<int, const WholeLoop*> forms;
  for (const WholeLoop& whole : region.wholes) {
    wholes.insert(whole.loop);
    forms[whole.loop] = &whole;
  }
  if (wholes.empty()) return region;
  Region result = region;
  result.wholes.clear();
  result.statements.clear();
  result.loops.clear();

  std::vector<int> newNumber(region.loops.size(), -1);
  auto renumber = [&](int loop) { return loop < 0 ? -1 : newNumber[static_cast<std::size_t>(loop)]; };
  for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop) {
    if (wholeAround(region, wholes, loop) >= 0) continue;
    newNumber[static_cast<std::size_t>(loop)] = static_cast<int>(result.loops.size());
    result.loops.push_back(region.loops[static_cast<std::size_t>(loop)]);
    result.loops.back().parent = renumber(result.loops.back().parent);
  }
  // There must be room for several statements where there was one loop.
  constexpr int room = 4;
  auto keep = [&](Statement statement, int offset) {
    for (int& loop : statement.loops)
      loop = renumber(loop);
    for (int& position : statement.position)
      position *= room;
    statement.position.back() += offset;
    result.statements.push_back(std::move(statement));
  };
  std::set<int> done;
  for (const Statement& statement : region.statements) {
    int innermost = statement.loops.empty() ? -1 : statement.loops.back();
    int whole = wholeAround(region, wholes, innermost);
    if (whole < 0 && !done.count(statement.afterLoop)) keep(statement, 0);
    if (whole < 0 || !done.insert(whole).second) continue;
    int offset = 0;
    for (const Statement& part : forms.at(whole)->statements)
      keep(part, offset++);
  }
  for (Array& array : result.arrays) {
    // What is declared in such a loop is no business of others.
    while (array.declaredIn >= 0 && renumber(array.declaredIn) < 0)
      array.declaredIn = region.loops[static_cast<std::size_t>(array.declaredIn)].parent;
    array.declaredIn = renumber(array.declaredIn);
  }
  for (Condition& condition : result.conditions) {
    std::vector<int> loops;
    for (int loop : condition.loops)
      if (renumber(loop) >= 0) loops.push_back(renumber(loop));
    condition.loops = loops;
  }
  validate(result);
  return result;
}

} // namespace warploom
