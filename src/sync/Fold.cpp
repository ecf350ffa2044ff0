#include "sync/Fold.h"

#include <algorithm>
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
  return count;
}

namespace {

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

/// One number per unit that a nest must reproduce: a subscript (known modulo its extent), a pool index or a
/// constant.
struct Coordinate {
  std::int64_t modulus = 0; ///< 0: none
  std::vector<std::int64_t> values;

  std::int64_t difference(std::size_t from, std::size_t to) const {
    const std::int64_t difference = values[to] - values[from];
    if (modulus == 0) return difference;
    return ((difference % modulus) + modulus) % modulus;
  }
};

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
  explicit Folder(Plan from) {
    result.plan = std::make_shared<const Plan>(std::move(from));
    const Plan& plan = *result.plan;
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
    const Plan& plan = *result.plan;
    for (const Phase& phase : plan.immediate)
      result.immediate.push_back(cut(phase));
    result.delayed = cut(plan.delayed);
    placePools();
    for (std::vector<Piece>& phase : result.immediate)
      for (Piece& piece : phase)
        recover(piece);
    for (Piece& piece : result.delayed)
      recover(piece);
    return std::move(result);
  }

private:
  int variableOf(int cell) const { return result.plan->system.cells.variableOf(cell); }

  /// The groups of a phase, cut so that at each position all units use the same memory. Variables that share
  /// a position are marked as pooled.
  std::vector<Piece> cut(const Phase& phase) {
    std::vector<Piece> pieces;
    for (const Group& group : phase.groups) {
      std::map<std::vector<char>, std::size_t> bySignature;
      std::vector<std::vector<int>> variables; // per piece and position: the variable of the first unit
      const std::size_t first = pieces.size();
      for (int unit = 0; unit < int(group.units.size()); ++unit) {
        const std::vector<Leaf> leaves = leavesOf(*result.plan, group, group.units[unit]);
        std::vector<char> signature;
        std::vector<int> used;
        for (const Leaf& leaf : leaves) {
          used.push_back(leaf.cell < 0 ? -1 : variableOf(leaf.cell));
          signature.push_back(leaf.cell < 0 ? 'c'
                                            : char('0' + int(result.layout.variables[used.back()].memory)));
        }
        auto [entry, isNew] = bySignature.try_emplace(signature, pieces.size());
        if (isNew) {
          pieces.emplace_back();
          pieces.back().group = &group;
          variables.push_back(used);
        }
        pieces[entry->second].units.push_back(unit);
        const std::vector<int>& expected = variables[entry->second - first];
        for (std::size_t i = 0; i < used.size(); ++i) {
          if (used[i] == expected[i]) continue;
          result.layout.variables[used[i]].pooled = true;
          result.layout.variables[expected[i]].pooled = true;
        }
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
  void recover(Piece& piece) const {
    std::vector<std::vector<Leaf>> leaves;
    for (int unit : piece.units)
      leaves.push_back(leavesOf(*result.plan, *piece.group, piece.group->units[unit]));
    std::vector<Draft> drafts(leaves[0].size());
    piece.columns.resize(leaves[0].size());
    for (std::size_t i = 0; i < drafts.size(); ++i)
      draft(leaves, i, piece.columns[i], drafts[i]);

    std::vector<int> order(leaves.size());
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
      finish(piece, drafts[i], leaves, i, order);
    const Unit& only = piece.group->units[piece.units[0]];
    const bool complete = std::find(only.actions.begin(), only.actions.end(), -1) == only.actions.end();
    if (piece.size() == 1 && only.cell < 0 && complete && only.actions.size() >= 8)
      foldSerially(piece, only.actions);
  }

  /// Finds stretches of `actions` in which a few shapes repeat with affine leaves.
  void foldSerially(Piece& piece, const std::vector<int>& actions) const {
    std::map<std::string, int> numbers;
    std::vector<int> shapes;
    std::vector<std::vector<Leaf>> leaves(actions.size());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const CellAction& action = result.plan->system.actions[actions[i]];
      std::string shape = shapeOf(result.plan->system, action, result.plan->options.shapes);
      shapes.push_back(numbers.try_emplace(std::move(shape), int(numbers.size())).first->second);
      appendLeaves(result.plan->system, action, result.plan->options.shapes, leaves[i]);
    }
    std::vector<Piece> parts;
    bool loops = false;
    for (std::size_t at = 0; at < actions.size();) {
      std::size_t period = 1, rounds = 1;
      for (std::size_t p = 1; p <= 8 && at + p < actions.size(); ++p) {
        const std::size_t found = roundsOf(shapes, leaves, at, p);
        if (found >= 4 && found * p > period * rounds) {
          period = p;
          rounds = found;
        }
      }
      parts.push_back(serialPart(actions, at, period, rounds));
      loops |= rounds > 1;
      at += period * rounds;
    }
    if (loops) piece.serial = std::move(parts);
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
          if (a.cell >= 0 ? variableOf(a.cell) != variableOf(b.cell) : a.value.real != b.value.real)
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
    std::vector<std::vector<Leaf>> leaves;
    std::vector<int> order;
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto first = actions.begin() + std::ptrdiff_t(at + round * period);
      group->units.push_back({std::vector<int>(first, first + std::ptrdiff_t(period)), -1});
      leaves.push_back(leavesOf(*result.plan, *group, group->units.back()));
      part.units.push_back(int(round));
      order.push_back(int(round));
    }
    part.ownGroup = group;
    part.group = part.ownGroup.get();
    if (rounds > 1) part.extents = {std::int64_t(rounds)};
    part.columns.resize(leaves[0].size());
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
      Draft column;
      draft(leaves, i, part.columns[i], column);
      // The flat offset is what moves evenly; single subscripts need not.
      if (part.columns[i].isCell && column.coordinates.size() > 1) flatten(column);
      finish(part, column, leaves, i, order);
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

  void draft(const std::vector<std::vector<Leaf>>& leaves, std::size_t at, Column& column,
             Draft& draft) const {
    const Leaf& first = leaves[0][at];
    column.isCell = first.cell >= 0;
    draft.isTarget = first.written;
    if (!column.isCell) {
      column.type = first.type;
      if (first.type.base == ScalarType::Base::Real) return; // compared as reals in finish()
      Coordinate values;
      for (const std::vector<Leaf>& unit : leaves)
        values.values.push_back(unit[at].value.integer);
      draft.coordinates.push_back(std::move(values));
      return;
    }
    const int variable = variableOf(first.cell);
    column.memory = result.layout.variables[variable].memory;
    column.element = result.layout.variables[variable].element;
    column.variable = variable;
    for (const std::vector<Leaf>& unit : leaves)
      if (variableOf(unit[at].cell) != variable) column.variable = -1;
    if (column.variable < 0) {
      Coordinate index;
      for (const std::vector<Leaf>& unit : leaves) {
        const int own = variableOf(unit[at].cell);
        index.values.push_back(result.layout.variables[own].offset + unit[at].cell -
                               result.plan->system.cells.first(own));
      }
      draft.coordinates.push_back(std::move(index));
      return;
    }
    const Type& type = result.plan->system.system->variables[variable].type;
    draft.coordinates.resize(type.extents.size());
    for (std::size_t d = 0; d < type.extents.size(); ++d)
      draft.coordinates[d].modulus = type.extents[d];
    for (const std::vector<Leaf>& unit : leaves) {
      const std::vector<std::int64_t> subscripts =
          subscriptsOf(type, unit[at].cell - result.plan->system.cells.first(variable));
      for (std::size_t d = 0; d < subscripts.size(); ++d)
        draft.coordinates[d].values.push_back(subscripts[d]);
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
    for (std::size_t t = 0; t < order.size(); ++t) {
      std::int64_t value = affine.base, rest = std::int64_t(t);
      for (std::size_t d = extents.size(); d-- > 0;) {
        value += rest % extents[d] * affine.strides[d];
        rest /= extents[d];
      }
      std::int64_t error = value - coordinate.values[order[t]];
      if (coordinate.modulus != 0) error %= coordinate.modulus;
      if (error != 0) return std::nullopt;
    }
    return affine;
  }

  static void addTo(Affine& sum, const Affine& term, std::int64_t weight) {
    sum.base += weight * term.base;
    for (std::size_t d = 0; d < sum.strides.size(); ++d)
      sum.strides[d] += weight * term.strides[d];
  }

  void finish(Piece& piece, const Draft& draft, const std::vector<std::vector<Leaf>>& leaves, std::size_t at,
              const std::vector<int>& order) const {
    Column& column = piece.columns[at];
    column.index.plain.strides.assign(piece.extents.size(), 0);
    if (!column.isCell && column.type.base == ScalarType::Base::Real) {
      column.real = leaves[0][at].value.real;
      for (int unit : order)
        column.realTable.push_back(leaves[std::size_t(unit)][at].value.real);
      if (std::all_of(column.realTable.begin(), column.realTable.end(),
                      [&](double x) { return x == column.real; }))
        column.realTable.clear();
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

Folding fold(Plan plan) {
  return Folder(std::move(plan)).fold();
}

} // namespace warploom::sync
