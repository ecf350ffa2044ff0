// Which guards cannot hold in one step: decided by a glance at their conjuncts, else by Z3 within a number of
// solver steps.
#pragma once

#include "sync/model/Contradiction.h"
#include "sync/order/Actions.h"

#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace warploom::sync {

/// How many solver steps (Z3's resource count, the same on every machine; a second has 25,000 to a million of
/// them) one question, and all questions about one system, may take. What is not answered within them counts
/// as "may hold together", so that a system is refused rather than compiled wrongly.
struct SolverLimits {
  unsigned questionSteps = 50'000;
  std::uint64_t totalSteps = 1'000'000;
};

/// Questions about the guards of actions. Cells in `unsettled` may have any value while a guard is evaluated,
/// at every occurrence anew, exactly as unknown cells have in the constructive semantics; the others hold one
/// value of their type. A question that differs from an earlier one only in the names of cells is not put to
/// the solver again.
class GuardQuestions {
public:
  explicit GuardQuestions(const CellSystem& system, SolverLimits limits = {});
  ~GuardQuestions();

  /// `a` and `b` are never both enabled, whatever the unsettled cells hold.
  bool exclusive(const CellAction& a, const CellAction& b, const std::set<int>& unsettled);

  /// A cycle of `edges` whose actions can all be enabled in one step, as indices of actions in order; empty
  /// when there is none; nothing when that could not be decided within the limits.
  std::optional<std::vector<int>> enabledCycle(const std::vector<int>& actions,
                                               const std::vector<Edge>& edges,
                                               const std::set<int>& unsettled);

  /// How many questions the solver got.
  int asked() const { return questions; }

private:
  struct Translation;
  std::unique_ptr<Translation> translation;
  const CellSystem& system;
  const SolverLimits limits;
  std::uint64_t spentSteps = 0;
  int questions = 0;
  std::unordered_map<std::string, bool> exclusions; ///< answers, by what QuestionText says of both guards
  std::unordered_set<std::string> harmless;         ///< questions about cycles with the answer "none"
};

} // namespace warploom::sync
