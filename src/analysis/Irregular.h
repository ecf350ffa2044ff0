// Loops whose iterations may meet in elements that data choose, `q[a[i]] = q[b[i]]`: what of an iteration
// tells, before it runs, which elements it uses.
#pragma once

#include "analysis/Dependences.h"

#include <optional>
#include <set>
#include <vector>

namespace warploom {

/// What keeps the iterations of a loop in order, in a form that can be looked at before they run.
struct Irregular {
  std::set<int> arrays; ///< in which iterations may meet; some of the elements are no sums of indices
  /// The statements that use these arrays, in textual order; for each, whether its conditions can be told
  /// beforehand. Of the others they need not hold for the elements to be found.
  struct User {
    int statement = -1;
    bool told = true;
  };
  std::vector<User> users;
  /// The statements that make what the subscripts and conditions of users are told by, in textual order. They
  /// write scalars that are private to an iteration, and read nothing else that the region writes.
  std::vector<int> slice;
  /// Arrays of more than one element that subscripts, conditions and `slice` read; the region writes none.
  std::set<int> reads;

  /// All statements that tell where iterations meet: `slice` and `users`.
  std::vector<int> telling() const;
};

/// An element that a statement uses, as a node of its conditions or of its body.
struct UsedElement {
  const Expr* node = nullptr;
  bool isWritten = false;
  bool isAlways = true; ///< where the statement's conditions hold
};
/// The elements of `arrays` that `user` uses.
std::vector<UsedElement> usedElements(const Statement& user, const std::set<int>& arrays);

/// What keeps the iterations of `loop` in order, whose own values are `privateArrays`; nothing where that is
/// not only a matter of elements that data choose, or these cannot be told beforehand.
std::optional<Irregular> irregularOf(const Region& region, const Dependences& dependences, int loop,
                                     const std::vector<int>& privateArrays);

/// True when the elements that iterations use depend on the index of `loop`.
bool isChosenBy(const Region& region, const Irregular& of, int loop);

} // namespace warploom
