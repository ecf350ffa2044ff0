// Searches replayed on spaces that were measured as a whole, on an H200: bench/tuning.
#include "tune/Searcher.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace warploom {
namespace {

/// A kernel of bench/tuning/kernels.c: its sizes and what blocks need, and the extent at which it is
/// replayed.
struct Recorded {
  const char* name;
  int extent;
  std::set<std::string> sizes;
  KernelNeeds needs;
};

const std::set<std::string> tiles = {"TILE_X",  "TILE_Y",    "TILE_K",   "ITEMS_X",
                                     "ITEMS_Y", "THREADS_X", "THREADS_Y"};
const std::vector<Recorded> kernels = {
    {"product", 2048, tiles, {"THREADS_X * THREADS_Y", "8 * TILE_K * (TILE_Y + 4 + TILE_X)"}},
    {"triangle", 2048, tiles, {"THREADS_X * THREADS_Y", "8 * TILE_K * (TILE_Y + TILE_X + 8)"}},
    {"tensor",
     2048,
     {"TENSOR_X", "TENSOR_Y", "TENSOR_K", "WARPS_X", "WARPS_Y"},
     {"LANES * WARPS_X * WARPS_Y", "16 * TENSOR_K * (TENSOR_Y + TENSOR_X + 4)"}},
    {"window",
     4096,
     {"BLOCK_X", "BLOCK_Y", "SWEEP_Y"},
     {"BLOCK_X * BLOCK_Y", "4 * (SWEEP_Y + 6) * (BLOCK_X + 6)"}},
    {"star", 8192, {"BLOCK_X", "BLOCK_Y", "STRIP_X"}, {"BLOCK_X * BLOCK_Y", ""}}};

/// What each point of a kernel took; those that do not work are not there.
std::map<std::string, std::map<std::string, double>> recordedTimes() {
  std::map<std::string, std::map<std::string, double>> times;
  std::ifstream in(WARPLOOM_RECORDED);
  for (std::string line; std::getline(in, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    for (const Recorded& kernel : kernels)
      if (row.value("kernel", "") == kernel.name && row["extent"] == kernel.extent &&
          row["outcome"] == "timed")
        times[kernel.name][row["point"]] = row["milliseconds"];
  }
  return times;
}

// SHOWS: CH-89 RT-89
TEST(Replay, TheGuidedSearcherFindsWhatIsGoodWithATwentiethOfTheEvaluations) {
  const auto times = recordedTimes();
  std::map<std::string, int> betterThan; // of how many kernels, by more than a hundredth
  for (const Recorded& kernel : kernels) {
    ASSERT_TRUE(times.count(kernel.name));
    const std::map<std::string, double>& of = times.at(kernel.name);
    const Space space(openSizes("", kernel.sizes, {kernel.needs.threads}), "", kernel.needs);
    std::size_t possible = 0;
    for (std::uint64_t k = 0; k < space.count(); ++k)
      possible += !space.refused(space.at(k));
    ASSERT_GE(possible, of.size());
    ASSERT_LT(possible, of.size() + 50) << "the space is that which was recorded";
    double least = INFINITY;
    for (const auto& [point, time] : of)
      least = std::min(least, time);
    /// What ten searches find with a twentieth of the evaluations, in parts of the least time, in order.
    const auto found = [&](const char* name) {
      std::vector<double> result;
      for (unsigned seed = 1; seed <= 10; ++seed) {
        auto searcher = makeSearcher(name, space, seed);
        double best = INFINITY;
        for (std::size_t k = 0; k < possible / 20; ++k) {
          const Point point = *searcher->next();
          const auto time = of.find(space.text(point));
          searcher->tell(point, time == of.end() ? std::nullopt : std::optional(time->second));
          if (time != of.end()) best = std::min(best, time->second);
        }
        result.push_back(best / least);
      }
      std::sort(result.begin(), result.end());
      return result;
    };
    const std::vector<double> guided = found("guided"), others = found("random"),
                              inOrder = found("exhaustive");
    EXPECT_LE((guided[4] + guided[5]) / 2, 1.05)
        << kernel.name << ", " << possible / 20 << " of " << possible;
    EXPECT_LE(guided.back(), 1.1) << kernel.name;
    // Who looks at all in order, or anywhere, finds less for it.
    for (const auto& [name, other] : {std::pair{"random", others}, std::pair{"exhaustive", inOrder}}) {
      EXPECT_LE(guided.back(), other.back()) << kernel.name << " " << name;
      betterThan[name] += guided.back() < 0.99 * other.back();
    }
  }
  EXPECT_GE(betterThan["random"], 2);
  EXPECT_GE(betterThan["exhaustive"], 2);
}

} // namespace
} // namespace warploom
