#!/usr/bin/env python3
"""Examples 12, 13 and 15 of RT-CUDA, and the defects D9 and D12.

12 and 13: api.c, which calls the linear algebra and compares it with loops that Warploom translates, at sizes that divide evenly and at others, square and not,
in both memory modes. 15: which of 16 results a thread computes, plain, with two columns and with two rows for each: the kernels of a project write down who
computed what. D12: two projects of the same files are the same, byte for byte, and what is built is what was written.

    programs_test.py WARPLOOM RUNTIME ARCHIVE LA_FOLDER LA_ARCHIVE OPENBLAS
"""
# SHOWS: RT-106 RT-107
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

tool, runtime, archive, la, la_archive, openblas = sys.argv[1], Path(sys.argv[2]), *sys.argv[3:7]
here = Path(__file__).parent
TOYS = """void line(float *restrict C, const float *restrict A, int n) {
  for (int i = 0; i < n; i++)
    C[i] = A[i] + 1;
}
void square(float *restrict C, const float *restrict A, const float *restrict B, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = sum;
    }
}
"""
MAIN = """#include <stdio.h>
#include <stdlib.h>
void line(float *restrict C, const float *restrict A, int n);
void square(float *restrict C, const float *restrict A, const float *restrict B, int n);
int main(void) {
  float *A = calloc(16, sizeof *A), *B = calloc(16, sizeof *B), *C = malloc(16 * sizeof *C);
  line(C, A, 16);
  int at = 0;
  while (at < 16) printf("%g ", C[at++]);
  puts("");
  square(C, A, B, 4);
  at = 0;
  while (at < 16) printf("%g ", C[at++]);
  puts("");
  return 0;
}
"""


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=300, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr[-4000:]}")
    return done


def matrix(rows, columns, seed):
    """The text of a matrix file with a third of its elements."""
    chance = random.Random(seed)
    places = [(i, j) for i in range(1, rows + 1) for j in range(1, columns + 1) if chance.random() < 0.34] or [(1, 1)]
    chance.shuffle(places)
    entries = "\n".join(f"{i} {j} {chance.randint(-3, 3) or 1}" for i, j in places)
    return f"%%MatrixMarket matrix coordinate integer general\n% made for a test\n{rows} {columns} {len(places)}\n{entries}\n"


def api(folder, wrong):
    run(tool, "build", here / "api.c", "-o", folder / "api", "--target", "cpu", "--no-shared", "--", "-O1", "-w", "-I", la, la_archive, openblas, "-lstdc++", "-pthread")
    for m, n, k in (1, 1, 1), (7, 5, 3), (32, 64, 32), (33, 31, 65):
        (folder / "a.mtx").write_text(matrix(m, k, 1))
        (folder / "b.mtx").write_text(matrix(k, n, 2))
        for memory in {}, {"WARPLOOM_MEMORY": "plain"}:
            done = run(folder / "api", m, n, k, folder / "a.mtx", folder / "b.mtx",
                       env={**os.environ, "WARPLOOM_DEVICE": "gpu", "WARPLOOM_TIMING": "1", "OPENBLAS_NUM_THREADS": "1", **memory})
            lines = done.stdout.splitlines()
            wrong += [f"{m} x {n}, {k} terms: {line}" for line in lines if not re.fullmatch(r"[\w ]+: \w[\w ]*, 0 wrong", line) or "error" in line]
            if len(lines) != 12:
                wrong.append(f"{m} x {n}, {k} terms: {len(lines)} results\n{done.stdout}")
            for function in "product", "transpose", "outer", "count_wrong":
                if not re.search(rf"region {function}:\d+ .* path gpu", done.stderr):
                    wrong.append(f"{function} did not run on the device\n{done.stderr[-1000:]}")


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def who(values):
    """The results of each thread."""
    results = {}
    for at, value in enumerate(values):
        results.setdefault(value, []).append(at)
    return results


