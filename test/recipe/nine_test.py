"""Recipes of our own (nine/nine.lua) for the nine kernels that CUDA-CHiLL was evaluated with: in float and double, at extents that no tile divides, ones that
are tiny and ones that divide evenly, kernels do what the loops do, under the sanitizer. The same without a recipe, where Warploom decides.

  nine_test.py WARPLOOM ROOT FOLDER
"""
# SHOWS: CH-10 CH-42 CH-77
import re
import shutil
import subprocess
import sys
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
shutil.copytree(root / "test" / "recipe" / "nine", folder)
KERNELS = ("gemm", "gemv", "tmv", "conv", "mriq", "mrifh", "cp", "nbody", "mpeg4")
faults = []
RECIPE, NONE = ["--recipe", "nine.lua"], []
for recipe, real, n, m, w in ((RECIPE, "float", 61, 37, 5), (RECIPE, "double", 61, 37, 5), (RECIPE, "double", 3, 2, 2), (NONE, "float", 61, 37, 5), (NONE, "double", 64, 32, 4)):
    defines = [f"-DN={n}", f"-DM={m}", f"-DW={w}", f"-DREAL={real}"]
    done = subprocess.run([tool, "verify", "nine.c", *recipe, "--target", "cpu", "--sanitize", "--effort", "10", "--", *defines], cwd=folder,
                          capture_output=True, text=True, timeout=900)
    missing = [kernel for kernel in KERNELS if not re.search(rf"region {kernel}:\d+ ", done.stdout)]
    if done.returncode or "MISMATCH" in done.stdout or missing:
        faults.append(f"{recipe} {real} {n} {m} {w}: status {done.returncode}, {missing}\n{done.stdout}{done.stderr}")
subprocess.run([tool, "compile", "nine.c", "-o", "nine.cu", "--recipe", "nine.lua"], cwd=folder, capture_output=True, timeout=300)
text = (folder / "nine.cu").read_text() if (folder / "nine.cu").exists() else ""
for kernel in KERNELS:
    body = re.search(rf"__global__[^\n]* {kernel}_GPU\(.*?^}}", text, re.DOTALL | re.MULTILINE)
    # Each keeps its results in registers.
    if not body or "_own" not in body[0]:
        faults.append(f"{kernel}: no registers\n{text}")
print("\n".join(faults) or f"{len(KERNELS)} kernels hold")
sys.exit(1 if faults else 0)
