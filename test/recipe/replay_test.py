"""The recipe that `--emit-recipe` writes makes the same CUDA again, byte for byte: for every program under bench/kernels, examples
and this folder, however its kernels were decided. Says how many of the recipes are made of steps alone.

  replay_test.py WARPLOOM ROOT FOLDER
"""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def compile_(source, out, *options):
    return subprocess.run([tool, "compile", source, "-o", folder / out, *options, "--", "-I", root / "bench" / "kernels"],
                          capture_output=True, text=True, timeout=300)


def replay(source):
    """Nothing when all is well, else what is wrong; and the numbers of regions, and of those that are more than their steps."""
    recipe = folder / f"{source.stem}.lua"
    done = compile_(source, f"{source.stem}_1.cu", "--emit-recipe", recipe)
    if done.returncode:
        return f"{source}: {done.stderr}", 0, 0
    text = recipe.read_text()
    done = compile_(source, f"{source.stem}_2.cu", "--recipe", recipe)
    if done.returncode:
        return f"{source}: {done.stderr}\n{text}", 0, 0
    first, second = ((folder / f"{source.stem}_{k}.cu").read_bytes() for k in (1, 2))
    return "" if first == second else f"{source} differs\n{text}", text.count("region("), text.count("mapped as always")


sources = sorted([*(root / "bench" / "kernels").glob("*.c"), *(root / "examples").glob("*.c"), *Path(__file__).parent.glob("*.c")])
with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(replay, sources))
faults = [fault for fault, _, _ in results if fault]
print("\n".join(faults))
regions, more = sum(r[1] for r in results), sum(r[2] for r in results)
print(f"{len(sources)} programs, {regions} regions, of which {regions - more} are made of their steps alone")
sys.exit(1 if faults or regions < 40 else 0)
