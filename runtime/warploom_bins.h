// Sums into few elements that data choose, such as histograms: a block combines into a copy in shared memory,
// and only then into the array. Used by generated kernels, in CUDA and on the CPU alike.
#pragma once

#include "warploom_array.h"
#include "warploom_reduce.h"

#include <cstddef>

namespace warploom {

/// An array that a kernel only combines values into, by `Op`. Where the launcher found room, the threads of a
/// block have a copy of their own of it, in dynamic shared memory; else this is the array itself.
template <typename T, typename Op> class Bins {
public:
  Bins(T* array, std::size_t offset, std::size_t elements)
      : array(array), offset(offset), elements(elements) {}

  /// The element that threads combine into, by atomic updates.
  __device__ T& operator[](long index) const { return (elements > 0 ? own() : array)[index]; }

  /// Begins a copy in which nothing is yet. All threads of the block call it, and wait for each other then.
  __device__ void clear() const {
    for (std::size_t k = rank(); k < elements; k += threads())
      own()[k] = Op::template identity<T>();
  }

  /// Combines what is in the copy into the array. All threads call it, after they have waited.
  __device__ void combine() const {
    for (std::size_t k = rank(); k < elements; k += threads())
      if (const T value = own()[k]; value != Op::template identity<T>())
        atomicCombine(&array[k], value, Op());
  }

private:
  __device__ T* own() const { return reinterpret_cast<T*>(dynamicShared<unsigned char>() + offset); }
  __device__ static unsigned rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  __device__ static unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }

  T* array;
  std::size_t offset;   ///< of the copy in shared memory, in bytes
  std::size_t elements; ///< of the copy; 0: there is none
};

/// Where a launch has the copies of some arrays: all of them, or none where they are too long. Every block
/// clears its copies and combines them into the arrays, which must be little beside the `instances` of
/// statements that the launch is for.
template <typename... T> class BinCopies {
public:
  BinCopies(double instances, const DeviceArray<T>&... arrays)
      : arrays{&arrays...}, elements{arrays.count()...} {
    constexpr std::size_t sizes[] = {sizeof(T)...};
    std::size_t all = 0;
    for (std::size_t k = 0; k < sizeof...(T); ++k) {
      offsets[k] = total;
      total += (elements[k] * sizes[k] + alignment - 1) / alignment * alignment;
      all += elements[k];
    }
    fit = total <= mostBytes && (all <= alwaysFew || static_cast<double>(all) * perElement <= instances);
  }

  /// The dynamic shared memory of a block.
  std::size_t bytes() const { return fit ? total : 0; }

  /// One of the arrays as the kernel takes it.
  template <typename Element, typename Op>
  Bins<Element, Op> of(const DeviceArray<Element>& array, Op /*combines*/) const {
    std::size_t k = 0;
    while (arrays[k] != &array)
      ++k;
    return {array.data(), offsets[k], fit ? elements[k] : 0};
  }

private:
  static constexpr std::size_t mostBytes = 32 * 1024, ///< so that several blocks are resident
      alignment = 16, alwaysFew = 512;
  static constexpr double perElement = 4096; ///< at most 2,048 blocks are launched, and do this

  const void* arrays[sizeof...(T)];
  std::size_t elements[sizeof...(T)], offsets[sizeof...(T)] = {}, total = 0;
  bool fit = false;
};
template <typename... T> BinCopies(double, const DeviceArray<T>&...) -> BinCopies<T...>;

} // namespace warploom
