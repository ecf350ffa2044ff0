#!/usr/bin/env python3
"""Small programs in the style people write them, through `warploom build --sanitize`: what they print is what they print when the
C compiler makes them, and the loops marked `/* region: NAME */` run on the device. Programs with directives of OpenMP are built
with them and without.

    ordinary_test.py WARPLOOM ROOT FOLDER [PROGRAM...]

A mark names the function that the loop is in. It stands on the line of the region's first loop. Loops marked
`/* in order: NAME */` must stay as they are. A program with the mark `/* makes copies */` is also run without room for them.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

MARK = re.compile(r"/\* region: (\w+) \*/")
ORDERED = re.compile(r"/\* in order: (\w+) \*/")
COPIES = "/* makes copies */"
MAPPED = re.compile(r": region (\w+):(\d+) runs in ")


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=280, **more)


def close(a, b):
    """Whether two outputs are the same but for the last digits of numbers: sums are taken in another order."""
    left, right = a.split(), b.split()
    if len(left) != len(right):
        return False
    for one, other in zip(left, right):
        if one == other:
            continue
        try:
            x, y = float(one), float(other)
        except ValueError:
            return False
        if "." not in one or abs(x - y) > 1e-5 * max(1.0, abs(x), abs(y)):
            return False
    return True


def check(warploom, source, folder, flags):
    """What is wrong with `source`, compiled with `flags`: nothing, or a list of lines."""
    wanted = {(mark[1], number) for number, line in enumerate(source.read_text().splitlines(), 1)
              for mark in MARK.finditer(line)}
    ordered = {mark[1] for mark in ORDERED.finditer(source.read_text())}
    plain, made = folder / source.stem, folder / (source.stem + "_made")
    compiled = run([os.environ.get("CC", "cc"), "-O1", "-w", *flags, source, "-o", plain, "-lm"])
    if compiled.returncode:
        return [compiled.stderr]
    built = run([warploom, "build", source, "-o", made, "--target", "cpu", "--sanitize", "--explain", "--", "-w", *flags])
    if built.returncode:
        return [built.stderr]
    wrong = []
    mapped = {(name, int(line)) for name, line in MAPPED.findall(built.stdout + built.stderr)}
    for name, line in sorted(wanted - mapped):
        wrong.append(f"{source.name}:{line}: the loops of {name} stay on the host")
    for name in sorted(ordered & {name for name, _ in mapped}):
        wrong.append(f"{source.name}: the loops of {name} must stay in order")
    if not wanted:
        wrong.append(f"{source.name} marks no region")
    around = dict(os.environ, OMP_NUM_THREADS="2", WARPLOOM_DEVICE="gpu")
    expected, got = run([plain], env=around), run([made], env=around)
    if got.returncode != expected.returncode or not close(expected.stdout, got.stdout):
        wrong.append(f"{source.name}: status {got.returncode}, wanted {expected.returncode}\n"
                     f"wanted: {expected.stdout}got:    {got.stdout}{got.stderr}")
    if COPIES in source.read_text():
        got = run([made], env=dict(around, WARPLOOM_SCRATCH="0", WARPLOOM_TIMING="1"))
        if got.returncode != expected.returncode or not close(expected.stdout, got.stdout) or "no room for" not in got.stderr:
            wrong.append(f"{source.name} without room for copies: status {got.returncode}\nwanted: {expected.stdout}"
                         f"got:    {got.stdout}{got.stderr}")
    if wrong:
        wrong.append("".join(line + "\n" for line in (built.stdout + built.stderr).splitlines() if "stays as it was" in line))
    return wrong


def main():
    warploom, root, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted((root / "test" / "ordinary").glob("*.c"))
    if len(sys.argv) > 4:
        sources = [source for source in sources if source.stem in sys.argv[4:]]
    wrong = []
    for source in sources:
        for flags in [[], ["-fopenmp"]] if "#pragma omp" in source.read_text() else [[]]:
            wrong += check(warploom, source, folder, flags)
    print("\n".join(wrong) if wrong else f"{len(sources)} programs are right")
    return 1 if wrong or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
