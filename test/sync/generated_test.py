#!/usr/bin/env python3
"""The programs kept for the benchmark are what the compiler makes today, byte by byte; and the benchmark itself works, with kernels on the CPU.

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
        subprocess.run([sys.executable, bench / "generate.py", warploom, name], check=True)
        kept = sorted(path.name for path in (bench / "generated").iterdir())
        made = sorted(path.name for path in pathlib.Path(name).iterdir())
        if kept != made:
            print(f"kept {kept}, made {made}")
            return 1
        _, different, missing = filecmp.cmpfiles(bench / "generated", name, kept, shallow=False)
        print("different:", different, "missing:", missing)
        results = pathlib.Path(name) / "results.json"
        ran = subprocess.run([sys.executable, bench / "run.py", results, "--cpu", library, "--only", *MEASURED])
        rows = [row["program"] for row in json.loads(results.read_text())["results"]]
    return 1 if different or missing or ran.returncode or rows != MEASURED else 0


if __name__ == "__main__":
    sys.exit(main())
