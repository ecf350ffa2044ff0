#include "transform/ThreadBoxes.h"

#include "support/IslC.h"
#include "transform/Elements.h"
#include "transform/Levels.h"
#include "transform/Schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <map>
#include <numeric>
#include <set>

namespace warploom {

namespace {

/// More elements than this are no registers.
constexpr long mostElements = 128;

/// How far apart elements along side `d` of `elements` are, beginning with `low`.
long strideFrom(const isl::set& elements, std::size_t d, const isl::pw_aff& low) {
  const isl::val stride = own(isl_set_get_stride(elements.get(), static_cast<int>(d)));
  if (!stride.is_int() || stride.num_si() <= 1) return 1;
  const char* const name = "element";
  isl_set* values = elements.copy();
  const auto position = static_cast<unsigned>(isl_set_dim(values, isl_dim_param));
  values = isl_set_move_dims(values, isl_dim_param, position, isl_dim_set, static_cast<unsigned>(d), 1);
  const isl::set used = own(isl_set_params(isl_set_set_dim_name(values, isl_dim_param, position, name)));
  const isl::pw_aff rest = own(isl_pw_aff_mod_val(parameter(name).sub(low).release(), stride.copy()));
  return used.is_subset(rest.eq_set(constant(0))) ? stride.num_si() : 1;
}

bool isOnBlock(const LoopTree& tree) {
  return tree.kind == LoopTree::Kind::Loop && tree.place && tree.place->kind == Place::Kind::Block;
}

/// How many elements `box`, whose sides are numbers, has.
long countOf(const Box& box) {
  long elements = 1;
  for (std::size_t d = 0; d < box.low.size(); ++d)
    elements *= own(isl_aff_get_constant_val(box.extent(d).as_aff().get())).num_si();
  return elements;
}

/// Finds what a thread keeps.
class Keeper {
public:
  Keeper(const ScheduleState& state, const std::string& loop, int array)
      : state(state), region(state.region()), loop(loop), array(array), path(pathTo(state.tree(), loop)) {}

  std::variant<RegisterSet, Refusal> find() {
    if (auto refused = refusedAccesses()) return *refused;
    for (const std::string& name : loopNames(kernel()))
      if (const LoopTree& one = *findLoop(kernel(), name); isOnBlock(one)) axes.insert(one.place->dimension);
    if (auto refused = findThreads(*path.back(), {})) return *refused;
    const isl::union_set together = inOneIteration(path);
    std::vector<const LoopTree*> mapped;
    isl::union_set runs = together;
    for (const std::string& name : threads) {
      mapped.push_back(findLoop(*path.back(), name));
      runs = fixedAt(runs, name, mapped.back()->value);
    }
    if (isWritten && !isApart(together, mapped))
      return Refusal{fmt::format("threads share elements of `{}`, which they write", name())};
    auto box = numericBox(accesses, runs);
    if (auto other = boxByLoops(runs, together); other && (!box || countOf(*other) < countOf(*box)))
      box = std::move(other);
    if (!box)
      return Refusal{
          fmt::format("how much of `{}` a thread uses in an iteration of `{}` is not known when the "
                      "kernel is compiled",
                      name(), loop)};
    const long elements = countOf(*box);
    if (elements > mostElements)
      return Refusal{fmt::format("a thread would keep {} elements of `{}`", elements, name())};
    RegisterSet kept{accesses.front().first, accesses.front().second, seesOlderValues(together), isWritten};
    kept.box = std::move(box);
    kept.threads = threads;
    kept.over = choosing(runs);
    return kept;
  }

private:
  const std::string& name() const { return region.arrays[array].name; }
  const LoopTree& kernel() const {
    auto mapped =
        std::find_if(path.begin(), path.end(), [](const LoopTree* one) { return one->place.has_value(); });
    return mapped == path.end() ? *path.back() : **mapped;
  }
  bool uses(int statement) const {
    return std::any_of(accesses.begin(), accesses.end(),
                       [&](const auto& access) { return access.first.statement == statement; });
  }

