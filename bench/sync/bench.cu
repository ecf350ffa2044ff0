// Measurements of the synchronous wing, printed as JSON: the matrix product against the thesis' figures and
// our own C, with occupancy and the share of transfers, the game of life on 256 x 256 cells against a plain C
// loop, and a million instances of a controller. Every result is compared with the sequential C program
// before it is reported.
#include "generated/matmul16.c"
#include "generated/matmul16.cu"
#include "generated/matmul32.c"
#include "generated/matmul32.cu"
#include "generated/matmul64.c"
#include "generated/matmul64.cu"
#include "generated/matmul9.c"
#include "generated/matmul9.cu"
#include "generated/outer128.c"
#include "generated/outer128.cu"
#include "generated/outer256.c"
#include "generated/outer256.cu"
#include "generated/torus256.c"
#include "generated/torus256.cu"
#include "generated/traffic.c"
#include "generated/traffic.cu"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The median of three timings of `work`, in seconds; `prepare` runs before each, untimed.
template <typename Prepare, typename Work> double median(Prepare&& prepare, Work&& work) {
  double times[3];
  for (double& time : times) {
    prepare();
    const double start = seconds();
    work();
    time = seconds() - start;
  }
  std::sort(times, times + 3);
  return times[1];
}

/// The same memory as objects of another type of that layout: the C program has types of its own.
template <typename To, typename From> std::vector<To> converted(const std::vector<From>& from) {
  static_assert(sizeof(To) == sizeof(From), "the layouts differ");
  std::vector<To> to(from.size());
  std::memcpy(static_cast<void*>(to.data()), from.data(), sizeof(From) * from.size());
  return to;
}

bool first = true;
void row(const std::string& name, const std::string& fields) {
  std::printf("%s\n  {\"measurement\": \"%s\", %s}", first ? "" : ",", name.c_str(), fields.c_str());
  std::fflush(stdout);
  first = false;
}
std::string field(const char* name, double value) {
  char text[100];
  std::snprintf(text, sizeof text, "\"%s\": %.6g", name, value);
  return text;
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "bench: %s\n", what);
  std::exit(1);
}

/// Steps of n x n matrix products. The C program's types and functions come as parameters.
#define MATRIX(N)                                                                                            \
  void matrix##N(long steps) {                                                                               \
    using namespace MatrixMul##N;                                                                            \
    std::mt19937 random(1);                                                                                  \
    std::vector<Inputs> in(static_cast<std::size_t>(steps));                                                 \
    for (Inputs & given : in)                                                                                \
      for (int i = 0; i < N * N; ++i) {                                                                      \
        given.a[i] = static_cast<int>(random() % 64) - 32;                                                   \
        given.b[i] = static_cast<int>(random() % 64) - 32;                                                   \
      }                                                                                                      \
    const std::vector<MatrixMul##N##_Inputs> sequential = converted<MatrixMul##N##_Inputs>(in);              \
    std::vector<MatrixMul##N##_Outputs> results(in.size());                                                  \
    std::vector<Outputs> out(in.size());                                                                     \
    static MatrixMul##N##_System system;                                                                     \
    const double c = median([&] { MatrixMul##N##_reset(&system); },                                          \
                            [&] {                                                                            \
                              for (std::size_t k = 0; k < in.size(); ++k)                                    \
                                MatrixMul##N##_step(&system, &sequential[k], &results[k]);                   \
                            });                                                                              \
    const std::vector<Outputs> expected = converted<Outputs>(results);                                       \
    Machine machine;                                                                                         \
    Device<Inputs> given(steps);                                                                             \
    Device<Outputs> taken(steps);                                                                            \
    warploom::copyToDevice(given.get(), in.data(), sizeof(Inputs) * in.size(), warploom::streamNumber(0));   \
    const double batch =                                                                                     \
        median([&] { machine.reset(); }, [&] { machine.runBatch(given.get(), taken.get(), steps); });       \
    warploom::copyToHost(out.data(), taken.get(), sizeof(Outputs) * out.size(), warploom::streamNumber(0));  \
    warploom::synchronize(warploom::streamNumber(0));                                                        \
    require(std::memcmp(out.data(), expected.data(), sizeof(Outputs) * out.size()) == 0,                     \
            "matmul batch differs");                                                                         \
    const long few = std::min(steps, 5000L);                                                                 \
    std::size_t read = 0, written = 0;                                                                       \
    bool equal = true;                                                                                       \
    const double stepwise = median(                                                                          \
        [&] {                                                                                                \
          machine.reset();                                                                                   \
          read = written = 0;                                                                                \
        },                                                                                                   \
        [&] {                                                                                                \
          runSteps(                                                                                          \
              machine, few, [&](Inputs& next) { return next = in[read++], true; },                           \
              [&](const Outputs& next) {                                                                     \
                equal &= std::memcmp(&next, &expected[written++], sizeof next) == 0;                         \
              });                                                                                            \
        });                                                                                                  \
    require(equal&& written == static_cast<std::size_t>(few), "matmul stepwise differs");                    \
    row("matrix product " #N "x" #N,                                                                         \
        field("us_per_step_persistent", batch / static_cast<double>(steps) * 1e6) + ", " +                   \
            field("us_per_step_launches", stepwise / static_cast<double>(few) * 1e6) + ", " +                \
            field("us_per_step_c_one_core", c / static_cast<double>(steps) * 1e6) +                          \
            (N == 9 ? ", \"us_per_step_thesis_generated\": 357, \"us_per_step_thesis_manual\": 246" : ""));  \
  }
