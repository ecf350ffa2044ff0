#!/usr/bin/env python3
"""The context of CUDA is made beside the program (runtime/warploom_context.h): with a driver that takes its time, programs that end
meanwhile wait for no more than what it has begun with and lose nothing, handlers and destructors run, the driver's not while it is in use, children
of fork do not hang. Usage: context_test.py ROOT FOLDER"""
import os
import subprocess
import sys
from pathlib import Path

DRIVER = r"""
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
static volatile bool inside = false;
static int work(const char* name) {
  inside = true;
  sleep(std::atoi(std::getenv(name)));
  inside = false;
  return 0;
}
static void atEnd() { if (inside) std::printf("ended while inside\n"); }
__attribute__((constructor)) static void loaded() { std::atexit(atEnd); }
extern "C" int cuInit(unsigned) {
  const int done = work("INIT_SECONDS");
  std::atexit(atEnd);
  return done;
}
extern "C" int cuDeviceGet(int* device, int number) { *device = number; return 0; }
extern "C" int cuDevicePrimaryCtxRetain(void**, int device) { return work("CONTEXT_SECONDS") + (device == 2 ? 0 : 1); }
__attribute__((destructor)) static void last() { if (inside) std::printf("destroyed while inside\n"); }
"""
PROGRAM = """
#include "warploom_context.h"
#include <cstdlib>
#include <sys/wait.h>
static void atEnd() { std::printf("handler\\n"); }
#ifdef DESTRUCTOR
__attribute__((destructor)) static void last() { std::printf("destructor\\n"); }
#endif
int main() {
  std::atexit(atEnd);
  warploom::beginDevice(2);
  warploom::beginDevice(2);
  std::printf("ready %d\\n", warploom::deviceIsReady());
#ifdef LATER
  usleep(2500000);
#endif
#ifdef FORK
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) return warploom::deviceIsReady() ? 5 : 6;
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child %d\\n", WEXITSTATUS(status));
#endif
  return 3;
}
"""


# The same in a library that the program gives back: its thread has ended by then.
LIBRARY = """
#include "warploom_context.h"
extern "C" void begin() { warploom::beginDevice(2); }
"""
USER = """
#include <cstdio>
#include <dlfcn.h>
int main() {
  void* library = dlopen("./library.so", RTLD_NOW);
  if (!library) return 1;
  reinterpret_cast<void (*)()>(dlsym(library, "begin"))();
  dlclose(library);
  std::printf("closed\\n");
  return 3;
}
"""
# What programs print, by what they are compiled with, and how long the driver takes for its two parts. While the first runs when a
# program ends, the second is not begun with.
EXPECTED = {
    "": ((1, 300), ["ready 0", "handler"]),
    "-DLATER": ((1, 3), ["ready 0", "handler"]),
    "-DDESTRUCTOR": ((1, 300), ["ready 0", "handler", "destructor"]),
    "-DFORK": ((1, 0), ["ready 0", "handler", "child 5", "handler"]),  # the child's handler first
}


def main():
    runtime, folder = Path(sys.argv[1]).resolve() / "runtime", Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "driver.cpp").write_text(DRIVER)
    (folder / "program.cpp").write_text(PROGRAM)
    driver = folder / "libcuda.so.1"
    subprocess.run(["g++", "-shared", "-fPIC", "driver.cpp", "-o", driver.name], cwd=folder, check=True)

    def run(seconds):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(folder), "INIT_SECONDS": str(seconds[0]), "CONTEXT_SECONDS": str(seconds[1])}
        return subprocess.run(["./program"], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)

    for flag, (seconds, lines) in EXPECTED.items():
        subprocess.run(["g++", "-std=c++17", "-O1", *flag.split(), "-I", runtime, "program.cpp", "-o", "program", "-pthread"],
                       cwd=folder, check=True)
        done = run(seconds)
        if done.returncode != 3 or done.stdout.splitlines() != lines:
            sys.exit(f"{flag}: status {done.returncode}\n{done.stdout}{done.stderr}")
    (folder / "library.cpp").write_text(LIBRARY)
    (folder / "program.cpp").write_text(USER)
    subprocess.run(["g++", "-std=c++17", "-fPIC", "-shared", "-I", runtime, "library.cpp", "-o", "library.so", "-pthread"], cwd=folder, check=True)
    subprocess.run(["g++", "-std=c++17", "program.cpp", "-o", "program"], cwd=folder, check=True)
    done = run((1, 0))
    if done.returncode != 3 or done.stdout != "closed\n":
        sys.exit(f"library: status {done.returncode}\n{done.stdout}{done.stderr}")
    driver.unlink()  # without a driver it is soon known that there is none
    if run((0, 0)).returncode != 3:
        sys.exit("without a driver")
    return 0


if __name__ == "__main__":
    sys.exit(main())