  /// Finds the accesses; refuses those of which elements are not known, and ones beside the loop.
  std::optional<Refusal> refusedAccesses() {
    for (const Relaxation& one : state.relaxations())
      if (one.array == array)
        return Refusal{one.kind == Relaxation::Kind::Reduced
                           ? fmt::format("several threads may combine values in one element of `{}`", name())
                           : fmt::format("`{}` has several copies", name())};
    const std::vector<int> inside = statementsOf(region, *path.back());
    const Access* outside = nullptr;
    for (int s : statementsOf(region, kernel()))
      for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a) {
        const AccessRef ref{s, a};
        const Access& access = ref.in(region);
        if (access.array != array || access.kind == Access::Kind::Kill) continue;
        isWritten |= access.writes();
        if (std::count(inside.begin(), inside.end(), s) == 0) {
          outside = &access;
          continue;
        }
        const isl::map reached = elementsOf(state, ref);
        if (!access.exact || (access.kind != Access::Kind::Read && access.kind != Access::Kind::Write) ||
            region.statements[s].kind != Statement::Kind::Assign || !affineSubscripts(reached))
          return Refusal{fmt::format("which elements of `{}` line {} uses is not known exactly", name(),
                                     access.range.line)};
        accesses.emplace_back(ref, reached);
      }
    if (accesses.empty()) return Refusal{fmt::format("nothing in `{}` accesses `{}`", loop, name())};
    if (isWritten && outside)
      return Refusal{fmt::format("`{}` at line {} is outside `{}`, in the same kernel", outside->text,
                                 outside->range.line, loop)};
    return std::nullopt;
  }

  /// Finds the loops on the block, by axes, around the accesses below `tree`, which must be the same for all.
  std::optional<Refusal> findThreads(const LoopTree& tree, std::map<int, std::string> open) {
    if (isOnBlock(tree)) open[tree.place->dimension] = tree.name;
    for (const LoopTree& child : tree.children)
      if (auto refused = findThreads(child, open)) return refused;
    const std::vector<int> here =
        tree.kind == LoopTree::Kind::Leaf ? statementsOf(region, tree) : std::vector<int>{};
    if (std::none_of(here.begin(), here.end(), [&](int s) { return uses(s); })) return std::nullopt;
    std::vector<std::string> names;
    for (const auto& [axis, one] : open)
      names.push_back(one);
    if (names.size() != axes.size() || (!threads.empty() && threads != names))
      return Refusal{
          fmt::format("`{}` is not used in the same loops on the block everywhere in `{}`", name(), loop)};
    threads = names;
    return std::nullopt;
  }

  /// Calls `visit` with each leaf below `tree` that uses the array, and the loops between the staged one and
  /// it that have no place.
  template <typename Visit>
  void forEachLeaf(const LoopTree& tree, std::vector<const LoopTree*> inner, const Visit& visit) const {
    if (tree.kind == LoopTree::Kind::Loop && &tree != path.back() && !tree.place) inner.push_back(&tree);
    for (const LoopTree& child : tree.children)
      forEachLeaf(child, inner, visit);
    if (tree.kind == LoopTree::Kind::Leaf) visit(tree, inner);
  }

  /// The box of the elements by the loops that choose them, of which `runs` are the instances of one thread:
  /// where a thread's elements are some apart, these tell. Nothing when accesses differ.
  std::optional<Box> boxByLoops(const isl::union_set& runs, const isl::union_set& together) const {
    std::optional<Box> all;
    bool isSame = true;
    forEachLeaf(*path.back(), {}, [&](const LoopTree& leaf, const std::vector<const LoopTree*>& inner) {
      for (const auto& [ref, reached] : accesses) {
        if (leaf.domain.is_disjoint(ref.statementIn(region).domain)) continue;
        std::optional<Box> one;
        if (isSame && !inner.empty())
          one = boxOver(inner, reached, runs.intersect(leaf.domain), together.intersect(leaf.domain));
        isSame = one && (!all || isEqual(*all, *one));
        if (!isSame) return;
        if (!all) all = std::move(one);
        all->accesses.push_back(ref);
        all->reached.push_back(reached);
      }
    });
    return isSame ? all : std::nullopt;
  }

