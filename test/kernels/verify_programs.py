#!/usr/bin/env python3
"""Every program under bench/kernels and examples goes through `warploom verify --sanitize`: both forms of each region on the
same data, at sizes that divide evenly, at primes, and at tiny ones, with races, bounds and barriers checked.

  verify_programs.py WARPLOOM ROOT [PROGRAM ...] [--strict-fp]

A region of a kernel function that stays as it was must be expected to: the file says so, with words of the reason, in a comment
`/* ON HOST: reason */`, once per such region, in order. Regions of `main`, which make and check data, may do as they like.
"""
# SHOWS: CH-42 RT-109

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SIZES = ["divisible", "ragged", "tiny", "one"]
MOST_STEPS = 5        # of loops over time
MOST = 128            # of any extent: a checked access costs 0.1 microseconds
PRIMES = [p for p in range(2, 2 * MOST) if all(p % d for d in range(2, p))]

# How the examples take their sizes: arguments of the program, or macros.
EXAMPLES = {
    "saxpy": {size: ["--arg", str(n)] for size, n in zip(SIZES, (4096, 1009, 3, 1))},
    "matmul": {size: ["--arg", str(n)] for size, n in zip(SIZES, (64, 67, 3, 1))},
    "histogram": {size: ["--arg", str(n)] for size, n in zip(SIZES, (4096, 1009, 37, 36))},
    "matvec": {size: ["--arg", str(m), "--arg", str(n)]
               for size, m, n in zip(SIZES, (64, 67, 2, 1), (96, 1031, 3, 1))},
    "convolution": {size: ["--arg", str(m), "--arg", str(n)]
                    for size, m, n in zip(SIZES, (64, 37, 2, 1), (64, 67, 3, 1))},
    "jacobi": {size: ["--arg", str(n), "--arg", "3"] for size, n in zip(SIZES, (66, 61, 3, 1))},
    "heat": {size: ["--", f"-DN={n}", "-DSTEPS=4"] for size, n in zip(SIZES, (64, 67, 3, 2))},
    "blur": {size: ["--", f"-DHEIGHT={h}", f"-DWIDTH={w}", "-DPASSES=2"]
             for size, h, w in zip(SIZES, (64, 61, 16, 13), (96, 67, 17, 14))},
}

BENCH_SIZE = re.compile(r'bench_size\("(\w+)", \d+, (\d+), ')
ON_HOST = re.compile(r"/\* ON HOST: (.*?) \*/", re.DOTALL)
# Of the program itself, not of headers that it includes.
REMARK = re.compile(r"(?m)^\S+\.c:\d+:\d+: remark: the region (\w+):(\d+) stays as it was: (.*)")
COMPARED = re.compile(r"verify: region (\S+) array (\S+) max abs \S+ max rel \S+ (ok|MISMATCH)")
NOT_COMPARED = re.compile(r"verify: region (\S+) was not (compared: .*|entered)")


def bench_sizes(text, size):
    """The environment that gives a program of bench/kernels its sizes. The extents of one program differ, and fall: some
    programs want no more columns than rows."""
    result = {}
    for position, (name, small) in enumerate(BENCH_SIZE.findall(text)):
        small = min(int(small), MOST)
        if "STEPS" in name or name in ("TMAX", "SWEEPS"):
            extent = {"one": 1, "tiny": 2}.get(size, min(small, MOST_STEPS))
        elif size == "divisible":
            extent = small // 32 * 32 or small // 4 * 4 or small
        elif size == "ragged":
            extent = [p for p in PRIMES if p <= max(small, 5)][-1 - position] if small > 20 else max(small | 1, 3)
        else:
            extent = 1 if size == "one" else max(3 - position, 1)
        result[f"BENCH_{name}"] = str(extent)
    if "BENCH_M" in result and "BENCH_N" in result and list(result).index("BENCH_M") < list(result).index("BENCH_N"):
        result["BENCH_N"] = str(min(int(result["BENCH_M"]), int(result["BENCH_N"])))
    return result


class Outcome:
    """What became of one program."""

    def __init__(self, name):
        self.name = name
        self.regions = self.refused = self.arrays = 0
        self.sizes = {}       # size -> "ok" or what was wrong, in a word
        self.problems = []    # texts
        self.seconds = 0

    def line(self):
        sizes = " ".join(f"{self.sizes.get(size, '-'):9}" for size in SIZES)
        return (f"{'FAIL' if self.problems else 'ok':4} {self.name:20} {self.regions - self.refused}/{self.regions:<3}"
                f" {self.arrays:3}  {sizes} {self.seconds:6.1f} s")


