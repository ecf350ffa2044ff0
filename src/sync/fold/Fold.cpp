#include "sync/fold/Fold.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace warploom::sync {

bool Affine::isConstant() const {
  return std::all_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride == 0; });
}

int Folding::tables() const {
  int count = 0;
  auto add = [&](const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces)
      for (const Column& column : piece.columns)
        count += column.hasTable();
  };
  for (const std::vector<Piece>& phase : immediate)
    add(phase);
  add(delayed);
  add(stores);
  return count;
}

Element elementOf(const ScalarType& type) {
  switch (type.base) {
  case ScalarType::Base::Bool:
    return Element::Bool;
  case ScalarType::Base::Real:
    return Element::Real;
  default:
    return Element::Word;
  }
}

namespace {

/// One number per unit that a nest must reproduce: a subscript (known modulo its extent), a pool index or a
/// constant.
struct Coordinate {
  std::int64_t modulus = 0; ///< 0: none
  std::vector<std::int64_t> values;

  /// In 0..modulus-1 where there is one: values are, too.
  std::int64_t difference(std::size_t from, std::size_t to) const {
    const std::int64_t difference = values[to] - values[from];
    return difference < 0 ? difference + modulus : difference;
  }
};

/// One leaf of a piece, unit by unit.
struct LeafColumn {
  Leaf first; ///< of the first unit: a cell or a constant, of a type, written or not, as in all units
  std::vector<std::int64_t> values; ///< the cell, the integer or the bits of the real

  void add(const Leaf& leaf) {
    if (values.empty()) first = leaf;
    values.push_back(leaf.cell >= 0                             ? leaf.cell
                     : leaf.type.base == ScalarType::Base::Real ? std::bit_cast<std::int64_t>(leaf.value.real)
                                                                : leaf.value.integer);
  }
};
using LeafColumns = std::vector<LeafColumn>;

void addUnit(LeafColumns& columns, const std::vector<Leaf>& leaves) {
  columns.resize(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i)
    columns[i].add(leaves[i]);
}

/// A box of iterations, innermost dimension first.
struct Box {
  std::vector<std::int64_t> extents;
};

/// The box whose row-major enumeration makes every coordinate affine (modulo its modulus), or nothing. Units
/// are taken in the given order.
std::optional<Box> findBox(const std::vector<const Coordinate*>& coordinates, std::vector<int> order) {
  Box box;
  while (order.size() > 1) {
    auto equalSteps = [&](std::size_t a, std::size_t b) { // order[a] -> order[a+1] as order[b] -> order[b+1]
      for (const Coordinate* coordinate : coordinates)
        if (coordinate->difference(order[a], order[a + 1]) != coordinate->difference(order[b], order[b + 1]))
          return false;
      return true;
    };
    std::size_t run = 2;
    while (run < order.size() && equalSteps(0, run - 1))
      ++run;
    if (order.size() % run != 0) return std::nullopt;
    std::vector<int> starts;
    for (std::size_t block = 0; block < order.size(); block += run) {
      for (std::size_t i = 0; i + 1 < run; ++i)
        if (!equalSteps(0, block + i)) return std::nullopt;
      starts.push_back(order[block]);
    }
    box.extents.push_back(std::int64_t(run));
    order = std::move(starts);
  }
  return box;
}

class Folder {
public:
  explicit Folder(StepPlan from) {
    result.plan = std::make_shared<const StepPlan>(std::move(from));
    const StepPlan& plan = *result.plan;
    for (std::size_t i = 0; i < plan.system.system->variables.size(); ++i) {
      const Variable& variable = plan.system.system->variables[i];
      Placement placement;
      placement.memory = variable.isInput()   ? Memory::Inputs
                         : plan.registered[i] ? Memory::Registers
                                              : Memory::State;
      placement.element = elementOf(variable.type.scalar);
      result.layout.variables.push_back(placement);
    }
  }

  Folding fold() {
    const StepPlan& plan = *result.plan;
    const std::size_t count = plan.immediate.size();
    std::vector<std::vector<LeafColumns>> leaves(count + 2); // by phase and piece
    for (std::size_t phase = 0; phase < count; ++phase)
      result.immediate.push_back(cut(plan.immediate[phase], leaves[phase]));
    result.delayed = cut(plan.delayed, leaves[count]);
    result.stores = cut(plan.stores, leaves[count + 1]);
    placePools();
    for (std::size_t phase = 0; phase < leaves.size(); ++phase) {
      std::vector<Piece>& pieces = phase < count    ? result.immediate[phase]
                                   : phase == count ? result.delayed
                                                    : result.stores;
      for (std::size_t i = 0; i < pieces.size(); ++i)
        recover(pieces[i], leaves[phase][i]);
    }
    return std::move(result);
  }

private:
  int variableOf(int cell) const { return result.plan->system.cells.variableOf(cell); }
  Placement& placementOf(int cell) { return result.layout.variables[variableOf(cell)]; }