def toys(folder, wrong):
    (folder / "toys.c").write_text(TOYS)
    (folder / "main.c").write_text(MAIN)
    (folder / "config.txt").write_text("BLOCK_SKEW=1\nPREFETCHING=1\n2DMATRIX=1\nMIN_BLOCKSIZE=4\nMAX_BLOCKSIZE=4\nMAX_MERGE_LEVEL=1\nMAX_SKEW_LEVEL=1\nKERNEL_NAMES=line,square\n")
    project = folder / "toys"
    for name in "toys", "again":
        run(tool, "project", folder / "toys.c", folder / "main.c", "--config", folder / "config.txt", "-o", folder / name)
    if files(project) != files(folder / "again"):
        wrong.append("D12: the same project is written differently")
    kernels = (project / "toys.cu").read_text()
    thread = "blockIdx.y * 1000 + blockIdx.x * 100 + threadIdx.y * 10 + threadIdx.x"
    noted, count = re.subn(r"= (A\[i\] \+ 1|A_own\[rx\] \+ 1|sum_own\[ry\]\[rx\]|sum);", f"= {thread};", kernels)
    if count < 2:
        sys.exit(f"the kernels are others now:\n{kernels}")
    (project / "noted.cu").write_text(noted)
    for name in "toys", "main":
        run("cc", "-O1", "-c", project / f"{name}.c", "-o", project / f"{name}.host.o")
    heap = re.search(r"-Wl,--wrap=\S+", (project / "Makefile").read_text())
    objects = [project / "toys.host.o", project / "main.host.o"]
    if heap:
        run("cc", "-O2", "-fno-builtin", "-c", project / "runtime" / "warploom_heap.c", "-o", project / "heap.o")
        objects.append(project / "heap.o")

    def threads(rows, columns):
        """Who computes which of the 16 results of both kernels, where a thread has so many rows and columns."""
        sizes = {"BLOCK": 4, "VECTOR": columns, "TILE_X": 4, "TILE_Y": 4, "TILE_K": 4, "FEW_TILE_K": 4, "ITEMS_X": columns, "ITEMS_Y": rows}
        run("g++", f"@{runtime / 'flags' / 'cpu'}", "-O0", "-I", project / "runtime", *[f"-DWARPLOOM_{size}={value}" for size, value in sizes.items()],
            "-x", "c++", "-c", project / "noted.cu", "-o", project / "noted.o")
        run("g++", project / "noted.o", *objects, *([heap[0]] if heap else []), archive, "-lboost_context", "-pthread", "-lm", "-o", project / "program")
        said = run(project / "program", env={"WARPLOOM_DEVICE": "gpu"}).stdout.splitlines()
        return [who([int(value) for value in line.split()]) for line in said]

    line, square = threads(1, 1)
    if line != {block * 100 + t: [4 * block + t] for block in range(4) for t in range(4)}:
        wrong.append(f"plain: {line}")
    if sorted(map(len, square.values())) != [1] * 16:
        wrong.append(f"plain, in two dimensions: {square}")
    line, square = threads(2, 2)
    if line != {block * 100 + t: [8 * block + 2 * t, 8 * block + 2 * t + 1] for block in range(2) for t in range(4)}:
        wrong.append(f"two columns: {line}")
    for owned in square.values():
        rows, columns = sorted({at // 4 for at in owned}), sorted({at % 4 for at in owned})
        if len(owned) != 4 or len(rows) != 2 or len(columns) != 2:
            wrong.append(f"two rows and two columns: {owned}")
    if len(square) != 4 or sorted(at for owned in square.values() for at in owned) != list(range(16)):
        wrong.append(f"two rows and two columns: {square}")


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        api(Path(folder), wrong)
        toys(Path(folder), wrong)
    print("\n".join(wrong) if wrong else "examples 12, 13 and 15, D9 and D12")
    return 1 if wrong else 0


sys.exit(main())