def command_for(options, path, program, size):
    command = [options.warploom, "verify", str(path), "--sanitize"]
    command += ["--strict-fp"] if options.strict_fp else []
    if path.parent.name == "kernels":
        return command + ["-o", str(program), "--", "-DMINI"]
    arguments = EXAMPLES[path.stem][size]
    return command + ([] if "--" in arguments else ["-o", str(program)]) + arguments


def judge(outcome, size, run, regions):
    """Adds what `run` found at `size` to `outcome`."""
    text = run.stdout + run.stderr
    wrong = []
    if run.returncode != 0:
        wrong.append((f"status {run.returncode}", text[-1500:]))
    if "warploom: sanitize:" in text:
        wrong.append(("sanitizer", text[text.index("warploom: sanitize:"):][:1500]))
    compared = COMPARED.findall(text)
    mismatches = [line for line in text.splitlines() if " MISMATCH" in line or ", and was " in line]
    if mismatches:
        wrong.append(("MISMATCH", "\n".join(mismatches[:6])))
    # Tiny sizes may leave nothing to do; at the others every kernel must have run.
    absent = [line for line in NOT_COMPARED.findall(text) if not line[0].startswith("main:")]
    if absent and size in ("divisible", "ragged"):
        wrong.append(("not run", "; ".join(f"{region} was not {why}" for region, why in absent)))
    if regions and not compared and size in ("divisible", "ragged"):
        wrong.append(("nothing", f"nothing was compared\n{text[-1500:]}"))
    outcome.arrays = max(outcome.arrays, len(set(compared)))
    outcome.sizes[size] = wrong[0][0] if wrong else "ok"
    outcome.problems += [f"{size}: {what}: {text}" for what, text in wrong]


def check_refusals(outcome, source, errors):
    """Holds the regions that stay as they were against the comments that expect them."""
    found = [(f"{function}:{line}", reason) for function, line, reason in REMARK.findall(errors) if function != "main"]
    expected = [" ".join(reason.split()) for reason in ON_HOST.findall(source)]
    for region, reason in found:
        if expected and expected[0] in reason:
            expected.pop(0)
        else:
            outcome.problems.append(f"{region} stays as it was, which no comment expects: {reason}")
    outcome.problems += [f"a region should stay on the host, but none does: {reason}" for reason in expected]


def verify(path, options, folder):
    outcome, begun = Outcome(path.stem), time.time()
    source = path.read_text()
    bench = path.parent.name == "kernels"
    program = folder / f"{path.parent.name}.{path.stem}"
    regions = 0
    for size in SIZES:
        environment = {**os.environ, **(bench_sizes(source, size) if bench else {})}
        environment["WARPLOOM_DEVICE"] = "gpu"
        if program.exists():  # built at the first size; now only its sizes change
            command = [str(program), *([] if bench else EXAMPLES[path.stem][size][1::2])]
        else:
            command = command_for(options, path, program, size)
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=240, env=environment)
        except subprocess.TimeoutExpired:
            outcome.sizes[size] = "timeout"
            outcome.problems.append(f"{size}: not done after 240 s: {' '.join(command)}")
            continue
        if not outcome.sizes:
            refused = REMARK.findall(run.stderr)
            mapped = {region for region, _, _ in COMPARED.findall(run.stdout)}
            mapped |= {region for region, _ in NOT_COMPARED.findall(run.stdout)}
            outcome.refused, outcome.regions = len(refused), len(refused) + len(mapped)
            regions = len(mapped)
            check_refusals(outcome, source, run.stderr)
        judge(outcome, size, run, regions)
        if bench and not program.exists():
            break  # it does not build
    outcome.seconds = time.time() - begun
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warploom")
    parser.add_argument("root", type=Path)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--strict-fp", action="store_true", help="results must be equal, bit by bit")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    paths = sorted(options.root.glob("bench/kernels/*.c")) + sorted(options.root.glob("examples/*.c"))
    paths = [path for path in paths if re.search(r"^int main\(", path.read_text(), re.MULTILINE)]
    paths = [path for path in paths if not options.programs or path.stem in options.programs]
    without = [path.stem for path in paths if path.parent.name == "examples" and path.stem not in EXAMPLES]
    if without:
        sys.exit(f"verify_programs.py does not know the sizes of {', '.join(without)}")

    print(f"     {'program':20} mapped arrays  {' '.join(f'{size:9}' for size in SIZES)}")
    failed = 0
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda path: verify(path, options, Path(temporary)), paths):
            failed += bool(outcome.problems)
            print(outcome.line(), flush=True)
            for problem in outcome.problems:
                print("     " + problem.strip().replace("\n", "\n       "), flush=True)
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