  static bool isEqual(const Box& one, const Box& other) {
    for (std::size_t d = 0; d < one.low.size(); ++d)
      if (!one.low[d].plain_is_equal(other.low[d]) || !one.high[d].plain_is_equal(other.high[d]))
        return false;
    return one.stride == other.stride;
  }

  /// The elements `reached` by `runs` as a sum of multiples of the values of `inner`, without accesses.
  static std::optional<Box> boxOver(const std::vector<const LoopTree*>& inner, const isl::map& reached,
                                    const isl::union_set& runs, const isl::union_set& together) {
    const isl::union_map chosen =
        valuesOf(inner).intersect_domain(runs).reverse().apply_range(isl::union_map(reached));
    if (chosen.is_empty() || !chosen.is_single_valued()) return std::nullopt;
    const isl::map function = own(isl_map_from_union_map(chosen.copy()));
    const auto subscripts = affineSubscripts(function);
    if (!subscripts) return std::nullopt;
    // Loops that choose nothing, such as one over what is added up, may have any number of values.
    auto factorOf = [&](int d, std::size_t v) {
      return own(isl_aff_get_coefficient_val(subscripts->at(d).get(), isl_dim_in, static_cast<int>(v)));
    };
    const int sides = static_cast<int>(unsigned(subscripts->size()));
    std::vector<const LoopTree*> choosing;
    std::vector<std::size_t> at;
    for (std::size_t v = 0; v < inner.size(); ++v) {
      bool chooses = false;
      for (int d = 0; d < sides; ++d)
        chooses = chooses || !factorOf(d, v).is_zero();
      if (!chooses) continue;
      choosing.push_back(inner[v]);
      at.push_back(v);
    }
    std::optional<isl::fixed_box> hull;
    if (!choosing.empty()) {
      // The values that loops have for any thread are simpler than those for one.
      const isl::union_set values = valuesOf(choosing).intersect_domain(together).range();
      hull = own(isl_set_from_union_set(values.copy())).simple_fixed_box_hull();
      if (!hull->is_valid()) return std::nullopt;
    }
    Box box;
    for (int d = 0; d < sides; ++d) {
      const isl::aff subscript = subscripts->at(d);
      std::vector<isl::pw_aff> low(inner.size(), constant(0)), high = low;
      long stride = 0;
      for (std::size_t c = 0; c < choosing.size(); ++c) {
        const isl::aff first = hull->offset().at(static_cast<int>(c));
        const isl::val count = hull->size().at(static_cast<int>(c)), factor = factorOf(d, at[c]);
        if (!count.is_int() || !factor.is_int() || isl_aff_dim(first.get(), isl_dim_div) > 0)
          return std::nullopt;
        isl::pw_aff& least = low[at[c]];
        isl::pw_aff& most = high[at[c]];
        least = isl::pw_aff(first);
        most = least.add_constant(count.num_si() - 1);
        if (factor.is_neg()) std::swap(least, most);
        if (count.num_si() > 1) stride = std::gcd(stride, factor.num_si());
      }
      box.low.push_back(atIndices(subscript, low));
      box.high.push_back(atIndices(subscript, high));
      box.stride.push_back(stride);
    }
    return box;
  }

  /// True when no element is used in two iterations of the loops on the block, `mapped`, of those in
  /// `together`.
  bool isApart(const isl::union_set& together, const std::vector<const LoopTree*>& mapped) const {
    if (mapped.empty()) return false;
    isl::union_map users = isl::union_map::empty(islContext());
    for (const auto& [ref, reached] : accesses)
      users = users.unite(isl::union_map(reached).intersect_domain(together).reverse());
    return users.apply_range(valuesOf(mapped)).is_single_valued();
  }

