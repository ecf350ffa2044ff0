"""Kernels that recipes make do what their loops do: arrays that a kernel writes through shared memory, in every direction, and
tiles that arrive while the ones before them are worked on, and slices of an array in constant memory. All run on the CPU with the sanitizer, at extents that divide evenly and
that do not, with tiles of several sizes.

  recipes_test.py RECIPES ROOT FOLDER
"""
# SHOWS: CH-33 MF-62 RT-52
import re
import shutil
import subprocess
import sys
from pathlib import Path

recipes, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def must(command):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in command)}\n{done.stdout}{done.stderr}")
    return done.stdout


print(must([recipes, folder]), end="")
texts = {path.stem: path.read_text() for path in sorted(folder.glob("*.cu"))}

# What is written before it is read is not copied in; what is sent for ahead takes one barrier per tile.
for name, text in texts.items():
    copied_in = re.search(r"\bb_tile\[.*\] = .*\bb\[", text) is not None
    if copied_in != (name in ("updated", "accumulated", "rotated")):
        sys.exit(f"{name} copies b {'in' if copied_in else 'not in'}\n{text}")
    ahead = name in ("product", "shifted", "deeper", "numbered", "counted")
    if ("waitForCopies" in text) != ahead or ahead and text.count("__syncthreads();") != 1:
        sys.exit(f"{name} sends for {'no tile' if ahead else 'tiles'} ahead, or has more barriers than one\n{text}")

SIZES = [dict(BLOCK=32, TILE_X=32, TILE_Y=8, ITEMS_X=4, ITEMS_Y=2, TILE_K=4), dict(BLOCK=7, TILE_X=6, TILE_Y=10, ITEMS_X=3, ITEMS_Y=1, TILE_K=5)]
program = '#include "warploom.h"\n#include <cstdio>\n#include <vector>\n'
calls = ""
for number, sizes in enumerate(SIZES):
    program += "".join(f"#define WARPLOOM_{name} {value}\n" for name, value in sizes.items())
    for name, text in texts.items():
        launcher, parameters = re.search(r'extern "C" int (\w+)\((.*?)\)', text, re.DOTALL).groups()
        arguments = ", ".join(re.split(r"[ *]", word)[-1] for word in re.split(r",\s*", parameters))
        if number == 0:
            program += f'extern "C" void {name}(int n, int m, const double* a, double* b, const double* c);\n'
        program += f'#define {launcher} {launcher}_{number}\n#define {launcher}_outputs {launcher}_outputs_{number}\n#define {launcher}_kept {launcher}_kept_{number}\n'
        program += f'namespace {name}_{number} {{\n#include "{name}.cu"\n}}\n#undef {launcher}\n#undef {launcher}_outputs\n#undef {launcher}_kept\n'
        calls += (f'  bad += run("{name} {number}", [](int n, int m, const double* a, double* b, const double* c) {{ (void)n, (void)m, (void)c; '
                  f"return {name}_{number}::{launcher}_{number}({arguments}); }}, {name});\n")
    program += "".join(f"#undef WARPLOOM_{name}\n" for name in sizes)
program += r"""
using Numbers = std::vector<double>;
template <typename Launcher, typename Loops> static int run(const char* name, Launcher launcher, Loops loops) {
  static const int sizes[][2] = {{1, 1}, {32, 64}, {37, 3}, {2, 41}, {19, 70}};
  int bad = 0;
  for (auto& [n, m] : sizes) {
    Numbers a(2 * (n + m) * (n + m)), b = a, c = a;
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = double(i * 7 % 11) - 4, b[i] = double(i * 5 % 13), c[i] = double(i * 3 % 7) - 2;
    Numbers expected = b;
    loops(n, m, a.data(), expected.data(), c.data());
    bool nothingToDo = b == expected;
    if ((launcher(n, m, a.data(), b.data(), c.data()) == 1 || nothingToDo) && b == expected) continue;
    std::printf("%s: n = %d, m = %d: not run, or another result\n", name, n, m);
    ++bad;
  }
  return bad;
}
int main() {
  int bad = 0;
CALLS  std::printf("%d wrong\n", bad);
  return bad > 0;
}
""".replace("CALLS", calls)
(folder / "main.cpp").write_text(program)
runtime = root / "runtime"
executor = recipes.parents[2] / "runtime" / "libwarploom_cpu_sanitize.a"
must(["cc", "-std=gnu11", "-O2", "-c", *folder.glob("*.c")])
must(["clang++-19", f"@{runtime}/flags/sanitize.clang", "-O0", "-I", runtime, "-c", "main.cpp"])
must(["clang++-19", "-std=c++17", "-O2", "-DWARPLOOM_SANITIZE", "-I", runtime, *folder.glob("*.o"), executor, "-lboost_context", "-ldw", "-lelf",
      "-pthread", "-o", "program"])
print(must([folder / "program"]), end="")
nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
if nvcc:
    (folder / "device.cu").write_text(program)
    must([nvcc, "-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "-I", runtime, "-c", "device.cu", "-o", "device.o"])
print(f"{len(texts)} recipes, {len(SIZES)} settings")
