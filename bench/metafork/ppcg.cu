// The eight programs in the form that PPCG 0.04 gives them by default, written anew by its published description: blocks of 32 threads, or of 16 along rows
// and 32 along columns, tiles of 32 or 32 x 32, so that a thread has two columns; at most 32768 blocks, or 256 x 256. Reversal stages what it writes,
// the transpose a tile, the products tiles of their operands with sums in registers, LU an element, a part of a row and a part of a column; the stencils and
// the addition stage nothing. Where the description leaves open which index goes along threads side by side, it is the one whose elements are.
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <vector>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "ppcg: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

struct Array {
  void* host;
  size_t bytes;
  bool isRead, isWritten;
};

// Runs the launches with arrays on the device, and prints how long they took.
template <typename Launches> static void timed(std::initializer_list<Array> arrays, int launches, Launches run) {
  std::vector<void*> at;
  for (const Array& array : arrays) {
    void* device;
    check(cudaMalloc(&device, array.bytes));
    check(cudaMemcpy(device, array.host, array.bytes, cudaMemcpyHostToDevice));
    at.push_back(device);
  }
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin)), check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  run(at);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaEventSynchronize(end));
  float milliseconds;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  size_t k = 0;
  for (const Array& array : arrays) {
    if (array.isWritten) check(cudaMemcpy(array.host, at[k], array.bytes, cudaMemcpyDeviceToHost));
    check(cudaFree(at[k++]));
  }
  check(cudaEventDestroy(begin)), check(cudaEventDestroy(end));
  std::fprintf(stderr, "warploom: region ppcg:1 kernels %.6f transfers 0 launches %d path gpu\n", milliseconds, launches);
}

static int line(int n) { return n < 32768 * 32 ? (n + 31) / 32 : 32768; }
static dim3 plane(int n) { return dim3(n < 8192 ? (n + 31) / 32 : 256, n < 8192 ? (n + 31) / 32 : 256); }
static const dim3 square(16, 32);

static __global__ void reverseKernel(const int* a, int* c, int N) {
  __shared__ int tile[32];
  const int t0 = threadIdx.x;
  for (int c0 = 32 * blockIdx.x; c0 < N; c0 += 1048576) {
    if (c0 + t0 < N) tile[31 - t0] = a[c0 + t0];
    __syncthreads();
    const int to = N - 32 - c0 + t0;
    if (to >= 0) c[to] = tile[t0];
    __syncthreads();
  }
}
extern "C" void reversal(int N, int, int, int* a, int* c) {
  timed({{a, N * sizeof(int), true, false}, {c, N * sizeof(int), false, true}}, 1,
        [&](auto& at) { reverseKernel<<<line(N), 32>>>((int*)at[0], (int*)at[1], N); });
}

static __global__ void lineKernel(const int* a, int* b, int N) {
  for (int c0 = 32 * blockIdx.x; c0 < N - 1; c0 += 1048576) {
    const int i = c0 + threadIdx.x;
    if (i >= 1 && i < N - 1) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
  }
}
static __global__ void lineBack(int* a, const int* b, int N) {
  for (int c0 = 32 * blockIdx.x; c0 < N - 1; c0 += 1048576) {
    const int i = c0 + threadIdx.x;
    if (i >= 1 && i < N - 1) a[i] = b[i];
  }
}
extern "C" void jacobi1d(int N, int T, int, int, int* a, int* b) {
  timed({{a, N * sizeof(int), true, true}, {b, N * sizeof(int), true, true}}, 2 * T, [&](auto& at) {
    for (int t = 0; t < T; t++) {
      lineKernel<<<line(N), 32>>>((int*)at[0], (int*)at[1], N);
      lineBack<<<line(N), 32>>>((int*)at[0], (int*)at[1], N);
    }
  });
}

