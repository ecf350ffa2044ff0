"""One generated text serves every size of blocks, tiles and grids: it is compiled into one program with many of them, each in a
namespace of its own, and run on the CPU at extents that divide evenly and that do not.

  tunables_test.py WARPLOOM ROOT FOLDER [SEED]

Every result is an accumulation, so an element that is left out or done twice shows. The whole runs a second time with grids of at
most four blocks along an axis.
"""
# SHOWS: RT-45 RT-63 MF-43 MF-45 MF-59 CR-44 CR-47
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

warploom, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
print(f"seed {seed}")
choose = random.Random(seed)
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def must(command):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def settings():
    """All of the below; of the sizes of few tiles, too."""
    for one in sizes_of_blocks():
        few = {name: one[name] for name in ("ITEMS_X", "ITEMS_Y", "TILE_X", "TILE_Y", "TILE_K")}
        if choose.random() < 0.5:
            few = {"ITEMS_X": 2, "ITEMS_Y": 3, "TILE_X": 10, "TILE_Y": 12, "TILE_K": 7}
        yield {**one, **{"FEW_" + name: value for name, value in few.items()}}


def sizes_of_blocks():
    """One choice per block size of 16 to 1024, one of a single thread, and one of large tiles: the names that the text lets one set, with values."""
    for block in [1, 16, 32, 64, 128, 256, 512, 1024]:
        items_x, items_y = choose.choice([1, 2, 3, 4]), choose.choice([1, 2, 5])
        threads_x = choose.choice([t for t in (1, 4, 8, 16) if t <= block])
        threads_y = min(block // threads_x, 16)
        along_x = choose.choice([x for x in (1, 2, 8, 32, 128) if x <= block])
        yield {"BLOCK": block, "BLOCK_X": along_x, "BLOCK_Y": block // along_x, "ROWS": choose.randint(1, 32),
               "ITEMS_X": items_x, "ITEMS_Y": items_y, "TILE_X": items_x * threads_x, "TILE_Y": items_y * threads_y,
               "TILE_K": choose.choice([1, 3, 8, 16]), "VECTOR": choose.choice([1, 2, 3, 4, 8]),
               "GROUP": choose.choice([g for g in (1, 2, 4, 8, 16, 32) if g <= block])}
    # More shared memory than a block has without asking: 66 KB.
    yield {**dict.fromkeys(("BLOCK", "ROWS"), 32), "BLOCK_X": 32, "BLOCK_Y": 8, "ITEMS_X": 8, "ITEMS_Y": 8, "TILE_X": 128, "TILE_Y": 128,
           "TILE_K": 64, "VECTOR": 16, "GROUP": 32}


must([warploom, "compile", root / "test/compile/tunables.c", "-o", "out.cu"])
text = (folder / "out.cu").read_text()
names = set(re.findall(r'extern "C" \w+ (\w+)\(', text))
tunables = set(re.findall(r"#ifndef WARPLOOM_(\w+)", text))
chosen = list(settings())
missing = tunables - set(chosen[0])
if missing:
    sys.exit(f"the text has tunables that this test does not set: {missing}")

extents = [(1, 1, 1), (64, 64, 32), (67, 3, 17), (2, 131, 5), (1, 300, 1), (300, 1, 2)]
extents += [tuple(choose.randint(1, 90) for _ in range(3)) for _ in range(4)]
program = '#include "warploom.h"\n#include <cstdio>\n#include <vector>\n'
calls = ""
for number, values in enumerate(chosen):
    program += "".join(f"#define WARPLOOM_{name} {value}\n" for name, value in values.items())
    program += "".join(f"#define {name} s{number}_{name}\n" for name in names)
    program += f'namespace s{number} {{\n#include "out.cu"\n}}\n'
    program += "".join(f"#undef WARPLOOM_{name}\n" for name in values) + "".join(f"#undef {name}\n" for name in names)
    launchers = {key: f"s{number}::s{number}_{name}" for name in names for key in ("line", "plane", "rows", "product", "ragged")
                 if re.fullmatch(rf"warploom_tunables_{key}_\d+", name)}
    calls += "  bad += run(%d, %s);\n" % (number, ", ".join(launchers[key] for key in ("line", "plane", "rows", "product", "ragged")))
program += r"""
using Ints = std::vector<int>;
static Ints numbers(long count, int factor) {
  Ints result(count);
  for (long i = 0; i < count; ++i) result[i] = int(i * factor % 11) - 4;
  return result;
}
static int wrong(int setting, const char* what, int done, const Ints& is, const Ints& should) {
  if (done == 1 && is == should) return 0;
  std::printf("setting %d: %s: %s\n", setting, what, done == 1 ? "another result" : "not run");
  return 1;
}
static int sizes[][3] = {SIZES};
template <typename Line, typename Plane, typename Rows, typename Product, typename Ragged>
static int run(int setting, Line line, Plane plane, Rows rows, Product product, Ragged ragged) {
  int bad = 0;
  for (auto& [n, m, p] : sizes) {
    Ints a = numbers(long(n) * p, 7), b = numbers(long(p) * m, 5), c = numbers(long(n) * m, 3), d = numbers(long(n) * m, 2), x(n, 1);
    Ints plus = c, times = c, sums = x, length(n), parts(n), y(n);
    for (int i = 0; i < n; ++i) {
      length[i] = (i * 7) % (m + 1);
      for (int j = 0; j < length[i]; ++j) parts[i] += d[i * m + j];
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        plus[i * m + j] += d[i * m + j] - 1;
        sums[i] += d[i * m + j];
        for (int k = 0; k < p; ++k) times[i * m + j] += a[i * p + k] * b[k * m + j];
      }
    Ints result = c;
    int done = plane(n, m, d.data(), result.data());
    bad += wrong(setting, "plane", done, result, plus);
    done = rows(n, m, d.data(), x.data());
    bad += wrong(setting, "rows", done, x, sums);
    result = c;
    done = product(n, m, p, a.data(), b.data(), result.data());
    bad += wrong(setting, "product", done, result, times);
    done = ragged(n, m, length.data(), d.data(), y.data());
    bad += wrong(setting, "ragged", done, y, parts);
  }
  for (int n : {1, 1000, 1023, 70001}) {
    Ints x = numbers(n, 3), y = numbers(n, 5), should = y;
    for (int i = 0; i < n; ++i) should[i] += 3 * x[i];
    int done = line(n, x.data(), y.data());
    bad += wrong(setting, "line", done, y, should);
  }
  return bad;
}
int main() {
  int bad = 0;
CALLS  std::printf("%d wrong\n", bad);
  return bad > 0;
}
""".replace("CALLS", calls).replace("SIZES", ", ".join("{%d, %d, %d}" % each for each in extents))
(folder / "main.cpp").write_text(program)

shutil.copytree(root / "runtime", folder / "runtime")
header = folder / "runtime/warploom_index.h"
if "smaller(needed, 65535)" not in header.read_text():
    sys.exit("this test does not find the limit on blocks in warploom_index.h")
for most in (65535, 4):
    header.write_text(re.sub(r"smaller\(needed, \w+\)", f"smaller(needed, {most})", header.read_text()))
    runtime = sorted((folder / "runtime/cpu").glob("*.cpp"))
    must(["g++", f"@{root}/runtime/flags/cpu", "-I", "runtime", "main.cpp", *runtime, "-lboost_context", "-pthread", "-o",
          f"program{most}"])
    print(f"at most {most} blocks: {must([folder / f'program{most}'])}", end="")
print(f"{len(chosen)} settings, {len(extents)} extents")
