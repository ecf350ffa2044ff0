// The steps that change the value a loop runs by, or cut its values into pieces: skew, shift, scale,
// normalise, reverse, split, peel.
#include "support/IslC.h"
#include "support/Numbers.h"
#include "transform/Schedule.h"
#include "transform/StepChecks.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/mat.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <regex>

namespace warploom {

namespace {

/// The loop called `name` if its value may be changed, or why not.
std::variant<LoopTree*, Refusal> changeable(LoopTree& tree, const std::string& name) {
  LoopTree* loop = findLoop(tree, name);
  if (!loop) return noSuchLoop(name);
  if (auto refused = refusedMapped(*loop)) return *refused;
  if (loop->tile)
    return Refusal{fmt::format("`{}` runs over tiles of symbolic size `{}`", name, loop->tile->size)};
  return loop;
}

/// { S[i] -> [v, o, ...] }: the value of the last loop of `path` and of those around it that are no symbolic
/// tiles.
isl::multi_union_pw_aff valuesAlong(const std::vector<const LoopTree*>& path) {
  isl::union_set below = instances(*path.back());
  auto value = [&](const LoopTree& loop) {
    return isl_multi_union_pw_aff_from_union_pw_aff(
        isl_union_pw_aff_intersect_domain(loop.value.copy(), below.copy()));
  };
  isl_multi_union_pw_aff* all = value(*path.back());
  for (std::size_t k = 0; k + 1 < path.size(); ++k)
    if (!path[k]->tile) all = isl_multi_union_pw_aff_flat_range_product(all, value(*path[k]));
  return own(all);
}

/// { S[i] -> [e] } where e is `text`, rounded down, over the parameters of `region` and the loops around the
/// last of `path`; or why it is nothing of that kind.
std::variant<isl::union_pw_aff, Refusal> affineAt(const Region& region, const std::string& text,
                                                  const std::vector<const LoopTree*>& path, bool withLoops) {
  Refusal refused{
      fmt::format("`{}` is not affine in the sizes{}", text, withLoops ? " and the loops around" : "")};
  bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("_ +-*/()").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (!plain) return refused;
  std::vector<std::string> parameters, dimensions{"own"};
  for (const Parameter& parameter : region.parameters)
    parameters.push_back(parameter.name);
  for (std::size_t k = 0; k + 1 < path.size(); ++k)
    if (!path[k]->tile) dimensions.push_back(withLoops ? path[k]->name : fmt::format("outer{}", k));
  // isl knows other words, `NaN` and `infty` among them.
  static const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
  for (std::sregex_iterator one(text.begin(), text.end(), word), end; one != end; ++one) {
    const std::string name = one->str();
    const bool isCall = name == "floor" || name == "ceil" || name == "min" || name == "max" || name == "mod";
    if (!isCall && !std::count(parameters.begin(), parameters.end(), name) &&
        !std::count(dimensions.begin() + 1, dimensions.end(), name))
      return refused;
  }
  // The value of the loop itself stands in front, so that there is at least one; it must not be referred to.
  dimensions.front() =
      uniqueName("own", [&](const std::string& name) { return text.find(name) != text.npos; });
  try {
    isl::pw_aff point(islContext(), fmt::format("[{}] -> {{ [{}] -> [({})] }}", fmt::join(parameters, ", "),
                                                fmt::join(dimensions, ", "), text));
    return own(isl_multi_union_pw_aff_apply_pw_aff(valuesAlong(path).release(), point.floor().release()));
  } catch (const isl::exception_invalid&) {
    return refused;
  }
}

/// Refuses values that no index may come near, whatever the sizes are.
std::optional<Refusal> refusedNumbers(const isl::union_pw_aff& value) {
  Numbers numbers;
  numbers.add(value);
  if (numbers.factor <= 1L << 31 && numbers.constant <= 1L << 40) return std::nullopt;
  return Refusal{"the numbers in it are too large for the values of a loop"};
}

/// Puts two loops in place of `loop`: the instances `first` before the others. The copy whose loop gets a new
/// name is the second, or the first if `renameFirst`.
std::optional<Refusal> cut(ScheduleState& state, LoopTree& tree, const std::string& name,
                           const isl::union_set& first, const std::string& fresh, bool renameFirst) {
  LoopTree& loop = *findLoop(tree, name);
  if (!symbolicTiles(loop).empty())
    return Refusal{fmt::format("inside `{}` there are tiles of symbolic size: split before tiling", name)};
  auto before = restricted(loop, first), after = restricted(loop, instances(loop).subtract(first));
  if (!before || !after) return Refusal{fmt::format("one of the two parts of `{}` would be empty", name)};
  renameLoops(state, renameFirst ? *before : *after, fresh);
  loop = sequence({std::move(*before), std::move(*after)});
  return state.adopt(flattened(std::move(tree)), ScheduleState::Change::Loops);
}

} // namespace

std::optional<Refusal> apply(const Skew& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  auto found = changeable(tree, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
  LoopTree& loop = *std::get<LoopTree*>(found);
  auto path = pathTo(tree, step.loop);
  auto by = std::find_if(path.begin(), path.end() - 1,
                         [&](const LoopTree* l) { return l == findLoop(tree, step.by); });
  if (by == path.end() - 1) return Refusal{fmt::format("`{}` is not around `{}`", step.by, step.loop)};
  if ((*by)->tile) return Refusal{fmt::format("`{}` runs over tiles of symbolic size", step.by)};
  isl_union_pw_aff* added = isl_union_pw_aff_intersect_domain((*by)->value.copy(), instances(loop).release());
  added = isl_union_pw_aff_scale_val(added, isl_val_int_from_si(islContext().get(), step.factor));
  loop.value = own(isl_union_pw_aff_add(loop.value.copy(), added));
  if (auto refused = refusedNumbers(loop.value)) return refused;
  return state.adopt(std::move(tree));
}

std::optional<Refusal> apply(const Shift& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  auto found = changeable(tree, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
  LoopTree& loop = *std::get<LoopTree*>(found);
  isl::union_set shifted = isl::union_set::empty(islContext()), below = instances(loop);
  for (const std::string& name : step.statements) {
    const auto& all = state.region().statements;
    auto statement = std::find_if(all.begin(), all.end(), [&](const Statement& s) { return s.name == name; });
    if (statement == all.end()) return Refusal{fmt::format("there is no statement `{}`", name)};
    if (below.is_disjoint(statement->domain) && !statement->domain.is_empty())
      return Refusal{fmt::format("`{}` does not run `{}`", step.loop, name)};
    shifted = shifted.unite(statement->domain);
  }
  auto amount = affineAt(state.region(), step.amount, pathTo(tree, step.loop), false);
  if (const Refusal* refused = std::get_if<Refusal>(&amount)) return *refused;
  isl_union_pw_aff* moved =
      isl_union_pw_aff_add(loop.value.copy(), std::get<isl::union_pw_aff>(amount).release());
  moved = isl_union_pw_aff_intersect_domain(moved, shifted.copy());
  isl_union_pw_aff* rest = isl_union_pw_aff_subtract_domain(loop.value.copy(), shifted.copy());
  loop.value = own(isl_union_pw_aff_union_add(moved, rest));
  if (auto refused = refusedNumbers(loop.value)) return refused;
  return state.adopt(std::move(tree));
}

std::optional<Refusal> apply(const Scale& step, ScheduleState& state) {
  constexpr long most = 1 << 20;
  LoopTree tree = state.tree();
  auto found = changeable(tree, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
  if (step.factor < 1 || step.factor > most)
    return Refusal{fmt::format("a loop is scaled by 1 to {}, not {}", most, step.factor)};
  LoopTree& loop = *std::get<LoopTree*>(found);
  loop.value = own(
      isl_union_pw_aff_scale_val(loop.value.copy(), isl_val_int_from_si(islContext().get(), step.factor)));
  if (auto refused = refusedNumbers(loop.value)) return refused;
  return state.adopt(std::move(tree));
}

std::optional<Refusal> apply(const Nonsingular& step, ScheduleState& state) {
  constexpr long most = 1 << 20;
  const std::size_t n = step.loops.size(), columns = step.rows.empty() ? 0 : step.rows.front().size();
  const bool fits =
      n > 0 && step.rows.size() == n && (columns == n || columns == n + 1) &&
      std::all_of(step.rows.begin(), step.rows.end(), [&](const auto& row) { return row.size() == columns; });
  if (!fits)
    return Refusal{fmt::format("a matrix for {0} loops has {0} rows of {0} numbers, or one more", n)};
  LoopTree tree = state.tree();
  std::vector<LoopTree*> loops;
  for (const std::string& name : step.loops) {
    auto found = changeable(tree, name);
    if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
    loops.push_back(std::get<LoopTree*>(found));
  }
  for (std::size_t k = 1; k < n; ++k)
    if (&loops[k - 1]->children.front() != loops[k])
      return Refusal{fmt::format("`{}` is not right inside `{}`", step.loops[k], step.loops[k - 1])};
  isl_ctx* context = islContext().get();
  isl_mat* matrix = isl_mat_alloc(context, static_cast<unsigned>(n), static_cast<unsigned>(n));
  bool isSmall = true;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < columns; ++j) {
      isSmall &= -most <= step.rows[k][j] && step.rows[k][j] <= most;
      if (j < n)
        matrix = isl_mat_set_element_si(matrix, static_cast<int>(k), static_cast<int>(j),
                                        static_cast<int>(isSmall ? step.rows[k][j] : 0));
    }
  const int rank = isl_mat_rank(matrix);
  isl_mat_free(matrix);
  if (!isSmall) return Refusal{fmt::format("the numbers of a matrix are at most {}", most)};
  if (rank < static_cast<int>(n)) return Refusal{"different iterations would have the same values"};
  std::vector<isl::union_pw_aff> old;
  for (const LoopTree* loop : loops)
    old.push_back(loop->value);
  for (std::size_t k = 0; k < n; ++k) {
    const long added = columns > n ? step.rows[k][n] : 0;
    isl_union_pw_aff* value =
        isl_union_pw_aff_val_on_domain(instances(*loops[k]).release(), isl_val_int_from_si(context, added));
    for (std::size_t j = 0; j < n; ++j)
      value = isl_union_pw_aff_add(
          value, isl_union_pw_aff_scale_val(old[j].copy(), isl_val_int_from_si(context, step.rows[k][j])));
    loops[k]->value = own(value);
    if (auto refused = refusedNumbers(loops[k]->value)) return refused;
  }
  return state.adopt(std::move(tree));
}

std::optional<Refusal> apply(const Normalise& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  auto found = changeable(tree, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
  const std::vector<const LoopTree*> path = pathTo(tree, step.loop);
  for (const LoopTree* loop : path)
    if (loop->tile)
      return Refusal{fmt::format("`{}` around it runs over tiles of symbolic size: where they begin is not "
                                 "known when the kernel is made",
                                 loop->name)};
  // { [v, o, ...] -> [v - first value for these o, ...] }.
  isl::multi_union_pw_aff values = valuesAlong(path);
  isl::union_set iterations =
      instances(*path.back()).apply(own(isl_union_map_from_multi_union_pw_aff(values.copy())));
  isl_space* space = isl_space_set_alloc(islContext().get(), 0, static_cast<unsigned>(path.size()));
  isl::set all = own(isl_union_set_extract_set(iterations.get(), space));
  const unsigned outer = static_cast<unsigned>(path.size()) - 1;
  isl::map iterated =
      own(isl_map_move_dims(isl_map_from_range(all.copy()), isl_dim_in, 0, isl_dim_out, 1, outer));
  isl_pw_aff* first = isl_map_dim_min(iterated.release(), 0); // over [o, ...]
  first = isl_pw_aff_insert_dims(first, isl_dim_in, 0, 1);
  isl_local_space* local = isl_local_space_from_space(isl_pw_aff_get_domain_space(first));
  isl_pw_aff* value = isl_pw_aff_from_aff(isl_aff_var_on_domain(local, isl_dim_set, 0));
  isl::pw_aff counted = own(isl_pw_aff_coalesce(isl_pw_aff_sub(value, first)));
  std::get<LoopTree*>(found)->value =
      own(isl_multi_union_pw_aff_apply_pw_aff(values.release(), counted.release()));
  return state.adopt(std::move(tree));
}

std::optional<Refusal> apply(const Reverse& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  auto found = changeable(tree, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
  LoopTree& loop = *std::get<LoopTree*>(found);
  loop.value = own(isl_union_pw_aff_neg(loop.value.copy()));
  return state.adopt(std::move(tree));
}

std::optional<Refusal> apply(const Split& step, ScheduleState& state) {
  LoopTree tree = state.tree();
  auto found = changeable(tree, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
  if (auto refused = refusedName(state, step.rest)) return refused;
  auto at = affineAt(state.region(), step.at, pathTo(tree, step.loop), true);
  if (const Refusal* refused = std::get_if<Refusal>(&at)) return *refused;
  if (auto refused = refusedNumbers(std::get<isl::union_pw_aff>(at))) return refused;
  isl_union_pw_aff* difference = isl_union_pw_aff_sub(std::get<LoopTree*>(found)->value.copy(),
                                                      std::get<isl::union_pw_aff>(at).release());
  isl::union_map beyond = own(isl_union_map_from_union_pw_aff(difference));
  isl::union_set first = beyond.intersect_range(isl::set(islContext(), "{ [d] : d < 0 }")).domain();
  return cut(state, tree, step.loop, first, step.rest, false);
}

std::optional<Refusal> apply(const Peel& step, ScheduleState& state) {
  constexpr long most = 16;
  LoopTree tree = state.tree();
  auto found = changeable(tree, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
  if (auto refused = refusedName(state, step.peeled)) return refused;
  if (step.count == 0 || std::abs(step.count) > most)
    return Refusal{fmt::format("between 1 and {} iterations can be peeled, not {}", most, step.count)};
  auto path = pathTo(tree, step.loop);
  for (const LoopTree* loop : path)
    if (loop->tile)
      return Refusal{
          fmt::format("`{}` around it runs over tiles of symbolic size: peel before tiling", loop->name)};

  // { S[i] -> [v, o, ...] } and, from it, { [o, ...] -> [v] }.
  isl::union_map values = own(isl_union_map_from_multi_union_pw_aff(valuesAlong(path).release()));
  isl::union_set iterations = instances(*path.back()).apply(values);
  isl_space* space = isl_space_set_alloc(islContext().get(), 0, static_cast<unsigned>(path.size()));
  isl::set all = own(isl_union_set_extract_set(iterations.get(), space));
  unsigned outer = static_cast<unsigned>(path.size()) - 1;
  isl::map rest =
      own(isl_map_move_dims(isl_map_from_range(all.copy()), isl_dim_in, 0, isl_dim_out, 1, outer));
  isl::map peeled = own(isl_map_empty(isl_map_get_space(rest.get())));
  for (long k = 0; k < std::abs(step.count); ++k) {
    isl::map next = step.count > 0 ? rest.lexmin() : rest.lexmax();
    peeled = peeled.unite(next);
    rest = rest.subtract(next);
  }
  isl::set chosen =
      own(isl_map_range(isl_map_move_dims(peeled.release(), isl_dim_out, 1, isl_dim_in, 0, outer)));
  isl::union_set first = values.intersect_range(chosen).domain().intersect(instances(*path.back()));
  if (step.count < 0) first = instances(*path.back()).subtract(first);
  return cut(state, tree, step.loop, first, step.peeled, step.count > 0);
}

} // namespace warploom