static __global__ void planeKernel(const int* a, int* b, int N) {
  for (int c0 = 32 * blockIdx.y; c0 < N - 1; c0 += 8192)
    for (int c1 = 32 * blockIdx.x; c1 < N - 1; c1 += 8192) {
      const int i = c0 + threadIdx.y;
      if (i >= 1 && i < N - 1)
        for (int j = c1 + threadIdx.x; j < min(N - 1, c1 + 32); j += 16)
          if (j >= 1)
            b[(size_t)i * N + j] = (a[(size_t)(i - 1) * N + j] + a[(size_t)(i + 1) * N + j] + a[(size_t)i * N + j - 1] + a[(size_t)i * N + j + 1]) / 4;
    }
}
static __global__ void planeBack(int* a, const int* b, int N) {
  for (int c0 = 32 * blockIdx.y; c0 < N - 1; c0 += 8192)
    for (int c1 = 32 * blockIdx.x; c1 < N - 1; c1 += 8192) {
      const int i = c0 + threadIdx.y;
      if (i >= 1 && i < N - 1)
        for (int j = c1 + threadIdx.x; j < min(N - 1, c1 + 32); j += 16)
          if (j >= 1) a[(size_t)i * N + j] = b[(size_t)i * N + j];
    }
}
extern "C" void jacobi2d(int N, int T, int, int, int, int* a, int* b) {
  const size_t bytes = sizeof(int) * N * N;
  timed({{a, bytes, true, true}, {b, bytes, true, true}}, 2 * T, [&](auto& at) {
    for (int t = 0; t < T; t++) {
      planeKernel<<<plane(N), square>>>((int*)at[0], (int*)at[1], N);
      planeBack<<<plane(N), square>>>((int*)at[0], (int*)at[1], N);
    }
  });
}

static __global__ void columnKernel(double* L, const double* U, int n, int k) {
  __shared__ double pivot[1];
  const int t0 = threadIdx.x;
  if (t0 == 0) pivot[0] = U[(size_t)k * n + k];
  __syncthreads();
  for (int c0 = 32 * blockIdx.x; c0 < n - k - 1; c0 += 1048576)
    if (c0 + t0 < n - k - 1) L[(size_t)k * n + c0 + t0 + k + 1] = U[(size_t)k * n + c0 + t0 + k + 1] / pivot[0];
}
static __global__ void restKernel(const double* L, double* U, int n, int k) {
  __shared__ double row[1][32], column[32][1];
  const int t0 = threadIdx.y, t1 = threadIdx.x;
  for (int c0 = 32 * blockIdx.y; c0 < n - k; c0 += 8192) {
    if (t1 == 0 && c0 + t0 < n - k) column[t0][0] = U[(size_t)(c0 + t0 + k) * n + k];
    for (int c1 = 32 * blockIdx.x; c1 < n - k - 1; c1 += 8192) {
      if (t0 == 0)
        for (int c = t1; c < min(32, n - k - 1 - c1); c += 16) row[0][c] = L[(size_t)k * n + c1 + c + k + 1];
      __syncthreads();
      if (c0 + t0 < n - k)
        for (int c = t1; c < min(32, n - k - 1 - c1); c += 16) U[(size_t)(c0 + t0 + k) * n + c1 + c + k + 1] -= row[0][c] * column[t0][0];
      __syncthreads();
    }
  }
}
extern "C" void lu(int n, int, int, double* L, double* U) {
  const size_t bytes = sizeof(double) * n * n;
  timed({{L, bytes, true, true}, {U, bytes, true, true}}, 2 * (n - 1), [&](auto& at) {
    for (int k = 0; k < n - 1; k++) {
      columnKernel<<<line(n - k - 1), 32>>>((double*)at[0], (double*)at[1], n, k);
      restKernel<<<plane(n - k), square>>>((double*)at[0], (double*)at[1], n, k);
    }
  });
}

static __global__ void transposeKernel(const int* a, int* c, int N) {
  __shared__ int tile[32][32];
  const int t0 = threadIdx.y, t1 = threadIdx.x;
  for (int c0 = 32 * blockIdx.y; c0 < N; c0 += 8192)
    for (int c1 = 32 * blockIdx.x; c1 < N; c1 += 8192) {
      if (c1 + t0 < N)
        for (int j = t1; j < min(32, N - c0); j += 16) tile[t0][j] = a[(size_t)(c1 + t0) * N + c0 + j];
      __syncthreads();
      if (c0 + t0 < N)
        for (int j = t1; j < min(32, N - c1); j += 16) c[(size_t)(c0 + t0) * N + c1 + j] = tile[j][t0];
      __syncthreads();
    }
}
extern "C" void transpose(int N, int, int, int, int* a, int* c) {
  const size_t bytes = sizeof(int) * N * N;
  timed({{a, bytes, true, false}, {c, bytes, false, true}}, 1,
        [&](auto& at) { transposeKernel<<<plane(N), square>>>((int*)at[0], (int*)at[1], N); });
}

