#!/usr/bin/env python3
"""Builds and runs every kernel program: without warnings, clean under AddressSanitizer and UndefinedBehaviorSanitizer at
-O0, with the same results at -O3, and with the results that reference.py asks for at small sizes that divide nothing.

  check_programs.py FOLDER [KERNEL ...]
"""

import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from reference import REFERENCES

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
TOLERANCE = 1e-9

VALUE = re.compile(r"^(\w+)\[(\d+)\] (\S+)$")


def build(compiler, source, program, *flags):
    subprocess.run([compiler, "-std=c11", *WARNINGS, *flags, source, "-o", program, "-lm"], check=True,
                   capture_output=True, text=True)


def results(program, **sizes):
    """What the program computes at the given sizes, in full: a list of numbers by name."""
    environment = {**os.environ, "BENCH_DUMP": "1", **{f"BENCH_{name}": str(size) for name, size in sizes.items()}}
    environment["ASAN_OPTIONS"] = "detect_leaks=0"  # looking for leaks takes seconds at every exit
    run = subprocess.run([program], check=True, capture_output=True, text=True, timeout=120, env=environment)
    arrays = {}
    for line in run.stdout.splitlines():
        name, index, value = VALUE.match(line).groups()
        assert int(index) == len(arrays.setdefault(name, []))
        arrays[name].append(float(value))
    return arrays


def difference(what, got, expected):
    """A text if the two lists differ by more than rounding, relative to the largest number in them; else None."""
    if len(got) != len(expected):
        return f"{what}: {len(got)} values, expected {len(expected)}"
    if not all(map(math.isfinite, got)):
        return f"{what}: not all values are finite"
    scale = max(map(abs, [*got, *expected]), default=0) or 1
    error, at = max((abs(a - b) / scale, i) for i, (a, b) in enumerate(zip(got, expected)))
    return f"{what}: {got[at]!r} at {at}, expected {expected[at]!r}" if error > TOLERANCE else None


def check(path, folder):
    """What is wrong with the program in `path`: one text each."""
    plain, checked = folder / path.stem, folder / f"{path.stem}.checked"
    try:
        build("gcc", path, plain, "-DMINI", "-O3")
        build("gcc", path, checked, "-DMINI", "-O0", "-g", *SANITIZE)
        if shutil.which("clang-19"):
            build("clang-19", path, folder / f"{path.stem}.single", "-DSMALL", "-DSINGLE", "-O2")
        got, expected = results(plain), results(checked)
        texts = [difference(f"-O3 {name}", got[name], expected[name]) for name in expected]
        if not any(any(array) for array in got.values()):
            texts.append("all results are zero")
        if path.stem not in REFERENCES:
            return [*filter(None, texts), "reference.py does not say what it must compute"]
        sizes, reference = REFERENCES[path.stem]
        texts += [difference(*triple) for triple in reference(results(checked, **sizes), **sizes)]
        return list(filter(None, texts))
    except subprocess.CalledProcessError as error:
        return [f"{' '.join(map(str, error.cmd))}: exit status {error.returncode}\n{error.stderr}"]


def main(folder, only):
    sources = [path for path in sorted(Path(folder).glob("*.c")) if not only or path.stem in only]
    failed = 0
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, texts in zip(sources, pool.map(lambda path: check(path, Path(temporary)), sources)):
            failed += bool(texts)
            print(f"{'FAIL' if texts else 'ok':4} {path.stem}", *texts, sep="\n     ", flush=True)
    print(f"{len(sources) - failed} passed, {failed} failed")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
