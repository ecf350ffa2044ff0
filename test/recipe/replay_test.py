"""The recipe that `--emit-recipe` writes makes the same CUDA again, byte for byte, and of steps alone: for every program under bench/kernels and examples, of
the gallery and this folder, and for random nests, however their kernels were decided. A recipe that leaves kernels to be mapped as always is at fault.

  replay_test.py WARPLOOM ROOT FOLDER [SEED COUNT]      random nests: 75 unless told
"""
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tool, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
seed, count = (int(word) for word in sys.argv[4:6]) if len(sys.argv) > 4 else (3, 75)
PER_FILE = 25
sys.path.insert(0, str(root / "test" / "fuzz"))
from nests import nests_text  # noqa: E402

shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def compile_(source, out, *options):
    return subprocess.run([tool, "compile", source, "-o", folder / out, *options, "--", "-I", root / "bench" / "kernels", "-I", root / "lib" / "la"],
                          capture_output=True, text=True, timeout=300)


def replay(source):
    """Nothing when all is well, else what is wrong; and the numbers of regions, and of those that are more than their steps."""
    name = f"{source.parent.name}_{source.stem}"
    recipe = folder / f"{name}.lua"
    done = compile_(source, f"{name}_1.cu", "--emit-recipe", recipe)
    if done.returncode:
        return f"{source}: {done.stderr}", 0, 0
    text = recipe.read_text()
    done = compile_(source, f"{name}_2.cu", "--recipe", recipe)
    if done.returncode:
        return f"{source}: {done.stderr}\n{text}", 0, 0
    first, second = ((folder / f"{name}_{k}.cu").read_bytes() for k in (1, 2))
    fault = f"{source} differs\n{text}" if first != second else f"{source}: its steps do not make its kernels again\n{text}" if "mapped as always" in text else ""
    return fault, text.count("region("), text.count("mapped as always")


random_nests = []
for first in range(0, count, PER_FILE):
    random_nests.append(folder / f"nests{first}.c")
    random_nests[-1].write_text(nests_text([seed * 1000003 + k for k in range(first, min(first + PER_FILE, count))])[0])
programs = [path for pattern in ("bench/kernels/*.c", "examples/*.c", "examples/*/*.c", "test/gallery/*.c", "test/recipe/*.c") for path in root.glob(pattern)]
sources = random_nests + sorted(programs)
with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(replay, sources))
faults = [fault for fault, _, _ in results if fault]
print("\n".join(faults))
regions, more = sum(r[1] for r in results), sum(r[2] for r in results)
print(f"{len(programs)} programs and {count} random nests, {regions} regions, of which {regions - more} are made of their steps alone")
sys.exit(1 if faults or regions < 40 + count // 2 else 0)
