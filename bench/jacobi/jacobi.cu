// Jacobi's method for a dense system, with every way in which blocks can wait for each other (RT-CUDA's comparison): a launch for each sweep,
// the host being the barrier; all sweeps in one launch with a barrier by a lock, by flags, by two arrays, or that of CUDA; relaxed, where a
// block adds up what others have finished while it waits for the rest; and asynchronous, where nobody waits. Compiled by nvcc, or with
// the CPU execution. Prints JSON.
//
//     jacobi [unknowns] [sweeps] [blocks] [repetitions]
#include "warploom_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

constexpr int THREADS = 128, LANES = 32, MOST_BLOCKS = 256, TOGETHER = 5;
int repetitions = 3; // of which the fastest counts

/// The unknowns of a block.
struct Piece {
  int begin, end;
};
__device__ Piece pieceOf(int n, int blocks, int block) {
  const int each = (n + blocks - 1) / blocks, begin = each * block;
  return {begin < n ? begin : n, begin + each < n ? begin + each : n};
}

/// What other blocks may change at any time.
template <typename T> __device__ T now(const T* x) {
#ifdef __CUDACC__
  return *static_cast<const volatile T*>(x);
#else
  T value;
  __atomic_load(x, &value, __ATOMIC_RELAXED);
  return value;
#endif
}
template <typename T> __device__ void set(T* x, T value) {
#ifdef __CUDACC__
  *static_cast<volatile T*>(x) = value;
#else
  __atomic_store(x, &value, __ATOMIC_RELAXED);
#endif
}

/// Adds to the sums of the rows `own` what the columns of another piece contribute: a warp for each row.
template <typename T> __device__ void addPiece(int n, const T* A, const T* x, Piece own, Piece other, T* sums) {
  const int lane = threadIdx.x % LANES;
  for (int i = own.begin + int(threadIdx.x) / LANES; i < own.end; i += THREADS / LANES) {
    T sum = 0;
    for (int j = other.begin + lane; j < other.end; j += LANES)
      if (j != i) sum += A[std::size_t(i) * n + j] * now(x + j);
    sum = warploom::warpReduce(sum, warploom::Sum());
    if (lane == 0) sums[i - own.begin] += sum;
  }
}

template <typename T> __device__ void clear(Piece own, T* sums) {
  for (int i = own.begin + int(threadIdx.x); i < own.end; i += THREADS)
    sums[i - own.begin] = 0;
  __syncthreads();
}

template <typename T> __device__ void store(int n, const T* A, const T* b, Piece own, const T* sums, T* x) {
  __syncthreads();
  for (int i = own.begin + int(threadIdx.x); i < own.end; i += THREADS)
    set(x + i, (b[i] - sums[i - own.begin]) / A[std::size_t(i) * n + i]);
}

/// One sweep of a block.
template <typename T> __device__ void sweep(int n, const T* A, const T* b, const T* from, T* to, T* sums) {
  const int blocks = int(gridDim.x);
  const Piece own = pieceOf(n, blocks, int(blockIdx.x));
  clear(own, sums);
  for (int other = 0; other < blocks; ++other)
    addPiece(n, A, from, own, pieceOf(n, blocks, other), sums);
  store(n, A, b, own, sums, to);
}

template <typename T> __global__ void oneSweep(int n, const T* A, const T* b, const T* from, T* to) {
  sweep(n, A, b, from, to, warploom::dynamicShared<T>());
}

template <typename T, typename Barrier>
__global__ void synchronous(int n, int sweeps, const T* A, const T* b, T* x, T* y, Barrier barrier) {
  for (int k = 1; k <= sweeps; ++k) {
    sweep(n, A, b, k % 2 ? x : y, k % 2 ? y : x, warploom::dynamicShared<T>());
    barrier.wait(unsigned(k));
  }
}

