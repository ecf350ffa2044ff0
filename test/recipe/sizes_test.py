"""What a size is called does not matter: recipes that declare sizes of other names get the kernels that Warploom's own names give, and
those are right. A size that nothing is said of has a thread for each point.

  sizes_test.py WARPLOOM ROOT FOLDER
"""
import difflib
import re
import shutil
import subprocess
import sys
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
(folder / "product.c").write_text("""#include <stdio.h>
#define N 70
static float a[N][N], b[N][N], c[N][N];
void product(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
}
void smooth(void) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) b[i][j] = a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j];
}
static double x[N][N], y[N][N], z[N][N];
void exact(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) z[i][j] += x[i][k] * y[k][j];
}
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) { a[i][j] = (i + 3 * j) % 8; b[i][j] = (i - j) % 5; x[i][j] = i - j; y[i][j] = i + j; }
  product();
  exact();
  smooth();
  printf("%g %g %g\\n", c[N - 1][N - 2], b[N - 2][N - 2], z[0][1]);
  return 0;
}
""")
PRODUCT = """region("product:5")
tile_by_index({"i", "j", "k"}, {"TILE_Y", "TILE_X", "TILE_K"}, {l1_control="ii", l2_control="jj", l3_control="kk"},
              {"ii", "jj", "kk", "k", "i", "j"})
cudaize("my_product", {}, {block={"jj", "ii"}, thread={"j", "i"}})
copy_to_shared("k", "a", 1, 1, 4, "transposed")
copy_to_shared("k", "b", 1)
copy_to_registers("kk", "c")
"""
TENSOR = """region("exact:15")
tile_by_index({"i", "j", "k"}, {"TENSOR_Y", "TENSOR_X", "TENSOR_K"}, {l1_control="ii", l2_control="jj", l3_control="kk"},
              {"ii", "jj", "kk", "k", "i", "j"})
map_to_grid({"jj", "ii"})
map_to_block({"j", "i"})
copy_to_shared("kk", "x", 1)
copy_to_shared("kk", "y", 1)
copy_to_registers("jj", "z")
map_to_tensor("k")
"""
SMOOTH = """region("smooth:10")
tile_by_index({"i", "j"}, {"SWEEP_Y", "BLOCK_X"}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"})
cudaize("my_smooth", {}, {block={"jj", "ii"}, thread={"j", "i"}})
"""
STACK = SMOOTH.replace("SWEEP_Y", "STACK_Y")
# What Warploom says of its sizes itself, under other names, as long as its own: lines break alike.
DECLARED = {
    "product": (PRODUCT, """size("OWNED_X", {usual=8, from=1, to=8, few=4})
size("OWNED_Y", {usual=8, from=1, to=8, few=4, turned="OWNED_X"})
size("MINE_X", {usual=128, from=16, to=128, few=32, items="OWNED_X", threads="PARTIES_X"})
size("MINE_Y", {usual=64, from=16, to=128, few=32, turned="MINE_X", items="OWNED_Y", threads="PARTIES_Y"})
size("MINE_K", {usual=32, from=8, to=64, few=32})
""", {"TILE_X": "MINE_X", "TILE_Y": "MINE_Y", "TILE_K": "MINE_K", "ITEMS_X": "OWNED_X", "ITEMS_Y": "OWNED_Y", "THREADS_X": "PARTIES_X", "THREADS_Y": "PARTIES_Y"}),
    "sweep": (SMOOTH, """size("SWIPE_Y", {usual=32, from=8, to=64, threads="BLOCK_Y", points="adjacent"})
""", {"SWEEP_Y": "SWIPE_Y"}),
    "stack": (STACK, """size("DEPTH", {usual=8, from=1, to=16, few=1})
size("DEPTH_Y", {threads="BLOCK_Y", items="DEPTH", points="adjacent"})
""", {"STACK_Y": "DEPTH_Y", "STACK": "DEPTH"}),
}


def compiled(name, recipe):
    (folder / f"{name}.lua").write_text(recipe)
    done = subprocess.run([tool, "compile", "product.c", "-o", "out.cu", "--recipe", f"{name}.lua"], cwd=folder, capture_output=True, text=True, timeout=100)
    if done.returncode:
        sys.exit(f"{recipe}{done.stderr}")
    return (folder / "out.cu").read_text()


def verified(name, *flags):
    done = subprocess.run([tool, "verify", "product.c", "--recipe", f"{name}.lua", "--target", "cpu", "--sanitize", *flags], cwd=folder, capture_output=True,
                          text=True, timeout=300)
    if done.returncode or " 0 mismatches" not in done.stdout:
        sys.exit(f"{name}: {done.stdout}{done.stderr}")


