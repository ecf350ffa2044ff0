// What launchers use around kernels: overlap, device arrays, regions.
#include "warploom.h"

#include <atomic>
#include <gtest/gtest.h>
#include <malloc.h>
#include <thread>
#include <vector>

namespace {

TEST(Region, OverlapOfRanges) {
  char bytes[100];
  EXPECT_TRUE(warploom::overlap(bytes, 10, bytes + 9, 10));
  EXPECT_FALSE(warploom::overlap(bytes, 10, bytes + 10, 10));
  EXPECT_TRUE(warploom::overlap(bytes + 20, 5, bytes, 100));
  EXPECT_FALSE(warploom::overlap(bytes, 0, bytes, 100));
}

__constant__ double factor[2];

__global__ void scale(double* __restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * factor[0] + factor[1];
}

// Device memory is memory of its own: what is not copied back stays there.
TEST(Region, OnlyWhatIsCopiedComesBack) {
  int n = 100;
  std::vector<double> a(n, 3), untouched = a;
  warploom::Region region("test:1");
  ASSERT_TRUE(region.useDevice());
  auto device = region.array<double>("a", {static_cast<std::size_t>(n)});
  double constants[2] = {2, 1};
  warploom::copyToSymbol(factor, constants, sizeof constants, region.stream());
  region.copyIn(device, a.data());
  region.launch({dim3(4), dim3(32)}, scale, device, n);
  EXPECT_EQ(a, untouched);
  region.copyOut(a.data(), device);
  EXPECT_EQ(region.finish(), 1);
  EXPECT_EQ(a, std::vector<double>(n, 7));
}

__global__ void firstOnes(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 7;
}

// Behind an array of which only data tell how long it is others may change while kernels run.
TEST(Region, OnlyWhatHasChangedGoesBack) {
  std::vector<int> a(100, 3);
  warploom::Region region("test:1");
  ASSERT_TRUE(region.useDevice());
  auto device = region.array<int>("a", {a.size()});
  region.copyInKept(device, a.data());
  region.launch({dim3(4), dim3(32)}, firstOnes, device, 10);
  a[50] = 5;
  region.copyOutChanged(a.data(), device);
  EXPECT_EQ(region.finish(), 1);
  std::vector<int> expected(100, 3);
  std::fill(expected.begin(), expected.begin() + 10, 7);
  expected[50] = 5;
  EXPECT_EQ(a, expected);
}

TEST(Region, OfAPartOfAnArrayOnlyWhatHasChangedGoesBack) {
  std::vector<int> a(100, 3);
  warploom::Region region("test:1");
  ASSERT_TRUE(region.useDevice());
  auto device = region.array<int>("a", {a.size()});
  region.copyInKept(device, a.data(), 60 * sizeof(int));
  region.launch({dim3(4), dim3(32)}, firstOnes, device, 10);
  a[3] = a[50] = 5;
  region.copyOutChanged(a.data() + 5, device + 5, 50 * sizeof(int));
  EXPECT_EQ(region.finish(), 1);
  std::vector<int> expected(100, 3);
  std::fill(expected.begin() + 5, expected.begin() + 10, 7);
  expected[3] = expected[50] = 5;
  EXPECT_EQ(a, expected);
}

struct Triple {
  int first, second, third;
};
bool operator==(Triple a, Triple b) {
  return a.first == b.first && a.second == b.second && a.third == b.third;
}

template <typename T> __global__ void everyThird(T* a, int n, T value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 3 == 0) a[i] = value;
}

// The host's value of each element that the kernel leaves stays, whatever the element's size.
template <typename T> void expectOthersStay(T before, T written, T meanwhile) {
  std::vector<T> a(101, before), expected(101, before);
  warploom::Region region("test:1");
  ASSERT_TRUE(region.useDevice());
  auto device = region.array<T>("a", {a.size()});
  region.copyInKept(device, a.data());
  region.launch({dim3(4), dim3(32)}, everyThird<T>, device, 101, written);
  for (int i = 0; i < 101; ++i) {
    if (i % 3 == 1) a[i] = meanwhile;
    expected[i] = i % 3 == 0 ? written : a[i];
  }
  region.copyOutChanged(a.data(), device);
  EXPECT_EQ(region.finish(), 1);
  EXPECT_TRUE(a == expected);
}

TEST(Region, OnlyWhatHasChangedGoesBackOfElementsOfAnySize) {
  expectOthersStay<char>(1, 2, 3);
  expectOthersStay<short>(1, 0x101, 3);
  expectOthersStay<float>(1, 2, 3);
  expectOthersStay<double>(1, 2, 3);
  expectOthersStay<Triple>({1, 2, 3}, {1, 5, 3}, {6, 7, 8});
}

