#include "transform/TimeSweeps.h"

#include "analysis/Order.h"
#include "transform/Staging.h"
#include "transform/UnnamedSets.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace {

/// The most arrays that sweeps may write, dimensions that these may have, and elements that one more
/// iteration may need around a tile.
constexpr std::size_t mostArrays = 6, mostDimensions = 3;
constexpr long mostGrowth = 64;

} // namespace

TimeSweeps::TimeSweeps(const Region& source, const Facts& facts, int loop, const TileTime& step)
    : source(source), facts(facts), loop(loop), steps(step.steps), sizes(step.sizes), rank(step.sizes.size()),
      outer(1 + step.sizes.size()), context(source.context) {}

std::variant<TimeSweeps, Refusal> TimeSweeps::of(const Region& region, const Facts& facts, int loop,
                                                 const TileTime& step) {
  TimeSweeps sweeps(region, facts, loop, step);
  for (auto part : {&TimeSweeps::checkStep, &TimeSweeps::readStatements, &TimeSweeps::readIterations,
                    &TimeSweeps::findNeeds, &TimeSweeps::findReaches, &TimeSweeps::findInstances,
                    &TimeSweeps::findElements})
    if (auto refused = (sweeps.*part)()) return *refused;
  return sweeps;
}

std::optional<Refusal> TimeSweeps::checkStep() {
  if (steps < 1 || steps > 1024) return Refusal{fmt::format("{} iterations at a time: 1 to 1024", steps)};
  if (sizes.empty() || sizes.size() > mostDimensions ||
      std::any_of(sizes.begin(), sizes.end(), [](long size) { return size < 1 || size > 1 << 20; }))
    return Refusal{fmt::format("tiles have 1 to {} sizes, above 0", mostDimensions)};
  const Loop& time = source.loops[loop];
  if (time.parent >= 0) return Refusal{fmt::format("`{}` is not an outermost loop", time.index)};
  if (time.step != 1) return Refusal{fmt::format("the step of `{}` is not 1", time.index)};
  if (!source.wholes.empty()) return Refusal{"there are loops that only data end"};
  for (int one = 0; one < static_cast<int>(source.loops.size()); ++one)
    if (encloses(source, loop, one) &&
        (!source.loops[one].mustStaySequential.empty() || !source.loops[one].inexactBounds.empty()))
      return Refusal{
          fmt::format("the iterations of `{}` are not known, or stay in order", source.loops[one].index)};
  return std::nullopt;
}

// ---- what the loop does ----

std::optional<Refusal> TimeSweeps::readStatements() {
  for (int s = 0; s < static_cast<int>(source.statements.size()); ++s) {
    const Statement& statement = source.statements[s];
    if (!inside(statement, loop)) continue;
    const int line = static_cast<int>(statement.range.line);
    if (statement.kind != Statement::Kind::Assign || !statement.guards.empty() || !statement.hostOnly.empty())
      return Refusal{fmt::format("line {} is no assignment, or one that only data make", line)};
    int written = -1;
    for (int a = 0; a < static_cast<int>(statement.accesses.size()); ++a) {
      const Access& access = statement.accesses[a];
      if (!access.exact || (access.kind != Access::Kind::Read && access.kind != Access::Kind::Write))
        return Refusal{fmt::format("what line {} does to `{}` is not known exactly", line,
                                   source.arrays[access.array].name)};
      if (access.writes()) written = written < 0 ? a : -2;
    }
    if (written < 0) return Refusal{fmt::format("line {} does not write one element", line)};
    const Access& write = statement.accesses[written];
    const Array& array = source.arrays[write.array];
    if (static_cast<std::size_t>(array.rank) != rank || array.within >= 0 || array.declaredIn >= 0 ||
        array.element.kind == Type::Kind::Struct)
      return Refusal{fmt::format("line {} writes `{}`, which is no array of numbers of {} dimensions", line,
                                 array.name, rank)};
    const std::optional<isl::multi_aff> subscripts = affineSubscripts(write);
    if (!subscripts) return Refusal{fmt::format("which element line {} writes has no simple form", line)};
    std::vector<isl::pw_aff> element;
    for (std::size_t d = 0; d < rank; ++d) {
      const isl::aff one = subscripts->at(static_cast<int>(d));
      if (own(isl_aff_involves_dims(one.get(), isl_dim_in, 0, 1)))
        return Refusal{fmt::format("line {} writes other elements in each iteration of `{}`", line,
                                   source.loops[loop].index)};
      element.push_back(isl::pw_aff(one));
    }
    swept.push_back({s, written, std::move(element)});
    arrays.insert(write.array);
  }
  if (swept.empty()) return Refusal{"there is nothing in the loop"};
  for (std::size_t k = 0; k < swept.size(); ++k)
    context = context.intersect(statementOf(k).domain.params());
  context = context.coalesce();
  if (arrays.size() > mostArrays) return Refusal{"more arrays are written than tiles are made of"};
  return std::nullopt;
}