faults = []
for name, (recipe, sizes, called) in DECLARED.items():
    known = compiled(name + "-known", recipe)
    renamed = "".join(re.sub(r'"(\w+)"', lambda word: f'"{called.get(word[1], word[1])}"', line) + "\n" for line in recipe.splitlines())
    region, rest = renamed.split("\n", 1)
    own = compiled(name, region + "\n" + sizes + rest)
    back = {value: key for key, value in called.items()}
    own = re.sub(r"\b(WARPLOOM_(?:FEW_)?)?(\w+)\b", lambda word: (word[1] or "") + back.get(word[2], word[2]), own)
    # Sizes stand in the order in which they were declared.
    if sorted(known.splitlines()) != sorted(own.splitlines()) or known[known.index("__global__"):] != own[own.index("__global__"):]:
        faults += [f"{name}: another kernel", *difflib.unified_diff(known.splitlines(), own.splitlines(), lineterm="")]
    verified(name)
    if not any(word in own for word in ("ITEMS_X", "/ BLOCK_Y", "STACK")):
        faults.append(f"{name}: a point for each thread")
verified("product", "--", "-DWARPLOOM_MINE_X=32", "-DWARPLOOM_OWNED_X=2")
# Products on tensor cores, of fragments, whose rows lie along y.
FRAGMENTS = """size("STRIPS_X", {usual=2, from=1, to=8})
size("STRIPS_Y", {usual=4, from=1, to=8})
size("MATRIX_X", {usual=64, from=16, to=128, threads="STRIPS_X", points="columns"})
size("MATRIX_Y", {usual=64, from=16, to=128, threads="STRIPS_Y", points="rows"})
"""
region, rest = TENSOR.split("\n", 1)
own = compiled("tensor", region + "\n" + FRAGMENTS + rest.replace("TENSOR_X", "MATRIX_X").replace("TENSOR_Y", "MATRIX_Y"))
if "warploom::multiply<" not in own or "% (16 * STRIPS_Y)" not in own:
    faults.append(f"tensor: {own}")
verified("tensor")
verified("tensor", "--", "-DWARPLOOM_MATRIX_Y=128", "-DWARPLOOM_STRIPS_Y=2")
for turned in (TENSOR.replace("TENSOR_Y", "?").replace("TENSOR_X", "TENSOR_Y").replace("?", "TENSOR_X"), TENSOR.replace("TENSOR_Y", "TILE_Y")):
    for recipe in (turned, turned.replace('map_to_tensor("k")\n', "")):
        (folder / "turned.lua").write_text(recipe)
        done = subprocess.run([tool, "compile", "product.c", "-o", "turned.cu", "--recipe", "turned.lua"], cwd=folder, capture_output=True, text=True, timeout=100)
        if done.returncode != 1 or "are parts of fragments" not in done.stderr:
            faults.append(f"turned: status {done.returncode} {done.stderr}\n{recipe}")
# Nothing is known of a size that nobody declared.
if "threadIdx" not in (plain := compiled("plain", SMOOTH.replace("SWEEP_Y", "UNKNOWN"))) or re.search(r"UNKNOWN */", plain):
    faults.append(f"plain: {plain}")
# What one recipe says in two regions it says in the same way.
first = 'size("MINE_Y", {usual=64, from=16, to=128, threads="BLOCK_Y"})\n'
apart = SMOOTH.replace("SWEEP_Y", "MINE_Y")
for other, good in ((first, True), (first.replace("=64", "=32"), False), ("", False)):
    text = PRODUCT.split("\n", 1)
    both = text[0] + "\n" + first + text[1].replace("TILE_Y", "MINE_Y") + apart.split("\n", 1)[0] + "\n" + other + apart.split("\n", 1)[1]
    (folder / "both.lua").write_text(both)
    done = subprocess.run([tool, "compile", "product.c", "-o", "both.cu", "--recipe", "both.lua"], cwd=folder, capture_output=True, text=True, timeout=100)
    if (done.returncode == 0) != good or (not good and "`MINE_Y` means something else in another region" not in done.stderr):
        faults.append(f"two regions: status {done.returncode} {done.stderr}\n{both}")
# What makes no sense of a size is refused.
for line, reason in (('size("MX", {usual=64, from=16, to=128, items="ITEMS_X", threads="MX"})', "is said of itself"),
                     ('size("MX", {threads="BLOCK_X", items="ITEMS_X", few=8})', "has no values of its own"),
                     ('size("MX", {usual=3, from=3, to=100})', "do not double from the first to the last"),
                     ('size("MX", {usual=8, from=4, to=64, threads="BLOCK_X"})', "do not share a tile evenly"),
                     ('size("M_PI", {usual=2, from=1, to=4})', "is no name for a size")):
    (folder / "refused.lua").write_text(f'region("smooth:10")\n{line}\n')
    done = subprocess.run([tool, "compile", "product.c", "-o", "refused.cu", "--recipe", "refused.lua"], cwd=folder, capture_output=True, text=True, timeout=100)
    if done.returncode != 1 or reason not in done.stderr:
        faults.append(f"{line}: status {done.returncode} {done.stderr}")
print("\n".join(faults) or "sizes of any name")
sys.exit(bool(faults))
