"""`vectorize` in a recipe: neighbouring elements of a thread move in one access of 16 bytes, where the address allows it, which the kernel asks.

  vectors_test.py WARPLOOM ROOT FOLDER

PTX tells what accesses there are. Skipped when there is no nvcc.
"""
# SHOWS: CH-85 RT-46
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
(folder / "scale.c").write_text("void scale(int n, float* restrict y, const float* restrict x) {\n  for (int i = 0; i < n; i++) y[i] += 3 * x[i];\n}\n")
for name, step in (("plain", "map_to_grid({\"i\"})"), ("vectors", "vectorize(\"i\", {\"x\", \"y\"})")):
    (folder / f"{name}.lua").write_text(f'region("scale:2")\n{step}\n')


def ptx(name):
    for command in ([warploom, "compile", "scale.c", "-o", f"{name}.cu", "--recipe", f"{name}.lua"],
                    [compiler, "-std=c++17", "-arch=sm_80", "-I", root / "runtime", "-ptx", f"{name}.cu", "-o", f"{name}.ptx"]):
        done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=500)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    # The kernels of the file, not those of the runtime.
    return "".join(re.findall(r"\.entry _Z\d+scale_.*?^}", (folder / f"{name}.ptx").read_text(), re.M | re.S))



wide = re.compile(r"\b(ld|st)\.global(?:\.nc)?\.v4\.\w+")
plain, vectors = ptx("plain"), ptx("vectors")
assert not wide.search(plain), "one element at a time, where nothing is said"
# Both arrays, of indices of 32 and of 64 bits: x and y are read, y is written.
assert {kind: len(re.findall(rf"\b{kind}\.global(?:\.nc)?\.v4\.\w+", vectors)) for kind in ("ld", "st")} == {"ld": 4, "st": 2}, wide.findall(vectors)
# What an array is accessed by is behind a question: is the address a multiple of 16? Where it is not, elements move one by one.
assert len(re.findall(r"\band\.b64\s+%rd\d+, %rd\d+, 15;", vectors)) >= 4, "each is asked for"
assert len(re.findall(r"\bst\.global\.(?:f32|b32|u32)", vectors)) >= 2 * 4, "and has another way"
print("vectors of 16 bytes, where they are aligned")