isl::map TimeSweeps::writeOf(std::size_t k) const {
  return statementOf(k).accesses[swept[k].write].map;
}
/// The number of the statement of `ref`; nothing where it is outside the loop.
std::optional<std::size_t> TimeSweeps::numberOf(const AccessRef& ref) const {
  for (std::size_t k = 0; k < swept.size(); ++k)
    if (swept[k].statement == ref.statement) return k;
  return std::nullopt;
}

/// All statements run in the same iterations of the loop, and in each for the same values of the others.
std::optional<Refusal> TimeSweeps::readIterations() {
  isl::set values = isl::set::empty(spaceOf(1));
  for (std::size_t k = 0; k < swept.size(); ++k)
    values = values.unite(projectedOut(unnamed(statementOf(k).domain), 1, depthOf(k) - 1));
  values = values.coalesce();
  const Refusal refused{fmt::format("where `{}` begins and ends is not the same for all that is in it",
                                    source.loops[loop].index)};
  if (values.is_empty() || !own(isl_set_dim_has_lower_bound(values.get(), isl_dim_set, 0)) ||
      !own(isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0)))
    return refused;
  const isl::set given = values.params();
  auto bound = [&](isl::pw_aff value) { return value.gist_params(given.intersect(context)).coalesce(); };
  const isl::pw_aff low = bound(own(isl_set_dim_min(values.copy(), 0))),
                    high = bound(own(isl_set_dim_max(values.copy(), 0)));
  if (!isAffine(low) || !isAffine(high)) return refused;
  begin = low;
  end = high;
  const isl::space line = spaceOf(1);
  const isl::set all = nonNegative(variable(line, 0).sub(onSpace(*begin, line)))
                           .intersect(nonNegative(onSpace(*end, line).sub(variable(line, 0))));
  for (std::size_t k = 0; k < swept.size(); ++k) {
    const isl::set domain = unnamed(statementOf(k).domain).intersect_params(context);
    const isl::set rest = lifted(projectedOut(domain, 0, 1), 1);
    const isl::set each =
        own(isl_set_insert_dims(all.copy(), isl_dim_set, 1, static_cast<unsigned>(depthOf(k) - 1)));
    if (!domain.is_equal(rest.intersect(each).intersect_params(context))) return refused;
  }
  return std::nullopt;
}

/// True when `value` is one expression without divisions.
bool TimeSweeps::isAffine(const isl::pw_aff& value) {
  return value.isa_aff() && isl_aff_dim(value.as_aff().get(), isl_dim_div) == 0;
}

/// The flow of values inside the loop, as distances.
std::optional<Refusal> TimeSweeps::findNeeds() {
  for (const Dependence& flow : facts.dependences.all) {
    if (flow.kind != Dependence::Kind::Flow || arrays.count(flow.array) == 0) continue;
    const auto from = numberOf(flow.source), to = numberOf(flow.sink);
    if (!from || !to) continue;
    const int line = static_cast<int>(statementOf(*to).range.line);
    const std::string& name = source.arrays[flow.array].name;
    if (!flow.exact() || flow.source.access != swept[*from].write)
      return Refusal{fmt::format("it is not known which write gives line {} its value of `{}`", line, name)};
    // { [what the sink writes] -> [what it needs] }
    const isl::map between =
        unnamed(flow.relation.reverse().apply_domain(writeOf(*to)).apply_range(writeOf(*from)));
    const isl::set apart = own(isl_map_deltas(between.copy()));
    Need need{*from, *to, 0, {}, {}};
    for (std::size_t d = 0; d < rank; ++d) {
      const isl::val least = apart.dim_min_val(static_cast<int>(d)),
                     most = apart.dim_max_val(static_cast<int>(d));
      if (!least.is_int() || !most.is_int())
        return Refusal{fmt::format("line {} reads elements of `{}` that may be any distance away from the "
                                   "one it writes",
                                   line, name)};
      need.least.push_back(least.num_si());
      need.most.push_back(most.num_si());
    }
    isl_map* turns = isl_map_project_out(unnamed(flow.relation).release(), isl_dim_in, 1,
                                         static_cast<unsigned>(depthOf(*from) - 1));
    turns = isl_map_project_out(turns, isl_dim_out, 1, static_cast<unsigned>(depthOf(*to) - 1));
    const isl::val apartBy = own(isl_map_deltas(turns)).dim_min_val(0);
    if (!apartBy.is_int()) return Refusal{"how many iterations lie between a write and a read is not known"};
    need.iterations = apartBy.num_si();
    needs.push_back(std::move(need));
  }
  return std::nullopt;
}

