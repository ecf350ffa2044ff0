#include "mapping/TileSets.h"

#include "support/IslC.h"
#include "transform/Levels.h"
#include "transform/UnnamedSets.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_set.h>

namespace warploom {

namespace {

/// The values that `set` has in dimension `d`.
isl::set valuesAlong(const isl::set& set, std::size_t d) {
  auto dimensions = static_cast<std::size_t>(isl_set_dim(set.get(), isl_dim_set));
  isl_set* rest = isl_set_project_out(set.copy(), isl_dim_set, static_cast<unsigned>(d) + 1,
                                      static_cast<unsigned>(dimensions - d - 1));
  return own(isl_set_reset_tuple_id(isl_set_project_out(rest, isl_dim_set, 0, static_cast<unsigned>(d))));
}

} // namespace

bool isWritten(const Region& region, const SharedTile& tile) {
  return std::any_of(tile.box.accesses.begin(), tile.box.accesses.end(),
                     [&](AccessRef ref) { return ref.in(region).writes(); });
}

/// True when the least and the greatest coordinates of `more`, along each dimension, are some of `elements`.
static bool endsWith(const isl::set& more, const isl::set& elements) {
  const unsigned rank = unsigned(more.tuple_dim());
  for (unsigned d = 0; d < rank; ++d) {
    auto along = [&](const isl::set& all) {
      isl_set* one = isl_set_project_out(all.copy(), isl_dim_set, d + 1, rank - d - 1);
      return own(isl_set_project_out(one, isl_dim_set, 0, d));
    };
    const isl::set wide = along(more), exact = along(elements);
    if (!wide.lexmin().is_subset(exact) || !wide.lexmax().is_subset(exact)) return false;
  }
  return true;
}

isl::set elementsRead(const Region& region, const Facts& facts, const SharedTile& tile, const Position& at) {
  isl::set needed = isl::set::empty(tile.box.reached.front().range().space());
  for (std::size_t k = 0; k < tile.box.accesses.size(); ++k) {
    const AccessRef ref = tile.box.accesses[k];
    if (!ref.in(region).reads()) continue;
    isl::union_set runs = at.runs.intersect(ref.statementIn(region).domain);
    // What the iteration has written itself is there. Reads of one element have one dependence.
    if (isWritten(region, tile))
      for (const Dependence& flow : facts.dependences.all)
        if (flow.kind == Dependence::Kind::Flow && flow.exact() && flow.sink.statement == ref.statement &&
            flow.sink.in(region).map.is_equal(ref.in(region).map))
          runs = runs.subtract(at.runs.apply(flow.relation));
    if (runs.is_empty()) continue;
    needed = needed.unite(own(isl_set_from_union_set(runs.release())).apply(tile.box.reached[k]));
  }
  if (isWritten(region, tile)) return needed.coalesce();
  // A few more that nobody writes do no harm, and make the guard simple, as long as they are in the array.
  const isl::set more = hullOf(needed);
  return endsWith(more, needed) ? more : needed.coalesce();
}

isl::set elementsWritten(const Region& region, const SharedTile& tile, const Position& at) {
  isl::set result = isl::set::empty(tile.box.accesses.front().in(region).map.range().space());
  for (AccessRef ref : tile.box.accesses) {
    isl::union_set runs = at.runs.intersect(ref.statementIn(region).domain);
    if (!ref.in(region).writes() || runs.is_empty()) continue;
    result = result.unite(own(isl_set_from_union_set(runs.release())).apply(ref.in(region).map));
  }
  return result.coalesce();
}

std::optional<isl::set> wholeTile(const Region& region, const LoopTree& tree, const LoopTree& loop,
                                  const Position& at) {
  isl::set missing = isl::set(islContext(), "{ : false }");
  std::vector<const LoopTree*> controls = pathTo(tree, loop.name);
  std::erase_if(controls, [](const LoopTree* control) { return !control->tile; });
  constexpr int most =
      8; // pieces of a domain: tiles of others are hardly ever whole, and it takes long to find out
  for (int s : statementsOf(region, loop)) {
    const Statement& statement = region.statements[s];
    if (isl_set_n_basic_set(statement.domain.get()) > most) return std::nullopt;
    isl::multi_aff indices = statement.domain.space().identity_multi_aff_on_domain();
    isl::set here = own(isl_set_from_union_set(at.runs.intersect(statement.domain).release()));
    // The box of the tile in the statement's own space; other loops have the values that they have in it.
    isl::set box = isl::set::universe(statement.domain.space());
    std::vector<isl::map> bounds;
    for (std::size_t level = 0; level < statement.loops.size(); ++level)
      bounds.push_back(own(isl_map_from_range(valuesAlong(here, level).release())));
    for (const LoopTree* control : controls) {
      std::optional<std::size_t> level = sourceLevel(region, *control, s);
      if (!level) return std::nullopt;
      bounds[*level] = own(isl_map_from_range(insideTile(*control->tile).range().release()));
    }
    for (std::size_t level = 0; level < statement.loops.size(); ++level) {
      isl::map index = own(isl_map_from_aff(indices.at(static_cast<int>(level)).release()));
      box = box.intersect(index.intersect_range(bounds[level].range()).domain());
    }
    missing = missing.unite(box.subtract(statement.domain).params());
  }
  isl::set full = at.context.subtract(missing).coalesce();
  // Of a tile in which nothing runs nothing is missing either.
  const isl::set runs = own(isl_union_set_params(at.runs.copy()));
  if (isl_set_n_basic_set(full.get()) > 1) full = full.intersect(runs).coalesce();
  full = full.gist(at.context).coalesce();
  if (full.is_empty() || isl_set_n_basic_set(full.get()) > 1) return std::nullopt;
  if (full.is_equal(isl::set::universe(full.space()))) return std::nullopt;
  // One value of a size or an origin is not worth a text of its own.
  if (!isl::set(full.affine_hull()).is_equal(isl::set::universe(full.space()))) return std::nullopt;
  return full;
}

} // namespace warploom