  /// The groups of a phase, cut so that at each position all units use the same memory; `columns` gets the
  /// leaves of each piece. Variables that share a position are marked as pooled.
  std::vector<Piece> cut(const Phase& phase, std::vector<LeafColumns>& columns) {
    std::vector<Piece> pieces;
    for (const Group& group : phase.groups) {
      if (group.units.size() == 1) { // nothing to compare: its leaves are found again in recover()
        pieces.emplace_back();
        pieces.back().group = &group;
        pieces.back().units.push_back(0);
        columns.emplace_back();
        continue;
      }
      std::map<std::string, std::size_t> bySignature;
      for (int unit = 0; unit < int(group.units.size()); ++unit) {
        const std::vector<Leaf> leaves = leavesOf(*result.plan, group, group.units[unit]);
        std::string signature;
        for (const Leaf& leaf : leaves)
          signature += leaf.cell < 0 ? 'c' : char('0' + int(placementOf(leaf.cell).memory));
        auto [entry, isNew] = bySignature.try_emplace(std::move(signature), pieces.size());
        if (isNew) {
          pieces.emplace_back();
          pieces.back().group = &group;
          columns.emplace_back();
        }
        pieces[entry->second].units.push_back(unit);
        LeafColumns& all = columns[entry->second];
        addUnit(all, leaves);
        for (std::size_t i = 0; i < leaves.size(); ++i)
          if (leaves[i].cell >= 0 && variableOf(leaves[i].cell) != variableOf(all[i].first.cell))
            placementOf(leaves[i].cell).pooled = placementOf(all[i].first.cell).pooled = true;
      }
    }
    return pieces;
  }

  void placePools() {
    const std::vector<Variable>& variables = result.plan->system.system->variables;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      Placement& placement = result.layout.variables[i];
      if (!placement.pooled) continue;
      std::int64_t& size = result.layout.pools[std::size_t(placement.memory)][std::size_t(placement.element)];
      placement.offset = size;
      size += variables[i].type.cellCount();
    }
  }

  /// Coordinates of one column.
  struct Draft {
    std::vector<Coordinate> coordinates;
    bool isTarget = false;
  };

  /// Finds the nest of a piece and fills in its columns.
  void recover(Piece& piece, const LeafColumns& leaves) const {
    if (piece.size() == 1) {
      const std::vector<Leaf> own = leavesOf(*result.plan, *piece.group, piece.group->units[piece.units[0]]);
      piece.columns.resize(own.size());
      for (std::size_t i = 0; i < own.size(); ++i)
        fixed(own[i], piece.columns[i]);
      const Unit& only = piece.group->units[piece.units[0]];
      const bool complete = std::find(only.actions.begin(), only.actions.end(), -1) == only.actions.end();
      if (only.cell < 0 && complete && only.actions.size() >= 8) foldSerially(piece, only.actions);
      return;
    }
    piece.columns.resize(leaves.size());
    if (leaves.empty()) { // units that are the same
      piece.extents = {piece.size()};
      return;
    }
    std::vector<Draft> drafts(leaves.size());
    for (std::size_t i = 0; i < drafts.size(); ++i)
      draft(leaves[i], piece.columns[i], drafts[i]);

    std::vector<int> order(piece.units.size());
    std::iota(order.begin(), order.end(), 0);
    const std::size_t target = targetColumn(drafts);
    sortUnits(drafts, target, order);

    std::vector<const Coordinate*> all, targets;
    for (std::size_t i = 0; i < drafts.size(); ++i)
      for (const Coordinate& coordinate : drafts[i].coordinates) {
        all.push_back(&coordinate);
        if (i == target) targets.push_back(&coordinate);
      }
    std::optional<Box> box = findBox(all, order);
    if (!box) box = findBox(targets, order);
    if (!box) box = Box{{std::int64_t(order.size())}};
    std::reverse(box->extents.begin(), box->extents.end());
    piece.extents = box->extents;
    arrange(piece, drafts, target, order);
    std::vector<int> units;
    for (int at : order)
      units.push_back(piece.units[at]);
    piece.units = std::move(units);
    for (std::size_t i = 0; i < drafts.size(); ++i)
      finish(piece, drafts[i], leaves[i], piece.columns[i], order);
  }

