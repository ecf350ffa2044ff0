// What generated synchronous systems have in common on the host: memory, runs step by step, and the packed
// words of many instances. A generated file includes this and adds the kernels, structs and machine of its
// system.
#pragma once

#include "warploom.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace warploom::sync {

/// How a run ended: after so many steps, and with the name of a violated assertion or null.
struct Result {
  long steps;
  const char* violated;
};

/// The earliest violated assertion: step * 2^32 + its number; all bits set when there is none.
struct Status {
  unsigned long long violation;

  bool isViolated() const { return violation != ~0ULL; }
};

__device__ inline void report(Status& status, unsigned step, int assertion) {
  atomicMin(&status.violation,
            static_cast<unsigned long long>(step) << 32 | static_cast<unsigned>(assertion));
}

/// Host memory that transfers can use while kernels run. Starts as zeros.
template <typename T> class Pinned {
public:
  Pinned() {
#ifdef __CUDACC__
    WARPLOOM_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&memory), sizeof(T), cudaHostAllocDefault));
#else
    memory = new T;
#endif
    std::memset(static_cast<void*>(memory), 0, sizeof(T));
  }
  ~Pinned() {
#ifdef __CUDACC__
    WARPLOOM_CHECK(cudaFreeHost(memory));
#else
    delete memory;
#endif
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  T& operator*() { return *memory; }
  T* get() { return memory; }

private:
  T* memory = nullptr;
};

/// Device memory for `count` objects.
template <typename T> class Device {
public:
  explicit Device(long count = 1)
      : memory(static_cast<T*>(allocate(sizeof(T) * static_cast<std::size_t>(count), streamNumber(0)))) {}
  ~Device() { release(memory, streamNumber(0)); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  T* get() const { return memory; }

private:
  T* memory;
};

/// Runs `steps` macro steps of a machine (for ever when negative). read(Inputs&) gives the inputs of the next
/// step, or false to end the run; write(const Outputs&) takes the outputs of a step. The inputs of step k + 1
/// travel while step k computes, and the outputs of step k while step k + 1 does.
template <typename Machine, typename Read, typename Write>
Result runSteps(Machine& machine, long steps, Read&& read, Write&& write) {
  using Inputs = typename Machine::In;
  using Outputs = typename Machine::Out;
  const Stream compute = streamNumber(0), incoming = streamNumber(1), outgoing = streamNumber(2);
  Pinned<Inputs> given[2];
  Pinned<Outputs> taken[2];
  Device<Inputs> in[2];
  Device<Outputs> out[2];
  Pinned<Status> found;
  std::memset(static_cast<void*>(found.get()), 0xff, sizeof(Status));
  order(incoming, compute);
  bool more = steps != 0 && read(*given[0]);
  if (more) copyToDevice(in[0].get(), given[0].get(), sizeof(Inputs), incoming);
  long k = 0;
  for (; more; ++k) {
    const int here = static_cast<int>(k % 2), there = 1 - here;
    const auto x = machine.next(in[here].get(), out[here].get());
    order(incoming, compute); // step k - 1 is the last reader of in[there]
    order(compute, incoming);
    machine.launchFirst(x, compute);
    more = k + 1 != steps && read(*given[there]);
    if (more) copyToDevice(in[there].get(), given[there].get(), sizeof(Inputs), incoming);
    machine.launchLast(x, compute);
    ++machine.done;
    if (k > 0) {
      synchronize(outgoing);
      write(static_cast<const Outputs&>(*taken[there]));
      if ((*found).isViolated()) break;
    }
    order(outgoing, compute);
    copyToHost(taken[here].get(), out[here].get(), sizeof(Outputs), outgoing);
    if (machine.status() != nullptr) copyToHost(found.get(), machine.status(), sizeof(Status), outgoing);
    if (more) synchronize(incoming);
  }
  synchronize(outgoing);
  const Result result = machine.result(*found);
  if (k > 0 && result.violated == nullptr) write(static_cast<const Outputs&>(*taken[(k - 1) % 2]));
  synchronize(compute);
  return result;
}

/// Runs as many macro steps as there are inputs, in one persistent kernel.
template <typename Machine>
Result runBatch(Machine& machine, const std::vector<typename Machine::In>& in,
                std::vector<typename Machine::Out>& out) {
  const long steps = static_cast<long>(in.size());
  const Stream stream = streamNumber(0);
  out.resize(in.size());
  if (steps == 0) return {machine.done, nullptr};
  Device<typename Machine::In> given(steps);
  Device<typename Machine::Out> taken(steps);
  copyToDevice(given.get(), in.data(), sizeof(in[0]) * in.size(), stream);
  const Result result = machine.runBatch(given.get(), taken.get(), steps);
  copyToHost(out.data(), taken.get(), sizeof(out[0]) * out.size(), stream);
  synchronize(stream);
  return result;
}

// ---- Many instances

/// Words of instance k among n: word w is words[w * n + k], so that the threads of a warp read neighbouring
/// words.
struct Packed {
  unsigned* words;
  long n, k;
  __host__ __device__ unsigned& operator[](int word) const { return words[word * n + k]; }
};
struct PackedConst {
  const unsigned* words;
  long n, k;
  __host__ __device__ unsigned operator[](int word) const { return words[word * n + k]; }
};

/// A memory of one instance, which stays in the device's memory: element i of instance k is cells[i * n + k].
template <typename T> struct MemorySlice {
  T* cells;
  long n;
  __host__ __device__ T& operator[](long i) const { return cells[i * n]; }
};

/// A memory of n instances in the beginning: zeros, and `all[i] = value` for element i of every instance.
template <typename T> class AllInstances {
public:
  class Element {
  public:
    Element(T* first, long count) : cells(first), n(count) {}
    void operator=(T value) {
      const std::unique_ptr<T[]> row(new T[static_cast<std::size_t>(n)]);
      for (long k = 0; k < n; ++k)
        row[static_cast<std::size_t>(k)] = value;
      copyToDevice(cells, row.get(), sizeof(T) * static_cast<std::size_t>(n), streamNumber(0));
      synchronize(streamNumber(0));
    }

  private:
    T* cells;
    long n;
  };

  AllInstances(T* first, long elements, long count) : cells(first), n(count) {
    fill(cells, 0, sizeof(T) * static_cast<std::size_t>(elements * n), streamNumber(0));
  }
  Element operator[](long i) const { return {cells + i * n, n}; }

private:
  T* cells;
  long n;
};

/// A value of 64 bits in two words.
template <typename T> __host__ __device__ inline T joined(unsigned low, unsigned high) {
  const unsigned long long bits = static_cast<unsigned long long>(high) << 32 | low;
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename T> __host__ __device__ inline unsigned long long split(T value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

} // namespace warploom::sync
