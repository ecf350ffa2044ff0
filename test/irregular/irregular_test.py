#!/usr/bin/env python3
"""Irregular loops: irregular.c is built for the CPU execution under the sanitizer and gives, bit by bit, what the C compiler's program gives;
the loops marked `/* region: NAME */` run on the device, with as many levels as the longest chain of iterations that wait for each other has,
which the C compiler's program finds by looking at all pairs. Levels are found anew when index arrays have changed, and only then.

    irregular_test.py WARPLOOM SOURCE FOLDER
"""
# SHOWS: CR-56 CR-57 CR-58 CR-59 CR-60 CR-61 CR-62
import os
import re
import subprocess
import sys
from pathlib import Path

MARK = re.compile(r"/\* region: (\w+) \*/")
ORDERED = re.compile(r"/\* in order: (\w+) \*/")
NO_LEVELS = re.compile(r"/\* no levels: (\w+) \*/")
MAPPED = re.compile(r": region (\w+):(\d+) runs in ")
LEVELS = re.compile(r"warploom: levels of region (\w+):\d+: (\d+) for (-?\d+) iterations, (.*)")
LAUNCHES = re.compile(r"warploom: region (\w+):\d+ .* launches (\d+) path (\S+)")
FLAGS = ["-O1", "-w", "-ffp-contract=off"]


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=580, **more)


def made_by_cc(source, folder, *defines):
    program = folder / "plain"
    compiled = run([os.environ.get("CC", "cc"), *FLAGS, *defines, source, "-o", program])
    assert compiled.returncode == 0, compiled.stderr
    return run([program]).stdout


def main():
    warploom, source, folder = (Path(word).resolve() for word in sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    text = source.read_text()
    made = folder / "made"
    built = run([warploom, "build", source, "-o", made, "--target", "cpu", "--sanitize", "--explain", "--", "-w"])
    if built.returncode:
        print(built.stderr)
        return 1
    wrong = []
    mapped = {(name, int(line)) for name, line in MAPPED.findall(built.stdout + built.stderr)}
    wanted = {(mark[1], number) for number, line in enumerate(text.splitlines(), 1) for mark in MARK.finditer(line)}
    wrong += [f"line {line}: the loops of {name} stay on the host" for name, line in sorted(wanted - mapped)]
    wrong += [f"the loops of {name} must stay in order" for name in ORDERED.findall(text) if name in {n for n, _ in mapped}]

    got = run([made], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", WARPLOOM_THREADS="2"))
    expected = made_by_cc(source, folder)
    if got.returncode or got.stdout != expected:
        lines = [f"wanted {a}\ngot    {b}" for a, b in zip(expected.splitlines(), got.stdout.splitlines()) if a != b]
        wrong.append(f"status {got.returncode}\n" + "\n".join(lines[:20]) + got.stderr[-3000:])

    # To look at all pairs takes long: of the sizes, the one of 500.
    chains = [line.split()[1:] for line in made_by_cc(source, folder, "-DCHAINS", "-DSIZES=5").splitlines() if line.startswith("chain ")]
    chains = [(name, int(longest), int(count)) for name, longest, count in chains if int(count) > 400]
    found = [(name, int(levels), int(count), how) for name, levels, count, how in LEVELS.findall(got.stderr)]
    fresh = [(name, levels, count) for name, levels, count, how in found if how == "found" and count > 400]
    for name in sorted({name for name, _, _ in chains}):
        longest = [one[1:] for one in chains if one[0] == name]
        levels = [one[1:] for one in fresh if one[0] == name][:len(longest)]
        if levels != longest:
            wrong.append(f"{name}: levels and iterations {levels}, longest chains {longest}")
    largest = max((longest for _, longest, _ in chains), default=0)
    if largest < 20:
        wrong.append(f"the longest chain of all has only {largest} iterations")
    hows = [how for name, _, count, how in found if name == "three" and count > 400]
    if hows != ["found", "as before", "found", "found"] * 2:
        wrong.append(f"three, with its index arrays and then with others: {hows}")
    if any(name in NO_LEVELS.findall(text) + ["add_up"] for name, *_ in found):
        wrong.append("levels were looked for where there are none")
    launches = [int(count) for name, count, path in LAUNCHES.findall(got.stderr) if name == "add_up" and path == "gpu"]
    if launches != [5]:
        wrong.append(f"a sum through data is one launch: {launches} in 5 calls")
    print("\n".join(wrong) if wrong else f"{len(wanted)} loops are right, {len(fresh)} inspections")
    return 1 if wrong or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