// Where another thread is running that is so of every array, byte by byte.
TEST(Region, BesideAnotherThreadOnlyBytesThatHaveChangedGoBack) {
  std::atomic<bool> ends{false};
  std::thread other([&] {
    while (!ends)
      std::this_thread::yield();
  });
  for (int n : {1, 7, 8, 9, 64, 101}) {
    std::vector<char> a(n, 1), expected(n, 1);
    warploom::Region region("test:1");
    ASSERT_TRUE(region.useDevice());
    auto device = region.array<char>("a", {a.size()});
    region.copyIn(device, a.data());
    region.launch({dim3(4), dim3(32)}, everyThird<char>, device, n, '\2');
    for (int i = 0; i < n; ++i) {
      if (i % 3 == 1) a[i] = 3;
      expected[i] = i % 3 == 0 ? '\2' : a[i];
    }
    region.copyOut(a.data(), device);
    EXPECT_EQ(region.finish(), 1);
    EXPECT_EQ(a, expected) << n;
  }
  ends = true;
  other.join();
}

/// A thread that has its name and waits, as long as this lives.
class Waiting {
public:
  explicit Waiting(const char* name)
      : thread([this, name] {
          if (name) pthread_setname_np(pthread_self(), name);
          begun = true;
          while (!ends)
            std::this_thread::yield();
        }) {
    while (!begun)
      std::this_thread::yield();
  }
  ~Waiting() {
    ends = true;
    thread.join();
  }

private:
  std::atomic<bool> begun{false}, ends{false};
  std::thread thread;
};

// One of ours has gone, one of the program's has come: there are as many as before.
TEST(Region, ThreadsAreKnownByWhoTheyAreNotByTheirNumber) {
  const char* ours = "warploom-thread";
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_TRUE(warploom::runsAloneStill());
    {
      Waiting first(ours);
      EXPECT_TRUE(warploom::runsAloneStill());
      EXPECT_TRUE(warploom::runsAloneStill());
    }
    Waiting second(nullptr);
    EXPECT_FALSE(warploom::runsAloneStill());
    EXPECT_FALSE(warploom::runsAloneStill());
    bool isAlone = true;
    std::thread([&] { isAlone = warploom::runsAloneStill(); }).join();
    EXPECT_FALSE(isAlone);
  }
  Waiting first(ours);
  EXPECT_TRUE(warploom::runsAloneStill()); // though there were as many when one was the program's
}

TEST(Region, MemoryThatIsNotThereIsNotReached) {
  const long page = sysconf(_SC_PAGESIZE);
  char* memory =
      static_cast<char*>(mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(mprotect(memory + 2 * page, page, PROT_NONE), 0);
  EXPECT_TRUE(warploom::reaches(memory + 5, 2 * page - 5));
  EXPECT_FALSE(warploom::reaches(memory + 5, 2 * page - 4));
  EXPECT_TRUE(warploom::reaches(memory + 2 * page, 0));
  ASSERT_EQ(munmap(memory + page, page), 0);
  EXPECT_TRUE(warploom::reaches(memory, page));
  EXPECT_FALSE(warploom::reaches(memory, page + 1));
  munmap(memory, 3 * page);
}

struct Large {
  double first[100], second[8000];
};

__global__ void reversed(double* __restrict__ a) {
  auto& first = warploom::shared<&Large::first>();
  auto& second = warploom::shared<&Large::second>();
  for (unsigned i = threadIdx.x; i < 8000; i += blockDim.x)
    second[i] = a[i];
  if (threadIdx.x < 100) first[threadIdx.x] = -1;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 8000; i += blockDim.x)
    a[i] = i < 100 ? first[i] : second[7999 - i];
}

// SHOWS: MF-59
TEST(Region, BlocksHaveAsMuchSharedMemoryAsTheDeviceGives) {
  std::vector<double> a(8000), expected(8000, -1);
  for (int i = 0; i < 8000; ++i)
    a[i] = i;
  for (int i = 100; i < 8000; ++i)
    expected[i] = 7999 - i;
  warploom::Region region("test:4");
  ASSERT_TRUE(region.useDevice({sizeof(Large)}));
  auto device = region.array<double>("a", {8000});
  region.copyIn(device, a.data());
  region.launch({dim3(1), dim3(256), warploom::dynamicBytes<Large>}, reversed, device);
  region.copyOut(a.data(), device);
  region.finish();
  EXPECT_EQ(a, expected);
  warploom::Region next("test:5");
  EXPECT_FALSE(next.useDevice({8, 228 * 1024}));
}

