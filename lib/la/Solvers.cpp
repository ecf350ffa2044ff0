#include "Solvers.h"

#include <algorithm>
#include <cmath>

namespace warploom::la {

using backend::Buffer;

namespace {

/// The diagonal's reciprocals. Throws Error(RT_SINGULAR) where it has a zero.
template <class T> std::vector<T> inverseDiagonal(const Csr<T>& matrix) {
  std::vector<T> result(static_cast<std::size_t>(matrix.m));
  for (int i = 0; i < matrix.m; ++i)
    for (int p = matrix.offsets[i]; p < matrix.offsets[i + 1]; ++p)
      if (matrix.columns[p] == i) result[static_cast<std::size_t>(i)] = matrix.values[p];
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == 0) throw Error(RT_SINGULAR, "the diagonal is zero in row " + std::to_string(i));
    result[i] = 1 / result[i];
  }
  return result;
}

/// L and U of A = L U where A has entries, L with ones on its diagonal (incomplete factors without fill-in).
template <class T> void factorise(Csr<T> matrix, Csr<T>& lower, Csr<T>& upper) {
  std::vector<int> diagonal(static_cast<std::size_t>(matrix.m), -1),
      place(static_cast<std::size_t>(matrix.n), -1);
  lower = upper = Csr<T>{matrix.m, matrix.n, {0}, {}, {}};
  for (int i = 0; i < matrix.m; ++i) {
    const int begin = matrix.offsets[i], end = matrix.offsets[i + 1];
    for (int p = begin; p < end; ++p)
      place[matrix.columns[p]] = p;
    for (int p = begin; p < end && matrix.columns[p] < i; ++p) {
      const int k = matrix.columns[p];
      matrix.values[p] /= matrix.values[diagonal[k]];
      for (int q = diagonal[k] + 1; q < matrix.offsets[k + 1]; ++q)
        if (place[matrix.columns[q]] >= 0)
          matrix.values[place[matrix.columns[q]]] -= matrix.values[p] * matrix.values[q];
    }
    diagonal[i] = place[i];
    if (diagonal[i] < 0 || matrix.values[diagonal[i]] == 0)
      throw Error(RT_SINGULAR, "RTILU0 meets a zero on the diagonal in row " + std::to_string(i));
    for (int p = begin; p < end; ++p) {
      Csr<T>& to = matrix.columns[p] < i ? lower : upper;
      to.columns.push_back(matrix.columns[p]);
      to.values.push_back(matrix.values[p]);
      place[matrix.columns[p]] = -1;
    }
    lower.offsets.push_back(static_cast<int>(lower.columns.size()));
    upper.offsets.push_back(static_cast<int>(upper.columns.size()));
  }
}

/// z = M r for M near the inverse of A.
template <class T> class Preconditioner {
public:
  Preconditioner(int kind, Matrix<T>& A, int n) : size(n) {
    if (kind == RTDIAGONAL) inverse = std::make_unique<Buffer<T>>(inverseDiagonal(A.csr()));
    if (kind != RTILU0) return;
    Csr<T> L, U;
    factorise(A.csr(), L, U);
    lower = backend::keepTriangle(L, RTLOWER_UNIT);
    upper = backend::keepTriangle(U, RTUPPER);
    middle = std::make_unique<Buffer<T>>(static_cast<std::size_t>(n));
  }

  void apply(T* z, const T* r) {
    if (inverse) return backend::multiplyElements(z, inverse->data(), r, size);
    if (!lower) return backend::copy(z, r, static_cast<std::size_t>(size) * sizeof(T));
    lower->solve(middle->data(), r);
    upper->solve(z, middle->data());
  }

private:
  const int size;
  std::unique_ptr<Buffer<T>> inverse, middle;
  std::unique_ptr<backend::TriangularSolver<T>> lower, upper;
};

