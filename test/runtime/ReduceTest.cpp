// Block reductions with every operation, for blocks of any shape.
#include "warploom.h"

#include <gtest/gtest.h>
#include <vector>

namespace {

template <typename Op, typename T> __global__ void reduceTwice(const T* __restrict__ a, T* __restrict__ out) {
  int rank = threadIdx.x + blockDim.x * threadIdx.y;
  // As in generated kernels, every thread begins with the identity.
  T first = Op()(Op::template identity<T>(), a[rank]);
  T second = Op()(Op::template identity<T>(), static_cast<T>(a[rank] + a[rank]));
  first = warploom::blockReduce(first, Op());
  second = warploom::blockReduce(second, Op());
  if (rank == 0) out[0] = first, out[1] = second;
}

/// Both reductions of a block of this shape against a loop.
template <typename Op, typename T> void check(dim3 block) {
  int n = static_cast<int>(block.x * block.y);
  std::vector<T> a(n), out(2);
  for (int i = 0; i < n; ++i)
    a[i] = static_cast<T>((i * 37 + 11) % 101 + 1);
  T first = Op::template identity<T>(), second = first;
  for (T value : a) {
    first = Op()(first, value);
    second = Op()(second, static_cast<T>(value + value));
  }
  warploom::launch({dim3(1), block}, reduceTwice<Op, T>, a.data(), out.data());
  EXPECT_EQ(out[0], first) << block.x << " x " << block.y;
  EXPECT_EQ(out[1], second) << block.x << " x " << block.y;
}

TEST(Reduce, EveryOperationOnBlocksOfAnyShape) {
  using namespace warploom;
  for (dim3 block :
       {dim3(1), dim3(2), dim3(31), dim3(32), dim3(33), dim3(96), dim3(100), dim3(1024), dim3(10, 10)}) {
    check<Sum, int>(block);
    check<Sum, double>(block);
    check<Sum, float>(block);
    check<Sum, unsigned long long>(block);
    check<Sum, short>(block);
    check<Product, unsigned>(block);
    check<Minimum, double>(block);
    check<Minimum, int>(block);
    check<Maximum, float>(block);
    check<Maximum, long long>(block);
    check<BitAnd, int>(block);
    check<BitOr, unsigned char>(block);
    check<BitXor, long>(block);
    check<Maximum, signed char>(block);
    check<Product, unsigned short>(block);
    check<LogicalAnd, int>(block);
    check<LogicalOr, int>(block);
  }
}

__global__ void rowSums(const double* __restrict__ a, double* __restrict__ sums, int columns) {
  double sum = warploom::Sum::identity<double>();
  for (int j = threadIdx.x; j < columns; j += blockDim.x)
    sum += a[blockIdx.x * columns + j];
  sum = warploom::blockReduce(sum, warploom::Sum());
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

TEST(Reduce, SumsOfRows) {
  int rows = 13, columns = 517;
  std::vector<double> a(rows * columns), sums(rows), expected(rows);
  for (int i = 0; i < rows * columns; ++i)
    expected[i / columns] += a[i] = i % 19;
  warploom::launch({dim3(rows), dim3(160)}, rowSums, a.data(), sums.data(), columns);
  EXPECT_EQ(sums, expected);
}

TEST(Reduce, IdentitiesAreNeutral) {
  EXPECT_EQ(warploom::Minimum::identity<double>(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(warploom::Maximum::identity<double>(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(warploom::Maximum::identity<int>(), std::numeric_limits<int>::lowest());
  EXPECT_EQ(warploom::BitAnd::identity<unsigned char>(), 0xff);
}

} // namespace
