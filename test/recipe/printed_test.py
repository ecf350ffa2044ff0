"""CUDA-CHiLL's printed recipes (printed/r0 to r3.lua), as they are but for the sizes that they name, at extents that divide evenly and that do not, in
float and double: kernels do what the loops do, under the sanitizer, and map threads to elements as published.

  printed_test.py WARPLOOM ROOT FOLDER
"""
# SHOWS: CH-39 CH-40 CH-41 CH-42
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
shutil.copytree(root / "test" / "recipe" / "printed", folder)

# What the text of a kernel has. R1: 16 by 4 threads for 64 columns and 16 rows, of which a thread keeps a column of 16 elements, and a tile of b that is
# 16 wide, padded to a number that is coprime with 16. R2: 16 by 16 threads for 64 by 64 elements, of which a thread keeps 4 by 4, 16 apart. (CUDA-CHiLL lays its copies out
# the other way round: 16 by 65 for b, 64 by 17 for a; these have the order of the arrays.)
TEXTS = {
    "r0": [r"__launch_bounds__\(16 \* 16\)", r"dim3\(16, 16\)"],
    "r1": [r"__launch_bounds__\(16 \* 4\) gemm_GPU\(", r"dim3\(16, 4\)", r"float b_tile\[16\]\[warploom::coprime\(16, 16\)\];", r"float c_own\[16\];", r"__ldg\(&b\[",
           r"#pragma unroll\n *for \(Index k"],
    "r2": [r"__launch_bounds__\(16 \* 16\) gemm_GPU\(", r"dim3\(16, 16\)", r"float b_tile\[64\]\[warploom::coprime\(16, 16\)\];", r"float a_tile\[16\]\[warploom::coprime\(64, 16\)\];",
           r"float c_own\[4\]\[4\];", r"16 \* r0", r"16 \* r1"],
    "r3": [r"__launch_bounds__\(128\) kernel_GPU\(", r"float kVals_Kx_tile\[64\];|Kx_tile\[64\];", r"float Qr_own;", r"float x_own;"],
}
CASES = [("r0", "conv", n, real) for n, real in ((32, "float"), (37, "float"), (37, "double"))]
CASES += [(recipe, "gemm", n, real) for recipe in ("r1", "r2") for n, real in ((128, "float"), (100, "float"), (100, "double"), (5, "double"))]
CASES += [("r3", "mriq", n, real) for n, real in ((256, "float"), (301, "float"), (301, "double"), (3, "double"))]


def check(case):
    """What is wrong with a recipe for a program at an extent; empty for nothing."""
    recipe, program, n, real = case
    m = {"conv": 5, "mriq": n // 2 + 1}.get(program, n)
    name = f"{recipe}_{n}_{real}.lua"
    (folder / name).write_text(f"N={n}\nM={m}\n" + (folder / f"{recipe}.lua").read_text())
    defines = [f"-DN={n}", f"-DM={m}", f"-DREAL={real}"]
    done = subprocess.run([tool, "verify", f"{program}.c", "--recipe", name, "--target", "cpu", "--sanitize", "--effort", "10", "--", *defines], cwd=folder,
                          capture_output=True, text=True, timeout=600)
    if done.returncode or "MISMATCH" in done.stdout or not re.search(rf"region {program}:\d+ ", done.stdout):
        return f"{case}: status {done.returncode}\n{done.stdout}{done.stderr}"
    if real == "double" or n < 100 and program != "conv":
        return ""
    out = f"{recipe}_{n}.cu"
    done = subprocess.run([tool, "compile", f"{program}.c", "-o", out, "--recipe", name, "--", *defines], cwd=folder, capture_output=True, text=True,
                          timeout=300)
    if done.returncode:
        return f"{case}: {done.stderr}"
    text = (folder / out).read_text()
    return "".join(f"{case}: no {pattern}\n{text}" for pattern in TEXTS[recipe] if not re.search(pattern, text))


with ThreadPoolExecutor(2) as pool:
    faults = [fault for fault in pool.map(check, CASES) if fault]
print("\n".join(faults) or f"{len(CASES)} cases hold")
sys.exit(1 if faults else 0)
