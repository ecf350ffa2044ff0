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
)";

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
  ASSERT_EQ(other.size(), 2u);
  EXPECT_EQ(other[1].first, "constant memory");
  EXPECT_TRUE(ablations(recipe, "f:4").empty());
}

} // namespace
} // namespace warploom
