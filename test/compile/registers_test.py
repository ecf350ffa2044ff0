"""The register arrays of a tiled kernel really are registers, so every index is constant once loops are unrolled: with smaller tiles
ptxas reports no stack frame and no spills. With the tunables as they are, registers are given to other blocks as well, and some other
values, two words at most, are spilled. Skipped when there is no nvcc.

  registers_test.py WARPLOOM ROOT FOLDER
"""
# SHOWS: CH-43 RT-55
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nvcc

warploom, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
compiler = nvcc.found()
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def must(command):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in command)}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


source = folder / "product.c"
source.write_text("""void product(int n, int m, int p, float A[restrict n][p], float B[restrict p][m], float C[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++) C[i][j] += A[i][k] * B[k][j];
}
""")
must([warploom, "compile", source, "-o", "product.cu"])
text = (folder / "product.cu").read_text()
if "_own[Tiles::ITEMS_Y][Tiles::ITEMS_X]" not in text:
    sys.exit(f"the product has no register array\n{text}")
smaller = ["-DWARPLOOM_TILE_X=64", "-DWARPLOOM_TILE_Y=32", "-DWARPLOOM_ITEMS_X=8", "-DWARPLOOM_ITEMS_Y=2"]
for settings, most in (([], 8), (smaller, 0)):
    printed = must([compiler, "-std=c++17", "-arch=sm_90", "-Xptxas", "-v", "-I", root / "runtime", *settings, "-cubin", "product.cu", "-o", "product.cubin"])
    frames = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", printed)
    print(settings, frames, re.findall(r"Used (\d+) registers", printed))
    if not frames or any(int(frame[0]) > most for frame in frames):
        sys.exit(printed)
