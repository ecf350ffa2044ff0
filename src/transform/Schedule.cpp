#include "transform/Schedule.h"

#include "support/Failure.h"
#include "support/IslC.h"
#include "transform/Carrying.h"
#include "transform/Placing.h"
#include "transform/Renaming.h"
#include "transform/TimeTiles.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/map.h>
#include <isl/union_map.h>

namespace warploom {

namespace {

/// What one step may cost, in isl operations: some seconds at worst.
constexpr unsigned long stepOperations = 1'000'000;
/// isl's scheduler may run for minutes on small programs with large constants; what it does not find soon is
/// not worth waiting for.
constexpr unsigned long rescheduleOperations = 300'000;
/// A renamed region is analysed once more.
constexpr unsigned long renamingOperations = 10'000'000;
/// No less than any of those: what a search has found, its recipe finds again.
constexpr unsigned long recipeOperations = 10'000'000;

/// Tells each symbolic tile the tile of the same value that it lies in.
void nestTiles(LoopTree& tree, std::vector<const LoopTree*>& around) {
  bool tiles = tree.kind == LoopTree::Kind::Loop && tree.tile;
  if (tiles) {
    tree.tile->within.clear();
    isl::union_map value = own(isl_union_map_from_union_pw_aff(tree.value.copy()));
    for (const LoopTree* outer : around) {
      isl::union_map other = own(isl_union_map_from_union_pw_aff(outer->value.copy()));
      if (value.is_subset(other)) tree.tile->within = outer->tile->origin;
    }
    around.push_back(&tree);
  }
  for (LoopTree& child : tree.children)
    nestTiles(child, around);
  if (tiles) around.pop_back();
}

/// True for steps that change the region.
bool changesRegion(const Step& step) {
  return std::holds_alternative<RenameArray>(step) || std::holds_alternative<CarryScalar>(step) ||
         std::holds_alternative<PlaceScalar>(step) || std::holds_alternative<TileTime>(step);
}

} // namespace

ScheduleState::ScheduleState(const Region& region, const Facts& facts, bool strictFp)
    : source(&region), known(&facts), always(&facts), strict(strictFp), sourceNames(originalNames(region)),
      loops(originalTree(region, sourceNames)), decisions(declaredRelaxations(region)),
      ordered(std::make_shared<std::vector<Constraint>>(warploom::constraints(region, facts, decisions))) {}

ScheduleState::ScheduleState(const PreparedRegion& prepared, bool strictFp)
    : ScheduleState(prepared.region, prepared.facts, strictFp) {
  always = &prepared.always;
  given = prepared.assumed;
}

ScheduleState ScheduleState::original() const {
  ScheduleState result(*source, *known, strict);
  result.always = always;
  result.given = given;
  result.made = made;
  const auto end = std::find_if_not(taken.begin(), taken.end(), changesRegion);
  result.taken.assign(taken.begin(), end);
  return result;
}

std::optional<Refusal> ScheduleState::rename(const RenameArray& step) {
  return beginWith(warploom::renamed(*source, *always, step));
}

std::optional<Refusal> ScheduleState::carry(const CarryScalar& step) {
  return beginWith(warploom::carried(*source, *always, step));
}

std::optional<Refusal> ScheduleState::place(const PlaceScalar& step) {
  return beginWith(warploom::placed(*source, *always, step));
}

std::optional<Refusal> ScheduleState::tileTime(const TileTime& step) {
  auto tiled = timeTiled(*source, *always, step);
  if (const Refusal* refused = std::get_if<Refusal>(&tiled)) return *refused;
  TimeTiled& result = std::get<TimeTiled>(tiled);
  const isl::set conditions = given.intersect(result.conditions);
  if (auto refused = beginWith(std::move(result.region))) return refused;
  given = given.intersect(conditions);
  return std::nullopt;
}

std::optional<Refusal> ScheduleState::beginWith(std::variant<Region, Refusal> changed) {
  if (const Refusal* refused = std::get_if<Refusal>(&changed)) return *refused;
  const Region& region = std::get<Region>(changed);
  const Facts facts = analyse(region);
  if (!facts.gaveUp.empty()) return Refusal{facts.gaveUp};
  auto prepared = std::make_shared<const PreparedRegion>(prepareRegion(region, facts));
  *this = ScheduleState(*prepared, strict);
  made = std::move(prepared);
  return std::nullopt;
}

std::vector<Constraint> ScheduleState::constraintsUnder(const std::vector<Relaxation>& others) const {
  std::vector<Constraint> all = warploom::constraints(*source, *known, others);
  for (Constraint& constraint : all)
    constraint.relation = constraint.relation.intersect_params(granted);
  std::erase_if(all, [&](const Constraint& constraint) {
    const std::pair<int, int> ends = {constraint.source.statement, constraint.sink.statement};
    const bool isDropped = constraint.kind != Constraint::Kind::Order && !constraint.why.empty() &&
                           std::count(dropped.begin(), dropped.end(), ends) > 0;
    return isDropped || constraint.relation.is_empty();
  });
  return all;
}

void ScheduleState::assume(const isl::set& condition) {
  granted = granted.intersect(condition);
  forgetParallel();
  ordered = std::make_shared<std::vector<Constraint>>(constraintsUnder(decisions));
}

void ScheduleState::drop(int before, int after) {
  dropped.emplace_back(before, after);
  forgetParallel();
  ordered = std::make_shared<std::vector<Constraint>>(constraintsUnder(decisions));
}

std::optional<Refusal> ScheduleState::declare(const SizeDeclaration& size) {
  SizeTable more = *table;
  if (auto refused = more.declare(size)) return Refusal{*refused};
  table = std::make_shared<SizeTable>(std::move(more));
  return std::nullopt;
}

int ScheduleState::sourceLoop(const std::string& name) const {
  auto found = std::find(sourceNames.begin(), sourceNames.end(), name);
  return name.empty() || found == sourceNames.end() ? -1 : static_cast<int>(found - sourceNames.begin());
}

bool ScheduleState::isTaken(const std::string& name) const {
  auto isNamed = [&](const auto& thing) { return thing.name == name; };
  if (std::any_of(source->parameters.begin(), source->parameters.end(), isNamed)) return true;
  if (std::any_of(source->arrays.begin(), source->arrays.end(), isNamed)) return true;
  if (std::count(sourceNames.begin(), sourceNames.end(), name) > 0 || findLoop(loops, name)) return true;
  if (table->declarationOf(name)) return true;
  std::vector<SymbolicTile> tiles = symbolicTiles(loops);
  return std::any_of(tiles.begin(), tiles.end(),
                     [&](const SymbolicTile& tile) { return tile.origin == name || tile.size == name; });
}

std::optional<bool> ScheduleState::isParallel(const std::string& name) const {
  auto found = parallel.find(name);
  if (found == parallel.end())
    found = parallel.emplace(name, limited([&] { return !carries(loops, name, *ordered); }, stepOperations))
                .first;
  return found->second;
}

std::vector<Constraint> ScheduleState::unreducedConstraints() const {
  std::vector<Relaxation> others = decisions;
  auto reduces = [](const Relaxation& one) { return one.kind == Relaxation::Kind::Reduced; };
  if (std::erase_if(others, reduces) == 0) return *ordered;
  return constraintsUnder(others);
}

std::optional<bool> ScheduleState::isParallelUnreduced(const std::string& name) const {
  const bool reduces = std::any_of(decisions.begin(), decisions.end(), [](const Relaxation& one) {
    return one.kind == Relaxation::Kind::Reduced;
  });
  if (!reduces || !isParallel(name).value_or(false)) return isParallel(name);
  auto found = parallelUnreduced.find(name);
  if (found == parallelUnreduced.end())
    found = parallelUnreduced
                .emplace(name, limited([&] { return !carries(loops, name, unreducedConstraints()); },
                                       stepOperations))
                .first;
  return found->second;
}

std::optional<bool> ScheduleState::isParallelApart(const std::string& name, const std::string& outer) const {
  return limited([&] { return !carries(loops, name, *ordered, outer); }, stepOperations);
}

std::optional<Refusal> ScheduleState::finalCheck() const {
  auto good = limited(
      [&] {
        isl::union_set all = instances(originalTree(*source, sourceNames));
        return legal(schedule(), symbolicTiles(loops), all, *ordered);
      },
      10 * stepOperations);
  if (!good) return Refusal{"checking the finished schedule was too expensive, and was given up"};
  if (!*good) return Refusal{"the finished schedule does not respect the order of dependent instances"};
  return std::nullopt;
}

std::optional<Refusal> ScheduleState::take(const Step& step, Effort effort) {
  if (changesRegion(step) && !std::all_of(taken.begin(), taken.end(), changesRegion))
    return Refusal{"it changes the region, and comes before all other steps"};
  // Steps do not read the history, which may be long.
  std::vector<Step> before = std::move(taken);
  taken.clear();
  ScheduleState next = *this;
  taken = std::move(before);
  unsigned long operations = effort == Effort::Recipe                   ? recipeOperations
                             : changesRegion(step)                      ? renamingOperations
                             : std::holds_alternative<Reschedule>(step) ? rescheduleOperations
                                                                        : stepOperations;
  auto refused = limited([&] { return std::visit([&](const auto& one) { return apply(one, next); }, step); },
                         operations);
  if (!refused) return Refusal{"working it out against the dependences was too expensive, and was given up"};
  if (*refused) return *refused;
  next.taken = std::move(taken);
  next.taken.push_back(step);
  *this = std::move(next);
  return std::nullopt;
}

/// The loops of `after` that run the same instances in the same iterations as in `before`, inside the same
/// loops: what they carry is what they carried.
static void findUnchanged(const LoopTree& before, const LoopTree& after, std::set<std::string>& names) {
  if (before.kind != after.kind || before.children.size() != after.children.size()) return;
  if (after.kind == LoopTree::Kind::Loop) {
    if (before.name != after.name || before.tile != after.tile ||
        isl_union_pw_aff_plain_is_equal(before.value.get(), after.value.get()) != isl_bool_true)
      return;
    names.insert(after.name);
  }
  for (std::size_t k = 0; k < after.children.size(); ++k)
    findUnchanged(before.children[k], after.children[k], names);
}

std::optional<Refusal> ScheduleState::adopt(LoopTree tree, Change change) {
  std::vector<const LoopTree*> around;
  nestTiles(tree, around);
  if (change == Change::Order || change == Change::Independent)
    if (auto refused = refusedOrder(tree, change)) return refused;
  // What is kept in nests that are as they were is still kept.
  const std::set<std::string> changed =
      staged.empty() ? std::set<std::string>{} : reorderedStatements(loops, tree);
  auto isChanged = [&](const Staging& one) {
    const std::vector<const LoopTree*> path = pathTo(loops, one.loop);
    if (path.empty()) return true;
    const std::set<std::string> around = statementsBelow(*path.front());
    return std::any_of(around.begin(), around.end(),
                       [&](const std::string& name) { return changed.count(name) > 0; });
  };
  std::swap(loops, tree);
  for (const Staging& one : staged)
    if (auto refused = isChanged(one) ? refusedStaging(*this, one) : std::nullopt) {
      std::swap(loops, tree);
      return Refusal{fmt::format("`{}` is kept close to the threads: {}", source->arrays[one.array].name,
                                 refused->reason)};
    }
  if (change == Change::Marks) return std::nullopt;
  std::set<std::string> unchanged;
  findUnchanged(tree, loops, unchanged);
  for (auto* answers : {&parallel, &parallelUnreduced})
    std::erase_if(*answers, [&](const auto& one) { return unchanged.count(one.first) == 0; });
  return std::nullopt;
}

std::set<std::string> ScheduleState::statementNames() const {
  std::set<std::string> names;
  for (const Statement& statement : source->statements)
    names.insert(statement.name);
  return names;
}

std::optional<Refusal> ScheduleState::decide(const Relaxation& relaxation) {
  std::vector<Relaxation> next = decisions;
  if (relaxation.kind == Relaxation::Kind::Expanded)
    std::erase_if(next, [&](const Relaxation& other) {
      return other.kind == Relaxation::Kind::Private && other.array == relaxation.array;
    });
  if (std::count(next.begin(), next.end(), relaxation) == 0) next.push_back(relaxation);
  // The others have theirs.
  if (int array = arrayWithoutScope(*source, {relaxation}, loops, statementNames()); array >= 0)
    return Refusal{
        fmt::format("no loop of this schedule runs exactly one copy of `{0}` per iteration: expand `{0}`",
                    source->arrays[array].name)};
  decisions = std::move(next);
  forgetParallel();
  ordered = std::make_shared<std::vector<Constraint>>(constraintsUnder(decisions));
  return std::nullopt;
}

std::optional<Refusal> ScheduleState::stage(const Staging& staging) {
  if (auto refused = refusedStaging(*this, staging)) return refused;
  for (const Staging& other : staged)
    if ((other.array == staging.array && other.kind == staging.kind && other.loop == staging.loop) ||
        keptTwice(*this, staging, other))
      return Refusal{fmt::format("`{}` is kept so already", source->arrays[staging.array].name)};
  staged.push_back(staging);
  return std::nullopt;
}

std::optional<Refusal> ScheduleState::restage(const std::string& loop, int copies) {
  const std::vector<Staging> before = staged;
  std::vector<Staging*> changed;
  for (Staging& staging : staged)
    if (staging.kind == Staging::Kind::Shared && staging.loop == loop) changed.push_back(&staging);
  if (changed.empty())
    return Refusal{fmt::format("nothing is in shared memory for an iteration of `{}`", loop)};
  for (Staging* staging : changed)
    staging->copies = copies;
  for (const Staging* staging : changed)
    if (auto refused = refusedStaging(*this, *staging)) {
      staged = before;
      return refused;
    }
  return std::nullopt;
}

/// The node of `after` that alone, with what is below it, may order instances otherwise than `before` does;
/// `around` are the loops around it.
static const LoopTree& changedNode(const LoopTree& before, const LoopTree& after,
                                   std::vector<const LoopTree*>& around) {
  const bool isAlike =
      before.kind == after.kind && before.children.size() == after.children.size() &&
      (after.kind != LoopTree::Kind::Loop ||
       (before.name == after.name && before.tile == after.tile && before.place == after.place &&
        isl_union_pw_aff_plain_is_equal(before.value.get(), after.value.get()) == isl_bool_true));
  if (!isAlike) return after;
  std::vector<std::size_t> changed;
  for (std::size_t k = 0; k < after.children.size(); ++k)
    if (!reorderedStatements(before.children[k], after.children[k]).empty()) changed.push_back(k);
  if (changed.size() != 1) return after;
  if (after.kind == LoopTree::Kind::Loop) around.push_back(&after);
  return changedNode(before.children[changed.front()], after.children[changed.front()], around);
}

/// What `constraints` say of instances between the statements `only` that run in one iteration of all of
/// `loops`; nothing of others.
static std::vector<Constraint> insideOf(const std::vector<const LoopTree*>& loops,
                                        std::vector<Constraint> constraints,
                                        const std::set<std::string>& only) {
  if (loops.empty()) return constraints;
  const isl::union_map values = valuesOf(loops), together = values.apply_range(values.reverse());
  for (Constraint& constraint : constraints) {
    isl_map* relation = constraint.relation.get();
    if (!only.count(isl_map_get_tuple_name(relation, isl_dim_in)) ||
        !only.count(isl_map_get_tuple_name(relation, isl_dim_out)))
      continue;
    const isl::map same = own(isl_union_map_extract_map(together.get(), isl_map_get_space(relation)));
    constraint.relation = constraint.relation.intersect(same);
  }
  return constraints;
}

std::optional<Refusal> ScheduleState::refusedOrder(const LoopTree& tree, Change change) const {
  // The tree as it is respects all of them.
  const std::set<std::string> reordered = reorderedStatements(loops, tree);
  std::optional<Violation> found;
  if (change == Change::Order) {
    std::vector<const LoopTree*> around;
    const LoopTree& changed = changedNode(loops, tree, around);
    found = violation(changed, insideOf(around, *ordered, reordered), reordered);
  }
  if (found) {
    const Constraint& broken = (*ordered)[static_cast<std::size_t>(found->constraint)];
    std::string how = "would run backwards";
    if (found->together)
      how = fmt::format("is carried by `{}`, whose iterations run at the same time", found->loop);
    else if (!found->loop.empty())
      how = fmt::format("would run backwards along `{}`", found->loop);
    return Refusal{fmt::format("{} {}", describe(*source, broken), how)};
  }
  if (int array = arrayWithoutScope(*source, decisions, tree, reordered); array >= 0)
    return Refusal{
        fmt::format("`{0}` is private, and in this order several copies of it are alive at once: expand "
                    "`{0}` first",
                    source->arrays[array].name)};
  return std::nullopt;
}

} // namespace warploom
