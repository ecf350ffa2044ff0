// Kernels with several sets of sizes, each found at problems of its own: which of them is for a problem.
#pragma once

#include <cmath>

namespace warploom {

/// How far two sizes of a problem are apart: the logarithm of their ratio, or far where one of them is none.
inline double apart(double one, double other) {
  return one > 0 && other > 0 ? std::abs(std::log(one / other)) : 100;
}

/// How far a problem of these sizes is from the nearest one at which `Sizes`, in `Sizes::at`, was found: the
/// sum over its sizes.
template <typename Sizes, int count> double distanceFrom(const long (&problem)[count]) {
  double least = -1;
  for (const auto& measured : Sizes::at) {
    static_assert(sizeof measured == count * sizeof(long),
                  "a size of the problem for each that was measured");
    double sum = 0;
    for (int k = 0; k < count; ++k)
      sum += apart(static_cast<double>(problem[k]), static_cast<double>(measured[k]));
    if (least < 0 || sum < least) least = sum;
  }
  return least;
}

/// Starts a kernel with that one of the sets `Sizes` which was found nearest to a problem of these sizes; the
/// first of several.
template <typename... Sizes, int count, typename Start>
void launchNearest(const long (&problem)[count], const Start& start) {
  const double far[] = {distanceFrom<Sizes>(problem)...};
  int nearest = 0, set = 0;
  for (int k = 1; k < static_cast<int>(sizeof...(Sizes)); ++k)
    if (far[k] < far[nearest]) nearest = k;
  const bool started[] = {set++ == nearest && (start(Sizes()), true)...};
  static_cast<void>(started);
}

} // namespace warploom