/// One solution. The methods return when the tolerance is reached, when they break down, or after the last
/// iteration.
template <class T> class Solver {
public:
  Solver(T* guess, Matrix<T>& matrix, const T* side, int size, const RTsolverOptions& o, RTsolverReport& r)
      : x(guess), b(side), n(size), A(matrix), options(o), report(r),
        product(matrix.in(static_cast<RTformat>(o.format))), length(backend::norm(side, size)) {
    if (length == 0) length = 1;
  }

  void jacobi() {
    Buffer<T> inverse(inverseDiagonal(A.csr())), step(count());
    auto r = vector();
    for (;; ++report.iterations) {
      residualTo(r.data());
      if (isDone(backend::norm(r.data(), n))) return;
      backend::multiplyElements(step.data(), inverse.data(), r.data(), n);
      backend::axpy(x, T(1), step.data(), n);
    }
  }

  void conjugateGradient(int kind) {
    Preconditioner<T> M(kind, A, n);
    auto r = vector(), z = vector(), p = vector(), Ap = vector();
    residualTo(r.data());
    M.apply(z.data(), r.data());
    copy(p.data(), z.data());
    T rz = backend::dot(r.data(), z.data(), n);
    for (; !isDone(backend::norm(r.data(), n)); ++report.iterations) {
      product.multiply(Ap.data(), p.data());
      const T curvature = backend::dot(p.data(), Ap.data(), n), alpha = rz / curvature;
      if (!(curvature > 0) || !std::isfinite(alpha)) return breakDown("the matrix is not positive definite");
      backend::axpy(x, alpha, p.data(), n);
      backend::axpy(r.data(), -alpha, Ap.data(), n);
      M.apply(z.data(), r.data());
      const T next = backend::dot(r.data(), z.data(), n);
      backend::scale(p.data(), next / rz, n);
      backend::axpy(p.data(), T(1), z.data(), n);
      rz = next;
    }
  }

  void biconjugateGradient() {
    Preconditioner<T> M(options.preconditioner, A, n);
    auto r = vector(), shadow = vector(), p = vector(), v = vector(), t = vector(), y = vector(),
         z = vector();
    residualTo(r.data());
    copy(shadow.data(), r.data());
    copy(p.data(), r.data());
    T rho = backend::dot(shadow.data(), r.data(), n);
    for (; !isDone(backend::norm(r.data(), n)); ++report.iterations) {
      M.apply(y.data(), p.data());
      product.multiply(v.data(), y.data());
      const T alpha = rho / backend::dot(shadow.data(), v.data(), n);
      if (!std::isfinite(alpha)) return breakDown("BiCGSTAB broke down");
      backend::axpy(x, alpha, y.data(), n);
      backend::axpy(r.data(), -alpha, v.data(), n);
      if (backend::norm(r.data(), n) == 0) continue;
      M.apply(z.data(), r.data());
      product.multiply(t.data(), z.data());
      const T omega = backend::dot(t.data(), r.data(), n) / backend::dot(t.data(), t.data(), n);
      if (!std::isfinite(omega) || omega == 0) return breakDown("BiCGSTAB broke down");
      backend::axpy(x, omega, z.data(), n);
      backend::axpy(r.data(), -omega, t.data(), n);
      const T next = backend::dot(shadow.data(), r.data(), n), beta = next / rho * (alpha / omega);
      if (!std::isfinite(beta)) return breakDown("BiCGSTAB broke down");
      backend::axpy(p.data(), -omega, v.data(), n);
      backend::scale(p.data(), beta, n);
      backend::axpy(p.data(), T(1), r.data(), n);
      rho = next;
    }
  }

  /// GMRES, preconditioned from the right so that its residual is that of A x = b.
  void minimalResidual() {
    const int m = std::min(options.restart, n);
    Preconditioner<T> M(options.preconditioner, A, n);
    Buffer<T> basis((static_cast<std::size_t>(m) + 1) * count());
    auto w = vector(), z = vector();
    auto V = [&](int k) { return basis.data() + static_cast<std::size_t>(k) * count(); };
    for (;;) {
      residualTo(V(0));
      const double start = backend::norm(V(0), n);
      if (isDone(start)) return;
      backend::scale(V(0), static_cast<T>(1 / start), n);
      std::vector<std::vector<double>> H;
      std::vector<double> g = {start}, c, s;
      bool settled = false;
      for (int k = 0; k < m && !settled && report.iterations < options.max_iterations;
           ++k, ++report.iterations) {
        M.apply(z.data(), V(k));
        product.multiply(w.data(), z.data());
        std::vector<double> h;
        for (int j = 0; j <= k; ++j) {
          h.push_back(backend::dot(w.data(), V(j), n));
          backend::axpy(w.data(), static_cast<T>(-h.back()), V(j), n);
        }
        const double rest = backend::norm(w.data(), n);
        for (int j = 0; j < k; ++j) { // the rotations so far, and the one that makes `rest` vanish
          const double upper = c[j] * h[j] + s[j] * h[j + 1];
          h[j + 1] = -s[j] * h[j] + c[j] * h[j + 1];
          h[j] = upper;
        }
        const double radius = std::hypot(h[k], rest);
        if (!std::isfinite(radius) || radius == 0) break;
        c.push_back(h[k] / radius);
        s.push_back(rest / radius);
        h[k] = radius;
        H.push_back(h);
        g.push_back(-s[k] * g[k]);
        g[k] *= c[k];
        settled = std::abs(g[k + 1]) <= options.tolerance * length || rest == 0;
        if (settled) continue;
        copy(V(k + 1), w.data());
        backend::scale(V(k + 1), static_cast<T>(1 / rest), n);
      }
      if (H.empty()) return breakDown("GMRES broke down");
      advance(H, g, V, w.data(), z.data(), M);
    }
  }

  bool converged() const { return report.converged; }
  std::string reason() const { return broken; }

private:
  std::size_t count() const { return static_cast<std::size_t>(n); }
  Buffer<T> vector() const { return Buffer<T>(count()); }
  void copy(T* to, const T* from) const { backend::copy(to, from, count() * sizeof(T)); }

  /// r = b - A x
  void residualTo(T* r) {
    product.multiply(r, x);
    backend::scale(r, T(-1), n);
    backend::axpy(r, T(1), b, n);
  }

  bool isDone(double residual) {
    report.residual = residual / length;
    report.converged = report.residual <= options.tolerance;
    if (!std::isfinite(residual)) breakDown("the iteration diverges");
    return report.converged || !broken.empty() || report.iterations >= options.max_iterations;
  }
  void breakDown(const std::string& why) { broken = why; }

  /// x += M V y for the y that minimises |g - H y|.
  template <class Basis>
  void advance(const std::vector<std::vector<double>>& H, const std::vector<double>& g, Basis V, T* w, T* z,
               Preconditioner<T>& M) {
    const int k = static_cast<int>(H.size());
    std::vector<double> y(H.size());
    for (int i = k - 1; i >= 0; --i) {
      y[i] = g[i];
      for (int j = i + 1; j < k; ++j)
        y[i] -= H[j][i] * y[j];
      y[i] /= H[i][i];
    }
    backend::zero(w, count() * sizeof(T));
    for (int j = 0; j < k; ++j)
      backend::axpy(w, static_cast<T>(y[j]), V(j), n);
    M.apply(z, w);
    backend::axpy(x, T(1), z, n);
  }

  T* const x;
  const T* const b;
  const int n;
  Matrix<T>& A;
  const RTsolverOptions& options;
  RTsolverReport& report;
  backend::Operator<T>& product;
  double length;
  std::string broken;
};

} // namespace

