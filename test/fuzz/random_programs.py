#!/usr/bin/env python3
"""Random C programs by csmith through `warploom build --target cpu`: each prints what it prints when gcc compiles it.

A fault is: another output, a build that fails, an internal error, more than the time limit. Programs that gcc does not
compile, or that do not end by themselves in time, are passed over. Every program has a seed.

    random_programs.py --tool build/warploom [--seeds 1-60] [--limit SECONDS] [--everything] [--keep FOLDER]

With --everything they have bit-fields, unions, packed structs and volatiles, too.
"""

import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHAPE = ["--max-funcs", "4", "--max-block-depth", "4", "--max-array-dim", "3", "--max-array-len-per-dim", "12"]
PLAIN = ["--no-bitfields", "--no-packed-struct", "--no-volatiles", "--no-unions"]
FLAGS = ["-I/usr/include/csmith", "-w", "-fwrapv"]
PASSED_OVER = "passed over"


def numbers(text):
    """The seeds that `text`, `1-60,91`, names."""
    result = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        result += range(int(first), int(last or first) + 1)
    return result


def run(command, limit):
    """The status and output of `command`; None when it takes longer than `limit` seconds."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout.decode(errors="replace")


def check(tool, seed, everything, limit, folder):
    """What is wrong with the program of `seed`: PASSED_OVER, or a text, empty when nothing is."""
    source, reference, program = (folder / f"{seed}{ending}" for ending in (".c", ".gcc", ".prog"))
    shape = SHAPE + ([] if everything else PLAIN)
    made = run(["csmith", "--seed", str(seed), *shape, "-o", str(source)], 20)
    if not made or made[0] != 0:
        return PASSED_OVER
    compiled = run(["gcc", "-O1", *FLAGS, str(source), "-o", str(reference)], 60)
    if not compiled or compiled[0] != 0:
        return PASSED_OVER
    expected = run([str(reference)], 3)
    if not expected or expected[0] != 0:
        return PASSED_OVER
    begin = time.monotonic()
    built = run([tool, "build", "--target", "cpu", str(source), "-o", str(program), "--", "-O1", *FLAGS], limit)
    if not built:
        return f"building took more than {limit} seconds"
    if built[0] != 0:
        return f"build ended with status {built[0]}\n{built[1][-2000:]}"
    if "internal error" in built[1]:
        return "\n".join(line for line in built[1].splitlines() if "internal error" in line)
    got = run([str(program)], max(5, limit - (time.monotonic() - begin)))
    if got != expected:
        return f"prints {got}, not {expected}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seeds", type=numbers, default=numbers("1-60"))
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--everything", action="store_true")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="nothing more is begun with after so long")
    parser.add_argument("--keep", type=Path, help="where programs at fault go")
    options = parser.parse_args()
    if not shutil.which("csmith"):
        print("csmith is not installed")
        return 77
    faults, compared, done, begun = 0, 0, 0, time.monotonic()

    def one(seed, folder):
        late = time.monotonic() - begun >= options.seconds
        return None if late else check(options.tool, seed, options.everything, options.limit, folder)

    os.environ["WARPLOOM_DEVICE"] = "gpu"
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = Path(name)
        jobs = {seed: pool.submit(one, seed, folder) for seed in options.seeds}
        for seed, job in jobs.items():
            wrong = job.result()
            if wrong is None:
                continue
            done += 1
            compared += wrong != PASSED_OVER
            if not wrong or wrong == PASSED_OVER:
                continue
            faults += 1
            print(f"seed {seed}: {wrong}")
            if options.keep:
                shutil.copy(folder / f"{seed}.c", options.keep / f"csmith-{seed}.c")
    print(f"{done} of {len(options.seeds)} programs, {compared} compared, {faults} at fault")
    # A generator that makes nothing shows nothing.
    return 1 if faults or 2 * compared < max(done, 1) else 0


if __name__ == "__main__":
    sys.exit(main())
