#!/usr/bin/env python3
"""The groups of cycle shrinking, by hand (`--shrink`) and automatically: groups.c is built for the CPU execution under the sanitizer, gives what the C compiler's
program gives, and each loop makes as many launches as there should be groups.

    shrink_test.py WARPLOOM SOURCE FOLDER
"""
# SHOWS: CR-26 CR-27 CR-28 CR-29 CR-31 CR-38 CR-39 CR-42 CR-66
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HOST = 0  # the loop stays on the host
# How many launches: boxes, the outermost loop, true distances, the best loop; and the most that may be made where nobody says how.
EXPECTED = {
    "two_arrays":         {"simple": 168, "selective": 14, "td": 13, "ecs": 12, "auto": 12},
    "three_distances":    {"simple": 56, "selective": 7, "td": 7, "ecs": 7, "auto": 7},
    "larger":             {"simple": 3128, "selective": 46, "td": 46, "ecs": 46, "auto": 46},
    "three_deep":         {"simple": 360, "selective": 4, "td": 4, "ecs": 4, "auto": 4},
    "to_the_left":        {"simple": 70, "selective": 10, "td": 11, "ecs": 7, "auto": 7},
    "both_ways":          {"simple": 70, "selective": 10, "td": 11, "ecs": 10, "auto": 10},
    "chains":             {"simple": 3, "selective": 3, "td": 3, "ecs": 3, "auto": 1},
    "four_and_six":       {"simple": 25, "selective": 25, "td": 25, "ecs": 25, "auto": HOST},
    "growing":            {"simple": 200, "selective": 200, "td": 200, "ecs": 200, "auto": HOST},
    "one_by_one":         {"simple": HOST, "selective": HOST, "td": HOST, "ecs": HOST, "auto": HOST},
    "one_by_one_in_rows": {"simple": HOST, "selective": HOST, "td": HOST, "ecs": HOST, "auto": HOST},
}
LINE = re.compile(r"warploom: region (\w+):\d+ .* launches (\d+) path gpu")


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **more)


def check(warploom, source, folder, scheme, expected):
    """What is wrong with the program in groups of this scheme: a list of lines."""
    made = folder / scheme
    built = run([warploom, "build", source, "-o", made, "--target", "cpu", "--sanitize", "--shrink", scheme, "--", "-w"])
    if built.returncode:
        return [f"{scheme}: {built.stderr}"]
    got = run([made], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", WARPLOOM_LAUNCH="launches", WARPLOOM_THREADS="2"))
    if got.returncode or got.stdout != expected:
        return [f"{scheme}: status {got.returncode}\nwanted:\n{expected}got:\n{got.stdout}{got.stderr}"]
    as_crink = run([made], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", WARPLOOM_LAUNCH="crink", WARPLOOM_THREADS="2"))
    if as_crink.returncode or as_crink.stdout != expected or LINE.findall(as_crink.stderr) != LINE.findall(got.stderr):
        return [f"{scheme}: as CRINK launches: status {as_crink.returncode}\n{as_crink.stdout}{as_crink.stderr}"]
    launches = {name: int(count) for name, count in LINE.findall(got.stderr)}
    wrong = []
    for name, wanted in EXPECTED.items():
        found, most = launches.get(name, HOST), wanted[scheme]
        good = (found > 0) == (most > 0) and found <= most if scheme == "auto" else found == most
        if not good:
            wrong.append(f"{scheme}: {name} makes {found} launches instead of {most}")
    return wrong


def main():
    warploom, source, folder = (Path(word).resolve() for word in sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    plain = folder / "plain"
    compiled = run([os.environ.get("CC", "cc"), "-O1", "-w", source, "-o", plain])
    if compiled.returncode:
        print(compiled.stderr)
        return 1
    expected = run([plain]).stdout
    with ThreadPoolExecutor(2) as pool:
        wrong = sum(pool.map(lambda scheme: check(warploom, source, folder, scheme, expected),
                             ["simple", "selective", "td", "ecs", "auto"]), [])
    print("\n".join(wrong) if wrong else f"{len(EXPECTED)} loops are right in each way")
    return 1 if wrong or len(expected.splitlines()) != len(EXPECTED) else 0


if __name__ == "__main__":
    sys.exit(main())
