#!/usr/bin/env python3
"""CRINK's five loops (bench/crink): in groups as CRINK had them, launched as it did, and as they run by default, all give what the C compiler's program
gives. Loops that carry only anti dependences need no groups: a copy of old values and the loop, or the loop alone. Each region tells its times,
launches and bytes. Where nobody says that the device is to be used, few elements stay on the host. What was measured on a GPU (bench/crink/run) is of
programs that launch as today's do, and says that the largest ZERO RC takes less than a millisecond there.

    crink_test.py WARPLOOM SOURCE FOLDER RESULTS.json
"""
# SHOWS: CR-41 CR-63 CR-64 CR-67
import json
import os
import re
import subprocess
import sys
from pathlib import Path

LINE = re.compile(r"warploom: region (\w+):\d+ kernels \S+ transfers \S+ launches (\d+) path gpu")
STAYS = re.compile(r"warploom: region (\w+):\d+ kernels \S+ transfers \S+ launches 0 path host:too little work")
TABLE = re.compile(r"warploom: (\w+):\d+ +1 +[\d.]+ +\d+ +[\d.]+ +\d+ +[\d.]+ +[\d.]+  gpu")
HEAD = re.compile(r"warploom: all of it +calls kernels ms +bytes in +ms +bytes out +ms +host ms +path")
ON_HOST = re.compile(r"warploom: \w+:\d+ +1 +0\.000 +0 +0\.000 +0 +0\.000 +([\d.]+)  host:too little work")
SUM = re.compile(r"(\w+ sum \d+)")
SMALL, LARGE = 1740, 929849
SIDE = 58  # of the square matrix that has as many elements twice
# How many groups there are of the small size.
SIMPLE = {"zero_rc": (SMALL - 2 + 1) // 2, "higbie": -(-SIDE // 3) * -(-SIDE // 4), "treepack": (SMALL - 2 + 1) // 2, "sandia": 1, "spec": -(-SMALL // 500)}


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=280, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done


def main():
    warploom, source, folder = (Path(word).resolve() for word in sys.argv[1:4])
    measured = json.loads(Path(sys.argv[4]).read_text())
    folder.mkdir(parents=True, exist_ok=True)
    run([os.environ.get("CC", "cc"), "-O1", "-w", source, "-o", folder / "plain", "-lm"])
    expected = {n: SUM.findall(run([folder / "plain", n]).stdout) for n in (SMALL, LARGE)}
    wrong = []
    for scheme, sizes in (("simple", [SMALL]), ("auto", [SMALL, LARGE])):
        made = folder / f"crink_{scheme}"
        run([warploom, "build", source, "-o", made, "--target", "cpu", "--shrink", scheme, "--", "-w"])
        for n in sizes:
            got = run([made, n], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", WARPLOOM_THREADS="2", WARPLOOM_LAUNCH="crink"))
            if SUM.findall(got.stdout) != expected[n]:
                wrong.append(f"{scheme}, n = {n}: {got.stdout}\nwanted: {expected[n]}")
            launches = {name: int(count) for name, count in LINE.findall(got.stderr)}
            if scheme == "simple" and {name: launches.get(name) for name in SIMPLE} != SIMPLE:
                wrong.append(f"launches {launches}, expected {SIMPLE}")
            if scheme == "auto" and any(launches.get(name, 9) > 2 for name in ("zero_rc", "higbie", "treepack", "sandia")):
                wrong.append(f"launches {launches}: more than a copy and the loop")
            for row in measured["table"] if scheme == "auto" else []:
                ours = row["ours"]
                if row["n"] == n and (ours["path"] != "gpu" or ours["launches"] != launches.get(row["loop"])):
                    wrong.append(f"n = {n}: {row['loop']} makes {launches.get(row['loop'])} launches, measured was {ours}")
            if not HEAD.search(got.stderr) or not set(SIMPLE) <= set(TABLE.findall(got.stderr)):
                wrong.append(f"the report leaves out regions: {got.stderr}")
    largest = [row for row in measured["table"] if row["n"] == LARGE and row["loop"] == "zero_rc"]
    if measured["wrong"] or len(largest) != 1 or not 0 < largest[0]["ours"]["compute_ms"] < 1 or not largest[0]["host_ms"] > 0:
        wrong.append(f"the largest ZERO RC was measured: {largest}, {measured['wrong']}")
    unforced = {name: value for name, value in os.environ.items() if name != "WARPLOOM_DEVICE"}
    got = run([folder / "crink_auto", SMALL], env=dict(unforced, WARPLOOM_CHOICE="static", WARPLOOM_TIMING="1", WARPLOOM_THREADS="2"))
    if SUM.findall(got.stdout) != expected[SMALL] or set(STAYS.findall(got.stderr)) != set(SIMPLE) or LINE.findall(got.stderr):
        wrong.append(f"few elements should stay on the host: {got.stdout}{got.stderr}")
    host = [float(time) for time in ON_HOST.findall(got.stderr)]
    if len(host) != len(SIMPLE) or not sum(host) > 0:
        wrong.append(f"the host's time is told: {host}\n{got.stderr}")
    print("\n".join(wrong) if wrong else "5 loops are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