/// CUDA's own barrier, for comparison.
struct GridBarrier {
  static constexpr unsigned words(unsigned) { return 1; }
  unsigned* memory;
  __device__ void wait(unsigned) const { cooperative_groups::this_grid().sync(); }
};

template <typename T> __global__ void asynchronous(int n, int sweeps, const T* A, const T* b, T* x) {
  for (int k = 1; k <= sweeps; ++k)
    sweep(n, A, b, x, x, warploom::dynamicShared<T>());
}

template <typename T>
__global__ void relaxed(int n, int sweeps, const T* A, const T* b, T* x, T* y, warploom::Presence presence) {
  __shared__ warploom::Presence::Work<MOST_BLOCKS> work;
  T* sums = warploom::dynamicShared<T>();
  const int blocks = int(gridDim.x);
  const Piece own = pieceOf(n, blocks, int(blockIdx.x));
  for (int k = 1; k <= sweeps; ++k) {
    const T* from = k % 2 ? x : y;
    clear(own, sums);
    presence.begin(work);
    while (const unsigned count = presence.take(work, unsigned(k)))
      for (unsigned at = 0; at < count; ++at)
        addPiece(n, A, from, own, pieceOf(n, blocks, int(work.list[at])), sums);
    store(n, A, b, own, sums, k % 2 ? y : x);
    presence.finish(unsigned(k));
  }
}

template <typename T> struct System {
  int n, sweeps, blocks;
  std::vector<T> A, b;

  System(int n, int sweeps, int blocks) : n(n), sweeps(sweeps), blocks(blocks), A(std::size_t(n) * n), b(n) {
    unsigned state = 1;
    auto number = [&] { return T((state = state * 1664525u + 1013904223u) >> 8) / T(1 << 24) - T(0.5); };
    for (int i = 0; i < n; ++i) {
      T sum = 0;
      for (int j = 0; j < n; ++j)
        sum += std::fabs(A[std::size_t(i) * n + j] = number());
      A[std::size_t(i) * n + i] = 2 * sum + 1;
      b[i] = number();
    }
  }

  /// |b - A x| / |b|
  double residual(const std::vector<T>& x) const {
    double error = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      double sum = b[i];
      for (int j = 0; j < n; ++j)
        sum -= double(A[std::size_t(i) * n + j]) * x[j];
      error += sum * sum;
      size += double(b[i]) * b[i];
    }
    return std::sqrt(error / size);
  }

  /// Sweeps, one after the other.
  std::vector<T> reference() const {
    std::vector<T> x(n), y(n);
    for (int k = 0; k < sweeps; ++k, x.swap(y))
      for (int i = 0; i < n; ++i) {
        T sum = 0;
        for (int j = 0; j < n; ++j)
          if (j != i) sum += A[std::size_t(i) * n + j] * x[j];
        y[i] = (b[i] - sum) / A[std::size_t(i) * n + i];
      }
    return x;
  }
};

