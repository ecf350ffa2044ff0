#!/usr/bin/env python3
"""Times the five loops of loops.c: on the host, launched as CRINK did, and as Warploom runs them. Results must be equal.

    measure.py FOLDER RESULTS.json [N...]

FOLDER has loops.c, the runtime, and for each of auto, simple and ecs what `warploom compile` wrote: NAME.cu, NAME.host.c. Needs nvcc, gcc and a GPU;
about a minute. `simple` and `ecs` are two of CRINK's schemes, each group a launch with as many threads as the array has elements, after which the
host waits.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

LINE = re.compile(r"warploom: region (\w+):\d+ kernels (\S+) transfers (\S+) launches (\d+) path (\S+)")
HOST = re.compile(r"(\w+) sum (\d+) milliseconds (\S+)")
SIZES = [1740, 6726, 39994, 61484, 352807, 929849]
LOOPS = ["zero_rc", "higbie", "treepack", "sandia", "spec"]
CALLS = 5


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=280, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def main():
    folder, results = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    sizes = [int(word) for word in sys.argv[3:]] or SIZES
    os.chdir(folder)
    run(["gcc", "-O3", "-march=native", "loops.c", "-o", "host", "-lm"])
    for name in ("auto", "simple", "ecs"):
        run(["nvcc", "-std=c++17", "-O3", "-arch=native", "-Iruntime", "-c", f"{name}.cu", "-o", f"{name}.o"])
        run(["gcc", "-O3", "-w", "-c", f"{name}.host.c", "-o", f"{name}.host.o"])
        run(["nvcc", "-arch=native", f"{name}.o", f"{name}.host.o", "-o", name, "-lm", "-lpthread"])

    def device(name, n, calls, **environment):
        done = run([f"./{name}", n, calls], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", **environment))
        sums = {loop: value for loop, value, _ in HOST.findall(done.stdout)}
        times = {loop: {"compute_ms": float(kernels) / calls, "transfers_ms": float(transfers) / calls, "launches": int(launches) // calls, "path": path}
                 for loop, kernels, transfers, launches, path in LINE.findall(done.stderr)}
        return sums, times

    table, wrong = [], []
    for n in sizes:
        once = {loop: value for loop, value, _ in HOST.findall(run(["./host", n, 1]).stdout)}
        many = HOST.findall(run(["./host", n, CALLS]).stdout)
        host = {loop: float(time) / CALLS for loop, _, time in many}
        ours_sums, ours = device("auto", n, CALLS)
        if ours_sums != {loop: value for loop, value, _ in many}:
            wrong.append(f"n = {n}: ours differs from the host")
        schemes = {}
        for scheme in ("simple", "ecs"):
            # Half a million launches for each call: once is enough.
            sums, schemes[scheme] = device(scheme, n, 1, WARPLOOM_LAUNCH="crink")
            if sums != once:
                wrong.append(f"n = {n}: {scheme} differs from the host")
        for loop in LOOPS:
            table.append({"n": n, "loop": loop, "host_ms": host[loop], "ours": ours.get(loop), "crink_simple": schemes["simple"].get(loop),
                          "crink_ecs": schemes["ecs"].get(loop)})
    results.write_text(json.dumps({"command": "bench/crink/run build/warploom FILE", "wrong": wrong, "table": table}, indent=1) + "\n")
    print(f"{'n':>7} {'loop':10} {'host ms':>10} {'ours ms':>10} {'launches':>8} {'CRINK ms':>12} {'launches':>8}")
    for row in table:
        ours, other = row["ours"] or {}, row["crink_simple"] or {}
        print(f"{row['n']:7} {row['loop']:10} {row['host_ms']:10.4f} {ours.get('compute_ms', -1):10.4f} {ours.get('launches', 0):8} "
              f"{other.get('compute_ms', -1):12.4f} {other.get('launches', 0):8}")
    print("\n".join(wrong) if wrong else "all results are equal")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
