// The state that steps change: the loops of a region as they are now, and how they came to be so.
#pragma once

#include "transform/Legality.h"
#include "transform/Prepare.h"
#include "transform/Staging.h"
#include "transform/Step.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// The schedule of a region under transformation.
///
/// Invariants: the tree runs every instance of the region exactly once and respects `constraints()`, which
/// are those of the region under `relaxations()`; every Private array has a scope; each of `staging()` can be
/// done; no name of a loop, origin
/// or size is that of something else in the region. `adopt` is the only way to change the tree, and it checks
/// all of this.
class ScheduleState {
public:
  /// The original order of `region`. Both are kept by reference and outlive the state.
  ScheduleState(const Region& region, const Facts& facts, bool strictFp = false);
  /// The original order of `prepared`, for sizes under its conditions. It is kept by reference and outlives
  /// the state.
  explicit ScheduleState(const PreparedRegion& prepared, bool strictFp = false);

  const Region& region() const { return *source; }
  const Facts& facts() const { return *known; }
  /// The parameter values for which the facts hold.
  const isl::set& conditions() const { return given; }
  /// The facts for all parameter values.
  const Facts& unconditionalFacts() const { return *always; }
  /// The region that renamings made; null when none was taken.
  const std::shared_ptr<const PreparedRegion>& renamed() const { return made; }
  /// The same region in its original order: as renamings left it, if any were taken.
  ScheduleState original() const;
  const LoopTree& tree() const { return loops; }
  const std::vector<Relaxation>& relaxations() const { return decisions; }
  const std::vector<Staging>& staging() const { return staged; }
  /// The statements whose code groups of threads share.
  const std::set<int>& groups() const { return grouped; }
  const std::vector<Constraint>& constraints() const { return *ordered; }
  /// The parameter values that the recipe takes for granted.
  const isl::set& assumed() const { return granted; }
  /// The steps taken, in order: a recipe that makes this state from the original one.
  const std::vector<Step>& history() const { return taken; }
  bool strictFp() const { return strict; }
  /// The sizes that tiles may have, and what they mean.
  const SizeTable& sizes() const { return *table; }

  isl::schedule schedule() const { return scheduleOf(loops); }
  /// The name of `region().loops[loop]` in recipes, whatever became of it since.
  const std::string& sourceName(int loop) const { return sourceNames[static_cast<std::size_t>(loop)]; }
  /// The source loop of that name; -1 when there is none.
  int sourceLoop(const std::string& name) const;
  /// True when a new loop or parameter must not be called so.
  bool isTaken(const std::string& name) const;
  /// True when the loop called `name` carries no constraint: its iterations may run at the same time. Nothing
  /// when isl gave up.
  std::optional<bool> isParallel(const std::string& name) const;
  /// The same if no reduction were taken: its iterations do not even combine values.
  std::optional<bool> isParallelUnreduced(const std::string& name) const;
  /// All that the order would have to respect if no reduction were taken.
  std::vector<Constraint> unreducedConstraints() const;
  /// The same as isParallel for the iterations below the value of the loop `outer` around it, and for those
  /// above.
  std::optional<bool> isParallelApart(const std::string& name, const std::string& outer) const;
  /// Nothing, or why the final check of the whole schedule, made on isl's own form of it, fails. Steps never
  /// lead to such a state; emission asks all the same.
  std::optional<Refusal> finalCheck() const;

  /// Applies `step`, or refuses it and leaves the state as it was.
  std::optional<Refusal> take(const Step& step) { return take(step, Effort::Search); }
  /// The same for a step of a recipe, which is worth more of isl's work than one of many that are tried.
  std::optional<Refusal> demand(const Step& step) { return take(step, Effort::Recipe); }

  /// What is new in a tree: the order of instances; the order of those that do not depend on each other; only
  /// the loops that run them in the same order; or only what loops are marked with, where a place goes to
  /// none that is not parallel.
  enum class Change { Order, Independent, Loops, Marks };
  /// Takes `tree` for the new tree if it respects all constraints, as one does in which only loops or marks
  /// changed. For steps.
  std::optional<Refusal> adopt(LoopTree tree, Change change = Change::Order);
  /// Begins with the region that `step` makes. For steps; refused once others were taken.
  std::optional<Refusal> rename(const RenameArray& step);
  std::optional<Refusal> carry(const CarryScalar& step);
  std::optional<Refusal> place(const PlaceScalar& step);
  std::optional<Refusal> tileTime(const TileTime& step);
  /// Adds `relaxation`, which the facts justify. A Private array that is Expanded is no longer Private. For
  /// steps.
  std::optional<Refusal> decide(const Relaxation& relaxation);
  /// Has groups of threads share the code of `statement`. For steps.
  void shareCode(int statement) { grouped.insert(statement); }
  /// Takes `condition` on the parameters for granted. For steps.
  void assume(const isl::set& condition);
  /// Leaves out what is only assumed to order instances of the statements, by index, in this order. For
  /// steps.
  void drop(int before, int after);
  /// Adds a size. For steps.
  std::optional<Refusal> declare(const SizeDeclaration& size);
  /// Adds `staging` if it can be done. For steps.
  std::optional<Refusal> stage(const Staging& staging);
  /// Has everything that is in shared memory for an iteration of `loop` there in `copies`. For steps.
  std::optional<Refusal> restage(const std::string& loop, int copies);

private:
  enum class Effort { Search, Recipe };
  std::optional<Refusal> take(const Step& step, Effort effort);
  std::optional<Refusal> beginWith(std::variant<Region, Refusal> changed);
  /// What is left of the constraints under `others`, all that was taken for granted considered.
  std::vector<Constraint> constraintsUnder(const std::vector<Relaxation>& others) const;
  std::optional<Refusal> refusedOrder(const LoopTree& tree, Change change) const;
  std::set<std::string> statementNames() const;
  void forgetParallel() {
    parallel.clear();
    parallelUnreduced.clear();
  }

  const Region* source;
  const Facts* known;
  const Facts* always; ///< for all parameter values
  isl::set given = isl::set(islContext(), "{ : }");
  std::shared_ptr<const PreparedRegion> made; ///< by renamings: what the others point to
  bool strict;
  std::vector<std::string> sourceNames; ///< per loop of the region
  LoopTree loops;
  std::vector<Relaxation> decisions;
  isl::set granted = isl::set(islContext(), "{ : }");
  std::vector<std::pair<int, int>> dropped; ///< statements between which assumed constraints do not count
  std::shared_ptr<const std::vector<Constraint>> ordered; ///< shared by copies of the state: never changed
  std::vector<Staging> staged;
  std::set<int> grouped;
  std::shared_ptr<const SizeTable> table = std::make_shared<SizeTable>(knownSizes()); ///< never changed
  std::vector<Step> taken;
  /// What isParallel and isParallelUnreduced found out for this tree.
  mutable std::map<std::string, std::optional<bool>> parallel, parallelUnreduced;
};

} // namespace warploom