  /// The column of a single unit.
  void fixed(const Leaf& leaf, Column& column) const {
    classify(leaf, column);
    column.index.plain.base = column.isCell ? leaf.cell - result.plan->system.cells.first(column.variable)
                              : column.type.base == ScalarType::Base::Real ? 0
                                                                           : leaf.value.integer;
  }

  /// What kind of leaf it is, and which variable, as far as the first unit tells.
  void classify(const Leaf& first, Column& column) const {
    column.isCell = first.cell >= 0;
    column.type = first.type;
    column.real = first.value.real;
    if (!column.isCell) return;
    column.variable = variableOf(first.cell);
    column.memory = result.layout.variables[column.variable].memory;
    column.element = result.layout.variables[column.variable].element;
  }

  /// Finds stretches of `actions` in which a few shapes repeat with affine leaves.
  void foldSerially(Piece& piece, const std::vector<int>& actions) const {
    constexpr std::size_t longest = 8; // period
    std::vector<int> shapes;
    for (int action : actions)
      shapes.push_back(result.plan->shapes[action]);
    // Only where a shape comes again soon anybody asks for the leaves.
    std::vector<std::vector<Leaf>> leaves(actions.size());
    auto repeats = [&](std::size_t i, std::size_t distance) {
      return (i >= distance && shapes[i] == shapes[i - distance]) ||
             (i + distance < shapes.size() && shapes[i] == shapes[i + distance]);
    };
    for (std::size_t i = 0; i < actions.size(); ++i)
      for (std::size_t distance = 1; distance <= longest; ++distance)
        if (repeats(i, distance)) {
          const CellAction& action = result.plan->system.actions[actions[i]];
          appendLeaves(result.plan->system, action, result.plan->options.shapes, leaves[i]);
          break;
        }
    struct Stretch {
      std::size_t at, period, rounds;
    };
    std::vector<Stretch> stretches;
    bool loops = false;
    for (std::size_t at = 0; at < actions.size();) {
      std::size_t period = 1, rounds = 1;
      for (std::size_t p = 1; p <= longest && at + p < actions.size(); ++p) {
        const std::size_t found = roundsOf(shapes, leaves, at, p);
        if (found >= 4 && found * p > period * rounds) {
          period = p;
          rounds = found;
        }
      }
      stretches.push_back({at, period, rounds});
      loops |= rounds > 1;
      at += period * rounds;
    }
    if (!loops) return;
    for (const Stretch& one : stretches)
      piece.serial.push_back(serialPart(actions, one.at, one.period, one.rounds));
  }

  /// How often the `period` actions from `at` on repeat: same shapes, same variables, and leaves that move by
  /// the same amount from each round to the next.
  std::size_t roundsOf(const std::vector<int>& shapes, const std::vector<std::vector<Leaf>>& leaves,
                       std::size_t at, std::size_t period) const {
    std::size_t rounds = 1;
    while (at + (rounds + 1) * period <= shapes.size()) {
      for (std::size_t q = 0; q < period; ++q) {
        const std::size_t here = at + rounds * period + q, before = here - period;
        if (shapes[here] != shapes[before]) return rounds;
        for (std::size_t i = 0; i < leaves[here].size(); ++i) {
          const Leaf &a = leaves[before][i], &b = leaves[here][i];
          if (a.cell >= 0
                  ? variableOf(a.cell) != variableOf(b.cell)
                  : std::bit_cast<std::int64_t>(a.value.real) != std::bit_cast<std::int64_t>(b.value.real))
            return rounds;
          if (rounds == 1) continue;
          const Leaf& earlier = leaves[before - period][i];
          if (b.cell - a.cell != a.cell - earlier.cell ||
              b.value.integer - a.value.integer != a.value.integer - earlier.value.integer)
            return rounds;
        }
      }
      ++rounds;
    }
    return rounds;
  }

