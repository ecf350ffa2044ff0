#include "mapping/EarlyStart.h"

#include "mapping/Movement.h"
#include "support/IslC.h"
#include "transform/Staging.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/val.h>
#include <map>
#include <optional>

namespace warploom {

namespace {

/// Bytes that multiprocessors read and write as one, and the threads that do it together.
constexpr long lineBytes = 128, warp = 32;
/// A loop with fewer values than this many warps take at once keeps its begin: threads that do nothing would
/// be too many of all.
constexpr long fewestWarps = 8;

/// The loop of `tree` on the grid along x whose body all its iterations share out; null where there is none.
const LoopTree* alongX(const KernelPlan& kernel, const LoopTree& tree) {
  if (tree.kind != LoopTree::Kind::Loop || !tree.place) return nullptr;
  const bool isX = tree.place->kind == Place::Kind::Grid && tree.place->dimension == 0;
  if (isX) return tree.tile || !kernel.inBlocks ? &tree : nullptr;
  return alongX(kernel, tree.children.front());
}

/// The value of `bound` where it is one number.
std::optional<long> numberOf(const isl::pw_aff& bound) {
  if (!bound.isa_aff()) return std::nullopt;
  const isl::aff only = bound.as_aff();
  const isl::val value = only.constant_val();
  return only.is_cst() && value.is_int() ? std::optional(value.num_si()) : std::nullopt;
}

/// The last subscript of `access` where all indices are 0: what it adds to the one that moves it.
std::optional<long> addedTo(const Access& access) {
  const std::optional<isl::multi_aff> subscripts = affineSubscripts(access);
  if (!subscripts || subscripts->size() == 0) return std::nullopt;
  const isl::val constant = subscripts->at(static_cast<int>(subscripts->size()) - 1).constant_val();
  return constant.is_int() ? std::optional(constant.num_si()) : std::nullopt;
}

} // namespace

void beginEarly(const Region& region, const Facts& facts, const RegionPlan& plan, KernelPlan& kernel) {
  const bool isTiled =
      !kernel.body.tiles.empty() && kernel.body.shared.empty() && kernel.body.products.empty();
  const bool isFlat = kernel.isFlat() && !kernel.collapsed && kernel.scans.empty() && !kernel.levels;
  if (!(isTiled || isFlat) || !kernel.reductions.empty() || kernel.library) return;
  const LoopTree* loop = alongX(kernel, kernel.tree);
  if (!loop) return;
  const isl::set context = plan.assumed.intersect(region.context);
  const LoopBounds bounds =
      boundsOf({loop->name, loop->value}, fixed(instances(kernel.tree), kernel.hostLoops), context);
  const std::optional<long> first = bounds.step == 1 ? numberOf(bounds.low) : std::nullopt;
  if (!first) return;
  if (const std::optional<long> last = numberOf(bounds.high); last && *last - *first < fewestWarps * warp)
    return;
  // What the most writes ask for; one of them is as good as another.
  std::map<long, int> asked;
  for (int s : kernel.statements)
    for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a) {
      const AccessRef ref{s, a};
      const Access& access = ref.in(region);
      const Array& array = region.arrays[access.array];
      const long bytes = array.element.bits / 8;
      if (!access.writes() || array.isScalar() || bytes == 0 || lineBytes % bytes != 0 ||
          kernel.placement[access.array] != Placement::Device ||
          movement(region, facts, *loop, ref) != Movement::Unit)
        continue;
      const std::optional<long> added = addedTo(access);
      if (!added) continue;
      const long together = std::min(lineBytes / bytes, warp), at = (*first + *added) % together;
      ++asked[at < 0 ? at + together : at];
    }
  const auto most = std::max_element(asked.begin(), asked.end(), [](const auto& one, const auto& other) {
    return one.second < other.second;
  });
  if (most == asked.end() || most->first == 0) return;
  kernel.early = {loop->name, most->first};
}

} // namespace warploom
