#!/usr/bin/env python3
"""The figures of the cost model are what the fit finds today for the rows of the benchmark that are for fitting, and how well they meet the rows
that were held out is what docs/sync.md says.

Usage: cost_test.py SYNC_FIT BENCH_FOLDER RESULTS.json DOCS
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def summary(kind, ratios, where):
    within = sum(0.5 <= ratio <= 2 for ratio in ratios)
    return f"- {kind} rows, {where}: predicted by measured from {min(ratios):.2f} to {max(ratios):.2f}; {within} of {len(ratios)} within a factor of two."


def main():
    fit, bench, results, docs = sys.argv[1:]
    sys.path.insert(0, bench)
    import generate
    import systems
    rows = {row["program"]: row for row in json.loads(pathlib.Path(results).read_text())["results"]}
    with tempfile.TemporaryDirectory() as name:
        lines = []
        for one in systems.SYSTEMS:
            file = pathlib.Path(name) / f"{one.name}.aif"
            file.write_text(generate.text(one.source))
            row = rows[one.name]
            lines.append(f"{one.name} {int(one.fitted)} {one.instances} {row['us_per_step_c_one_core']} {row['us_per_step_persistent']} {file}\n")
        output = subprocess.run([fit], input="".join(lines), capture_output=True, text=True, check=True).stdout
    wrong, predicted = [], {}
    for kind, key, *numbers in map(str.split, output.splitlines()):
        one, other = map(float, numbers)
        if kind == "row":
            predicted[key] = (one, other)
        elif not 0.95 < one / other < 1.05:  # CostModel.h has two digits
            wrong.append(f"{key}: the fit finds {one:.2g}, CostModel.h has {other:.2g}")
    said, right = [], 0
    for row in rows.values():
        measured = row["us_per_step_c_one_core"], row["us_per_step_persistent"]
        core, gpu = predicted[row["program"]]
        right += (core < gpu) == (measured[0] < measured[1])
        print(f"{row['program']:20} {'fitted' if row['fitted'] else 'held out':8} core {core:10.4g} us, measured {measured[0]:10.4g}, {core / measured[0]:5.2f}; "
              f"GPU {gpu:10.4g} us, measured {measured[1]:10.4g}, {gpu / measured[1]:5.2f}{'' if (core < gpu) == (measured[0] < measured[1]) else '; the other one wins'}")
    for kind, fitted in (("Fitted", True), ("Held-out", False)):
        for where, key, at in (("one core", "c_one_core", 0), ("GPU", "persistent", 1)):
            said.append(summary(kind, [predicted[row["program"]][at] / row[f"us_per_step_{key}"] for row in rows.values() if row["fitted"] == fitted], where))
    said.append(f"- The winner is right in {right} of {len(rows)} rows.")
    text = pathlib.Path(docs).read_text()
    wrong += [f"{docs} does not say: {line}" for line in said if line not in text]
    print("\n".join(wrong) or "as said")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