template <typename T> class Comparison {
public:
  explicit Comparison(System<T> given)
      : system(std::move(given)), region("jacobi"), expected(system.reference()), A(region.array<T>("A", {system.A.size()})),
        b(region.array<T>("b", {system.b.size()})), x(region.array<T>("x", {system.b.size()})),
        y(region.array<T>("y", {system.b.size()})) {
    region.copyIn(A, system.A.data());
    region.copyIn(b, system.b.data());
  }

  void run() {
    const std::size_t each = (system.n + system.blocks - 1) / system.blocks;
    shape.grid = dim3(unsigned(system.blocks));
    shape.sharedBytes = each * sizeof(T);
    const int n = system.n, sweeps = system.sweeps;
    auto launches = [&] {
      for (int k = 1; k <= sweeps; ++k)
        region.launch(shape, oneSweep<T>, n, A, b, k % 2 ? x : y, k % 2 ? y : x);
    };
    measure("SJ, a launch for each sweep", [&] { return launches(), true; }, launches);
    withBarrier<warploom::LockBarrier>("SJ, a barrier by a lock", launches);
    withBarrier<warploom::FlagBarrier>("SJ, a barrier by flags", launches);
    withBarrier<warploom::TwoArrayBarrier>("SJ, a barrier by two arrays", launches);
    withBarrier<GridBarrier>("SJ, CUDA's barrier of the grid", launches);
    measure("RJ, relaxed", [&] {
      warploom::BarrierMemory<warploom::Presence> memory(unsigned(system.blocks), region.stream());
      return system.blocks <= MOST_BLOCKS &&
             warploom::launchResident(region, shape, relaxed<T>, n, sweeps, A, b, x, y, memory.barrier());
    }, launches);
    // Nobody knows how far others are: every few sweeps all begin together.
    measure("AJ, asynchronous", [&] {
      for (int done = 0; done < sweeps; done += TOGETHER)
        region.launch(shape, asynchronous<T>, n, std::min(int(TOGETHER), sweeps - done), A, b, x);
      return true;
    }, launches, true);
  }

private:
  template <typename Barrier, typename Launches> void withBarrier(const char* name, Launches launches) {
    measure(name, [&] {
      warploom::BarrierMemory<Barrier> memory(unsigned(system.blocks), region.stream());
      return warploom::launchResident(region, shape, synchronous<T, Barrier>, system.n, system.sweeps, A, b, x, y,
                                      memory.barrier());
    }, launches);
  }

  /// Times `work`, from zeros; where its blocks cannot all be resident, `launches` in its place.
  template <typename Work, typename Launches>
  void measure(const char* name, Work work, Launches launches, bool inPlace = false) {
    double best = HUGE_VAL;
    bool resident = true;
    for (int k = 0; k < repetitions; ++k) {
      warploom::fill(x, 0, system.b.size() * sizeof(T), region.stream());
      warploom::fill(y, 0, system.b.size() * sizeof(T), region.stream());
      warploom::synchronize(region.stream());
      const double began = warploom::secondsNow();
      resident = work();
      if (!resident) launches();
      warploom::synchronize(region.stream());
      best = std::min(best, warploom::secondsNow() - began);
    }
    std::vector<T> result(system.b.size());
    region.copyOut(result.data(), inPlace || system.sweeps % 2 == 0 ? x : y);
    warploom::synchronize(region.stream());
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      difference = std::max(difference, double(std::fabs(result[i] - expected[i])));
      size = std::max(size, double(std::fabs(expected[i])));
    }
    std::printf("%s {\"variant\": \"%s\", \"type\": \"%s\", \"n\": %d, \"blocks\": %d, \"resident\": %s, \"us_per_sweep\": %.2f, "
                "\"difference\": %.3g, \"residual\": %.3g}",
                first ? "" : ",\n", name, sizeof(T) == 4 ? "float" : "double", system.n, system.blocks,
                resident ? "true" : "false", 1e6 * best / system.sweeps, difference / size, system.residual(result));
    std::fflush(stdout);
    first = false;
  }

  const System<T> system;
  warploom::Region region;
  std::vector<T> expected;
  warploom::DeviceArray<T> A, b, x, y;
  warploom::Launch shape{dim3(1), dim3(THREADS)};
  bool first = true;
};

int main(int argc, char** argv) {
  auto argument = [&](int k, int usual) { return argc > k ? std::atoi(argv[k]) : usual; };
  const int n = argument(1, 4096), sweeps = argument(2, 100), blocks = argument(3, 128);
  repetitions = argument(4, 3);
  if (n < 1 || sweeps < 1 || blocks < 1 || repetitions < 1)
    return std::fprintf(stderr, "usage: jacobi [unknowns] [sweeps] [blocks] [repetitions]\n"), 2;
  std::printf("[\n");
  Comparison<float>(System<float>(n, sweeps, blocks)).run();
  std::printf(",\n");
  Comparison<double>(System<double>(n, sweeps, blocks)).run();
  std::printf("\n]\n");
}