/// How far around a tile statements run for it: as far as others need what they write. With each iteration
/// before the last one of a turn it is `growth` more.
std::optional<Refusal> TimeSweeps::findReaches() {
  reaches.assign(swept.size(), {std::vector<long>(rank, 0), std::vector<long>(rank, 0)});
  growth = {std::vector<long>(rank, 0), std::vector<long>(rank, 0)};
  for (std::size_t d = 0; d < rank; ++d)
    for (bool isLow : {true, false}) {
      std::optional<std::vector<long>> found;
      long grown = -1;
      while (!found && grown < mostGrowth)
        found = reachesWith(++grown, d, isLow);
      if (!found)
        return Refusal{fmt::format("what one more iteration of `{}` needs around a tile has no end, or lies "
                                   "too far away",
                                   source.loops[loop].index)};
      (isLow ? growth.low : growth.high)[d] = grown;
      for (std::size_t k = 0; k < swept.size(); ++k)
        (isLow ? reaches[k].low : reaches[k].high)[d] = (*found)[k];
    }
  return std::nullopt;
}

/// Per statement, where each iteration needs `grown` more elements; nothing when these do not do.
std::optional<std::vector<long>> TimeSweeps::reachesWith(long grown, std::size_t d, bool isLow) const {
  std::vector<long> reach(swept.size(), 0);
  for (std::size_t round = 0; round <= swept.size(); ++round) {
    bool changed = false;
    for (const Need& need : needs) {
      const long further = isLow ? -need.least[d] : need.most[d];
      const long wanted = reach[need.sink] + further - need.iterations * grown;
      if (wanted <= reach[need.source]) continue;
      reach[need.source] = wanted;
      changed = true;
    }
    if (!changed) return reach;
  }
  return std::nullopt;
}

// ---- what runs for a tile ----
//
// Sets of a turn have its number and that of the tile along each dimension in front: [turn, tile, ...].

/// The iterations of the loop that turns have: { [turn, tile, t, ...] }.
isl::set TimeSweeps::inTurn(const isl::space& space) const {
  const isl::pw_aff first = firstOfTurn(space), t = variable(space, outer);
  return nonNegative(t.sub(first)).intersect(nonNegative(first.add_constant(steps - 1).sub(t)));
}
isl::pw_aff TimeSweeps::firstOfTurn(const isl::space& space) const {
  return onSpace(*begin, space).add(times(variable(space, 0), steps));
}

/// The turns that there may be, and the tiles: of each there are elements.
isl::set TimeSweeps::turnsAndTiles(const isl::space& space) const {
  const isl::pw_aff turn = variable(space, 0);
  const isl::pw_aff left = onSpace(end->sub(*begin), space).sub(times(turn.add_constant(1), steps));
  isl::set all = nonNegative(turn).intersect(nonNegative(left));
  const auto dimensions = static_cast<std::size_t>(isl_space_dim(space.get(), isl_dim_set));
  isl::set more = lifted(*tiles, 1);
  more = own(isl_set_add_dims(more.release(), isl_dim_set, static_cast<unsigned>(dimensions - outer)));
  return all.intersect(more);
}

/// { [turn, tile, ...] : `element` is at most so far before the first of the tile and behind the last }.
isl::set TimeSweeps::around(const isl::space& space, const std::vector<isl::pw_aff>& element,
                            const std::vector<isl::pw_aff>& before,
                            const std::vector<isl::pw_aff>& behind) const {
  isl::set all = isl::set::universe(space);
  for (std::size_t d = 0; d < rank; ++d) {
    const isl::pw_aff place = element[d].sub(times(variable(space, 1 + d), sizes[d]));
    all = all.intersect(nonNegative(place.add(before[d])))
              .intersect(nonNegative(behind[d].add_constant(sizes[d] - 1).sub(place)));
  }
  return all;
}

std::vector<isl::pw_aff> TimeSweeps::constants(const isl::space& space,
                                               const std::vector<long>& values) const {
  std::vector<isl::pw_aff> all;
  for (long value : values)
    all.push_back(onSpace(constant(value), space));
  return all;
}

