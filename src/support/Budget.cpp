#include "support/Budget.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace warploom {

namespace {

double factor = 1;
Budget* innermost = nullptr;

/// Seconds of processor time. A region's search ends while there is time for the rest.
double allowed(Budget::For what) {
  switch (what) {
  case Budget::For::File:
  case Budget::For::Recipe:
    return 60 * factor;
  case Budget::For::Region:
    return 5 * factor;
  default:
    return 3.5 * factor;
  }
}

/// What the file whose work `budget` is part of has left.
double leftInFile(const Budget* file) {
  return file ? allowed(Budget::For::File) - file->seconds() : std::numeric_limits<double>::infinity();
}

} // namespace

void setEffort(double scale) {
  factor = scale;
}

Budget::Budget(For what, double spent)
    : what(what), before(spent), outer(innermost),
      deadline(what == For::File ? std::numeric_limits<double>::infinity()
                                 : std::min(allowed(what) - spent, leftInFile(file()))) {
  innermost = this;
}

Budget::~Budget() {
  innermost = outer;
}

const Budget* Budget::file() const {
  const Budget* around = this;
  while (around && around->what != For::File)
    around = around->outer;
  return around;
}

bool Budget::isSpent() const {
  const bool own = what == For::File ? leftInFile(this) <= 0 : deadline.passed();
  return own || (outer && outer->isSpent());
}

std::string Budget::reason() {
  for (const Budget* budget = innermost; budget; budget = budget->outer) {
    if (budget->what == For::File || !budget->isSpent()) continue;
    const For whose = leftInFile(budget->file()) <= 0 ? For::File : budget->what;
    return fmt::format("it did not fit into the {:g} s of processor time that {}; --effort gives more",
                       allowed(whose),
                       whose == For::File     ? "all regions of a file get together"
                       : whose == For::Region ? "a region gets"
                       : whose == For::Recipe ? "a recipe, or the strategies of a region, get"
                                              : "a region's search for an order gets");
  }
  return "";
}

} // namespace warploom
