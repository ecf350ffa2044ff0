#include "Context.h"

#include <atomic>
#include <cstdio>
#include <new>
#include <shared_mutex>

namespace warploom::la {

namespace {

/// Held shared by calls, and alone by those that open and close the library.
std::shared_mutex openness;
int depth = 0;
std::mutex oneCall; ///< held by a call where the machine takes one at a time

std::atomic<RTErrorHandler> handler = nullptr;
thread_local std::string lastError;

/// The matrices that the user has, by id.
template <class T> struct Registry {
  std::mutex mutex;
  std::map<unsigned long long, std::shared_ptr<Matrix<T>>> matrices;
};
template <class T> Registry<T>& registry() {
  static Registry<T> all;
  return all;
}
std::atomic<unsigned long long> lastId = 0x57e1a00000000000ull; // far from what uninitialised memory holds

RTstatus report(const char* function, RTstatus status, const std::string& cause) {
  lastError = std::string(function) + " error: " + cause;
  if (RTErrorHandler own = handler)
    own(status, function, cause.c_str());
  else
    std::fprintf(stderr, "%s\n", lastError.c_str());
  return status;
}

/// Runs `body`; what went wrong, in `status` and `cause`.
template <class Body> bool succeeds(Body body, RTstatus& status, std::string& cause) {
  try {
    body();
    return true;
  } catch (const Error& error) {
    status = error.status;
    cause = error.what();
  } catch (const std::bad_alloc&) {
    status = RT_ALLOCATION_FAILED;
    cause = "there is no memory left";
  } catch (const std::length_error&) {
    status = RT_ALLOCATION_FAILED;
    cause = "there is no memory left";
  }
  return false;
}

template <class T> void forget() {
  std::map<unsigned long long, std::shared_ptr<Matrix<T>>> dying;
  std::lock_guard lock(registry<T>().mutex);
  dying.swap(registry<T>().matrices);
}

/// The entries of the given half; the diagonal is part of it unless it is taken to be ones.
template <class T> Csr<T> half(const Csr<T>& matrix, RTtriangle triangle) {
  const bool lower = triangle == RTLOWER || triangle == RTLOWER_UNIT,
             unit = triangle == RTLOWER_UNIT || triangle == RTUPPER_UNIT;
  Csr<T> result{matrix.m, matrix.n, {0}, {}, {}};
  for (int i = 0; i < matrix.m; ++i) {
    bool hasDiagonal = false;
    for (int p = matrix.offsets[i]; p < matrix.offsets[i + 1]; ++p) {
      const int j = matrix.columns[p];
      hasDiagonal |= j == i && matrix.values[p] != 0;
      if (j == i ? unit : lower ? j > i : j < i) continue;
      result.columns.push_back(j);
      result.values.push_back(matrix.values[p]);
    }
    if (!hasDiagonal && !unit) throw Error(RT_SINGULAR, "the diagonal is zero in row " + std::to_string(i));
    result.offsets.push_back(static_cast<int>(result.columns.size()));
  }
  return result;
}

} // namespace

template <class T> const Csr<T>& Matrix<T>::csr() {
  std::lock_guard lock(making);
  if (!rows) rows = std::make_unique<Csr<T>>(toCsr(coordinates));
  return *rows;
}

template <class T> backend::Operator<T>& Matrix<T>::in(RTformat format) {
  std::lock_guard lock(making);
  if (format == RTAUTO) {
    if (!best) best = chooseFormat(rowStatistics(csr()));
    format = *best;
  }
  std::unique_ptr<backend::Operator<T>>& place = kept[format];
  if (place) return *place;
  if (format == RTCSR)
    place = backend::keep(csr());
  else if (format == RTBSR)
    place = backend::keep(toBsr(csr(), blockSide));
  else if (format == RTSELL)
    place = backend::keep(toSell(csr()));
  else
    place = backend::keep(toHybrid(csr()));
  return *place;
}

template <class T> backend::TriangularSolver<T>& Matrix<T>::solver(RTtriangle triangle) {
  std::lock_guard lock(making);
  std::unique_ptr<backend::TriangularSolver<T>>& place = solvers[triangle];
  if (!place) place = backend::keepTriangle(half(csr(), triangle), triangle);
  return *place;
}

template class Matrix<float>;
template class Matrix<double>;

void openLibrary() {
  std::unique_lock lock(openness);
  if (depth == 0) backend::open();
  ++depth;
}

void closeLibrary() {
  std::unique_lock lock(openness);
  if (depth == 0) throw Error(RT_NOT_INITIALISED, "there was no RTAPIInit before it");
  if (--depth > 0) return;
  forget<float>();
  forget<double>();
  backend::close();
}

RTstatus guarded(const char* function, void (*body)(void*), void* argument) {
  RTstatus status = RT_OK;
  std::string cause;
  bool good = false;
  {
    std::shared_lock lock(openness);
    std::unique_lock alone(oneCall, std::defer_lock);
    if (backend::oneAtATime()) alone.lock();
    good = succeeds(
        [&] {
          if (depth == 0) throw Error(RT_NOT_INITIALISED, "called outside RTAPIInit and RTAPIFinalize");
          body(argument);
        },
        status, cause);
  }
  return good ? RT_OK : report(function, status, cause);
}

RTstatus reported(const char* function, void (*body)()) {
  RTstatus status = RT_OK;
  std::string cause;
  return succeeds(body, status, cause) ? RT_OK : report(function, status, cause);
}

template <class T> unsigned long long enrol(std::shared_ptr<Matrix<T>> matrix) {
  const unsigned long long id = ++lastId;
  std::lock_guard lock(registry<T>().mutex);
  registry<T>().matrices[id] = std::move(matrix);
  return id;
}

template <class T> std::shared_ptr<Matrix<T>> matrixOf(unsigned long long id) {
  std::lock_guard lock(registry<T>().mutex);
  auto found = registry<T>().matrices.find(id);
  if (found == registry<T>().matrices.end())
    throw Error(RT_INVALID_VALUE, "a sparse array that was never filled in, or has been destroyed");
  return found->second;
}

template <class T> void strike(unsigned long long id) {
  std::shared_ptr<Matrix<T>> dying = matrixOf<T>(id);
  std::lock_guard lock(registry<T>().mutex);
  registry<T>().matrices.erase(id);
}

template unsigned long long enrol(std::shared_ptr<Matrix<float>>);
template unsigned long long enrol(std::shared_ptr<Matrix<double>>);
template std::shared_ptr<Matrix<float>> matrixOf(unsigned long long);
template std::shared_ptr<Matrix<double>> matrixOf(unsigned long long);
template void strike<float>(unsigned long long);
template void strike<double>(unsigned long long);

} // namespace warploom::la

using namespace warploom::la;

RTstatus RTAPIInit(void) {
  return reported("RTAPIInit", openLibrary);
}

RTstatus RTAPIFinalize(void) {
  return reported("RTAPIFinalize", closeLibrary);
}

RTErrorHandler RTSetErrorHandler(RTErrorHandler own) {
  return handler.exchange(own);
}

const char* RTLastError(void) {
  return lastError.c_str();
}

const char* RTStatusText(RTstatus status) {
  switch (status) {
  case RT_OK:
    return "success";
  case RT_NOT_INITIALISED:
    return "not initialised";
  case RT_INVALID_VALUE:
    return "invalid value";
  case RT_ALLOCATION_FAILED:
    return "allocation failed";
  case RT_BAD_FILE:
    return "bad file";
  case RT_SINGULAR:
    return "singular matrix";
  case RT_NOT_CONVERGED:
    return "not converged";
  case RT_EXECUTION_FAILED:
    return "execution failed";
  case RT_NOT_SUPPORTED:
    return "not supported";
  }
  return "unknown status";
}