  Piece serialPart(const std::vector<int>& actions, std::size_t at, std::size_t period,
                   std::size_t rounds) const {
    auto group = std::make_shared<Group>();
    group->padded.assign(period, false);
    Piece part;
    LeafColumns leaves;
    std::vector<int> order;
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto first = actions.begin() + std::ptrdiff_t(at + round * period);
      group->units.push_back({std::vector<int>(first, first + std::ptrdiff_t(period)), -1});
      addUnit(leaves, leavesOf(*result.plan, *group, group->units.back()));
      part.units.push_back(int(round));
      order.push_back(int(round));
    }
    part.ownGroup = group;
    part.group = part.ownGroup.get();
    if (rounds > 1) part.extents = {std::int64_t(rounds)};
    part.columns.resize(leaves.size());
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
      Draft column;
      draft(leaves[i], part.columns[i], column);
      // The flat offset is what moves evenly; single subscripts need not.
      if (part.columns[i].isCell && column.coordinates.size() > 1) flatten(column);
      finish(part, column, leaves[i], part.columns[i], order);
    }
    return part;
  }

  /// One coordinate, the row-major offset, for all subscripts of a column.
  static void flatten(Draft& column) {
    Coordinate flat;
    flat.values.assign(column.coordinates[0].values.size(), 0);
    for (const Coordinate& coordinate : column.coordinates)
      for (std::size_t t = 0; t < flat.values.size(); ++t)
        flat.values[t] = flat.values[t] * coordinate.modulus + coordinate.values[t];
    column.coordinates = {std::move(flat)};
  }

  static std::size_t targetColumn(const std::vector<Draft>& drafts) {
    for (std::size_t i = 0; i < drafts.size(); ++i)
      if (drafts[i].isTarget) return i;
    return 0;
  }

  void draft(const LeafColumn& leaves, Column& column, Draft& draft) const {
    classify(leaves.first, column);
    draft.isTarget = leaves.first.written;
    if (!column.isCell) {
      // Reals are compared in finish().
      if (column.type.base != ScalarType::Base::Real) draft.coordinates.push_back({0, leaves.values});
      return;
    }
    const CellNumbering& cells = result.plan->system.cells;
    const int variable = column.variable;
    const bool shared = std::all_of(leaves.values.begin(), leaves.values.end(),
                                    [&](std::int64_t cell) { return variableOf(int(cell)) == variable; });
    if (!shared) {
      column.variable = -1;
      Coordinate index;
      for (std::int64_t cell : leaves.values) {
        const int own = variableOf(int(cell));
        index.values.push_back(result.layout.variables[own].offset + cell - cells.first(own));
      }
      draft.coordinates.push_back(std::move(index));
      return;
    }
    const std::vector<std::int64_t>& extents = result.plan->system.system->variables[variable].type.extents;
    draft.coordinates.resize(extents.size());
    std::int64_t inner = 1; // cells per step of the dimension
    for (std::size_t d = extents.size(); d-- > 0; inner *= extents[d]) {
      draft.coordinates[d].modulus = extents[d];
      draft.coordinates[d].values.reserve(leaves.values.size());
      for (std::int64_t cell : leaves.values)
        draft.coordinates[d].values.push_back((cell - cells.first(variable)) / inner % extents[d]);
    }
  }

  /// By the cell written first, then by everything else: neighbouring units write neighbouring cells.
  static void sortUnits(const std::vector<Draft>& drafts, std::size_t target, std::vector<int>& order) {
    std::vector<const Coordinate*> keys;
    for (const Coordinate& coordinate : drafts[target].coordinates)
      keys.push_back(&coordinate);
    for (std::size_t i = 0; i < drafts.size(); ++i)
      if (i != target)
        for (const Coordinate& coordinate : drafts[i].coordinates)
          keys.push_back(&coordinate);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      for (const Coordinate* key : keys)
        if (key->values[a] != key->values[b]) return key->values[a] < key->values[b];
      return a < b;
    });
  }

  /// Puts the dimension along which the target moves least innermost, so that neighbouring threads write
  /// neighbouring cells. The order of the units follows.
  void arrange(Piece& piece, const std::vector<Draft>& drafts, std::size_t target,
               std::vector<int>& order) const {
    const std::size_t dimensions = piece.extents.size();
    if (dimensions < 2) return;
    std::vector<std::int64_t> spans(dimensions, 1), movement(dimensions, 0);
    for (std::size_t d = dimensions - 1; d-- > 0;)
      spans[d] = spans[d + 1] * piece.extents[d + 1];
    for (std::size_t d = 0; d < dimensions; ++d)
      for (const Coordinate& coordinate : drafts[target].coordinates) {
        const std::int64_t scale = std::max<std::int64_t>(coordinate.modulus, 1);
        movement[d] = movement[d] * scale +
                      std::abs(coordinate.values[order[std::size_t(spans[d])]] - coordinate.values[order[0]]);
      }
    std::vector<std::size_t> permutation(dimensions);
    std::iota(permutation.begin(), permutation.end(), 0);
    // Dimensions along which the target does not move go outermost.
    auto weight = [&](std::size_t d) { return movement[d] == 0 ? INT64_MAX : movement[d]; };
    std::sort(permutation.begin(), permutation.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(-weight(a), a) < std::tuple(-weight(b), b);
    });
    std::vector<std::int64_t> extents(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d)
      extents[d] = piece.extents[permutation[d]];
    std::vector<int> arranged;
    for (std::int64_t t = 0; t < std::int64_t(order.size()); ++t) {
      std::int64_t rest = t, source = 0;
      for (std::size_t d = dimensions; d-- > 0;) {
        source += rest % extents[d] * spans[permutation[d]];
        rest /= extents[d];
      }
      arranged.push_back(order[std::size_t(source)]);
    }
    order = std::move(arranged);
    piece.extents = std::move(extents);
  }

  /// The affine function over the nest that equals `coordinate` up to its modulus, or nothing.
  static std::optional<Affine> fit(const Coordinate& coordinate, const std::vector<std::int64_t>& extents,
                                   const std::vector<int>& order) {
    Affine affine;
    affine.base = coordinate.values[order[0]];
    affine.strides.assign(extents.size(), 0);
    std::int64_t span = 1;
    for (std::size_t d = extents.size(); d-- > 0;) {
      std::int64_t stride = coordinate.difference(order[0], order[std::size_t(span)]);
      if (coordinate.modulus != 0 && stride > coordinate.modulus / 2) stride -= coordinate.modulus;
      affine.strides[d] = stride;
      span *= extents[d];
    }
    std::vector<std::int64_t> indices(extents.size(), 0);
    std::int64_t value = affine.base; // at these indices
    for (int unit : order) {
      const std::int64_t error = value - coordinate.values[unit];
      if (error != 0 && (coordinate.modulus == 0 || error % coordinate.modulus != 0)) return std::nullopt;
      for (std::size_t d = extents.size(); d-- > 0;) {
        value += affine.strides[d];
        if (++indices[d] < extents[d]) break;
        value -= affine.strides[d] * extents[d];
        indices[d] = 0;
      }
    }
    return affine;
  }

  static void addTo(Affine& sum, const Affine& term, std::int64_t weight) {
    sum.base += weight * term.base;
    for (std::size_t d = 0; d < sum.strides.size(); ++d)
      sum.strides[d] += weight * term.strides[d];
  }

  static void finish(const Piece& piece, const Draft& draft, const LeafColumn& leaves, Column& column,
                     const std::vector<int>& order) {
    column.index.plain.strides.assign(piece.extents.size(), 0);
    if (!column.isCell && column.type.base == ScalarType::Base::Real) {
      if (std::ranges::all_of(leaves.values, [&](std::int64_t bits) { return bits == leaves.values[0]; }))
        return;
      for (int unit : order)
        column.realTable.push_back(std::bit_cast<double>(leaves.values[unit]));
      return;
    }
    std::int64_t weight = 1;
    for (std::size_t c = draft.coordinates.size(); c-- > 0;) {
      const Coordinate& coordinate = draft.coordinates[c];
      std::optional<Affine> affine = fit(coordinate, piece.extents, order);
      if (!affine) {
        useTable(column, draft, order);
        return;
      }
      std::int64_t low = affine->base, high = affine->base;
      for (std::size_t d = 0; d < piece.extents.size(); ++d) {
        const std::int64_t reach = affine->strides[d] * (piece.extents[d] - 1);
        (reach < 0 ? low : high) += reach;
      }
      if (coordinate.modulus == 0 || (low >= 0 && high < coordinate.modulus)) {
        addTo(column.index.plain, *affine, weight);
      } else {
        if (low < 0)
          affine->base += (-low + coordinate.modulus - 1) / coordinate.modulus * coordinate.modulus;
        column.index.wrapped.insert(column.index.wrapped.begin(), {*affine, coordinate.modulus, weight});
      }
      if (coordinate.modulus != 0) weight *= coordinate.modulus;
    }
  }

  static void useTable(Column& column, const Draft& draft, const std::vector<int>& order) {
    column.index.plain.base = 0;
    std::fill(column.index.plain.strides.begin(), column.index.plain.strides.end(), 0);
    column.index.wrapped.clear();
    for (int unit : order) {
      std::int64_t index = 0;
      for (const Coordinate& coordinate : draft.coordinates)
        index =
            index * (coordinate.modulus == 0 ? 1 : coordinate.modulus) + coordinate.values[std::size_t(unit)];
      column.table.push_back(index);
    }
  }

  Folding result;
};

} // namespace

Folding fold(StepPlan plan) {
  return Folder(std::move(plan)).fold();
}

} // namespace warploom::sync
