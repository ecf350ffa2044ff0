// Measures one system of systems.py, PROGRAM, whose text generate.py has written, and prints its row of the results as JSON: a step of the generated
// C on one core, of one persistent kernel and of launches in every step, the last two with and without the transfers between host and
// device; of many instances, one kernel with and without them. Every output is compared with the C program's.
#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)
#define GENERATED(ending) TEXT(PROGRAM.ending)
#include GENERATED(c)
#include GENERATED(cu)
#include GENERATED(h)

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

/// Values for inputs. Truth values hold in one step of eight.
struct Draw {
  std::mt19937 random{1};
  bool truth() { return random() % 8 == 0; }
  long long integer(long long least, long long most) {
    return least + static_cast<long long>(random() % static_cast<unsigned long long>(most - least + 1));
  }
  double real() { return static_cast<double>(random()) / 4294967296.0; }
};

namespace {

using namespace SYSTEM;
using CInputs = C_NAME(_Inputs);
using COutputs = C_NAME(_Outputs);
using CSystem = C_NAME(_System);
static_assert(sizeof(CInputs) == sizeof(Inputs) && sizeof(COutputs) == sizeof(Outputs), "the layouts differ");

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The median of five timings of `work`, in microseconds; `prepare` runs before each, untimed.
template <typename Prepare, typename Work> double median(Prepare&& prepare, Work&& work) {
  double times[5];
  for (double& time : times) {
    prepare();
    const double start = seconds();
    work();
    time = (seconds() - start) * 1e6;
  }
  std::sort(times, times + 5);
  return times[2];
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s\n", TEXT(PROGRAM), what);
  std::exit(1);
}

void field(const char* name, double value) { std::printf(", \"%s\": %.6g", name, value); }

template <typename T> void zero(std::vector<T>& memory) { // padding too
  std::memset(static_cast<void*>(memory.data()), 0, sizeof(T) * memory.size());
}
template <typename T> bool equal(const std::vector<T>& one, const std::vector<COutputs>& other, long count) {
  return std::memcmp(one.data(), other.data(), sizeof(T) * static_cast<std::size_t>(count)) == 0;
}

template <typename T> int step(CSystem& system, const T& in, COutputs& out) {
  CInputs given;
  std::memcpy(&given, &in, sizeof given);
  return C_NAME(_step)(&system, &given, &out);
}

#if INSTANCES == 1

/// Life as anyone would write it in C, on n x n cells.
[[maybe_unused]] void plainLife(int n, const int* cell, int* next) {
  for (int r = 0; r < n; ++r) {
    const int up = (r + n - 1) % n * n, here = r * n, down = (r + 1) % n * n;
    for (int c = 0; c < n; ++c) {
      const int left = (c + n - 1) % n, right = (c + 1) % n;
      const int around = cell[up + left] + cell[up + c] + cell[up + right] + cell[here + left] +
                         cell[here + right] + cell[down + left] + cell[down + c] + cell[down + right];
      next[here + c] = around == 3 || (around == 2 && cell[here + c] == 1);
    }
  }
}

/// Microseconds of a step of plainLife, from the cells in `begin`. `end` are those that it must reach after `steps`.
[[maybe_unused]] double plain(const int* begin, const int* end, int n, long steps) {
  std::vector<int> one(begin, begin + n * n), other(one.size());
  const double time = median([&] { std::copy(begin, begin + n * n, one.begin()); },
                             [&] {
                               for (long k = 0; k < steps; ++k) {
                                 plainLife(n, one.data(), other.data());
                                 one.swap(other);
                               }
                             });
  require(std::equal(one.begin(), one.end(), end), "plain C differs");
  return time / static_cast<double>(steps);
}

void measure(long steps) {
  std::vector<Inputs> in(static_cast<std::size_t>(steps));
  zero(in);
  Draw draw;
  for (Inputs& given : in)
    fill(given, draw);
#ifdef LIFE
  for (std::size_t k = 0; k < in.size(); ++k)
    in[k].load = k == 1; // step 1 is the boot step
#endif
  std::vector<COutputs> expected(in.size());
  zero(expected);
  static CSystem system;
  const double c = median([&] { C_NAME(_reset)(&system); },
                          [&] {
                            for (std::size_t k = 0; k < in.size(); ++k)
                              step(system, in[k], expected[k]);
                          });
  field("us_per_step_c_one_core", c / static_cast<double>(steps));
#ifdef LIFE
  field("us_per_step_c_plain_loop", plain(expected[2].cell, expected[static_cast<std::size_t>(steps) - 1].cell, LIFE, steps - 3));
#endif

  const warploom::Stream stream = warploom::streamNumber(0);
  Machine machine;
  std::vector<Outputs> out(in.size());
  Device<Inputs> given(steps);
  Device<Outputs> taken(steps);
  const std::size_t inBytes = sizeof(Inputs) * in.size(), outBytes = sizeof(Outputs) * out.size();
  warploom::copyToDevice(given.get(), in.data(), inBytes, stream);
  warploom::fill(taken.get(), 0, outBytes, stream);
  warploom::synchronize(stream);
  auto compare = [&](const char* what, long count) {
    zero(out);
    warploom::copyToHost(out.data(), taken.get(), outBytes, stream);
    warploom::fill(taken.get(), 0, outBytes, stream);
    warploom::synchronize(stream);
    require(equal(out, expected, count), what);
  };
  // The kernels alone: inputs and outputs of all steps are in device memory.
  const double persistent = median([&] { machine.reset(); }, [&] { machine.runBatch(given.get(), taken.get(), steps); });
  compare("one kernel differs", steps);
  field("us_per_step_persistent", persistent / static_cast<double>(steps));
  const long few = std::min(steps, 5000L);
  const double launches = median([&] { machine.reset(); },
                                 [&] {
                                   for (long k = 0; k < few; ++k, ++machine.done) {
                                     const Step x = machine.next(given.get() + k, taken.get() + k);
                                     machine.launchFirst(x, stream);
                                     machine.launchLast(x, stream);
                                   }
                                   warploom::synchronize(stream);
                                 });
  compare("launches differ", few);
  field("us_per_step_launches", launches / static_cast<double>(few));
  // From host memory to host memory: all inputs, one kernel, all outputs; and step by step, the transfers beside the kernels.
  zero(out);
  const double batch = median([&] { machine.reset(); },
                              [&] {
                                warploom::copyToDevice(given.get(), in.data(), inBytes, stream);
                                machine.runBatch(given.get(), taken.get(), steps);
                                warploom::copyToHost(out.data(), taken.get(), outBytes, stream);
                                warploom::synchronize(stream);
                              });
  require(equal(out, expected, steps), "one kernel with transfers differs");
  field("us_per_step_persistent_with_transfers", batch / static_cast<double>(steps));
  zero(out);
  std::size_t read = 0, written = 0;
  const double stepwise = median(
      [&] {
        machine.reset();
        read = written = 0;
      },
      [&] {
        runSteps(
            machine, few, [&](Inputs& next) { return next = in[read++], true; },
            [&](const Outputs& next) { std::memcpy(static_cast<void*>(&out[written++]), &next, sizeof next); });
      });
  require(static_cast<long>(written) == few && equal(out, expected, few), "launches with transfers differ");
  field("us_per_step_launches_with_transfers", stepwise / static_cast<double>(few));
#if defined(OCCUPANCY) && defined(__CUDACC__)
  int device = 0, threads = 0, blocks = 0;
  WARPLOOM_CHECK(cudaGetDevice(&device));
  WARPLOOM_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  auto describe = [&](const std::string& name, auto kernel) {
    cudaFuncAttributes attributes;
    WARPLOOM_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    WARPLOOM_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, blockSize, 0));
    field((name + "_registers").c_str(), attributes.numRegs);
    field((name + "_shared_bytes").c_str(), static_cast<double>(attributes.sharedSizeBytes));
    field((name + "_occupancy").c_str(), static_cast<double>(blocks) * blockSize / threads);
  };
  describe("immediate", nowKernel);
  describe("delayed", nextKernel);
