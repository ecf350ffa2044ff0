#include "cases/Joint.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

/// Both hold, each constraint once.
System both(const System& a, const System& b) {
  System result = a;
  for (const Constraint& one : b.all)
    if (std::find(result.all.begin(), result.all.end(), one) == result.all.end()) result = result.with(one);
  return result;
}

} // namespace

Joint joint(const std::vector<const CaseTree*>& trees) {
  Joint result;
  std::size_t most = 0;
  for (const CaseTree* tree : trees) {
    for (const Clause& fact : tree->discussion.facts)
      if (std::find(result.facts.begin(), result.facts.end(), fact) == result.facts.end())
        result.facts.push_back(fact);
    result.combinations *= tree->cases.size();
    most = std::max(most, tree->discussion.mostNodes);
    result.none.insert(result.none.end(), tree->none.begin(), tree->none.end());
    if (result.combinations > most)
      throw TreeTooLarge(fmt::format("the cases of the nests have more than {} combinations", most));
  }
  Questions questions(result.facts);
  result.cases = {{{}, {System()}}};
  // What contradicts itself goes before more is joined to it.
  for (const CaseTree* tree : trees) {
    std::vector<JointCase> next;
    for (const JointCase& so : result.cases)
      for (std::size_t k = 0; k < tree->cases.size(); ++k) {
        JointCase more{so.of, {}};
        more.of.push_back(k);
        for (const System& a : so.conditions)
          for (const System& b : tree->cases[k].conditions)
            if (System all = both(a, b); questions.isConsistent(all) != false)
              more.conditions.push_back(simplified(questions, all));
        if (!more.conditions.empty()) next.push_back(std::move(more));
      }
    result.cases = std::move(next);
  }
  for (JointCase& one : result.cases)
    one.conditions = merged(questions, one.conditions);
  result.none = merged(questions, result.none);
  result.open = questions.open();
  return result;
}

} // namespace warploom::cases
