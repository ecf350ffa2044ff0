// The main function of a timed program: runs the kernel program's own main (compiled as bench_main) several times in one
// process, each time with fresh input, and has the times of every pass printed. The first pass warms up; it alone writes results.
//
//   PASSES=n    at most so many passes (default 10)
//   SECONDS=s   no further pass once these are over (default 5)
#include "warploom.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

extern "C" int bench_main(void);

static double number(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atof(text) : otherwise;
}

int main() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  double passes = number("PASSES", 10), seconds = number("SECONDS", 5);
  for (int pass = 0; pass < passes; ++pass) {
    if (int status = bench_main()) return status;
    warploom::RegionTimes::instance().print();
    std::fprintf(stderr, "pass %d done\n", pass);
    unsetenv("BENCH_RAW");
    if (std::chrono::duration<double>(Clock::now() - start).count() > seconds) break;
  }
  return 0;
}
