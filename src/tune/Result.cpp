#include "tune/Result.h"

#include <algorithm>
#include <array>

namespace warploom {

namespace {

const std::array<std::string, 6> names = {"timed",   "wrong",    "failed to compile", "failed to launch",
                                          "crashed", "timed out"};

/// The value below which `part` of the sorted `values` lie, between two of them where it falls there.
double quantile(const std::vector<double>& values, double part) {
  const double place = part * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + (place - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

} // namespace

const std::string& outcomeText(Outcome outcome) {
  return names[static_cast<std::size_t>(outcome)];
}

std::optional<Outcome> outcomeCalled(const std::string& text) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Outcome>(found - names.begin());
}

bool isFaster(const Result& one, const Result& other) {
  return one.milliseconds * (1 + std::max({one.spread, other.spread, 0.03})) < other.milliseconds;
}

Result summary(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  Result result;
  result.milliseconds = quantile(times, 0.5);
  if (result.milliseconds > 0)
    result.spread = (quantile(times, 0.75) - quantile(times, 0.25)) / result.milliseconds;
  return result;
}

Result measured(const std::function<Sample()>& run, const Repeats& repeats, std::optional<double> best) {
  std::vector<double> times;
  for (int k = 0; k <= repeats.most; ++k) {
    Sample sample = run();
    if (sample.failed) return *sample.failed;
    if (k == 0) continue;
    times.push_back(sample.milliseconds);
    if (k >= repeats.least && summary(times).spread <= repeats.spread) break;
    const bool isFar = best && *std::min_element(times.begin(), times.end()) > repeats.far * *best;
    if (k >= repeats.few && isFar) break;
  }
  return summary(std::move(times));
}

} // namespace warploom
