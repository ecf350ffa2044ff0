// A device nest without its tiles: one loop for each coordinate that blocks, threads and their parts count
// together, which is what the ordinary road from C to CUDA reads; and what that is told to make each form of
// it again.
#pragma once

#include "cases/NestCases.h"

namespace warploom::cases {

/// A coordinate: 0 <= name < end.
struct Axis {
  std::string name;
  Polynomial end;
  Polynomial tile;  ///< how much of it a block has at a time
  Polynomial items; ///< of that, a thread's part
};

struct Detiled {
  std::vector<Axis> parallel, serial; ///< outermost first
  std::string body;                   ///< a statement of C
  std::set<std::string> everyTile;    ///< arrays of which other elements are used along the last serial axis
  std::set<std::string> sums;         ///< arrays that are written, and of which no others are
  std::set<std::string> acrossRows;   ///< arrays of which threads side by side use elements of other rows
  std::map<std::string, Polynomial> coordinates; ///< counters, and what they are in coordinates

  /// What is said in counters, said in coordinates.
  Polynomial inCoordinates(Polynomial p) const;
  /// The loops as C, each line behind `indent`.
  std::string loops(const std::string& indent) const;
};

/// The nest of the form in its coordinates, which compute the same whatever tiles there are. Throws
/// NestRefused where tiles do not count coordinates in order. `suffix` tells its names from those of other
/// nests.
Detiled detiled(const ForkJoinSource& source, const DeviceNest& from, const Nest& nest,
                const std::string& suffix = "");

/// The commands of a recipe that make `kernel` of the loops of `nest` in the form: tiles, threads, then a
/// line for each staged array and for each that is kept in registers. With `pads`, rows of tiles that threads
/// side by side use across are as long as lets them use all banks.
std::string recipe(const Detiled& nest, const NestForm& form, const std::string& kernel, bool pads = false);
/// The names of its sizes in the text and what they are in that form.
std::vector<std::pair<std::string, Polynomial>> sizes(const Detiled& nest, const NestForm& form,
                                                      const std::string& kernel);

} // namespace warploom::cases