TEST(Region, RepeatedWorkRunsAsOftenAsAsked) {
  std::vector<double> a(10, 1);
  warploom::Region region("test:2");
  ASSERT_TRUE(region.useDevice());
  double constants[2] = {2, 0};
  warploom::copyToSymbol(factor, constants, sizeof constants, region.stream());
  auto device = region.array<double>("a", {10});
  region.copyIn(device, a.data());
  region.repeat(10, [&] { region.launch({dim3(1), dim3(32)}, scale, device, 10); });
  region.repeat(0, [&] { region.launch({dim3(1), dim3(32)}, scale, device, 10); });
  region.copyOut(a.data(), device);
  region.finish();
  EXPECT_EQ(a, std::vector<double>(10, 1024));
}

// SHOWS: CR-46
TEST(Region, LaunchesHaveFewerThanABlockOfIdleThreads) {
  for (long threads : {1, 7, 32, 256})
    for (long first : {0L, 3L, 1000L})
      for (long count : {1L, 6L, 255L, 256L, 257L, 70000L}) {
        long launched = warploom::blocks(first, first + count, threads) * threads;
        EXPECT_LT(launched, count + threads);
        // As generated text asks for it: blocks may be shorter.
        const warploom::Launch line = warploom::line(first, first + count, static_cast<int>(threads));
        EXPECT_LT(long(line.grid.x) * line.block.x, count + threads);
        if (line.grid.x < 65535) EXPECT_GE(long(line.grid.x) * line.block.x, count);
        if (launched < 65535 * threads) EXPECT_GE(launched, count);
      }
  EXPECT_EQ(warploom::blocks(5, 5, 32), 0u);
  EXPECT_EQ(warploom::blocks(5, 3, 32), 0u);
}

TEST(Region, WorkSideBySideIsDoneBeforeWhatFollows) {
  std::vector<double> a(64, 1);
  warploom::Region region("test:5");
  ASSERT_TRUE(region.useDevice());
  double constants[2] = {2, 1};
  warploom::copyToSymbol(factor, constants, sizeof constants, region.stream());
  auto device = region.array<double>("a", {64});
  region.copyIn(device, a.data());
  region.overlap([&] { region.launch({dim3(1), dim3(32)}, scale, device, 32); },
                 [&] { region.launch({dim3(1), dim3(32)}, scale, device + 32, 32); });
  region.launch({dim3(2), dim3(32)}, scale, device, 64);
  region.copyOut(a.data(), device);
  region.finish();
  EXPECT_EQ(a, std::vector<double>(64, 7));
}

bool operator==(const dim3& grid, const std::vector<unsigned>& extents) {
  return std::vector<unsigned>{grid.x, grid.y, grid.z} == extents;
}

__global__ void nothing() {}

// SHOWS: RT-78
TEST(Region, OneLaunchOnlyWhereAllBlocksAreResident) {
  const bool shrink = true;
  const dim3 all(5, 4, 2);
  EXPECT_TRUE(warploom::residentGrid(all, 40, !shrink) == std::vector<unsigned>({5, 4, 2}));
  EXPECT_TRUE(warploom::residentGrid(all, 39, !shrink) == std::vector<unsigned>({0, 0, 0}));
  EXPECT_TRUE(warploom::residentGrid(all, 0, shrink) == std::vector<unsigned>({0, 0, 0}));
  for (unsigned most = 1; most <= 40; ++most) {
    dim3 grid = warploom::residentGrid(all, most, shrink);
    EXPECT_GE(grid.x * grid.y * grid.z, 1u);
    EXPECT_LE(grid.x * grid.y * grid.z, most);
  }
}

// What no block fits for is launched kernel by kernel, even when the user would like it otherwise.
TEST(RegionDeathTest, OneLaunchFallsBack) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // the environment is read once
  auto ask = [] {
    setenv("WARPLOOM_LAUNCH", "cooperative", 1);
    warploom::Region region("test:3");
    warploom::Launch one = region.resident(nothing, {{dim3(3, 4), dim3(32, 2)}, {dim3(5), dim3(64)}});
    warploom::Launch none = region.resident(nothing, {{dim3(3, 4), dim3(2048)}});
    bool right = one.grid == std::vector<unsigned>({5, 3, 1}) &&
                 one.block == std::vector<unsigned>({64, 2, 1}) && none.isEmpty();
    std::exit(right ? 0 : 1);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "");
}

