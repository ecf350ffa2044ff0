#!/usr/bin/env python3
"""The programs of the benchmark are the same, byte by byte, whenever the compiler makes them; and the benchmark itself works, with kernels on the CPU.

Usage: generated_test.py WARPLOOM BENCH_FOLDER CPU_LIBRARY
"""
# SHOWS: GA-70
import filecmp
import json
import pathlib
import subprocess
import sys
import tempfile

MEASURED = ["matmul9", "torus64", "processor64_many"]


def main():
    warploom, bench, library = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for made in (folder / "one", folder / "two"):
            subprocess.run([sys.executable, bench / "generate.py", warploom, made], check=True)
        texts = sorted(path.name for path in (folder / "one").iterdir())
        same, different, missing = filecmp.cmpfiles(folder / "one", folder / "two", texts, shallow=False)
        print(len(same), "the same, different:", different, "missing:", missing)
        results = folder / "results.json"
        ran = subprocess.run([sys.executable, bench / "run.py", results, "--cpu", library, "--generated", folder / "one", "--only", *MEASURED])
        rows = [row["program"] for row in json.loads(results.read_text())["results"]]
    return 1 if not same or different or missing or ran.returncode or rows != MEASURED else 0


if __name__ == "__main__":
    sys.exit(main())
