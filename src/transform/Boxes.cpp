#include "transform/Boxes.h"

#include "support/IslC.h"
#include "transform/Elements.h"
#include "transform/ThreadBoxes.h"

#include <algorithm>
#include <isl/map.h>
#include <isl/set.h>
#include <numeric>
#include <set>

namespace warploom {

isl::pw_aff Box::extent(std::size_t d) const {
  return place(d, high[d]).add_constant(1).coalesce();
}

isl::pw_aff Box::place(std::size_t d, const isl::pw_aff& subscript) const {
  const isl::pw_aff apart = low[d].neg().add(subscript).coalesce();
  if (stride[d] <= 1) return apart;
  return own(isl_pw_aff_scale_down_val(apart.copy(), isl_val_int_from_si(islContext().get(), stride[d])));
}

namespace {

/// `factor` times `value`.
isl::pw_aff times(const isl::val& factor, const isl::pw_aff& value) {
  return own(isl_pw_aff_scale_val(value.copy(), factor.copy()));
}

isl::val coefficient(const isl::aff& value, isl_dim_type of, std::size_t k) {
  return own(isl_aff_get_coefficient_val(value.get(), of, static_cast<int>(k)));
}

} // namespace

std::optional<isl::multi_aff> affineSubscripts(const Access& access) {
  return access.exact ? affineSubscripts(access.map) : std::nullopt;
}

std::optional<isl::multi_aff> affineSubscripts(const isl::map& reached) {
  if (reached.is_empty()) return std::nullopt;
  isl::pw_multi_aff subscripts = own(isl_pw_multi_aff_from_map(reached.copy()));
  subscripts = subscripts.gist(subscripts.domain());
  if (!subscripts.isa_multi_aff()) return std::nullopt;
  isl::multi_aff result = subscripts.as_multi_aff();
  for (unsigned d = 0; d < unsigned(result.size()); ++d) {
    isl::aff one = result.at(static_cast<int>(d));
    auto divisions = static_cast<unsigned>(isl_aff_dim(one.get(), isl_dim_div));
    if (own(isl_aff_involves_dims(one.get(), isl_dim_div, 0, divisions))) return std::nullopt;
  }
  return result;
}

std::optional<Range> valuesOf(const isl::aff& subscript, std::size_t levels,
                              const std::function<std::optional<Range>(std::size_t)>& rangeOf) {
  isl::pw_aff sum = constant(0);
  for (std::size_t p = 0; p < static_cast<std::size_t>(isl_aff_dim(subscript.get(), isl_dim_param)); ++p) {
    isl::val factor = coefficient(subscript, isl_dim_param, p);
    if (factor.is_zero()) continue;
    const char* name = isl_aff_get_dim_name(subscript.get(), isl_dim_param, static_cast<unsigned>(p));
    sum = sum.add(times(factor, parameter(name)));
  }
  sum = sum.add_constant(own(isl_aff_get_constant_val(subscript.get())));
  Range result{sum, sum, 0};
  // isl lists the parameters of the last summand first.
  for (std::size_t level = levels; level-- > 0;) {
    isl::val factor = coefficient(subscript, isl_dim_in, level);
    if (factor.is_zero()) continue;
    std::optional<Range> index = rangeOf(level);
    if (!index) return std::nullopt;
    if (factor.is_neg()) std::swap(index->low, index->high);
    result.low = result.low.add(times(factor, index->low)).coalesce();
    result.high = result.high.add(times(factor, index->high)).coalesce();
    result.stride = std::gcd(result.stride, factor.num_si() * index->stride);
  }
  return result;
}

std::optional<Range> Inside::indexRange(int statement, std::size_t level) const {
  if (const LoopTree* loop = over(statement, level)) {
    if (!loop->tile) return Range{parameter(fixedName(loop->name)), parameter(fixedName(loop->name)), 0};
    isl::pw_aff origin = parameter(loop->tile->origin);
    return Range{origin, origin.add(parameter(loop->tile->size)).add_constant(-1)};
  }
  const isl::set& domain = region.statements[statement].domain;
  isl::val least = domain.dim_min_val(static_cast<int>(level)),
           greatest = domain.dim_max_val(static_cast<int>(level));
  if (!least.is_int() || !greatest.is_int()) return std::nullopt;
  return Range{constant(least.num_si()), constant(greatest.num_si())};
}

const LoopTree* Inside::over(int statement, std::size_t level) const {
  for (std::size_t k = around.size(); k-- > 0;)
    if (sourceLevel(region, *around[k], statement) == level) return around[k];
  return nullptr;
}

namespace {

/// The box of one access in an iteration of the loop; nothing when it has none of a known size.
std::optional<Box> boxOf(const Inside& inside, AccessRef ref, const isl::map& reached) {
  if (!ref.in(inside.region).exact) return std::nullopt;
  std::optional<isl::multi_aff> subscripts = affineSubscripts(reached);
  if (!subscripts) return std::nullopt;
  if (hasNumericTiles(inside.region, inside.around, ref.statement))
    if (auto box = numericBox({{ref, reached}}, inOneIteration(inside.around))) return box;
  std::set<std::string> sizes;
  for (const SymbolicTile& tile : symbolicTiles(inside.tree))
    sizes.insert(tile.size);
  Box box;
  box.accesses = {ref};
  box.reached = {reached};
  for (unsigned d = 0; d < unsigned(subscripts->size()); ++d) {
    auto range = valuesOf(subscripts->at(static_cast<int>(d)), ref.statementIn(inside.region).loops.size(),
                          [&](std::size_t level) { return inside.indexRange(ref.statement, level); });
    if (!range) return std::nullopt;
    box.low.push_back(range->low);
    box.high.push_back(range->high);
    box.stride.push_back(range->stride);
    isl::aff extent = box.extent(d).as_aff();
    for (unsigned p = 0; p < static_cast<unsigned>(isl_aff_dim(extent.get(), isl_dim_param)); ++p)
      if (!coefficient(extent, isl_dim_param, p).is_zero() &&
          sizes.count(isl_aff_get_dim_name(extent.get(), isl_dim_param, p)) == 0)
        return std::nullopt;
  }
  return box;
}

/// True when both differ by a constant.
bool apartByConstant(const isl::pw_aff& a, const isl::pw_aff& b) {
  return own(isl_pw_aff_is_cst(a.sub(b).coalesce().get()));
}

/// Makes `box` hold `other` too; false when their sides do not differ by constants alone.
bool unite(Box& box, const Box& other) {
  for (std::size_t d = 0; d < box.low.size(); ++d)
    if (!apartByConstant(box.low[d], other.low[d]) || !apartByConstant(box.high[d], other.high[d]))
      return false;
  for (std::size_t d = 0; d < box.low.size(); ++d) {
    const isl::aff apart = box.low[d].sub(other.low[d]).coalesce().as_aff();
    const long offset = own(isl_aff_get_constant_val(apart.get())).num_si();
    box.stride[d] = std::gcd(std::gcd(box.stride[d], other.stride[d]), offset);
    if (other.low[d].lt_set(box.low[d]).is_equal(isl::set(islContext(), "{ : }"))) box.low[d] = other.low[d];
    if (other.high[d].gt_set(box.high[d]).is_equal(isl::set(islContext(), "{ : }")))
      box.high[d] = other.high[d];
  }
  box.accesses.insert(box.accesses.end(), other.accesses.begin(), other.accesses.end());
  box.reached.insert(box.reached.end(), other.reached.begin(), other.reached.end());
  return true;
}

} // namespace

isl::pw_aff atIndices(const isl::aff& subscript, const std::vector<isl::pw_aff>& indices) {
  auto value = valuesOf(subscript, indices.size(),
                        [&](std::size_t level) { return Range{indices[level], indices[level]}; });
  return value->low;
}

std::vector<Box> sharedBoxes(const ScheduleState& state, const std::string& loop, int array) {
  Inside inside(state, loop);
  std::vector<Box> boxes;
  const auto& decisions = state.relaxations();
  if (std::any_of(decisions.begin(), decisions.end(), [&](const Relaxation& one) {
        return one.kind == Relaxation::Kind::Private && one.array == array;
      })) {
    // The whole of it is in one place.
    std::vector<std::pair<AccessRef, isl::map>> all;
    inside.forEachAccess(array, [&](AccessRef ref) { all.emplace_back(ref, elementsOf(state, ref)); });
    const bool isExact = std::all_of(all.begin(), all.end(), [&](const auto& one) {
      return one.first.in(inside.region).exact && affineSubscripts(one.second);
    });
    if (auto box = isExact ? numericBox(all, inOneIteration(inside.around)) : std::nullopt)
      boxes.push_back(std::move(*box));
    return boxes;
  }
  inside.forEachAccess(array, [&](AccessRef ref) {
    Access::Kind kind = ref.in(inside.region).kind;
    if (kind != Access::Kind::Read && kind != Access::Kind::Write) return;
    std::optional<Box> one = boxOf(inside, ref, elementsOf(state, ref));
    if (!one) return;
    if (std::none_of(boxes.begin(), boxes.end(), [&](Box& box) { return unite(box, *one); }))
      boxes.push_back(*one);
  });
  return boxes;
}

} // namespace warploom