// For comparison: as many threads as the largest array has elements, however few have work.
TEST(RegionDeathTest, LaunchesAsCrinkDid) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // the environment is read once
  auto ask = [] {
    setenv("WARPLOOM_LAUNCH", "crink", 1);
    warploom::Region region("test:4");
    auto small = region.array<int>("small", {10});
    auto large = region.array<double>("large", {100, 50});
    const warploom::Launch two = warploom::line(0, 2, 256), none = warploom::line(2, 2, 256);
    std::exit(two.grid.x * two.block.x >= 5000 && none.isEmpty() ? 0 : 1);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "");
}

// Every multiprocessor gets a block before blocks get long.
TEST(Region, FewIndicesAreSpreadOverShortBlocks) {
  const long processors = warploom::multiprocessors();
  auto shape = [](long first, long end, int most, long step = 1) {
    warploom::Launch line = warploom::line(first, end, most, step);
    return std::pair(line.grid.x, line.block.x);
  };
  using Shape = std::pair<unsigned, unsigned>;
  EXPECT_EQ(shape(0, 32 * processors, 256), Shape(processors, 32));
  EXPECT_EQ(shape(5, 5 + 33 * processors, 256).second, 64u);
  EXPECT_EQ(shape(0, 1000 * processors, 256), Shape((1000 * processors + 255) / 256, 256));
  EXPECT_EQ(shape(3, 4, 256), Shape(1, 32));
  EXPECT_EQ(shape(4, 4, 256).first, 0u);
  EXPECT_EQ(shape(0, 10, 7), Shape(2, 7)) << "never more threads than the kernel was compiled for";
  EXPECT_EQ(shape(0, 3 * 64 * processors - 1, 256, 3), Shape(processors, 64)) << "one of every three indices";
}

__global__ void number(long* __restrict__ numbers) {
  long* own = numbers + warploom::threadNumber<long>();
  atomicAdd(reinterpret_cast<unsigned long long*>(own), 1ull);
  if (own == numbers) numbers[warploom::threadCount<int>()] = warploom::threadCount<long>();
}

TEST(Region, ThreadsOfAnyGridHaveNumbers) {
  for (auto [grid, block] : {std::pair(dim3(3), dim3(32)), std::pair(dim3(2, 3, 2), dim3(4, 3, 2))}) {
    std::size_t count = grid.x * grid.y * grid.z * block.x * block.y * block.z;
    std::vector<long> numbers(count + 1, 0), each(count + 1, 1);
    each[count] = static_cast<long>(count);
    warploom::Region region("test:4");
    ASSERT_TRUE(region.useDevice());
    auto device = region.array<long>("numbers", {count + 1});
    region.copyIn(device, numbers.data());
    region.launch({grid, block}, number, device);
    region.copyOut(numbers.data(), device);
    region.finish();
    EXPECT_EQ(numbers, each);
  }
}

/// Bytes that the program has from the allocator now.
std::size_t inUse() {
  struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

// A launcher as they are generated: it may find only after its first allocation that the host has to do it.
int launcher(bool leave) {
  warploom::Region region("test:4");
  if (!region.useDevice()) return 0;
  auto large = region.array<double>("large", {std::size_t(1) << 20});
  auto small = region.array<double>("small", {10});
  if (leave) return region.stayOnHost("it changed its mind");
  region.launch({dim3(1), dim3(32)}, scale, small, 10);
  return region.finish();
}

// SHOWS: CR-52
TEST(Region, DeviceMemoryIsGivenBackOnEveryPath) {
  launcher(false); // what the runtime keeps for itself is there now
  std::size_t before = inUse();
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(launcher(true), 0);
    EXPECT_EQ(launcher(false), 1);
  }
  EXPECT_LT(inUse(), before + (std::size_t(1) << 20));
}

TEST(Region, IndicesOf32BitsOnlyWhereEverySubscriptFits) {
  const long most = 1L << 30;
  EXPECT_TRUE(warploom::fitInt({1000, -1000}, {1000000, most - 1}));
  EXPECT_FALSE(warploom::fitInt({1000}, {1000, most}));
  EXPECT_FALSE(warploom::fitInt({1L << 27}, {1000}));
  EXPECT_FALSE(warploom::fitInt({-(1L << 27)}, {1000}));
}

TEST(Region, StayingOnTheHostReturnsZero) {
  warploom::Region region("test:3");
  EXPECT_EQ(region.stayOnHost("overlap"), 0);
}

using RegionDeathTest = ::testing::Test;

// SHOWS: RT-70
TEST(RegionDeathTest, FailingAllocationNamesRegionAndLine) {
  EXPECT_EXIT(
      {
        warploom::Region region("matmul:12");
        region.useDevice();
        auto array = region.array<double>("a", {std::size_t(1) << 59});
      },
      testing::ExitedWithCode(1),
      "region matmul:12: .*RegionTest.cpp:[0-9]+: allocation failed: out of memory");
}

} // namespace
