// Recipes with something left out.
#include "tune/Ablation.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

const std::string recipe = R"(-- The kernels.

region("f:3", "a.c")
original()
map_to_grid({"i"})
copy_to_shared("k", "a", -16, 2)
copy_to_shared("k", "b", 1)
copy_to_registers("j", "c")
map_to_tensor("k")

region("g:9", "a.c")
copy_to_shared("k", "a", 1)
copy_to_constant("m")
copy_to_texture("t")
unroll("j", 4)
)";

// SHOWS: CH-75
TEST(Ablations, LeaveOutOneThingOfOneRegion) {
  const auto of = ablations(recipe, "f:3");
  ASSERT_EQ(of.size(), 4u);
  EXPECT_EQ(of[0].first, "shared memory");
  EXPECT_EQ(of[0].second.find("copy_to_shared(\"k\", \"b\""), std::string::npos);
  EXPECT_NE(of[0].second.find("copy_to_registers(\"j\", \"c\")"), std::string::npos);
  EXPECT_NE(of[0].second.find("copy_to_shared(\"k\", \"a\", 1)"), std::string::npos) << "of the other region";
  EXPECT_EQ(of[1].first, "pipelines");
  EXPECT_NE(of[1].second.find("copy_to_shared(\"k\", \"a\", -16, 1)\n"), std::string::npos);
  EXPECT_NE(of[1].second.find("copy_to_shared(\"k\", \"b\", 1)\n"), std::string::npos);
  EXPECT_EQ(of[2].first, "registers");
  EXPECT_EQ(of[3].first, "tensor cores");
  // These need both memories.
  for (std::size_t k : {0, 2, 3})
    EXPECT_EQ(of[k].second.find("map_to_tensor"), std::string::npos);
  EXPECT_NE(of[1].second.find("map_to_tensor"), std::string::npos);
  const auto other = ablations(recipe, "g:9");
  ASSERT_EQ(other.size(), 4u);
  const char* const left[] = {"shared memory", "constant memory", "read-only path", "unrolling"};
  const char* const line[] = {"copy_to_shared(\"k\", \"a\", 1)", "copy_to_constant", "copy_to_texture",
                              "unroll("};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(other[k].first, left[k]);
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_EQ(other[k].second.find(line[j]) == std::string::npos, j == k) << k << j;
  }
  EXPECT_TRUE(ablations(recipe, "f:4").empty());
}

} // namespace
} // namespace warploom
