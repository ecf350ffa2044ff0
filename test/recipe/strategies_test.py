"""`warploom strategies` on kernels that CUDA-CHiLL was evaluated with: every combination is written or dropped by a rule; each can be reached by its own recipe
and through the master recipe; kernels of strategies do what the loops do, under the sanitizer, and the text of some has what their names say.

  strategies_test.py WARPLOOM ROOT FOLDER [KERNEL=EVERY ...]     each of so many strategies of these kernels is run
"""
# SHOWS: CH-44 CH-45 CH-46 CH-47 CH-48 CH-49 CH-50 CH-51 CH-53 CH-54 CH-55 CH-57 CH-58 CH-59 CH-60 CH-61 CH-74
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
SOURCE = (root / "test" / "recipe" / "nine" / "nine.c").read_text()
(folder / "nine.c").write_text(SOURCE)
faults = []


def run(*words, **options):
    return subprocess.run([tool, *words], cwd=folder, capture_output=True, text=True, timeout=600, **options)


# One recipe for each combination of placements and each depth of unrolling: the product of the ways, once more with two copies of tiles where all that can
# be is in shared memory, three times; less what was dropped.
one = json.loads(run("strategies", "nine.c", "--function", "gemm", "--out", "all", "--json").stdout)["regions"][0]
home = folder / one["folder"]
predicted = 0
for partition in one["partitions"]:
    if partition.get("own"):
        predicted += 1  # as its steps are
        continue
    ways, twice = 1, 1
    for placement in partition["placements"]:
        ways *= len(placement["ways"])
        twice *= 1 if "shared" in placement["ways"] else len(placement["ways"])
    staged = "TK" in partition["sizes"] and any("shared" in placement["ways"] for placement in partition["placements"])
    predicted += 3 * (ways + (twice if staged else 0))
dropped, written = sum(one["dropped"].values()), sorted(home.glob("[0-9]*.lua"))
if not predicted == one["combinations"] == dropped + len(written) or len(written) != len(one["strategies"]):
    faults.append(f"{predicted} predicted, {one['combinations']} combinations, {dropped} dropped, {len(written)} written")
# What is staged in parts of a loop is staged with the tile of that loop, and the tile is there for nothing else.
for path in written:
    if ("copy_to_shared" in path.read_text()) != bool(re.search(r'{TK}|{"TILE_K"}', path.read_text())):
        faults.append(f"{path}: a tile without its copy, or a copy without its tile\n{path.read_text()}")

# The master recipe makes what a strategy's own recipe makes, by its choice, and without one the best.
own = [path for path in written if "unroll" not in path.stem]
if not own:
    faults.append(f"no strategy of compile's: {written}")
