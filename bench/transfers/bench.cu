// How fast large arrays move, beside cudaMemcpy from and to page-locked memory in the same run: memory that a
// library has allocated, static memory of the program, and memory that host and device see. One line of JSON
// for each size, way and kind of memory, GB/s; the first time, and the median of five more.
#include "warploom.h"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace {

constexpr std::size_t most = 512 << 20;
char field[most];

double gigabytesPerSecond(std::size_t bytes, const std::function<void()>& copy) {
  WARPLOOM_CHECK(cudaDeviceSynchronize());
  const double begin = warploom::secondsNow();
  copy();
  WARPLOOM_CHECK(cudaDeviceSynchronize());
  return static_cast<double>(bytes) / (warploom::secondsNow() - begin) / 1e9;
}

/// `copy` moves the bytes, after `before` has brought things back.
void measure(
    const char* memory, const char* way, std::size_t bytes, const std::function<void()>& copy,
    const std::function<void()>& before = [] {}) {
  before();
  const double first = gigabytesPerSecond(bytes, copy);
  before();
  const double second = gigabytesPerSecond(bytes, copy);
  double later[5];
  for (double& one : later) {
    before();
    one = gigabytesPerSecond(bytes, copy);
  }
  std::sort(std::begin(later), std::end(later));
  std::printf(R"({"memory": "%s", "way": "%s", "MiB": %zu, "first": %.1f, "second": %.1f, "later": %.1f})"
              "\n",
              memory, way, bytes >> 20, first, second, later[2]);
  std::fflush(stdout);
}

} // namespace

int main() {
  using namespace warploom;
  WARPLOOM_CHECK(cudaFree(nullptr));
  const Stream stream = streamNumber(0);
  char *device = nullptr, *locked = nullptr, *shared = nullptr;
  WARPLOOM_CHECK(cudaMalloc(&device, most));
  WARPLOOM_CHECK(cudaHostAlloc(&locked, most, cudaHostAllocDefault));
  auto both = [&](const char* name, char* host, std::size_t bytes) {
    measure(name, "to the device", bytes, [=] { copyToDevice(device, host, bytes, stream); });
    measure(name, "to the host", bytes, [=] { copyToHost(host, device, bytes, stream); });
  };
  for (std::size_t bytes : {std::size_t(64) << 20, most}) {
    both("page-locked", locked, bytes);
    char* given = static_cast<char*>(std::malloc(bytes));
    std::fill(given, given + bytes, 1);
    measure("plain cudaMemcpy", "to the device", bytes,
            [=] { WARPLOOM_CHECK(cudaMemcpy(device, given, bytes, cudaMemcpyHostToDevice)); });
    measure("plain cudaMemcpy", "to the host", bytes,
            [=] { WARPLOOM_CHECK(cudaMemcpy(given, device, bytes, cudaMemcpyDeviceToHost)); });
    both("of a library", given, bytes);
    std::free(given);
    std::fill(field, field + bytes, 1);
    both("static", field, bytes);
    WARPLOOM_CHECK(cudaMallocManaged(&shared, bytes));
    std::fill(shared, shared + bytes, 1);
    measure(
        "seen by both", "to the device", bytes, [=] { copyToDevice(shared, shared, bytes, stream); },
        [=] { bringToHost(shared, static_cast<double>(bytes)); });
    measure(
        "seen by both", "to the host", bytes, [=] { bringToHost(shared, static_cast<double>(bytes)); },
        [=] { copyToDevice(shared, shared, bytes, stream); });
    WARPLOOM_CHECK(cudaFree(shared));
  }
}
