#!/usr/bin/env python3
"""docs/sync.md has the table of what was measured on a GPU and the sentences that follow from it; every system of the benchmark is in it, and the
9 x 9 product is faster than the thesis has it.

Usage: recorded_test.py RESULTS.json BENCH_FOLDER DOCS. The figures are those of the run kept in the repository; a new run replaces them.
"""
import json
import pathlib
import sys

THESIS_MANUAL = 246  # us; 357 generated


def main():
    results, bench, docs = (pathlib.Path(argument) for argument in sys.argv[1:])
    sys.path.insert(0, str(bench))
    import systems
    import table
    record, text = json.loads(results.read_text()), docs.read_text()
    failures = []
    for wanted in (table.table(record), *table.sentences(record), record["command"], str(results.name)):
        if wanted not in text:
            failures.append(f"{docs} does not have\n{wanted}")
    listed = [(one.name, one.title, one.fitted, one.steps) for one in systems.SYSTEMS]
    found = [(row["program"], row["measurement"], row["fitted"], row["steps"]) for row in record["results"]]
    if listed != found:
        failures.append(f"the results are not those of systems.py: {set(listed) ^ set(found)}")
    product = record["results"][0]
    for key, value in product.items():
        if key.startswith("us_per_step_") and not value < THESIS_MANUAL:
            failures.append(f"9x9: {key} is {value}")
    print("\n".join(failures) or "as said")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