template <class T>
void solve(Method method, T* x, Matrix<T>& A, const T* b, int n, const RTsolverOptions& given,
           RTsolverReport& report) {
  RTsolverOptions options = given;
  require(options.max_iterations >= 0 && options.restart >= 0 && !(options.tolerance < 0),
          "an option of the solver is negative");
  require(options.preconditioner >= RTNONE && options.preconditioner <= RTILU0, "no such preconditioner");
  require(options.format >= RTCSR && options.format <= RTAUTO, "no such format");
  if (options.max_iterations == 0) options.max_iterations = 1000;
  if (options.tolerance == 0) options.tolerance = sizeof(T) == 4 ? 1e-6 : 1e-10;
  if (options.restart == 0) options.restart = 30;
  report = {0, 0, 1};
  if (n == 0) return;
  Solver<T> solver(x, A, b, n, options, report);
  switch (method) {
  case Method::Jacobi:
    solver.jacobi();
    break;
  case Method::CG:
    solver.conjugateGradient(RTNONE);
    break;
  case Method::PCG:
    solver.conjugateGradient(options.preconditioner == RTNONE ? static_cast<int>(RTDIAGONAL)
                                                              : options.preconditioner);
    break;
  case Method::BiCGSTAB:
    solver.biconjugateGradient();
    break;
  case Method::GMRES:
    solver.minimalResidual();
    break;
  }
  if (solver.converged()) return;
  throw Error(RT_NOT_CONVERGED, (solver.reason().empty() ? "the last iteration came" : solver.reason()) +
                                    " after " + std::to_string(report.iterations) +
                                    " iterations, at a residual of " + std::to_string(report.residual));
}

template void solve(Method, float*, Matrix<float>&, const float*, int, const RTsolverOptions&,
                    RTsolverReport&);
template void solve(Method, double*, Matrix<double>&, const double*, int, const RTsolverOptions&,
                    RTsolverReport&);

} // namespace warploom::la