MATRIX(9)
MATRIX(16)
MATRIX(32)
MATRIX(64)

/// n x n products by one column and one row a step. Step 1 boots; the first product is out in step n + 2.
#define OUTER(N)                                                                                             \
  void outer##N(long products) {                                                                             \
    using namespace Outer##N;                                                                                \
    const long steps = products * N + 2;                                                                     \
    std::mt19937 random(1);                                                                                  \
    std::vector<Inputs> in(static_cast<std::size_t>(steps));                                                 \
    for (long k = 0; k < steps; ++k) {                                                                       \
      Inputs& given = in[static_cast<std::size_t>(k)];                                                       \
      given.first = k % N == 1;                                                                              \
      for (int i = 0; i < N; ++i) {                                                                          \
        given.a[i] = static_cast<int>(random() % 64) - 32;                                                   \
        given.b[i] = static_cast<int>(random() % 64) - 32;                                                   \
      }                                                                                                      \
    }                                                                                                        \
    const std::vector<Outer##N##_Inputs> sequential = converted<Outer##N##_Inputs>(in);                      \
    std::vector<Outer##N##_Outputs> results(in.size());                                                      \
    std::vector<Outputs> out(in.size());                                                                     \
    static Outer##N##_System system;                                                                         \
    const double c = median([&] { Outer##N##_reset(&system); },                                              \
                            [&] {                                                                            \
                              for (std::size_t k = 0; k < in.size(); ++k)                                    \
                                Outer##N##_step(&system, &sequential[k], &results[k]);                       \
                            });                                                                              \
    const std::vector<Outputs> expected = converted<Outputs>(results);                                       \
    for (int r = 0; r < N; ++r)                                                                              \
      for (int column = 0; column < N; ++column) {                                                           \
        int sum = 0;                                                                                         \
        for (int k = 1; k <= N; ++k)                                                                         \
          sum += in[static_cast<std::size_t>(k)].a[r] * in[static_cast<std::size_t>(k)].b[column];           \
        require(expected[N + 1].out[N * r + column] == sum, "the C product is wrong");                       \
      }                                                                                                      \
    Machine machine;                                                                                         \
    Device<Inputs> given(steps);                                                                             \
    Device<Outputs> taken(steps);                                                                            \
    warploom::copyToDevice(given.get(), in.data(), sizeof(Inputs) * in.size(), warploom::streamNumber(0));   \
    const double batch =                                                                                     \
        median([&] { machine.reset(); }, [&] { machine.runBatch(given.get(), taken.get(), steps); });       \
    warploom::copyToHost(out.data(), taken.get(), sizeof(Outputs) * out.size(), warploom::streamNumber(0));  \
    warploom::synchronize(warploom::streamNumber(0));                                                        \
    require(std::memcmp(out.data(), expected.data(), sizeof(Outputs) * out.size()) == 0, "outer differs");   \
    row("matrix product " #N "x" #N ", a column a step",                                                     \
        field("us_per_step_persistent", batch / static_cast<double>(steps) * 1e6) + ", " +                   \
            field("us_per_step_c_one_core", c / static_cast<double>(steps) * 1e6));                          \
  }
OUTER(128)
OUTER(256)

