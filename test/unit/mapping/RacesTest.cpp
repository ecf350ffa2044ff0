// Whether the check of barriers sees each one that is missing.
#include "mapping/Races.h"

#include "Planning.h"
#include "support/Failure.h"

namespace warploom {

namespace {

/// The lists of nodes that `nodes` and all below are.
void listsOf(MappedNodes& nodes, std::vector<MappedNodes*>& lists) {
  lists.push_back(&nodes);
  for (MappedNode& node : nodes) {
    if (auto* loop = std::get_if<LoopNode>(&node.is)) {
      listsOf(loop->prefetch, lists);
      listsOf(loop->body, lists);
    } else if (auto* choice = std::get_if<ChoiceNode>(&node.is)) {
      listsOf(choice->whole, lists);
      listsOf(choice->edge, lists);
    } else if (auto* own = std::get_if<PrivateNode>(&node.is)) {
      listsOf(own->body, lists);
    }
  }
}

/// How many barriers kernel 0 has; each without which the check finds no race is a failure.
int barriers(const Planned& planned) {
  const KernelPlan& kernel = planned.kernel();
  checkRaces(planned.region, planned.facts, kernel, kernel.body);
  int count = 0;
  for (std::size_t skip = 0;; ++skip) {
    MappedTree without = kernel.body;
    std::vector<MappedNodes*> lists;
    listsOf(without.nodes, lists);
    std::size_t seen = 0;
    bool found = false;
    for (MappedNodes* list : lists)
      for (std::size_t k = 0; k < list->size() && !found; ++k)
        if (std::holds_alternative<BarrierNode>((*list)[k].is) && seen++ == skip) {
          list->erase(list->begin() + static_cast<std::ptrdiff_t>(k));
          found = true;
        }
    if (!found) return count;
    ++count;
    EXPECT_THROW(checkRaces(planned.region, planned.facts, kernel, without), Failure)
        << "without barrier " << skip << " of\n"
        << printed(kernel.body, planned.region);
  }
}

const char* const product =
    "void f(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n]) {"
    "  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)"
    "    c[i][j] += a[i][k] * b[k][j]; }";

std::vector<Step> tiledProduct() {
  return {Tile{{"i", "j", "k"}, {16L, 16L, 16L}, {{"ii"}, {"jj"}, {"kk"}}, {"ii", "jj", "kk", "i", "j", "k"}},
          MapToGrid{{"jj", "ii"}}, MapToBlock{{"j", "i"}}};
}

} // namespace

TEST(Races, TilesAreWholeBeforeTheyAreReadAndReadBeforeTheNextOnes) {
  std::vector<Step> steps = tiledProduct();
  steps.push_back(StageShared{"kk", "a"});
  steps.push_back(StageShared{"kk", "b"});
  EXPECT_GE(barriers(Planned(product, false, steps)), 2);
}

TEST(Races, TilesThatArriveAheadHaveCopies) {
  std::vector<Step> steps = tiledProduct();
  steps.push_back(StageShared{"kk", "a", 1, 2});
  const Planned planned(product, false, steps);
  barriers(planned);
  MappedTree one = planned.kernel().body;
  for (SharedTile& tile : one.shared)
    tile.copies = 1;
  EXPECT_THROW(checkRaces(planned.region, planned.facts, planned.kernel(), one), Failure);
}

TEST(Races, WhatThreadsOfABlockHandOnInMemory) {
  const Planned planned("void f(int n, double a[restrict n][64], double b[restrict n][64]) {"
                        "  for (int i = 0; i < n; i++) {"
                        "    for (int j = 0; j < 64; j++) a[i][j] = j + i;"
                        "    for (int j = 0; j < 64; j++) b[i][j] = a[i][63 - j]; } }",
                        false, {MapToGrid{{"i"}}, MapToBlock{{"j"}}, MapToBlock{{"j_2"}}});
  EXPECT_EQ(barriers(planned), 1);
}

TEST(Races, TilesThatAreWrittenGoBackWhole) {
  const Planned planned("void f(int n, int m, double a[restrict n][m], double b[restrict n][m]) {"
                        "  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = 2 * a[i][j]; }",
                        false,
                        {Tile{{"i", "j"}, {16L, 16L}, {{"ii"}, {"jj"}}, {"ii", "jj", "i", "j"}},
                         MapToGrid{{"jj", "ii"}}, MapToBlock{{"j", "i"}}, StageShared{"jj", "b"}});
  EXPECT_GE(barriers(planned), 2);
}

} // namespace warploom
