"""What random steps make of small nests does what the nests do: a generator (RandomRecipes.cpp) throws steps of every kind at them, and whatever is
accepted is run on the CPU with the sanitizer, at extents that divide evenly, that do not, and that are tiny.

  random_recipes_test.py RANDOM_RECIPES ROOT FOLDER [SEED COUNT]
"""
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

generator, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
seed, count = sys.argv[4:6] if len(sys.argv) > 4 else ("1", "300")
LEAST = 0.25  # of the nests must be accepted, or the test shows little
PER_PROGRAM = 12
runtime = root / "runtime"
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def must(command):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=900 + 3 * int(count))
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in command)}\n{done.stdout[-6000:]}{done.stderr[-6000:]}")
    return done.stdout


print(must([generator, folder, seed, count]), end="")
texts = sorted(folder.glob("*.cu"))
accepted = len(texts) / int(count)
print(f"{len(texts)} of {count} accepted")
if accepted < LEAST:
    sys.exit(f"only {accepted:.0%} of the nests were accepted")

MAIN = r"""
typedef double Rows[80][80];
template <typename Launcher, typename Loops> static int run(const char* name, Launcher launcher, Loops loops) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {16, 32}, {37, 5}, {19, 41}};
  static Rows a, b, c, expected;
  int bad = 0;
  for (auto& [n, m] : sizes) {
    for (int i = 0; i < 80; ++i)
      for (int j = 0; j < 80; ++j) a[i][j] = (i * 7 + j * 3) % 11 - 4, expected[i][j] = b[i][j] = (i * 5 + j) % 13, c[i][j] = (i + j * 3) % 7 - 2;
    loops(n, m, a, expected, c);
    launcher(n, m, a, b, c);
    bool same = true;
    for (int i = 0; i < 80; ++i)
      for (int j = 0; j < 80; ++j) same = same && b[i][j] == expected[i][j];
    if (same) continue;
    std::printf("%s: n = %d, m = %d: another result\n", name, n, m);
    ++bad;
  }
  return bad;
}
int main() {
  int bad = 0;
CALLS  return bad > 0;
}
"""


def program(number, part):
    text, calls = '#include "warploom.h"\n#include <cstdio>\n#define WARPLOOM_T 3\n#define WARPLOOM_U 8\n', ""
    for nest in sorted({path.name.split(".")[0] for path in part}):
        text += f'extern "C" void {nest}(int n, int m, const double (*a)[80], double (*b)[80], const double (*c)[80]);\n'
    for path in part:
        nest, which, _ = path.name.split(".")
        cuda = path.read_text()
        launcher, parameters = re.search(r'extern "C" int (\w+)\((.*?)\)', cuda, re.DOTALL).groups()
        words = re.split(r",\s*", parameters)
        names = [re.findall(r"\w+", word)[-1] for word in words]
        arguments = ", ".join(f"(double*){name}" if name in "abc" else f"&{name}" if "*" in word else name for name, word in zip(names, words))
        text += f"#define {launcher} {launcher}_{which}\n#define {launcher}_outputs {launcher}_outputs_{which}\n#define {launcher}_kept {launcher}_kept_{which}\n"
        text += f'namespace at_{which} {{\n#include "{path.name}"\n}}\n#undef {launcher}\n#undef {launcher}_outputs\n#undef {launcher}_kept\n'
        # A scalar of the function is set before the region and used after it.
        before, after = ("double s = b[0][0]; ", " if (done) b[0][0] = s;") if "s" in names else ("double t = 0; ", "") if "t" in names else ("", "")
        calls += (f'  bad += run("{path.name}", [](int n, int m, const double (*a)[80], double (*b)[80], const double (*c)[80]) {{ (void)n, (void)m, (void)a, (void)b, '
                  f"(void)c; {before}int done = at_{which}::{launcher}_{which}({arguments}); if (!done) {nest}(n, m, a, b, c);{after} }}, {nest});\n")
    name = f"program{number}"
    (folder / f"{name}.cpp").write_text(text + MAIN.replace("CALLS", calls))
    must(["clang++-19", f"@{runtime}/flags/sanitize.clang", "-O0", "-I", runtime, "-c", f"{name}.cpp", "-o", f"{name}.object"])
    must(["clang++-19", f"{name}.object", *objects, executor, "-lboost_context", "-ldw", "-lelf", "-pthread", "-o", name])
    done = subprocess.run([folder / name], cwd=folder, capture_output=True, text=True, timeout=900, env={"WARPLOOM_DEVICE": "gpu"})
    return "" if done.returncode == 0 else f"{name}: status {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"


must(["cc", "-std=gnu11", "-O1", "-ffp-contract=off", "-c", *folder.glob("nest*.c")])
executor = generator.parents[2] / "runtime" / "libwarploom_cpu_sanitize.a"
objects = sorted(folder.glob("*.o"))
parts = [texts[k:k + PER_PROGRAM] for k in range(0, len(texts), PER_PROGRAM)]
with ThreadPoolExecutor(cpu_count()) as pool:
    failures = [failure for failure in pool.map(program, range(len(parts)), parts) if failure]
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
