#!/usr/bin/env python3
"""The generated CUDA, compiled by nvcc and run on this machine's GPU, has the interpreter's traces: all examples, and random systems.

Usage: gpu_test.py CASES RUNTIME WORK SYSTEM... Skipped where there is no nvcc or no GPU.
"""
# SHOWS: GA-08
import pathlib
import shutil
import subprocess
import sys


def main():
    cases, runtime, work, *systems = sys.argv[1:]
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    devices = shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout
    if not nvcc or not devices or "GPU" not in devices:
        print("no nvcc or no GPU here")
        return 77
    traces = pathlib.Path(__file__).parent / "traces_test.py"
    failed = 0
    for arguments in (["file", *systems], ["checked", *systems], ["random", "0", "100"], ["checkedrandom", "5000", "60"]):
        failed += subprocess.run([sys.executable, traces, "--cases", cases, "--runtime", runtime, "--work", work, "--nvcc", nvcc,
                                  *arguments]).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
