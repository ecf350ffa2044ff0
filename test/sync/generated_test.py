#!/usr/bin/env python3
"""The programs kept for the benchmark are what the compiler makes today, byte by byte; and what the cost model says of them agrees, within a
factor of two, with all that was measured.

Usage: generated_test.py WARPLOOM BENCH_FOLDER RESULTS.json
"""
# SHOWS: GA-70
import filecmp
import json
import pathlib
import re
import subprocess
import sys
import tempfile

UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3}
NOT_PREDICTED = "kernels of the matrix product"  # a step as several launches


def program(measurement):
    """The generated program a row of the results is about."""
    size = re.search(r"(\d+)x", measurement)
    if measurement.startswith("matrix product"):
        return ("outer" if "a column a step" in measurement else "matmul") + size[1]
    return {"game of life": f"torus{size[1] if size else ''}", "instances of": "traffic"}.get(measurement[:12])


def measured(row):
    """Microseconds of a step: on one core, and in one persistent kernel."""
    if "instances" in row:
        return tuple(row["instances"] / row[key] * 1e6 for key in ("instance_steps_per_second_c_one_core", "instance_steps_per_second"))
    return row.get("us_per_step_c_one_core", row.get("us_per_step_c_generated")), row["us_per_step_persistent"]


def predictions(report):
    """By program: microseconds on one core and on a GPU."""
    found = re.findall(r"^(\w+): a step of .*?: ([\d.]+) (ns|us|ms) on one core, ([\d.]+) (ns|us|ms) on a GPU", report, re.M)
    return {name: (float(core) * UNITS[a], float(gpu) * UNITS[b]) for name, core, a, gpu, b in found}


def faults(rows, predicted):
    for row in rows:
        if row["measurement"].startswith(NOT_PREDICTED):
            continue
        name = program(row["measurement"])
        if name not in predicted:
            yield f"{row['measurement']}: nothing is predicted of it"
            continue
        for where, said, took in zip(("one core", "GPU"), predicted[name], measured(row)):
            print(f"{name} on {where}: {said:.3g} us predicted, {took:.3g} us measured, {said / took:.2f}")
            if not 0.5 <= said / took <= 2:
                yield f"{name} on {where}: {said} us are predicted, {took} us were measured"
        if (predicted[name][0] < predicted[name][1]) != (measured(row)[0] < measured(row)[1]):
            yield f"{name}: the other one wins"


def main():
    warploom, bench, results = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as name:
        report = subprocess.run(["sh", bench / "generate.sh", warploom, name], check=True, capture_output=True, text=True).stdout
        kept = sorted(path.name for path in (bench / "generated").iterdir())
        made = sorted(path.name for path in pathlib.Path(name).iterdir())
        if kept != made:
            print(f"kept {kept}, made {made}")
            return 1
        _, different, missing = filecmp.cmpfiles(bench / "generated", name, kept, shallow=False)
        print("different:", different, "missing:", missing)
    wrong = list(faults(json.loads(results.read_text())["results"], predictions(report)))
    print("\n".join(wrong))
    return 1 if different or missing or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
