// What kernels need of a device, by their text and by what ptxas says.
#include "tune/Capacity.h"

#include "tune/Space.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

const std::string text = R"(
struct mm_8_shared {
  double a_tile[2][mm_8_TENSOR_K][warploom::oddMultiple(mm_8_TENSOR_Y, 2)];
  double b_tile[2][mm_8_TENSOR_K][mm_8_TENSOR_X];
};
struct mm_9_shared {
  Cell cells[16];
};
struct mm_10_shared {
  unsigned char bytes[3 * (A + 1)];
  float rows[warploom::oddMultiple(warploom::oddMultiple(A, 4), 8)];
};
)";

Space product() {
  return {openSizes("mm_8_", {"TENSOR_X", "TENSOR_Y", "TENSOR_K", "WARPS_X", "WARPS_Y"},
                    {"LANES * mm_8_WARPS_X * mm_8_WARPS_Y"}),
          "mm_8_"};
}

TEST(SharedBytes, AreThoseThatTheTextDeclares) {
  const Space space = product();
  const std::string bytes = sharedBytesOf(text, "mm_8");
  // 130 is 65, an odd number, times 2.
  EXPECT_EQ(space.value(bytes, {64, 128, 32, 2, 4}), 8 * 2 * 32 * 130 + 8 * 2 * 32 * 64);
  EXPECT_EQ(space.value(bytes, {16, 16, 8, 1, 1}), 8 * 2 * 8 * 18 + 8 * 2 * 8 * 16);
  EXPECT_EQ(sharedBytesOf(text, "mm_9"), "") << "a type of the program's";
  EXPECT_EQ(sharedBytesOf(text, "mm_7"), "");
  OpenSizes sizes;
  sizes.tunables.push_back({"A", 16, {16}, ""});
  EXPECT_EQ(Space(sizes, "").value(sharedBytesOf(text, "mm_10"), {16}), 3 * 17 + 4 * 24);
}

// SHOWS: MF-118 RT-81
TEST(Capacity, IsAskedBeforeAnythingIsCompiled) {
  Space space = product();
  const Point large = {128, 128, 64, 4, 8}, usual = space.usual();
  EXPECT_FALSE(space.refused(large));
  const KernelNeeds needs = {"LANES * mm_8_WARPS_X * mm_8_WARPS_Y", sharedBytesOf(text, "mm_8")};
  space.add(capacityRules(needs, *deviceLimits("9.0")));
  EXPECT_EQ(space.refused(large), "a block has at most 232448 bytes of shared memory on sm_90");
  EXPECT_FALSE(space.refused(usual));
  // An older device has less room, and smaller blocks.
  Space small = product();
  small.add(capacityRules(needs, *deviceLimits("1.3")));
  EXPECT_EQ(small.refused(usual), "a block has at most 16384 bytes of shared memory on sm_13");
  EXPECT_EQ(small.refused({64, 128, 8, 4, 8}), "a block has at most 512 threads on sm_13");
  EXPECT_FALSE(small.refused({32, 32, 8, 2, 2}));
}

TEST(Resources, AreReadFromWhatPtxasSays) {
  // As CUDA 13 has it; the instance for 64-bit indices comes first.
  const std::string said = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z4mm_8IlEvT_PKdS2_Pd' for 'sm_90'
ptxas info    : Function properties for _Z4mm_8IlEvT_PKdS2_Pd
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 123 registers, used 1 barriers
ptxas info    : Compile time = 58.214 ms
ptxas info    : Compiling entry function '_Z4mm_8IiEvT_PKdS2_Pd' for 'sm_90'
ptxas info    : Function properties for _Z4mm_8IiEvT_PKdS2_Pd
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 128 registers, used 1 barriers, 2112 bytes smem, 8 bytes cumulative stack size
ptxas info    : Compiling entry function '_Z6mm_8_2IiEvT_PKdS2_Pd' for 'sm_90'
ptxas info    : Used 20 registers, used 0 barriers
ptxas info    : Compiling entry function '_Z5plainv' for 'sm_90'
ptxas info    : Used 18 registers, used 0 barriers, 352 bytes cmem[0]
)";
  const std::optional<Resources> use = resourcesIn(said, "mm_8");
  ASSERT_TRUE(use);
  EXPECT_EQ(use->registers, 128);
  EXPECT_EQ(use->sharedBytes, 2112);
  EXPECT_EQ(use->spilledBytes, 4);
  EXPECT_EQ(resourcesIn(said, "mm_8_2")->registers, 20);
  EXPECT_EQ(resourcesIn(said, "mm_8_2")->spilledBytes, 0);
  EXPECT_EQ(resourcesIn(said, "plain")->registers, 18);
  EXPECT_FALSE(resourcesIn(said, "mm_9"));
  EXPECT_FALSE(resourcesIn("", "mm_8"));
}

// SHOWS: RT-85
TEST(Resources, DecideHowManyBlocksAMultiprocessorHolds) {
  const auto occupancy = [](const char* device, Resources use, long threads) {
    return findOccupancy(use, threads, *deviceLimits(device)) ? use.occupancy : 0;
  };
  EXPECT_EQ(occupancy("9.0", {32, 0, 0, 0}, 256), 1);
  EXPECT_EQ(occupancy("9.0", {32, 0, 0, 0}, 32), 0.5) << "32 blocks";
  EXPECT_EQ(occupancy("9.0", {128, 0, 0, 0}, 256), 0.25) << "registers";
  EXPECT_EQ(occupancy("9.0", {33, 0, 0, 0}, 1024), 0.5) << "registers are given in units";
  EXPECT_EQ(occupancy("9.0", {32, 100000, 0, 0}, 256), 0.25) << "shared memory";
  EXPECT_EQ(occupancy("9.0", {32, 232449, 0, 0}, 256), 0);
  EXPECT_EQ(occupancy("9.0", {255, 0, 0, 0}, 1024), 0);
  EXPECT_EQ(occupancy("12.0", {32, 0, 0, 0}, 1024), 32.0 / 48);
  EXPECT_EQ(occupancy("9.0", {32, 0, 0, 0}, 2048), 0);
}

} // namespace
} // namespace warploom
