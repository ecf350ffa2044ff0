// What a machine does for the library: memory, dense operations and sparse ones on operands that it sees.
// BackendCpu and BackendCuda are the two machines; a library has one of them. Matrices are row-major and
// sizes are right: the API has checked them.
#pragma once

#include "Formats.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace warploom::la::backend {

/// Handles of the vendor's libraries. open() throws Error, and then nothing is open.
void open();
void close();
/// Handles are not for several threads at once: the API lets one call in at a time.
bool oneAtATime();

/// Memory that operations work on. isVisible: they work on that address as it is.
void* allocate(std::size_t bytes);
void release(void* memory);
bool isVisible(const void* memory);
void copyIn(void* to, const void* fromHost, std::size_t bytes);
void copyOut(void* toHost, const void* from, std::size_t bytes);
void copy(void* to, const void* from, std::size_t bytes);
void zero(void* memory, std::size_t bytes);

/// C[m x n] = A[m x k] B[k x n]; the same `count` times at distances; the same for pointers, which lie in the
/// host's memory.
template <class T> void gemm(T* C, const T* A, const T* B, int m, int n, int k);
template <class T>
void gemmStrided(T* C, long long strideC, const T* A, long long strideA, const T* B, long long strideB, int m,
                 int n, int k, int count);
template <class T>
void gemmBatched(const std::vector<T*>& C, const std::vector<const T*>& A, const std::vector<const T*>& B,
                 int m, int n, int k);
/// y[m] = A[m x n] x[n]
template <class T> void gemv(T* y, const T* A, const T* x, int m, int n);
/// C[m x n] = transpose of A[n x m]
template <class T> void transpose(T* C, const T* A, int m, int n);
/// C[m x n] = alpha A + beta B
template <class T> void add(T* C, T alpha, const T* A, T beta, const T* B, int m, int n);
template <class T> T dot(const T* x, const T* y, int n);
template <class T> T norm(const T* x, int n);
template <class T> void axpy(T* y, T alpha, const T* x, int n);
template <class T> void scale(T* x, T alpha, int n);
/// z[i] = x[i] y[i]
template <class T> void multiplyElements(T* z, const T* x, const T* y, int n);
/// A[n x n] X = X[n x k], in place
template <class T> void solveTriangle(T* X, const T* A, int n, int k, RTtriangle triangle);

/// A sparse matrix as the machine keeps it for one kind of operation.
template <class T> class Operator {
public:
  virtual ~Operator() = default;
  /// y = A x
  virtual void multiply(T* y, const T* x) = 0;
  /// C[m x n] = A B[k x n]; throws Error where the format has none.
  virtual void multiplyDense(T* C, const T* B, int n) = 0;
};
template <class T> std::unique_ptr<Operator<T>> keep(const Csr<T>& matrix);
template <class T> std::unique_ptr<Operator<T>> keep(const Bsr<T>& matrix);
template <class T> std::unique_ptr<Operator<T>> keep(const Sell<T>& matrix);
template <class T> std::unique_ptr<Operator<T>> keep(const Hybrid<T>& matrix);

/// A B, rows sorted.
template <class T> Csr<T> product(const Csr<T>& A, const Csr<T>& B);

/// x with A x = b, A triangular with its whole diagonal; x may be b.
template <class T> class TriangularSolver {
public:
  virtual ~TriangularSolver() = default;
  virtual void solve(T* x, const T* b) = 0;
};
/// For the given half of `matrix`, whose diagonal is complete unless it is taken to be ones. `matrix` holds
/// that half alone.
template <class T>
std::unique_ptr<TriangularSolver<T>> keepTriangle(const Csr<T>& matrix, RTtriangle triangle);

/// Elements of the machine's own.
template <class T> class Buffer {
public:
  explicit Buffer(std::size_t n) : memory(static_cast<T*>(allocate(n * sizeof(T)))), count(n) {}
  explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) { copyIn(memory, host.data(), bytes()); }
  ~Buffer() { release(memory); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* data() const { return memory; }
  std::size_t bytes() const { return count * sizeof(T); }

private:
  T* memory;
  std::size_t count;
};

/// The user's operand where the machine sees it: itself, or a copy. finish() brings the copy back.
template <class T> class Input {
public:
  Input(const T* user, std::size_t n) : place(user) {
    if (n == 0 || isVisible(user)) return;
    own = std::make_unique<Buffer<T>>(n);
    copyIn(own->data(), user, own->bytes());
    place = own->data();
  }
  operator const T*() const { return place; }

private:
  const T* place;
  std::unique_ptr<Buffer<T>> own;
};
enum class Before { Unused, Read };
template <class T> class Output {
public:
  Output(T* user, std::size_t n, Before before = Before::Unused) : original(user), place(user) {
    if (n == 0 || isVisible(user)) return;
    own = std::make_unique<Buffer<T>>(n);
    if (before == Before::Read) copyIn(own->data(), user, own->bytes());
    place = own->data();
  }
  operator T*() const { return place; }
  void finish() {
    if (own) copyOut(original, own->data(), own->bytes());
  }

private:
  T* original;
  T* place;
  std::unique_ptr<Buffer<T>> own;
};

} // namespace warploom::la::backend
