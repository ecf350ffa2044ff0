"""Sweeps in tiles of time and space, by recipe: programs of one to three dimensions do what the loops do, bit by bit and under the sanitizer, for numbers of
iterations and sizes that nothing divides, smaller than a tile, and none at all; what is no such loop is refused, with the reason.

  time_tiles_test.py WARPLOOM ROOT FOLDER
"""
# SHOWS: CH-83
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
faults = []

# Arrays, and what an iteration of t does to them.
LINE = """for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 1; i < n - 1; i++) a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3;"""
COPIED = """for (int i = 2; i < n - 2; i++) b[i] = (a[i - 2] + c[i] * a[i] + a[i + 1]) / 3;
    for (int i = 2; i < n - 2; i++) a[i] = b[i];"""
SQUARE = """for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) b[i][j] = (real)0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) a[i][j] = (real)0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);"""
FIELDS = """for (int j = 0; j < m; j++) b[0][j] = s[t];
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++) b[i][j] = b[i][j] - (real)0.5 * (a[i][j] - a[i - 1][j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++) c[i][j] -= (real)0.5 * (a[i][j] - a[i][j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m - 1; j++) a[i][j] = a[i][j] - (real)0.7 * (c[i][j + 1] - c[i][j] + b[i + 1][j] - b[i][j]) + t;"""
CUBE = """for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < n - 1; k++) b[i][j][k] = (a[i + 1][j][k] - a[i - 1][j][k] + a[i][j + 1][k] - a[i][j - 1][k] + a[i][j][k]) / 5;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < n - 1; k++) a[i][j][k] = (b[i][j][k + 1] + b[i][j][k - 1] + b[i + 1][j][k]) / 3;"""
SHAPES = {1: "[n]", 2: "[n][m]", 3: "[n][m][n]"}
STEPS = "0 1 2 4 5 9 12 17"
PROGRAMS = {  # dimensions, body, tiles, sizes
    "line": (1, LINE, "3, {10}", "5 1, 40 1, 61 1"),
    "copied": (1, COPIED, "2, {16}", "3 1, 4 1, 50 1"),
    "square": (2, SQUARE, "2, {8, 12}", "3 3, 30 9, 25 38"),
    "fields": (2, FIELDS, "2, {8, 8}", "1 1, 2 9, 21 30"),
    "cube": (3, CUBE, "1, {4, 4, 8}", "3 4, 12 9, 17 10"),
}
MAIN = """#include <stdio.h>
#include <stdlib.h>
static void sweeps(int steps, int n, int m, real a%(shape)s, real b%(shape)s, real c%(shape)s, real s[steps]) {
  (void)m, (void)c, (void)s;
  for (int t = 0; t < steps; t++) {
    %(body)s
  }
}
int main(int argc, char** argv) {
  int steps = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]);
  size_t count = sizeof(real%(shape)s) / sizeof(real);
  real* all[3];
  for (int k = 0; k < 3; k++) {
    all[k] = malloc(count * sizeof(real));
    for (size_t e = 0; e < count; e++) all[k][e] = (real)((e * 37 + k * 11) %% 101) / 7;
  }
  real* s = malloc((steps + 1) * sizeof(real));
  for (int t = 0; t < steps; t++) s[t] = (real)t / 3;
  sweeps(steps, n, m, (void*)all[0], (void*)all[1], (void*)all[2], s);
  for (int k = 0; k < 3; k++) {
    unsigned long sum = 0;
    for (size_t e = 0; e < count * sizeof(real); e++) sum = sum * 31 + ((unsigned char*)all[k])[e];
    printf("%%lx\\n", sum);
    free(all[k]);
  }
  free(s);
  return argc < 4;
}
"""


def run(*command, **environment):
    import os
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, cwd=folder, check=False,
                          env={**os.environ, **environment})


def made(name, body, dimensions, tiles):
    source = folder / f"{name}.c"
    source.write_text(MAIN % {"shape": SHAPES[dimensions], "body": body})
    line = 1 + source.read_text().splitlines().index("  for (int t = 0; t < steps; t++) {")
    (folder / f"{name}.lua").write_text(f'region("sweeps:{line}")\ntime_tiles("t", {tiles})\n')
    return source


def check(one):
    (name, (dimensions, body, tiles, sizes)), real = one
    name = f"{name}_{real}"
    source = made(name, body, dimensions, tiles)
    built = run(tool, "build", source, "-o", f"{name}.x", "--target", "cpu", "--sanitize", "--recipe", f"{name}.lua", "--effort", "60", "--", f"-Dreal={real}")
    plain = run("gcc", "-O1", "-ffp-contract=off", f"-Dreal={real}", source, "-o", f"{name}.plain")
    if built.returncode or plain.returncode:
        faults.append(f"{name}: {built.stderr}{plain.stderr}")
        return
    for size in sizes.split(", "):
        for steps in STEPS.split():
            words = [steps, *size.split()]
            expected, found = run(f"./{name}.plain", *words), run(f"./{name}.x", *words, WARPLOOM_DEVICE="gpu")
            if found.returncode or found.stdout != expected.stdout:
                faults.append(f"{name} {words}: {found.stdout}instead of\n{expected.stdout}{found.stderr[-2000:]}")


REFUSED = {  # what is no such loop, and what is said of it
    "in place": (SQUARE.replace("b[", "a["), "2, {8, 8}", "has no end"),
    "far away": ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = a[n - 1 - i][j];\n"
                 "    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = b[i][j] + 1;", "2, {8, 8}", "any distance away"),
    "row of all": ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = a[i][j] + a[0][j];\n"
                   "    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = b[i][j] + 1;", "2, {8, 8}", "any distance away"),
    "stop": (SQUARE + "\n    if (a[n / 2][m / 2] > 1000) break;", "2, {8, 8}", ""),
    "sum between": ("real all = 0;\n    " + SQUARE + "\n    for (int i = 0; i < n; i++) all += a[i][0];\n    c[0][0] = all;", "2, {8, 8}", ""),
    "one element more": (SQUARE + "\n    c[t][0] = a[1][1];", "2, {8, 8}", "other elements in each iteration"),
    "where data say": ("for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) if (a[i][j] > 0) b[i][j] = a[i - 1][j];\n"
                       "    for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) a[i][j] = b[i][j];", "2, {8, 8}", "only data make"),
    "growing": ("for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1 && j <= t; j++) b[i][j] = a[i - 1][j];\n"
                "    for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) a[i][j] = b[i][j];", "2, {8, 8}", "begins and ends"),
    "nothing handed on": ("for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) b[i][j] = c[i - 1][j] * t;", "2, {8, 8}", "no iteration"),
    "two sizes": (SQUARE, "2, {8}", "no array of numbers of 1 dimensions"),
    "no iterations": (SQUARE, "0, {8, 8}", "1 to 1024"),
}


def refuse(one):
    name, (body, tiles, reason) = one
    source = made(f"no_{name.replace(' ', '_')}", body, 2, tiles)
    done = run(tool, "compile", source, "-o", "no.cu", "--recipe", f"{source.stem}.lua", "--effort", "60", "--", "-Dreal=double")
    if done.returncode != 1 or not re.search(r"\.lua:[12]: error", done.stderr) or reason not in done.stderr:
        faults.append(f"{name}: {done.returncode} {done.stderr}")


with ThreadPoolExecutor(2) as pool:
    list(pool.map(check, [(one, real) for one in PROGRAMS.items() for real in ("double", "float")]))
    list(pool.map(refuse, REFUSED.items()))
print("\n".join(faults) or "all as the loops")
sys.exit(bool(faults))
