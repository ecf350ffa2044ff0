#!/usr/bin/env python3
"""What was measured on a GPU holds what is claimed of it, and docs/sync.md shows the very table.

Usage: recorded_test.py RESULTS.json BENCH_FOLDER DOCS. The figures are those of the run kept in the repository; a new run replaces them.
"""
import json
import pathlib
import sys

THESIS_GENERATED, THESIS_MANUAL = 357, 246


def main():
    results, bench, docs = (pathlib.Path(argument) for argument in sys.argv[1:])
    sys.path.insert(0, str(bench))
    import table
    record = json.loads(results.read_text())
    rows = {row["measurement"]: row for row in record["results"]}
    product = rows["matrix product 9x9"]
    failures = []
    for way in ("us_per_step_persistent", "us_per_step_launches"):
        if not product[way] < THESIS_MANUAL < THESIS_GENERATED:
            failures.append(f"9x9: {way} is {product[way]}")
    if "us_per_step_c_one_core" not in product:
        failures.append("9x9: not compared with our own C")
    # Kernels without transfers against kernels without transfers.
    ratio = rows["kernels of the matrix product 9x9"]["us_per_step_kernels_only"] / product["us_per_step_persistent"]
    if f"{ratio:.1f} times" not in docs.read_text():
        failures.append(f"{docs} does not say that launches alone take {ratio:.1f} times as long")
    if table.table(record) not in docs.read_text():
        failures.append(f"{docs} does not have this table:\n{table.table(record)}")
    if record["command"] not in docs.read_text():
        failures.append(f"{docs} does not say the command")
    print("\n".join(failures) or "as claimed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
