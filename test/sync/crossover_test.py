#!/usr/bin/env python3
"""Matrix products from 9 x 9 to 256 x 256 were run on a GPU, and from some size on it beats C on one core.

Usage: crossover_test.py RESULTS.json. Skipped while the kept results have no row for 256.
"""
import json
import re
import sys


def main():
    with open(sys.argv[1]) as file:
        rows = json.load(file)["results"]
    sizes = {}
    for row in rows:
        product = re.match(r"matrix product (\d+)x", row["measurement"])
        if product:
            sizes[int(product[1])] = row["us_per_step_persistent"] < row["us_per_step_c_one_core"]
    if 256 not in sizes:
        print("256 x 256 is not among the kept results; run bench/sync/run.sh on a GPU")
        return 77
    faster = sorted(n for n, wins in sizes.items() if wins)
    print(f"sizes {sorted(sizes)}; the GPU wins from {faster[:1]} on")
    return 0 if faster and all(sizes[n] for n in sizes if n >= faster[0]) and min(sizes) == 9 and faster[0] > 9 else 1


if __name__ == "__main__":
    sys.exit(main())