#endif
}

#else

void measure(long steps) {
  const long n = INSTANCES / SCALE, some = std::min(n, 1000L), few = std::min(steps, 100L);
  const warploom::Stream stream = warploom::streamNumber(0);
  // A thousand instances get inputs of their own, the others those of the instance a thousand before them.
  std::vector<Inputs> in(static_cast<std::size_t>(some * steps));
  zero(in);
  Draw draw;
  for (Inputs& given : in)
    fill(given, draw);
  auto input = [&](long instance, long step) { return in[static_cast<std::size_t>(instance % some * steps + step)]; };
  // These in C, an instance after the other, its state in the cache.
  std::vector<COutputs> expected(in.size());
  zero(expected);
  static CSystem system;
  double c = 0; // the steps alone, in microseconds
  for (long k = 0; k < some; ++k) {
    C_NAME(_reset)(&system);
    const double start = seconds();
    for (long step_ = 0; step_ < steps; ++step_) {
      const std::size_t at = static_cast<std::size_t>(k * steps + step_);
      step(system, in[at], expected[at]);
    }
    c += (seconds() - start) * 1e6;
  }
  field("instances", static_cast<double>(n));
  field("us_per_step_c_one_core", c / static_cast<double>(steps * some) * static_cast<double>(n));

  const std::size_t inWords = static_cast<std::size_t>(inputWords * n), outWords = static_cast<std::size_t>(outputWords * n);
  std::vector<unsigned> words(inWords * static_cast<std::size_t>(few)), found(outWords * static_cast<std::size_t>(few));
  Device<unsigned> given(static_cast<long>(inWords) * steps + 1), taken(static_cast<long>(outWords) * steps + 1);
  for (long first = 0; first < steps; first += few) {
    const long count = std::min(few, steps - first);
    for (long step_ = 0; step_ < count; ++step_)
      for (long k = 0; k < n; ++k)
        store(input(k, first + step_), Packed{words.data() + static_cast<std::size_t>(step_) * inWords, n, k});
    warploom::copyToDevice(given.get() + static_cast<std::size_t>(first) * inWords, words.data(), sizeof(unsigned) * inWords * static_cast<std::size_t>(count), stream);
    warploom::synchronize(stream);
  }
  { // a first run, which is not timed: every output of every instance is compared
    Instances warm(n);
    warm.run(given.get(), taken.get(), steps);
    warploom::synchronize(stream);
    for (long first = 0; first < steps; first += few) {
      const long count = std::min(few, steps - first);
      warploom::copyToHost(found.data(), taken.get() + static_cast<std::size_t>(first) * outWords, sizeof(unsigned) * outWords * static_cast<std::size_t>(count), stream);
      warploom::synchronize(stream);
      for (long step_ = 0; step_ < count; ++step_)
        for (long k = 0; k < n; ++k) {
          Outputs one;
          std::memset(static_cast<void*>(&one), 0, sizeof one);
          load(one, PackedConst{found.data() + static_cast<std::size_t>(step_) * outWords, n, k});
          require(std::memcmp(&one, &expected[static_cast<std::size_t>(k % some * steps + first + step_)], sizeof one) == 0, "an instance differs");
        }
    }
  }
  Instances instances(n);
  double start = seconds();
  instances.run(given.get(), taken.get(), steps);
  warploom::synchronize(stream);
  const double gpu = (seconds() - start) / static_cast<double>(steps);
  field("us_per_step_persistent", gpu * 1e6);
  field("instance_steps_per_second", static_cast<double>(n) / gpu);
  // Inputs, outputs and state once a run; what the threads load and store of memories in between is not counted.
  const double bytes = 4.0 * static_cast<double>(inWords + outWords) +
                       8.0 * (stateWords + registerWords) * static_cast<double>(n) / static_cast<double>(steps);
  field("bytes_per_second_of_inputs_outputs_and_state", bytes / gpu);
  // The packed words of some steps from host memory to host memory.
  start = seconds();
  warploom::copyToDevice(given.get(), words.data(), sizeof(unsigned) * words.size(), stream);
  instances.run(given.get(), taken.get(), few);
  warploom::copyToHost(found.data(), taken.get(), sizeof(unsigned) * found.size(), stream);
  warploom::synchronize(stream);
  field("us_per_step_persistent_with_transfers", (seconds() - start) / static_cast<double>(few) * 1e6);
}

#endif

} // namespace

int main() {
  std::printf("{\"program\": \"%s\", \"steps\": %ld", TEXT(PROGRAM), static_cast<long>(STEPS));
  measure(STEPS);
  std::printf("}\n");
}