for path in (written[0], written[len(written) // 2], *own):
    way = dict(re.findall(r"(?:^|_)([A-Za-z]+)-(shared|texture|registers|constant)", path.stem))
    keep = ", ".join(f'{array}="{where}"' for array, where in way.items())
    choice = f'choice = {{partition="{path.stem.split("_")[1]}", keep={{{keep}}}, copies={2 if "twice" in path.stem else 1}, unroll={path.stem[-1] if "unroll" in path.stem else 0}}}\n'
    (home / "chosen.lua").write_text(("" if path == written[0] else choice) + 'dofile("master.lua")\n')
    texts = []
    for recipe in (path, home / "chosen.lua"):
        done = run("compile", "nine.c", "-o", "one.cu", "--recipe", str(recipe))
        if done.returncode:
            faults.append(f"{recipe}: {done.stderr}")
        texts.append((folder / "one.cu").read_text())
    if texts[0] != texts[1]:
        faults.append(f"{path}: the master recipe makes another text")

# What `compile` decides on for products of matrices and vectors is among the candidates, and the first of them.
for name in ("product", "syrk", "batched", "matvec", "transposed"):
    shutil.copy(root / "bench" / "strategies" / "kernels" / f"{name}.c", folder)
    run("strategies", f"{name}.c", "--function", name, "--out", f"own_{name}")
    recipe = next((folder / f"own_{name}").glob("*/001_*.lua"))
    texts = []
    for words in ([], ["--recipe", recipe]):
        run("compile", f"{name}.c", "-o", "one.cu", *words)
        texts.append((folder / "one.cu").read_text())
        (folder / "one.cu").unlink()
    if texts[0] != texts[1]:
        faults.append(f"{name}: {recipe.name} does not make the kernel that compile decides on")

# A product whose extents only runs will tell: what the generator has checked is what recipes make, so that every one that is written can be carried out. That a
# thread keeps its points of such a product in registers, whatever the partition, is what `check` cannot show, whose kernels have numbers.
SYMBOLIC = """#include <stdio.h>
#define MOST 130
void product(int n, int m, int p, float *restrict c, const float *restrict a, const float *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++)
        c[i * m + j] += a[i * p + k] * b[k * m + j];
}
float c[MOST * MOST], a[MOST * MOST], b[MOST * MOST];
int main(void) {
  for (int i = 0; i < MOST * MOST; i++) a[i] = i % 7 - 3, b[i] = i % 5 - 2;
  product(67, 130, 37, c, a, b);
  product(64, 128, 16, c, a, b);
  product(1, 3, 2, c, a, b);
  return 0;
}
"""
(folder / "symbolic.c").write_text(SYMBOLIC)
found = json.loads(run("strategies", "symbolic.c", "--out", "symbolic", "--json").stdout)["regions"][0]
recipes = sorted((folder / found["folder"]).glob("[0-9]*.lua"))
if [path.stem.partition("_")[2] for path in recipes[:2]] != [one["name"] for one in found["strategies"][:2]] or len(recipes) < 40:
    faults.append(f"strategies of a symbolic product: {recipes}")
if not {one["name"] for one in found["strategies"][:2]} & {f"{shape}_a-shared_b-shared_c-registers_twice_unroll0" for shape in ("tiles", "cyclic")}:
    faults.append(f"the known-good shape is not among the first two of a symbolic product: {found['strategies'][:2]}")


def compiled(path):
    done = run("compile", "symbolic.c", "-o", f"symbolic/{path.stem}.cu", "--recipe", path)
    return "" if done.returncode == 0 else f"{path.name} is written, and refused: {done.stderr}"


with ThreadPoolExecutor(2) as pool:
    faults += filter(None, pool.map(compiled, [*recipes[:20], *recipes[20::5], folder / found["folder"] / "best.lua"]))
# What is dropped since its text is that of another depth has that text.
for path in [next(path for path in recipes if partition in path.stem) for partition in ("points_", "cyclic_", "columns_")]:
    way = dict(re.findall(r"(?:^|_)([abc])-(shared|texture|registers|constant)", path.stem))
    keep = ", ".join(f'{array}="{where}"' for array, where in way.items())
    for depth in (1, 2):
        if path.with_name(path.name.replace("unroll0", f"unroll{depth}")) in recipes or "unroll0" not in path.name:
            continue
        (path.parent / "deeper.lua").write_text(f'choice = {{partition="{path.stem.split("_")[1]}", keep={{{keep}}}, copies={2 if "twice" in path.stem else 1}, '
                                                f'unroll={depth}}}\ndofile("master.lua")\n')
        faults += filter(None, (compiled(one) for one in (path, path.parent / "deeper.lua")))
        if (folder / "symbolic" / f"{path.stem}.cu").read_text() != (folder / "symbolic" / "deeper.cu").read_text():
            faults.append(f"{path.name}: depth {depth} was dropped, and has another text")
for path in (next(path for path in recipes if "cyclic_a-shared_b-shared_c-registers_twice" in path.stem), next(path for path in recipes if "cyclic_c-registers" in path.stem)):
    verified = run("verify", "symbolic.c", "--recipe", path, "--target", "cpu", "--sanitize")
    if verified.returncode or "MISMATCH" in verified.stdout or "region product:" not in verified.stdout:
        faults.append(f"{path.name}: status {verified.returncode}\n{verified.stdout[-2000:]}{verified.stderr[-3000:]}")


def function_text(name):
    return re.search(rf"^void {name}\(void\) {{\n.*?^}}\n", SOURCE, re.DOTALL | re.MULTILINE)[0]


# What the text of a strategy has, in this order: loops on the grid are outside, then what a block stages by a tile of the loop that carries a dependence, then its threads,
# whose x is the loop along which they read contiguously, then loops that carry dependences. Threads along y are from the loop of x, tiled again (columns), or
# from another loop (cyclic). What threads share is in shared memory, what is only read through the read-only path as well; what one thread uses again is in registers.
WANTED = {
    "gemm": {
        "cyclic_a-shared_b-texture_c-registers_unroll0": [
            "for (Index ii = blockIdx.x;", "for (Index jj = blockIdx.y;", "float c_own[4][4];", "for (Index kk = 0;", "a_tile[", "= row <= 60 ? a[", "b_tile[", "? __ldg(&b[", "__syncthreads();",
            "for (Index ti = Index(threadIdx.x);", "for (Index tj = Index(threadIdx.y);", "for (Index k = kk;", "+= a_tile[k - kk][i] * b_tile[j][k - kk];", "__syncthreads();", "= c_own[r0][r1];"],
        "columns_b-shared_c-registers_unroll0": [
            "for (Index ii = blockIdx.x;", "for (Index jj = blockIdx.y;", "float c_own[16];", "for (Index kk = 0;", "b_tile[", "__syncthreads();",
            "for (Index ti = Index(threadIdx.x);", "for (Index ui = Index(threadIdx.y);", "for (Index k = kk;", "const Index i = ti + 16 * ui;", "+= a[k * 61 + i] * b_tile["]},
    # Along no loop that is parallel do threads read the matrix contiguously: in shared memory they can. It has one loop for blocks.
    "tmv": {"line_a-shared_t-registers_unroll0": [
        "for (Index ii = blockIdx.x;", "float t_own;", "for (Index jj = 0;", "const Index column = jj + ", "a_tile[", "? a[row * 61 + column]", "__syncthreads();",
        "for (Index i = Index(threadIdx.x);", "for (Index j = jj;", "t_own += a_tile[i][j - jj] * x[j];"]},
    "conv": {"points_in-shared_mask-constant_out-registers_unroll0": [
        "for (Index jj = blockIdx.x;", "for (Index ii = blockIdx.y;", "float out_own;", "in_tile[", "for (Index j = 32 * jj + Index(threadIdx.x);", "for (Index i = 8 * ii + Index(threadIdx.y);",
        "for (Index k = 0;", "for (Index l = 0;", "out_own += in_tile[", "_mask["]},
    "mriq": {"line_K.x-shared_px-registers_Qr-registers_unroll0": [
        "for (Index jj = blockIdx.x;", "px_own = px[j];", "Qi_own = Qi[j];", "for (Index ii = 0;", "K_x_tile[t] =", "K_magnitude_tile[t] =", "__syncthreads();", "for (Index j = Index(threadIdx.x);",
        "for (Index i = ii;", "angle = K_x_tile[i - ii] * px_own", "Qr[j] = Qr_own;"]},
}


def lacking(text, words):
    """The first of the words that the text does not have after those before it."""
    at = 0
    for word in words:
        at = text.find(word, at)
        if at < 0:
            return word
        at += len(word)
    return None


def check(chosen):
    """Verifies strategies, each `every`th of each kernel, those of WANTED and the best, all in one program in which every strategy has a copy of the function. Of a product they are
    also the best for two devices, which are different ones."""
    head, main = SOURCE[:SOURCE.index("void gemm(")], SOURCE.split("int main(void) {")[1]
    calls, recipe, count, wanted = "", "", 0, {}
    (folder / "other").mkdir()
    for kernel, every in chosen:
        done = run("strategies", "nine.c", "--function", kernel, "--out", "out", "--json")
        home = folder / json.loads(done.stdout)["regions"][0]["folder"]
        paths = sorted(home.glob("[0-9]*.lua"))
        named = {name: next((path for path in paths if path.stem.partition("_")[2] == name), None) for name in WANTED.get(kernel, {})}
        faults.extend(f"{kernel}: there is no strategy {name}" for name, path in named.items() if not path)
        paths = [path for path in paths if path in paths[::every] or path in named.values()] + [home / "best.lua"]
        if kernel == "gemm":
            for device in ("2.0", "9.0"):
                run("strategies", "nine.c", "--function", kernel, "--device", device, "--out", f"other/{device}", "--", "-DN=1024")
                paths += (folder / "other" / device).glob("*/best.lua")
            bodies = {re.sub("--.*", "", path.read_text()) for path in paths[-2:]}
            if len(bodies) != 2 or not all("copy_to_registers" in body for body in bodies):
                faults.append(f"two devices have one strategy: {bodies}")
        for path in paths:
            if path in named.values():
                wanted[f"{kernel}_{count}"] = WANTED[kernel][path.stem.partition("_")[2]]
            line = head.count("\n") + 1 + function_text(kernel).partition("for (")[0].count("\n")
            head += function_text(kernel).replace(f"void {kernel}(", f"void {kernel}_{count}(")
            calls += f"  {kernel}_{count}();\n"
            recipe += re.sub(r'region\("[^"]*", "nine.c"\)', f'region("{kernel}_{count}:{line}", "many.c")', path.read_text())
            count += 1
    (folder / "many.c").write_text(head + "int main(void) {" + main[:main.index("  gemm();")] + calls + "  return 0;\n}\n")
    (folder / "many.lua").write_text(recipe)
    verified = run("verify", "many.c", "--recipe", "many.lua", "--target", "cpu", "--sanitize", "--effort", "20")
    entered = set(re.findall(r"region (\w+_\d+):\d+ ", verified.stdout))
    if verified.returncode or "MISMATCH" in verified.stdout or len(entered) < count:
        faults.append(f"status {verified.returncode}, {len(entered)} of {count}\n{verified.stdout[-2000:]}{verified.stderr[-3000:]}")
    run("compile", "many.c", "-o", "many.cu", "--recipe", "many.lua", "--effort", "20")
    text = (folder / "many.cu").read_text()
    for name, words in wanted.items():
        kernel = re.search(rf"^static __global__[^\n]* {name}_\d+\(.*?^}}", text, re.DOTALL | re.MULTILINE)[0]
        missing = lacking(kernel, words)
        if missing or ("blockIdx.y" in kernel) != any("blockIdx.y" in word for word in words):
            faults.append(f"{name}: no {missing} where it should be\n{kernel}")
    return count


# What the phases before the choice of places do to a nest: a loop that can go nowhere else stays on the host, a nest in which nothing is parallel is
# skewed, and an array that is too large for constant memory goes there by parts.
PHASES = """float g[9][1003], w[93][93], a[17000][40], x[17000], y[40];
void stencil(void) {
  for (int t = 1; t < 9; t++)
    for (int i = 1; i < 1002; i++)
      g[t][i] = g[t - 1][i - 1] + g[t - 1][i + 1];
}
void wave(void) {
  for (int i = 1; i < 93; i++)
    for (int j = 1; j < 93; j++)
      w[i][j] = 0.5f * (w[i - 1][j] + w[i][j - 1]) + w[i][j];
}
void parts(void) {
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 17000; j++)
      y[i] += a[j][i] * x[j];
}
int main(void) {
  for (int i = 0; i < 1003; i++) g[0][i] = i % 7;
  for (int i = 0; i < 93; i++)
    for (int j = 0; j < 93; j++) w[i][j] = i % 3 + j % 5;
  for (int j = 0; j < 17000; j++) {
    x[j] = j % 3;
    for (int i = 0; i < 40; i++) a[j][i] = (i + j) % 4;
  }
  stencil();
  wave();
  parts();
  return 0;
}
"""
(folder / "phases.c").write_text(PHASES)
recipe = ""
for kernel, name in (("stencil", "best.lua"), ("wave", "best.lua"), ("parts", "*line-host_x-constant*_unroll0.lua")):
    home = folder / json.loads(run("strategies", "phases.c", "--function", kernel, "--out", "phases", "--json").stdout)["regions"][0]["folder"]
    recipe += sorted(home.glob(name))[0].read_text()
(folder / "phases.lua").write_text(recipe)
run("compile", "phases.c", "-o", "phases.cu", "--recipe", "phases.lua")
text = (folder / "phases.cu").read_text()
for what, pattern in (("t of the stencil on the host", r"for \((?:long|Index) t = 1; t <= 8; \+\+t\) \{\n *region\.launch"),
                      ("the skewed loop on the host", r"for \(long j = 2; j <= 184; \+\+j\) \{\n *region\.launch"),
                      ("a part of x in constant memory for each launch", r"for \(long [^\n]*\{\n *region\.copyToConstant\([^;]*;\n(?:[^\n]*\n)? *region\.launch"),
                      ("skew in the recipe", None)):
    if not (re.search(pattern, text) if pattern else 'skew("j", "i", 1)' in recipe):
        faults.append(f"no {what}\n{recipe}\n{text}")
verified = run("verify", "phases.c", "--recipe", "phases.lua", "--target", "cpu", "--sanitize", "--effort", "20")
entered = set(re.findall(r"region (\w+):\d+ ", verified.stdout))
if verified.returncode or "MISMATCH" in verified.stdout or not entered >= {"stencil", "wave", "parts"}:
    faults.append(f"phases: status {verified.returncode}\n{verified.stdout[-2000:]}{verified.stderr[-3000:]}")

kernels = [word.split("=") for word in sys.argv[4:]] or [("gemv", 6), ("gemm", 29), ("tmv", 40), ("conv", 120), ("mriq", 21)]
checked = check([(kernel, int(every)) for kernel, every in kernels])
print("\n".join(faults) or f"{checked} strategies hold")
sys.exit(1 if faults else 0)