  /// True when a read may see a value from before the iteration whose instances are `together`: that some of
  /// these have written the element is not certain.
  bool seesOlderValues(const isl::union_set& together) const {
    return std::any_of(accesses.begin(), accesses.end(), [&](const auto& access) {
      const AccessRef ref = access.first;
      if (ref.in(region).writes()) return !ref.statementIn(region).guards.empty();
      isl::union_set reads = together.intersect(ref.statementIn(region).domain);
      for (const Dependence& flow : state.facts().dependences.all)
        if (flow.kind == Dependence::Kind::Flow && flow.exact() && flow.sink.statement == ref.statement &&
            flow.sink.in(region).map.is_equal(ref.in(region).map))
          reads = reads.subtract(together.apply(flow.relation));
      return !reads.is_empty();
    });
  }

  /// The loops that choose among the elements of a thread, for which `runs` are the instances of one thread.
  std::set<std::string> choosing(const isl::union_set& runs) const {
    std::set<std::string> over;
    forEachLeaf(*path.back(), {}, [&](const LoopTree& leaf, const std::vector<const LoopTree*>& inner) {
      for (const LoopTree* one : inner) {
        isl::union_set fixed = runs.intersect(leaf.domain);
        for (const LoopTree* other : inner)
          if (other != one) fixed = fixedAt(fixed, other->name, other->value);
        for (const auto& [ref, reached] : accesses) {
          const isl::set elements = fixed.extract_set(reached.domain().space()).apply(reached);
          if (!elements.is_singleton()) over.insert(one->name);
        }
      }
    });
    return over;
  }

  const ScheduleState& state;
  const Region& region;
  const std::string loop;
  const int array;
  const std::vector<const LoopTree*> path; ///< from the root to the loop
  std::vector<std::pair<AccessRef, isl::map>> accesses;
  std::set<int> axes;               ///< of the block, along which the kernel has loops
  std::vector<std::string> threads; ///< the loops along them around the accesses
  bool isWritten = false;
};

} // namespace

bool hasNumericTiles(const Region& region, const std::vector<const LoopTree*>& around, int statement) {
  return std::any_of(around.begin(), around.end(), [&](const LoopTree* loop) {
    return !loop->tile && !sourceLevel(region, *loop, statement);
  });
}

isl::union_set inOneIteration(const std::vector<const LoopTree*>& path) {
  isl::union_set runs = instances(*path.back());
  for (const LoopTree* loop : path)
    runs = loop->tile ? insideTile(*loop, runs) : fixedAt(runs, loop->name, loop->value);
  return runs;
}

std::optional<Box> numericBox(const std::vector<std::pair<AccessRef, isl::map>>& accesses,
                              const isl::union_set& runs) {
  std::optional<isl::set> elements;
  Box box;
  for (const auto& [ref, reached] : accesses) {
    box.accesses.push_back(ref);
    box.reached.push_back(reached);
    const isl::set here = runs.extract_set(reached.domain().space()).apply(reached);
    elements = elements ? elements->unite(here) : here;
  }
  if (!elements || elements->is_empty()) return std::nullopt;
  const isl::fixed_box hull = elements->simple_fixed_box_hull();
  if (!hull.is_valid()) return std::nullopt;
  for (std::size_t d = 0; d < static_cast<std::size_t>(unsigned(hull.size().size())); ++d) {
    const isl::aff low = hull.offset().at(static_cast<int>(d));
    const isl::val size = hull.size().at(static_cast<int>(d));
    if (!size.is_int() || isl_aff_dim(low.get(), isl_dim_div) > 0) return std::nullopt;
    const long stride = strideFrom(*elements, d, isl::pw_aff(low)), last = (size.num_si() - 1) / stride;
    box.low.push_back(isl::pw_aff(low));
    box.high.push_back(isl::pw_aff(low).add_constant(stride * last));
    box.stride.push_back(last == 0 ? 0 : stride);
  }
  return box;
}

std::variant<RegisterSet, Refusal> threadBox(const ScheduleState& state, const std::string& loop, int array) {
  return Keeper(state, loop, array).find();
}

} // namespace warploom
