#!/usr/bin/env python3
"""The generated CUDA, compiled by nvcc and run on this machine's GPU, has the interpreter's traces: the systems that are given, with and without
checks, those that violate an assertion, and random ones. Skipped where there is no nvcc or no GPU.

`--write FOLDER` writes programs, inputs and expected traces for a machine without Warploom, where `--read FOLDER --runtime RUNTIME` runs them;
`--results FILE` keeps the counts.
"""
# SHOWS: GA-08
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TRACES = pathlib.Path(__file__).parent / "traces_test.py"
TOGETHER = 3  # systems in one program: nvcc takes long for one of a hundred


def groups(systems, large, violating, random):
    """The arguments of sync_cases for every program: (kind, argument...)."""
    for kind, files in (("file", systems), ("large", large), ("checked", systems), ("violating", violating)):
        for first in range(0, len(files), TOGETHER):
            yield kind, *files[first:first + TOGETHER]
    for kind, start, count in (("random", 0, random), ("checkedrandom", 5000, random // 2)):
        for first in range(start, start + count, TOGETHER):
            yield kind, str(first), str(TOGETHER)


def write(folder, cases, programs):
    for number, (kind, *arguments) in enumerate(programs):
        subprocess.run([sys.executable, TRACES, "--cases", cases, "--write", folder / f"{kind}-{number}", kind, *arguments], check=True)


def run(folder, runtime, nvcc):
    """Runs what write() left in `folder`; by kind, what was counted, and the number of programs that failed."""
    def one(path):
        kind = path.name.split("-")[0]
        ran = subprocess.run([sys.executable, TRACES, "--nvcc", nvcc, "--runtime", runtime, "--read", path, kind],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(f"{path.name}: {ran.stdout}", end="", flush=True)
        return kind, ran

    counts, failed = {}, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for kind, ran in pool.map(one, sorted(path for path in folder.iterdir() if path.is_dir())):
            failed += ran.returncode != 0
            line = re.search(r"(\d+) systems, (\d+) steps, (\d+) end in a violation, (\d+) differences", ran.stdout)
            total = counts.setdefault(kind, {"systems": 0, "steps": 0, "end in a violation": 0, "differences": 0})
            for key, value in zip(total, line.groups() if line else ()):
                total[key] += int(value)
    return counts, failed


def main():
    parser = argparse.ArgumentParser()
    for option in ("cases", "runtime", "work", "write", "read", "results"):
        parser.add_argument(f"--{option}")
    parser.add_argument("--random", type=int, default=99, help="how many random systems; half as many with checks")
    for kind in ("systems", "large", "violating"):
        parser.add_argument(f"--{kind}", nargs="*", default=[])
    options = parser.parse_args()
    programs = groups(options.systems, options.large, options.violating, options.random)
    if options.write:
        write(pathlib.Path(options.write), options.cases, programs)
        return 0
    nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    devices = shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout
    if not nvcc or not (options.read or devices and "GPU" in devices):
        print("no nvcc or no GPU here")
        return 77
    with tempfile.TemporaryDirectory(dir=options.work) as name:
        folder = pathlib.Path(options.read or name)
        if not options.read:
            write(folder, options.cases, programs)
        counts, failed = run(folder, options.runtime, nvcc)
    print(json.dumps(counts))
    if options.results:
        pathlib.Path(options.results).write_text(json.dumps({"results": counts, "programs that failed": failed}, indent=1) + "\n")
    return 1 if failed or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
