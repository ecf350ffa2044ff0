// Measures the candidates of one kernel: each once for its result, which is compared with that of the first, then a few times with events.
//   measure DOUBLE POINTERS SECONDS EXTENT...   with a line `FILE.cubin NUMBER...` for each file on standard input; prints JSON lines
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct LaunchOf {
  unsigned grid[3], threads[3];
  unsigned long bytes;
};

static void must(CUresult status, const char* what) {
  if (status == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(status, &name);
  std::fprintf(stderr, "%s: %s\n", what, name);
  std::exit(1);
}

int main(int count, char** words) {
  const bool isDouble = std::atoi(words[1]);
  const int pointers = std::atoi(words[2]);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(words[3]));
  std::vector<int> extents;
  for (int k = 4; k < count; ++k) extents.push_back(std::atoi(words[k]));
  const std::size_t most = *std::max_element(extents.begin(), extents.end()), size = isDouble ? 8 : 4;
  must(cuInit(0), "cuInit");
  CUdevice device;
  CUcontext context;
  must(cuDeviceGet(&device, 0), "cuDeviceGet");
  must(cuDevicePrimaryCtxRetain(&context, device), "context");
  must(cuCtxSetCurrent(context), "context");
  std::vector<char> values(most * most * size);
  for (std::size_t k = 0; k < most * most; ++k) {
    const double value = double((k * 2654435761u >> 7) % 1000) / 1000 - 0.5;
    const float small = float(value);
    std::memcpy(&values[k * size], isDouble ? static_cast<const void*>(&value) : &small, size);
  }
  std::vector<CUdeviceptr> arrays(pointers);
  for (CUdeviceptr& one : arrays) {
    must(cuMemAlloc(&one, values.size()), "memory");
    must(cuMemcpyHtoD(one, values.data(), values.size()), "copy");
  }
  const CUdeviceptr output = arrays.back();
  CUevent from, to;
  cuEventCreate(&from, CU_EVENT_DEFAULT);
  cuEventCreate(&to, CU_EVENT_DEFAULT);
  std::vector<std::vector<char>> expected(extents.size());
  std::vector<double> best(extents.size(), INFINITY);
  for (std::string line; std::getline(std::cin, line) && std::chrono::steady_clock::now() < until;) {
    std::istringstream in(line);
    std::string file;
    in >> file;
    CUmodule module;
    must(cuModuleLoad(&module, file.c_str()), file.c_str());
    for (int number; in >> number;) {
      CUfunction kernel, shapes;
      must(cuModuleGetFunction(&kernel, module, ("kernel_" + std::to_string(number)).c_str()), "kernel");
      must(cuModuleGetFunction(&shapes, module, ("shapes_" + std::to_string(number)).c_str()), "shapes");
      std::vector<LaunchOf> launches(extents.size());
      void* place[] = {&arrays.back()}; // it is overwritten afterwards
      must(cuLaunchKernel(shapes, 1, 1, 1, unsigned(extents.size()), 1, 1, 0, nullptr, place, nullptr), "shapes");
      must(cuMemcpyDtoH(launches.data(), output, launches.size() * sizeof(LaunchOf)), "shapes");
      int registers = 0, fixed = 0, local = 0;
      cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel);
      cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel);
      cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel);
      for (std::size_t e = 0; e < extents.size(); ++e) {
        const LaunchOf& shape = launches[e];
        const std::size_t used = std::size_t(extents[e]) * extents[e] * size;
        std::string outcome = "timed";
        std::vector<float> times;
        int n = extents[e];
        std::vector<void*> arguments = {&n};
        for (CUdeviceptr& one : arrays) arguments.push_back(&one);
        const auto launch = [&] {
          return cuLaunchKernel(kernel, shape.grid[0], shape.grid[1], shape.grid[2], shape.threads[0], shape.threads[1], shape.threads[2], unsigned(shape.bytes), nullptr,
                                arguments.data(), nullptr);
        };
        CUresult status = CUDA_SUCCESS;
        if (shape.bytes) status = cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(shape.bytes));
        if (status == CUDA_SUCCESS) {
          must(cuMemsetD8(output, 0, used), "memset");
          status = launch();
        }
        if (status != CUDA_SUCCESS) {
          outcome = "failed to launch";
        } else {
          must(cuCtxSynchronize(), "the kernel");
          std::vector<char> result(used);
          must(cuMemcpyDtoH(result.data(), output, used), "copy");
          if (expected[e].empty()) {
            expected[e] = result;
            for (int k = 0; k < 200; ++k) launch(); // the clock rises
          }
          double worst = 0;
          for (std::size_t k = 0; k < used; k += size) {
            double one = 0, other = 0;
            float a = 0, b = 0;
            if (isDouble) {
              std::memcpy(&one, &result[k], 8), std::memcpy(&other, &expected[e][k], 8);
            } else {
              std::memcpy(&a, &result[k], 4), std::memcpy(&b, &expected[e][k], 4);
              one = a, other = b;
            }
            worst = std::max(worst, std::abs(one - other) / (1 + std::abs(other)));
            if (std::isnan(one)) worst = INFINITY;
          }
          if (worst > 1e-3) outcome = "wrong";
        }
        for (int k = 0; outcome == "timed" && k < 9; ++k) {
          if (k == 3 && *std::min_element(times.begin(), times.end()) > 1.5 * best[e]) break;
          cuEventRecord(from, nullptr);
          launch();
          cuEventRecord(to, nullptr);
          cuEventSynchronize(to);
          float time = 0;
          cuEventElapsedTime(&time, from, to);
          times.push_back(time);
        }
        std::sort(times.begin(), times.end());
        const double median = times.empty() ? 0 : times[times.size() / 2], spread = times.empty() ? 0 : (times[times.size() * 3 / 4] - times[times.size() / 4]) / median;
        if (outcome == "timed") best[e] = std::min(best[e], median);
        std::printf("{\"number\": %d, \"extent\": %d, \"outcome\": \"%s\", \"milliseconds\": %.5f, \"spread\": %.3f, \"registers\": %d, \"shared\": %d, \"local\": %d}\n", number,
                    extents[e], outcome.c_str(), median, spread, registers, fixed + int(shape.bytes), local);
      }
    }
    cuModuleUnload(module);
    std::fflush(stdout);
  }
}
