#!/usr/bin/env python3
"""Compiles generated programs, runs them in every way, and compares their traces with the interpreter's.
"""
# SHOWS: GA-02 GA-04 GA-08 GA-22 GA-24 GA-25 GA-26 GA-34 GA-41 GA-46 GA-51 GA-52 GA-53 GA-54 GA-58 GA-60 GA-61 GA-62 GA-63
import argparse
import pathlib
import subprocess
import sys
import tempfile

INSTANCES = 3
WAYS = ("steps", "batch", "many", "c", "inplace")


def numbers(line):
    return [float(field) for field in line.split()]


def difference(expected, found, way):
    """What is wrong with a trace, or None. Both end with a violation when a check fails."""
    if way == "many":
        found = found[::INSTANCES] if found[-1:] and not found[-1].startswith("violated") else found[:-1:INSTANCES] + found[-1:]
    failing = bool(expected) and expected[-1].startswith("error")
    if failing:
        _, step, *name = expected[-1].split(maxsplit=2)
        if not found or not found[-1].startswith("violated") or found[-1].split()[-1] != step:
            return f"expected a violation in step {step}, found {found[-1:]}"
        if name and found[-1] != f"violated {name[0]} {step}":
            return f"expected assertion {name[0]} to be violated, found {found[-1]}"
        expected, found = expected[:-1], found[:-1]
    if len(expected) != len(found):
        return f"{len(expected)} steps expected, {len(found)} found: {found[-1:]}"
    for step, (one, other) in enumerate(zip(expected, found), 1):
        if numbers(one) != numbers(other):
            return f"step {step}:\n  expected {one}\n  found    {other}"
    return None


def build(folder, options, random):
    """Compiles folder/cases.cpp to folder/cases: for the CPU, or with nvcc for a GPU."""
    if options.nvcc:
        subprocess.run([options.nvcc, "-std=c++17", "-O1", "-arch=native", "--fmad=false", "-Xcompiler", "-fwrapv,-ffp-contract=off,-w,-O0",
                        "-x", "cu", "-I", options.runtime, folder / "cases.cpp", "-o", folder / "cases"], check=True)
        return
    # Random systems compare things with themselves; systems people write must compile without any warning.
    quiet = ["-Wno-tautological-compare", "-Wno-xor-used-as-pow", "-Wno-tautological-overlap-compare"] if random else []
    subprocess.run(
        [options.compiler, "-std=c++17", "-O0", "-fwrapv", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", *quiet,
         "-I", options.runtime, folder / "cases.cpp", options.library, "-lboost_context", "-lpthread", "-o", folder / "cases"],
        check=True)


def compare(folder, options, kind):
    """Builds and runs what is in `folder`, and compares; the exit status."""
    build(folder, options, kind.endswith("random"))
    names = sorted(path.stem for path in folder.glob("*.expected"))
    for system in names:
        lines = (folder / f"{system}.in").read_text().splitlines(keepends=True)
        (folder / f"{system}.in{INSTANCES}").write_text("".join(line * INSTANCES for line in lines))
    subprocess.run([folder / "cases", folder], check=True, timeout=600)
    failures = steps = violations = 0
    for system in names:
        expected = (folder / f"{system}.expected").read_text().splitlines()
        steps += len(expected)
        violations += bool(expected) and expected[-1].startswith("error")
        for way in WAYS:
            found = (folder / f"{system}.{way}").read_text().splitlines()
            problem = difference(expected, found, way)
            if problem:
                failures += 1
                print(f"{system}, {way}: {problem}")
    print(f"{len(names)} systems, {steps} steps, {violations} end in a violation, {failures} differences")
    # A comparison of next to nothing is no comparison.
    if kind == "violating" and violations != len(names):
        print("every one of these systems should end in a violation")
        failures += 1
    return 1 if failures or not names or steps < 2 * len(names) else 0


def main():
    parser = argparse.ArgumentParser()
    for option in ("cases", "compiler", "runtime", "library", "work"):
        parser.add_argument(f"--{option}")
    parser.add_argument("--nvcc", help="run on this machine's GPU instead")
    parser.add_argument("--write", help="only write the programs, inputs and expected traces into this folder")
    parser.add_argument("--read", help="use what --write left in this folder, on a machine without sync_cases")
    parser.add_argument("arguments", nargs="+", help="as for sync_cases, without the folder")
    options = parser.parse_args()
    if options.read:
        return compare(pathlib.Path(options.read), options, options.arguments[0])
    if options.write:
        pathlib.Path(options.write).mkdir(parents=True, exist_ok=True)
        subprocess.run([options.cases, *options.arguments, options.write], check=True)
        return 0
    with tempfile.TemporaryDirectory(dir=options.work) as name:
        folder = pathlib.Path(name)
        subprocess.run([options.cases, *options.arguments, folder], check=True)
        return compare(folder, options, options.arguments[0])


if __name__ == "__main__":
    sys.exit(main())
