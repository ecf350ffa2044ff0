#!/usr/bin/env python3
"""Arrays that stay on the device between regions: what hosts do with them, with the sanitizer, against the C compiler; which arrays
move, and that then nothing is copied; arrays that several files use, by `warploom cc`, with objects that let them move and without.

    residency_test.py WARPLOOM ROOT FOLDER
"""
# SHOWS: CH-82
import os
import re
import subprocess
import sys
from pathlib import Path

TOTAL = re.compile(r"warploom: total regions (\d+) on device (\d+) bytes in (\d+) out (\d+)")


def run(command, status=0, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=280, check=False, **more)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def expect(condition, text):
    if not condition:
        sys.exit(text)


def touches(warploom, here, folder):
    source, plain, made = here / "touches.c", folder / "touches", folder / "touches_made"
    run(["cc", "-O1", "-w", source, "-o", plain, "-pthread"])
    expected = run([plain]).stdout
    built = run([warploom, "build", source, "-o", made, "--target", "cpu", "--sanitize", "--explain", "--", "-pthread"])
    for name, what in (("alone", "moves"), ("early", "moves"), ("late", "moves"), ("common", "moves"), ("points", "moves"), ("kept", "is copied")):
        expect(re.search(rf"the array {name} {what}", built.stderr), f"{name}: not '{what}'\n{built.stderr}")
    got = run([made])
    expect(got.stdout == expected, f"wanted:\n{expected}got:\n{got.stdout}{got.stderr}")


SOLVER = """#include "grid.h"
double u[128][128];
static double v[128][128];
void step(void) {
  for (int i = 1; i < 127; i++)
    for (int j = 1; j < 127; j++) v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
  for (int i = 1; i < 127; i++)
    for (int j = 1; j < 127; j++) u[i][j] = v[i][j];
}
"""
MAIN = """#include "grid.h"
#include <stdio.h>
int main(void) {
  for (int i = 0; i < 128; i++) u[0][i] = i;
  for (int t = 0; t < 20; t++) {
    step();
    if (t == 10) u[5][5] += probe();
  }
  printf("%.9f\\n", u[1][100] + probe());
  return 0;
}
"""
HEADER = "extern double u[128][128];\nvoid step(void);\ndouble probe(void);\n"
PROBE = '#include "grid.h"\ndouble probe(void) { return u[5][6]; }\n'


def warnings(warploom, folder):
    """A variable that has no value yet is handed on, and -Werror does not mind."""
    (folder / "warns.c").write_text("float last(int n, const float* a) {\n  float s;\n"
                                    "  for (int i = 0; i < n; i++) if (a[i] > 3) s = a[i];\n  return s;\n}\n")
    for level in ("-O0", "-O2"):
        run([warploom, "cc", "--target", "cpu", level, "-Wall", "-Wextra", "-Werror", "-Wno-maybe-uninitialized", "-c", "warns.c", "-o",
             "warns.o"], cwd=folder)


def several_files(warploom, folder):
    """The array u of three files: moves when all three reach it as they should."""
    for name, text in (("solver.c", SOLVER), ("main.c", MAIN), ("grid.h", HEADER), ("probe.c", PROBE)):
        (folder / name).write_text(text)
    files = ["solver.c", "main.c", "probe.c"]
    run(["cc", "-O1", *files, "-o", "plain"], cwd=folder)
    expected = run(["./plain"], cwd=folder).stdout
    cc = [warploom, "cc", "--target", "cpu"]

    def bytes_of(program):
        got = run([f"./{program}"], cwd=folder, env={**os.environ, "WARPLOOM_TIMING": "1"})
        expect(abs(float(got.stdout) - float(expected)) < 1e-9, f"{program}: {got.stdout}instead of {expected}")
        total = TOTAL.search(got.stderr)
        expect(total and int(total[2]) > 0, f"{program}: nothing ran on the device\n{got.stderr}")
        return int(total[3]) + int(total[4])

    for name in files:
        run([*cc, "-O1", "-c", name, "-o", name.replace(".c", ".o")], cwd=folder)
    objects = [name.replace(".c", ".o") for name in files]
    run([*cc, *objects, "-o", "all"], cwd=folder)
    expect(bytes_of("all") == 0, "u and v are copied, although all objects let them move")
    # One object that the C compiler alone has made, or one in an archive: then nobody knows.
    run(["cc", "-O1", "-c", "probe.c", "-o", "foreign.o"], cwd=folder)
    run([*cc, "solver.o", "main.o", "foreign.o", "-o", "foreign"], cwd=folder)
    expect(bytes_of("foreign") > 0, "u moved, although an object does not know where it is")
    run(["ar", "rc", "libprobe.a", "foreign.o"], cwd=folder)
    run([*cc, "solver.o", "main.o", "-L.", "-lprobe", "-o", "archive"], cwd=folder)
    expect(bytes_of("archive") > 0, "u moved, although a library does not know where it is")
    run([*cc, *objects, "-rdynamic", "-o", "open"], cwd=folder)
    expect(bytes_of("open") > 0, "u moved, although libraries may ask for it")
    # Objects that another linker command puts together.
    run(["c++", *objects, *linked_with(warploom, folder), "-o", "byhand"], cwd=folder)
    expect(bytes_of("byhand") > 0, "u moved, although nobody has looked at all objects")
    run([warploom, "build", *files, "-o", "built", "--target", "cpu"], cwd=folder)
    expect(bytes_of("built") == 0, "u and v are copied by build")


