#!/usr/bin/env python3
"""Each NAME_source.qrz of the examples has the traces of NAME.aif on random inputs. Usage: source_test.py WARPLOOM FOLDER"""
import json
import pathlib
import random
import re
import subprocess
import sys

INPUT = re.compile(r"^\s*(\w+): input (\w+)(?:\{(\d+)\})?((?:\[\d+\])*)\s*$", re.M)


def value(base, bound, extents, dice):
    if extents:
        return [value(base, bound, extents[1:], dice) for _ in range(extents[0])]
    if base == "bool":
        return dice.random() < 0.3
    return dice.randrange(-bound if base == "int" else 0, bound)


def inputs(text, steps, seed):
    dice = random.Random(seed)
    variables = [(name, base, int(bound or 0), [int(n) for n in re.findall(r"\d+", extents)])
                 for name, base, bound, extents in INPUT.findall(text)]
    return "".join(
        json.dumps({name: value(base, bound, extents, dice) for name, base, bound, extents in variables}) + "\n" for _ in range(steps))


def main():
    warploom, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    pairs = [(source, folder / (source.stem.removesuffix("_source") + ".aif")) for source in sorted(folder.glob("*_source.qrz"))]
    failures = 0
    for source, actions in pairs:
        for seed in range(3):
            given = inputs(actions.read_text(), 400, seed)
            one, other = (subprocess.run([warploom, "run", file, "--check"], input=given, capture_output=True, text=True)
                          for file in (source, actions))
            if one.returncode or other.returncode or one.stdout != other.stdout or len(set(one.stdout.splitlines())) < 2:
                failures += 1
                lines = list(zip(one.stdout.splitlines(), other.stdout.splitlines()))
                at = next((i for i, (a, b) in enumerate(lines) if a != b), len(lines))
                print(f"{source.name}, step {at + 1}: {lines[at:at + 1]} {one.stderr} {other.stderr}")
    print(f"{len(pairs)} modules, {failures} differences")
    return 1 if failures or len(pairs) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