/// The element that statement `k` writes, on `space` of its instances in turns.
std::vector<isl::pw_aff> TimeSweeps::elementOf(std::size_t k, const isl::space& space) const {
  std::vector<isl::pw_aff> element;
  for (const isl::pw_aff& one : swept[k].element) {
    isl_pw_aff* value = isl_pw_aff_insert_dims(one.copy(), isl_dim_in, 0, static_cast<unsigned>(outer));
    value = isl_pw_aff_reset_tuple_id(value, isl_dim_in);
    element.push_back(own(isl_pw_aff_align_params(value, space.copy())));
  }
  return element;
}

std::optional<Refusal> TimeSweeps::findInstances() {
  findTiles();
  for (std::size_t k = 0; k < swept.size(); ++k) {
    const isl::space space = spaceOf(outer + depthOf(k));
    const isl::set turns = lifted(statementOf(k).domain.intersect_params(context), outer)
                               .intersect(inTurn(space))
                               .intersect(turnsAndTiles(space));
    const isl::pw_aff left = firstOfTurn(space).add_constant(steps - 1).sub(variable(space, outer));
    std::vector<isl::pw_aff> before, behind;
    for (std::size_t d = 0; d < rank; ++d) {
      before.push_back(times(left, growth.low[d]).add_constant(reaches[k].low[d]));
      behind.push_back(times(left, growth.high[d]).add_constant(reaches[k].high[d]));
    }
    inTurns.push_back(turns);
    runs.push_back(turns.intersect(around(space, elementOf(k, space), before, behind)));
  }
  return checkedInstances();
}

/// { [tile] }: those with elements that are written; a box of them.
void TimeSweeps::findTiles() {
  isl::set all = isl::set::empty(spaceOf(rank));
  for (std::size_t k = 0; k < swept.size(); ++k)
    all = all.unite(unnamed(writeOf(k).range()));
  all = all.intersect_params(context).coalesce();
  const isl::space space = spaceOf(2 * rank);
  isl::set owned = lifted(all, rank);
  for (std::size_t d = 0; d < rank; ++d) {
    const isl::pw_aff place = variable(space, rank + d).sub(times(variable(space, d), sizes[d]));
    owned =
        owned.intersect(nonNegative(place)).intersect(nonNegative(place.neg().add_constant(sizes[d] - 1)));
  }
  tiles = hullOf(projectedOut(owned, rank, rank));
  isCovered = all.is_subset(projectedOut(
      owned.intersect(own(isl_set_add_dims(tiles->copy(), isl_dim_set, static_cast<unsigned>(rank)))), 0,
      rank));
}

/// `flow` between instances of the same turn for the same tile, as far as the sink runs in a turn.
isl::map TimeSweeps::inSameTile(const Dependence& flow, std::size_t from, std::size_t to) const {
  isl_map* both = unnamed(flow.relation).release();
  both = isl_map_insert_dims(both, isl_dim_in, 0, static_cast<unsigned>(outer));
  both = isl_map_insert_dims(both, isl_dim_out, 0, static_cast<unsigned>(outer));
  for (std::size_t k = 0; k < outer; ++k)
    both = isl_map_equate(both, isl_dim_in, static_cast<int>(k), isl_dim_out, static_cast<int>(k));
  const isl::space space = spaceOf(outer + depthOf(from));
  return own(both).intersect_domain(inTurn(space)).intersect_range(runs[to]);
}

/// That what runs for a tile is enough: closed under what it depends on, and all that writes the tile's
/// elements last.
std::optional<Refusal> TimeSweeps::checkedInstances() const {
  if (!isCovered) return Refusal{"tiles do not cover what is written"};
  for (const Dependence& flow : facts.dependences.all) {
    if (flow.kind != Dependence::Kind::Flow || arrays.count(flow.array) == 0) continue;
    const auto from = numberOf(flow.source), to = numberOf(flow.sink);
    if (from && to && !inSameTile(flow, *from, *to).domain().is_subset(runs[*from]))
      return Refusal{fmt::format("what line {} needs does not run in its tile", statementOf(*to).range.line)};
  }
  for (std::size_t k = 0; k < swept.size(); ++k) {
    const isl::space space = spaceOf(outer + depthOf(k));
    const std::vector<isl::pw_aff> none = constants(space, std::vector<long>(rank, 0));
    const isl::set last = firstOfTurn(space).add_constant(steps - 1).eq_set(variable(space, outer));
    if (!inTurns[k]
             .intersect(last)
             .intersect(around(space, elementOf(k, space), none, none))
             .is_subset(runs[k]))
      return Refusal{fmt::format("line {} does not run for the tile it writes", statementOf(k).range.line)};
  }
  return std::nullopt;
}

