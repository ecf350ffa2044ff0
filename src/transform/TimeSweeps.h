// Sweeps over arrays that an outermost loop repeats, as tiles of time and space see them: what has to run for
// a tile, and what it loads and stores.
#pragma once

#include "analysis/Facts.h"
#include "transform/Step.h"

#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

namespace warploom {

/// A *turn* is `steps` iterations of the loop. Sets of a turn have its number and that of the tile along each
/// dimension in front of other indices: [turn, tile, ...], `outer` of them, without a name.
///
/// Invariants, checked when it is made: instances that run for a tile find in copies of the arrays what they
/// find in the arrays when the program runs, as whatever they depend on in the same turn runs for the tile,
/// too, or is loaded; all that write an element of the tile in the last iteration of a turn run for it; and
/// each element that is written is in one tile.
class TimeSweeps {
public:
  /// Those of `loop` of `region`, whose facts are `facts`, or why there are no tiles of them. Both are kept
  /// by reference.
  static std::variant<TimeSweeps, Refusal> of(const Region& region, const Facts& facts, int loop,
                                              const TileTime& step);

  /// A statement of the loop.
  struct Swept {
    int statement;                    ///< of the region
    int write;                        ///< its access that writes
    std::vector<isl::pw_aff> element; ///< that it writes, over its instances
  };
  /// Of an array that the loop writes.
  struct Elements {
    isl::set written; ///< { [e] }: in each iteration of the loop
    isl::set loaded;  ///< { [turn, tile, e] }: into the copy of a tile
    /// Some that are written are read before that: tiles load and store it. Of others they keep what they
    /// write, and the last iterations of the loop write it again.
    bool isCarried;
  };

  const Statement& statementOf(std::size_t k) const { return source.statements[swept[k].statement]; }
  std::size_t depthOf(std::size_t k) const { return statementOf(k).loops.size(); }
  /// The turns that there may be, and the tiles, in `space`: of each there are elements.
  isl::set turnsAndTiles(const isl::space& space) const;
  /// { [turn, tile, ...] : `element` is at most so far before the first of the tile and behind the last }.
  isl::set around(const isl::space& space, const std::vector<isl::pw_aff>& element,
                  const std::vector<isl::pw_aff>& before, const std::vector<isl::pw_aff>& behind) const;
  /// The box around `used`, elements of `array`: in the array, too, as long as its subscripts are those of
  /// the program. Else `used`.
  isl::set inArray(int array, const isl::set& used) const;

  const Region& source;
  const Facts& facts;
  const int loop;
  const long steps;
  const std::vector<long> sizes;
  const std::size_t rank, outer;         ///< dimensions of a tile; indices in front of those of instances
  isl::set context;                      ///< what is known of parameters where each statement has an instance
  std::vector<Swept> swept;              ///< in textual order
  std::set<int> arrays;                  ///< that they write
  std::optional<isl::pw_aff> begin, end; ///< the first and the last value of the loop
  std::vector<isl::set> runs;            ///< per statement: { [turn, tile, t, ...] }, for the tile
  std::map<int, Elements> elements;

private:
  /// What one of the statements needs of what another one, or it itself, has written before.
  struct Need {
    std::size_t source, sink; ///< numbers of statements
    long iterations;          ///< at least so many lie between
    std::vector<long> least,
        most; ///< per dimension: from the element that the sink writes to the one it needs
  };
  /// How far around a tile instances of a statement run for it, per dimension, in the last iteration of a
  /// turn.
  struct Reach {
    std::vector<long> low, high;
  };

  TimeSweeps(const Region& source, const Facts& facts, int loop, const TileTime& step);
  std::optional<Refusal> checkStep();
  std::optional<Refusal> readStatements();
  std::optional<Refusal> readIterations();
  std::optional<Refusal> findNeeds();
  std::optional<Refusal> findReaches();
  std::optional<Refusal> findInstances();
  std::optional<Refusal> findElements();
  isl::map writeOf(std::size_t k) const;
  std::optional<std::size_t> numberOf(const AccessRef& ref) const;
  std::optional<std::vector<long>> reachesWith(long grown, std::size_t d, bool isLow) const;
  isl::set inTurn(const isl::space& space) const;
  isl::pw_aff firstOfTurn(const isl::space& space) const;
  std::vector<isl::pw_aff> constants(const isl::space& space, const std::vector<long>& values) const;
  std::vector<isl::pw_aff> elementOf(std::size_t k, const isl::space& space) const;
  void findTiles();
  isl::map inSameTile(const Dependence& flow, std::size_t from, std::size_t to) const;
  std::optional<Refusal> checkedInstances() const;
  isl::set readFirst(std::size_t k, int a) const;
  std::optional<isl::set> boxAround(const isl::set& some, const isl::set& there) const;
  static bool isAffine(const isl::pw_aff& value);

  std::vector<Need> needs;
  std::vector<Reach> reaches; ///< per statement
  Reach growth;
  std::optional<isl::set> tiles; ///< { [tile] }
  bool isCovered = false;
  std::vector<isl::set> inTurns; ///< per statement: { [turn, tile, t, ...] }, the same for all tiles
};

} // namespace warploom