def linked_with(warploom, folder):
    """The runtime as words for the linker."""
    build = Path(warploom).resolve().parent
    archive = build / "runtime" / "libwarploom_cpu.a"
    return [archive, "-lboost_context", "-pthread", "-lm"]


STAYS = {
    "pointer": ("static double a[9000]; double* p; void g(void) { p = a; }", "a pointer may point to it"),
    "name": ("static double a[9000]; struct s { int a; };", "something else has its name"),
    "shadow": ("static double a[9000]; int g(int a) { return a; }", "something else has its name"),
    "initial": ("static double a[9000]; double* p = &a[3];", "(a pointer may point to it|the initial value)"),
    "volatile": ("static volatile double a[9000];", "others may change it"),
    "thread": ("static _Thread_local double a[9000];", "every thread has its own"),
    "section": ('static double a[9000] __attribute__((section("mine")));', "an attribute says where it is"),
    "include": ("static double a[9000];\n#include <stddef.h>", "a file is included behind it"),
    "static": ("static double a[9000]; void g(void) { static double* p = a; (void)p; }", "(a pointer may point to it|the initial value)"),
    "alias": ("double a[9000]; extern double w[9000] __attribute__((alias(\"a\")));", "assembly or another name"),
    "assembly": ('static double a[9000]; asm(".set elsewhere_, a");', "assembly or another name"),
    "text": ("#define S(x) #x\n#define T(x) S(x)\n#define SHOW(x) (T(x)[0] + x[0])\n"
             "static double a[9000]; double g(void) { return SHOW(a); }", "a macro makes text of its name"),
    "atomics": ("static _Atomic double a[9000];", "others may change it"),
    "local": ("static double a[9000]; double g(void) { extern double a[9000]; return a[0]; }", "a function declares it again"),
    "argument": ("static double a[9000]; double g(const double*); double k(void) { return g(a); }", "a pointer may point to it"),
    "result": ("static double a[9000];\nvoid* memset(void*, int, unsigned long);\n"
               "double* g(void) { return memset(a, 0, sizeof a); }", "a pointer may point to it"),
    "line": ("static double a[9000];\n#ifdef a\n#endif", "a preprocessor line names it"),
}


def stays(warploom, folder):
    """Arrays that have to be where they are, each with its reason."""
    loops = "\nvoid f(int n) { for (int i = 0; i < n; i++) a[i] = i; }\nstatic double b[9000];\n" \
            "void h(int n) { for (int i = 0; i < n; i++) b[i] = i; }\n"
    for name, (text, reason) in STAYS.items():
        source = folder / f"stays_{name}.c"
        source.write_text(text + loops)
        said = run([warploom, "compile", source, "-o", folder / "stays.cu", "--explain"]).stderr
        expect(re.search(rf"the array a is copied in every region that uses it: {reason}", said), f"{name}:\n{said}")
        run(["cc", "-c", "-w", folder / "stays.host.c", "-o", folder / "stays.o"])


COUNT = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static long locks;
int pthread_mutex_lock(pthread_mutex_t* mutex) {
  static int (*next)(pthread_mutex_t*);
  if (!next) next = (int (*)(pthread_mutex_t*))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  __atomic_add_fetch(&locks, 1, __ATOMIC_RELAXED);
  return next(mutex);
}
__attribute__((destructor)) static void tell(void) { fprintf(stderr, "locks %ld\\n", locks); }
"""


def launcher_cost(warploom, root, folder):
    """A region that is entered again and again and stays on the host asks, under its lock, now and then only."""
    (folder / "count.c").write_text(COUNT)
    run(["cc", "-O1", "-w", "-shared", "-fPIC", folder / "count.c", "-o", folder / "count.so", "-ldl"])
    run([warploom, "build", root / "bench/launcher/call.c", "-o", folder / "call", "--target", "cpu"])
    calls = 20 * 5000
    for way, most in (({"WARPLOOM_DEVICE": "host"}, 1000), ({"WARPLOOM_CHOICE": "learn"}, calls // 4)):
        said = run([folder / "call", "100", "5000"], env={**os.environ, **way, "LD_PRELOAD": str(folder / "count.so")})
        locks = int(re.search(r"locks (\d+)", said.stderr)[1])
        expect(locks <= most, f"{locks} locks in {calls} calls with {way}")


def main():
    warploom, root, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    stays(warploom, folder)
    several_files(warploom, folder)
    launcher_cost(warploom, root, folder)
    warnings(warploom, folder)
    touches(warploom, root / "test" / "residency", folder)
    print("right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
