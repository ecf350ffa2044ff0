"""nvcc takes the kernels of every program under bench/kernels and examples, and of some random nests, for sm_90 without a
warning; one program in four for sm_80 too. Many programs share one call, each in a namespace of its own, since CUDA's headers take
seconds each time.

  nvcc_programs.py WARPLOOM ROOT FOLDER [PROGRAM ...]

Skipped when there is no nvcc.
"""
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nvcc

warploom, root, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
sys.path.insert(0, str(root / "test" / "fuzz"))
from nests import nests_text  # noqa: E402

NESTS = 16
GROUPS = 4
compiler = nvcc.found()
SM_80 = ["-gencode", "arch=compute_80,code=sm_80"]
FLAGS = ["-std=c++17", "-O3", "-gencode", "arch=compute_90,code=sm_90", "-Werror", "all-warnings", "-Xcompiler",
         "-Wall,-Wextra", "-I", str(root / "runtime")]


def compiled(number, path):
    """The CUDA text of a C file, or nothing when no region of it became a kernel. Ends the test when Warploom fails."""
    out = folder / f"{number}_{path.stem}.cu"
    run = subprocess.run([warploom, "compile", str(path), "-o", str(out), "--", "-std=gnu11"], capture_output=True, text=True, timeout=120)
    if run.returncode:
        print(f"FAIL warploom compile {path}\n{run.stderr}")
        return False
    return out if "__global__" in out.read_text() else None


def accepted(number, paths):
    """Whether nvcc compiles all of `paths` at once."""
    text = '#include "warploom.h"\n' + "".join(
        f'namespace program_{k} {{\n#include "{path.name}"\n}}\n' for k, path in enumerate(paths))
    unit = folder / f"group{number}.cu"
    unit.write_text(text)
    begun = time.time()
    run = subprocess.run([compiler, *FLAGS, *(SM_80 if number == 0 else []), "-c", str(unit), "-o", str(unit.with_suffix(".o"))], capture_output=True, text=True,
                         timeout=800)
    print(f"{'FAIL' if run.returncode else 'ok':4} {len(paths)} programs, {time.time() - begun:.0f} s: "
          f"{' '.join(path.stem.partition('_')[2] for path in paths)}\n{run.stderr}", flush=True)
    return run.returncode == 0


shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
sources = sorted(root.glob("bench/kernels/*.c")) + sorted(root.glob("examples/*.c"))
only = sys.argv[4:]
sources = [path for path in sources if not only or path.stem in only]
if not only:
    random = folder / "random.c"
    random.write_text(nests_text(range(NESTS))[0])
    sources.append(random)
with ThreadPoolExecutor(2) as pool:
    texts = list(pool.map(compiled, range(len(sources)), sources))
    kernels = [text for text in texts if text]
    groups = [kernels[k::GROUPS] for k in range(GROUPS)]
    good = list(pool.map(accepted, range(GROUPS), [group for group in groups]))
failed = texts.count(False) + good.count(False)
print(f"{len(kernels)} of {len(sources)} files have kernels; {failed} failures")
sys.exit(1 if failed or not kernels else 0)