/// What the thesis reports of its kernels: registers, occupancy, and the share of a step that transfers take.
void profile9(long steps) {
  using namespace MatrixMul9;
  std::vector<Inputs> in(static_cast<std::size_t>(steps));
  Machine machine;
  Device<Inputs> given(steps);
  Device<Outputs> taken(steps);
  warploom::copyToDevice(given.get(), in.data(), sizeof(Inputs) * in.size(), warploom::streamNumber(0));
  const warploom::Stream stream = warploom::streamNumber(0);
  const double bare =
      median([&] { machine.reset(); },
             [&] {
               for (long k = 0; k < steps; ++k, ++machine.done) {
                 const Step x = machine.next(given.get() + k, taken.get() + k);
                 warploom::launch({blocksFor(nowTiles), blockSize, 0, stream}, nowKernel, x);
                 warploom::launch({blocksFor(nextTiles), blockSize, 0, stream}, nextKernel, x);
               }
               warploom::synchronize(stream);
             });
  std::size_t read = 0;
  const double whole = median(
      [&] {
        machine.reset();
        read = 0;
      },
      [&] {
        runSteps(
            machine, steps, [&](Inputs& next) { return next = in[read++], true; }, [](const Outputs&) {});
      });
  std::string fields = field("us_per_step_kernels_only", bare / static_cast<double>(steps) * 1e6) + ", " +
                       field("us_per_step_with_transfers", whole / static_cast<double>(steps) * 1e6) + ", " +
                       field("share_of_transfers_and_waiting", 1 - bare / whole);
#ifdef __CUDACC__
  int device = 0, threadsPerMultiprocessor = 0, blocks = 0;
  WARPLOOM_CHECK(cudaGetDevice(&device));
  WARPLOOM_CHECK(
      cudaDeviceGetAttribute(&threadsPerMultiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  cudaFuncAttributes attributes;
  auto describe = [&](const std::string& name, auto kernel) {
    WARPLOOM_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    WARPLOOM_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, blockSize, 0));
    fields += ", " + field((name + "_registers").c_str(), attributes.numRegs) + ", " +
              field((name + "_shared_bytes").c_str(), static_cast<double>(attributes.sharedSizeBytes)) +
              ", " +
              field((name + "_occupancy").c_str(),
                    static_cast<double>(blocks) * blockSize / threadsPerMultiprocessor);
  };
  describe("immediate", nowKernel);
  describe("delayed", nextKernel);
#endif
  row("kernels of the matrix product 9x9", fields);
}

/// Life as anyone would write it in C.
void plainLife(const int* cell, int* next) {
  for (int r = 0; r < 256; ++r) {
    const int up = (r + 255) % 256 * 256, here = r * 256, down = (r + 1) % 256 * 256;
    for (int c = 0; c < 256; ++c) {
      const int left = (c + 255) % 256, right = (c + 1) % 256;
      const int around = cell[up + left] + cell[up + c] + cell[up + right] + cell[here + left] +
                         cell[here + right] + cell[down + left] + cell[down + c] + cell[down + right];
      next[here + c] = around == 3 || (around == 2 && cell[here + c] == 1);
    }
  }
}

void life(long steps) {
  using namespace Torus256;
  std::vector<Inputs> in(static_cast<std::size_t>(steps));
  for (Inputs& given : in)
    given.load = false;
  in[1].load = true; // step 1 is the boot step
  const std::vector<Torus256_Inputs> sequential = converted<Torus256_Inputs>(in);
  std::vector<Torus256_Outputs> results(in.size());
  std::vector<Outputs> out(in.size());
  static Torus256_System system;
  const double c = median([&] { Torus256_reset(&system); },
                          [&] {
                            for (std::size_t k = 0; k < in.size(); ++k)
                              Torus256_step(&system, &sequential[k], &results[k]);
                          });
  const std::vector<Outputs> expected = converted<Outputs>(results);
  std::vector<int> buffer[2] = {std::vector<int>(65536), std::vector<int>(65536)};
  const double plain =
      median([&] { std::copy(expected[2].cell, expected[2].cell + 65536, buffer[0].begin()); },
             [&] {
               for (long k = 0; k < steps - 3; ++k) {
                 plainLife(buffer[0].data(), buffer[1].data());
                 buffer[0].swap(buffer[1]);
               }
             });
  require(std::equal(buffer[0].begin(), buffer[0].end(), expected.back().cell), "plain C life differs");
  long alive = 0;
  for (int cell : buffer[0])
    alive += cell;
  require(alive > 0, "nothing lives");
  Machine machine;
  Device<Inputs> given(steps);
  Device<Outputs> taken(steps);
  warploom::copyToDevice(given.get(), in.data(), sizeof(Inputs) * in.size(), warploom::streamNumber(0));
  const double batch =
      median([&] { machine.reset(); }, [&] { machine.runBatch(given.get(), taken.get(), steps); });
  warploom::copyToHost(out.data(), taken.get(), sizeof(Outputs) * out.size(), warploom::streamNumber(0));
  warploom::synchronize(warploom::streamNumber(0));
  require(std::memcmp(out.data(), expected.data(), sizeof(Outputs) * out.size()) == 0, "life differs");
  row("game of life 256x256",
      field("us_per_step_persistent", batch / static_cast<double>(steps) * 1e6) + ", " +
          field("us_per_step_c_generated", c / static_cast<double>(steps) * 1e6) + ", " +
          field("us_per_step_c_plain_loop", plain / static_cast<double>(steps - 3) * 1e6));
}

