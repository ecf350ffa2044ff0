// The order in which the points of a space are tried. All searchers are deterministic: the same seed and the
// same answers give the same points.
#pragma once

#include "tune/Space.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// Proposes points of a space, each at most once and none that the space refuses; what it was told of the
/// earlier ones may decide about the next.
class Searcher {
public:
  virtual ~Searcher() = default;
  /// The next point to try; nothing when there is none left. May be asked several times before tell().
  virtual std::optional<Point> next() = 0;
  /// `point` took so many milliseconds; nothing when it did not work.
  virtual void tell(const Point& point, std::optional<double> milliseconds) = 0;
};

/// The names that makeSearcher knows, with what each does.
const std::vector<std::pair<std::string, std::string>>& searchers();

/// The searcher called `name`, which is one of searchers(). All begin with what is usual. `space` must
/// outlive it.
std::unique_ptr<Searcher> makeSearcher(const std::string& name, const Space& space, unsigned seed);

} // namespace warploom
