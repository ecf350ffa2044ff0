#!/usr/bin/env python3
"""Measures all systems of systems.py on this machine's GPU and one core: run.py [RESULTS.json]. table.py makes a table of the results.

Needs nvcc and Python alone, and the programs that generate.py has written where Warploom is. With --cpu LIBRARY the kernels run on the
CPU, a few steps each, to see whether the programs work; NAMES choose programs.
"""
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

from systems import SYSTEMS

HERE = pathlib.Path(__file__).resolve().parent
RUNTIME = HERE.parent.parent / "runtime"


def definitions(one, scale):
    """What the preprocessor is told of a system: -D flags."""
    flags = [f"PROGRAM={one.name}", f"STEPS={max(10, one.steps // scale)}", f"INSTANCES={one.instances}", f"SCALE={scale}"]
    return [f"-D{flag}" for flag in (*flags, *one.definitions)]


def build(one, folder, options):
    """Compiles the program that measures a system; its path, which is of nothing where that failed."""
    program = folder / one.name
    if options.cpu:
        command = ["c++", "-x", "c++", "-O1", HERE / "measure.cu", "-x", "none", options.cpu, "-lboost_context", "-lpthread", "-fwrapv", "-ffp-contract=off"]
    else:
        command = [os.environ.get("NVCC", "nvcc"), "-O3", "-arch=native", "--fmad=false", "-Xcompiler", "-fwrapv,-ffp-contract=off", HERE / "measure.cu"]
    subprocess.run([*command, "-std=c++17", "-I", RUNTIME, "-I", options.generated, *definitions(one, 1000 if options.cpu else 1), "-o", program])
    return program


def output(*command):
    """What a command prints; nothing where there is none."""
    return subprocess.run(command, capture_output=True, text=True).stdout if shutil.which(command[0]) else ""


def machine():
    gpu = output("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").strip().replace(", ", ", driver ")
    release = re.search(r"release ([\d.]+)", output(os.environ.get("NVCC", "nvcc"), "--version"))
    core = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{gpu or 'a GPU'}, CUDA {release[1] if release else ''}; one core of {core[1] if core else 'the host'}"


def keep(path, where, rows):
    """Writes the results, a row to a line."""
    record = {"machine": where, "command": "bench/sync/run.py", "results": []}
    path.write_text(json.dumps(record, indent=1).replace("[]", "[\n  " + ",\n  ".join(map(json.dumps, rows)) + "\n ]") + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cpu", help="the CPU runtime's library")
    parser.add_argument("--only", nargs="*", default=[], help="names of programs")
    parser.add_argument("--generated", type=pathlib.Path, default=HERE / "generated", help="the folder that generate.py has written")
    parser.add_argument("results", nargs="?")
    options = parser.parse_args()
    if not options.generated.is_dir():
        sys.exit(f"{options.generated}: no such folder; bench/sync/generate.py WARPLOOM writes it")
    chosen = [one for one in SYSTEMS if not options.only or one.name in options.only]
    where = "kernels on the CPU" if options.cpu else machine()
    rows, failed = [], 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # All are compiled before the first is measured, which has the machine for itself.
        programs = list(pool.map(lambda one: build(one, pathlib.Path(name), options), chosen))
        for one, program in zip(chosen, programs):
            ran = None
            try:
                ran = subprocess.run([program], capture_output=True, text=True, timeout=120)
                rows.append({"measurement": one.title, "fitted": one.fitted, **json.loads(ran.stdout)})
                print(json.dumps(rows[-1]), flush=True)
                if options.results:
                    keep(pathlib.Path(options.results), where, rows)
            except (OSError, subprocess.TimeoutExpired, json.JSONDecodeError) as error:
                failed += 1
                print(f"{one.name}: {error} {ran.stderr if ran else ''}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