// ---- what tiles load and store ----

std::optional<Refusal> TimeSweeps::findElements() {
  bool any = false;
  for (int array : arrays) {
    isl::set written = isl::set::empty(spaceOf(rank)), used = written;
    isl::set first = isl::set::empty(spaceOf(outer + rank));
    for (std::size_t k = 0; k < swept.size(); ++k)
      for (int a = 0; a < static_cast<int>(statementOf(k).accesses.size()); ++a) {
        const Access& access = statementOf(k).accesses[a];
        if (access.array != array) continue;
        const isl::set reached = unnamed(access.map.range()).intersect_params(context);
        used = used.unite(reached);
        if (access.writes())
          written = written.unite(reached);
        else
          first = first.unite(readFirst(k, a));
      }
    written = written.coalesce();
    const isl::set ofTiles = lifted(written, outer);
    const bool isCarried = !first.is_disjoint(ofTiles);
    any |= isCarried;
    const auto box = boxAround(first, inArray(array, used.coalesce()));
    if (!box) return Refusal{"how much a tile loads is not known"};
    elements.emplace(array, Elements{written, isCarried ? *box : box->subtract(ofTiles), isCarried});
  }
  if (!any)
    return Refusal{
        fmt::format("no iteration of `{}` needs what the one before has written", source.loops[loop].index)};
  return std::nullopt;
}

/// { [turn, tile, e] }: what access `a` of statement `k` reads in instances that run for the tile, and none
/// before in the same turn has written.
isl::set TimeSweeps::readFirst(std::size_t k, int a) const {
  isl::set reads = runs[k];
  for (const Dependence& flow : facts.dependences.all) {
    const bool isHere = flow.kind == Dependence::Kind::Flow && arrays.count(flow.array) > 0 &&
                        flow.sink == AccessRef{swept[k].statement, a};
    const auto from = isHere ? numberOf(flow.source) : std::nullopt;
    if (from) reads = reads.subtract(inSameTile(flow, *from, k).range());
  }
  isl_map* map = isl_map_insert_dims(unnamed(statementOf(k).accesses[a].map).release(), isl_dim_in, 0,
                                     static_cast<unsigned>(outer));
  isl_map* tile = isl_set_identity(isl_set_universe(spaceOf(outer + depthOf(k)).release()));
  tile =
      isl_map_project_out(tile, isl_dim_out, static_cast<unsigned>(outer), static_cast<unsigned>(depthOf(k)));
  isl::map both = own(isl_map_flat_range_product(tile, map));
  return reads.apply(both);
}

/// The box around `used`, elements of `array`: in the array, too, as long as its subscripts are those of the
/// program. Else `used`.
isl::set TimeSweeps::inArray(int array, const isl::set& used) const {
  if (source.arrays[array].recovered) return used;
  isl::set box = isl::set::universe(spaceOf(rank));
  for (std::size_t d = 0; d < rank; ++d) {
    const isl::set along = projectedOut(projectedOut(used, d + 1, rank - d - 1), 0, d);
    isl_set* whole = isl_set_insert_dims(hullOf(along).release(), isl_dim_set, 0, static_cast<unsigned>(d));
    whole = isl_set_insert_dims(whole, isl_dim_set, static_cast<unsigned>(d) + 1,
                                static_cast<unsigned>(rank - d - 1));
    box = box.intersect(own(whole));
  }
  return box.coalesce();
}

/// { [turn, tile, e] }: those of `there` in the box around `some`, a number of elements around the tile.
std::optional<isl::set> TimeSweeps::boxAround(const isl::set& some, const isl::set& there) const {
  if (some.is_empty()) return some;
  const isl::space space = spaceOf(outer + rank);
  isl::set all = lifted(there, outer).intersect(turnsAndTiles(space));
  for (std::size_t d = 0; d < rank; ++d) {
    const isl::pw_aff place = variable(space, outer + d).sub(times(variable(space, 1 + d), sizes[d]));
    const isl::set places = some.apply(own(isl_map_from_pw_aff(place.copy())));
    const isl::val least = places.dim_min_val(0), most = places.dim_max_val(0);
    if (!least.is_int() || !most.is_int()) return std::nullopt;
    all = all.intersect(nonNegative(place.add_constant(-least.num_si())))
              .intersect(nonNegative(place.neg().add_constant(most.num_si())));
  }
  return all;
}

} // namespace warploom