static __global__ void addKernel(const int* a, const int* b, int* c, int N) {
  for (int c0 = 32 * blockIdx.y; c0 < N; c0 += 8192)
    for (int c1 = 32 * blockIdx.x; c1 < N; c1 += 8192) {
      const int i = c0 + threadIdx.y;
      if (i < N)
        for (int j = c1 + threadIdx.x; j < min(N, c1 + 32); j += 16) c[(size_t)i * N + j] = a[(size_t)i * N + j] + b[(size_t)i * N + j];
    }
}
extern "C" void addition(int N, int, int, int, int* a, int* b, int* c) {
  const size_t bytes = sizeof(int) * N * N;
  timed({{a, bytes, true, false}, {b, bytes, true, false}, {c, bytes, false, true}}, 1,
        [&](auto& at) { addKernel<<<plane(N), square>>>((int*)at[0], (int*)at[1], (int*)at[2], N); });
}

static __global__ void matvecKernel(const int* a, const int* b, int* c, int N) {
  __shared__ int tile[32][32], part[32];
  const int t0 = threadIdx.x;
  for (int c0 = 32 * blockIdx.x; c0 < N; c0 += 1048576) {
    int sum = c0 + t0 < N ? c[c0 + t0] : 0;
    for (int c1 = 0; c1 < N; c1 += 32) {
      if (c1 + t0 < N) {
        for (int r = 0; r < min(32, N - c0); r++) tile[r][t0] = a[(size_t)(c0 + r) * N + c1 + t0];
        part[t0] = b[c1 + t0];
      }
      __syncthreads();
      if (c0 + t0 < N)
        for (int j = 0; j < min(32, N - c1); j++) sum += tile[t0][j] * part[j];
      __syncthreads();
    }
    if (c0 + t0 < N) c[c0 + t0] = sum;
  }
}
extern "C" void matvec(int N, int, int, int* a, int* b, int* c) {
  timed({{a, sizeof(int) * N * N, true, false}, {b, N * sizeof(int), true, false}, {c, N * sizeof(int), true, true}}, 1,
        [&](auto& at) { matvecKernel<<<line(N), 32>>>((int*)at[0], (int*)at[1], (int*)at[2], N); });
}

static __global__ void matmulKernel(const int* a, const int* b, int* c, int N) {
  __shared__ int left[32][32], right[32][32];
  const int t0 = threadIdx.y, t1 = threadIdx.x;
  for (int c0 = 32 * blockIdx.y; c0 < N; c0 += 8192)
    for (int c1 = 32 * blockIdx.x; c1 < N; c1 += 8192) {
      int sum[2] = {0, 0};
      if (c0 + t0 < N && c1 + t1 < N) {
        sum[0] = c[(size_t)(c0 + t0) * N + c1 + t1];
        if (c1 + t1 + 16 < N) sum[1] = c[(size_t)(c0 + t0) * N + c1 + t1 + 16];
      }
      for (int c2 = 0; c2 < N; c2 += 32) {
        if (c0 + t0 < N)
          for (int j = t1; j < min(32, N - c2); j += 16) left[t0][j] = a[(size_t)(c0 + t0) * N + c2 + j];
        if (c2 + t0 < N)
          for (int j = t1; j < min(32, N - c1); j += 16) right[t0][j] = b[(size_t)(c2 + t0) * N + c1 + j];
        __syncthreads();
        if (c0 + t0 < N && c1 + t1 < N)
          for (int k = 0; k < min(32, N - c2); k++) {
            sum[0] += left[t0][k] * right[k][t1];
            if (c1 + t1 + 16 < N) sum[1] += left[t0][k] * right[k][t1 + 16];
          }
        __syncthreads();
      }
      if (c0 + t0 < N && c1 + t1 < N) {
        c[(size_t)(c0 + t0) * N + c1 + t1] = sum[0];
        if (c1 + t1 + 16 < N) c[(size_t)(c0 + t0) * N + c1 + t1 + 16] = sum[1];
      }
    }
}
extern "C" void matmul(int N, int, int, int, int* a, int* b, int* c) {
  const size_t bytes = sizeof(int) * N * N;
  timed({{a, bytes, true, false}, {b, bytes, true, false}, {c, bytes, true, true}}, 1,
        [&](auto& at) { matmulKernel<<<plane(N), square>>>((int*)at[0], (int*)at[1], (int*)at[2], N); });
}