void controllers(long n, long steps) {
  using namespace Traffic;
  std::mt19937 random(1);
  std::vector<unsigned> words(static_cast<std::size_t>(inputWords * n * steps));
  for (unsigned& word : words)
    word = random() & 3; // button and tick
  Device<unsigned> in(static_cast<long>(words.size())), out(outputWords * n * steps);
  warploom::copyToDevice(in.get(), words.data(), sizeof(unsigned) * words.size(), warploom::streamNumber(0));
  Instances warm(n), instances(n);
  warm.run(in.get(), out.get(), steps);
  warploom::synchronize(warploom::streamNumber(0));
  double start = seconds();
  instances.run(in.get(), out.get(), steps);
  warploom::synchronize(warploom::streamNumber(0));
  const double gpu = seconds() - start;
  std::vector<unsigned> found(static_cast<std::size_t>(outputWords * n * steps));
  warploom::copyToHost(found.data(), out.get(), sizeof(unsigned) * found.size(), warploom::streamNumber(0));
  warploom::synchronize(warploom::streamNumber(0));

  // The first instances again, one by one, in C.
  const long some = std::min(n, 20000L);
  start = seconds();
  for (long k = 0; k < some; ++k) {
    Traffic_System system;
    Traffic_reset(&system);
    for (long step = 0; step < steps; ++step) {
      Inputs given{};
      Outputs taken{};
      Traffic_Inputs in_;
      Traffic_Outputs out_;
      load(given, PackedConst{words.data() + step * inputWords * n, n, k});
      std::memcpy(&in_, &given, sizeof in_);
      Traffic_step(&system, &in_, &out_);
      load(taken, PackedConst{found.data() + step * outputWords * n, n, k});
      require(std::memcmp(&taken, &out_, sizeof taken) == 0, "an instance differs");
    }
  }
  const double c = (seconds() - start) / static_cast<double>(some);
  const double bytes =
      4.0 * (inputWords + outputWords) * static_cast<double>(n) * static_cast<double>(steps) +
      8.0 * (stateWords + registerWords) * static_cast<double>(n);
  const double ceiling = 4.2e12; // copy bandwidth of an H200, read and write together
  row("instances of a traffic light",
      field("instances", static_cast<double>(n)) + ", " + field("steps", static_cast<double>(steps)) + ", " +
          field("instance_steps_per_second", static_cast<double>(n * steps) / gpu) + ", " +
          field("bytes_per_second", bytes / gpu) + ", " +
          field("share_of_4.2_TB_per_s", bytes / gpu / ceiling) + ", " +
          field("instance_steps_per_second_c_one_core", static_cast<double>(steps) / c));
}

} // namespace

/// bench [SCALE]: SCALE divides the sizes, for a quick run on the CPU.
int main(int argc, char** argv) {
  const long scale = argc > 1 ? std::max(1L, std::atol(argv[1])) : 1;
#ifdef __CUDACC__
  cudaDeviceProp properties;
  WARPLOOM_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("{\n\"machine\": \"%s, CUDA %d.%d, sm_%d%d\",\n", properties.name, CUDART_VERSION / 1000,
              CUDART_VERSION % 1000 / 10, properties.major, properties.minor);
#else
  std::printf("{\n\"machine\": \"kernels on the CPU\",\n");
#endif
  std::printf("\"command\": \"bench/sync/run.sh\",\n\"results\": [");
  matrix9(100000 / scale);
  matrix16(30000 / scale);
  matrix32(10000 / scale);
  matrix64(4000 / scale);
  outer128(std::max(1L, 8 / scale));
  outer256(std::max(1L, 4 / scale));
  profile9(std::max(10L, 5000 / scale));
  life(std::max(8L, 2000 / scale));
  controllers(1000000 / scale, 100);
  std::printf("\n]\n}\n");
}
