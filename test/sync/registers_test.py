#!/usr/bin/env python3
"""A block of the persistent kernel has registers enough: a system whose kernel would like 74 registers for each of 960 threads, which is more than
a multiprocessor has, and which a launch would refuse.

Usage: registers_test.py CASES RUNTIME WORK. Skipped where there is no nvcc.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SEED, REGISTERS = 5012, 65536


def main():
    cases, runtime, work = sys.argv[1:]
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        print("no nvcc here")
        return 77
    with tempfile.TemporaryDirectory(dir=work) as name:
        folder = pathlib.Path(name)
        subprocess.run([cases, "checkedrandom", str(SEED), "1", folder], check=True)
        threads = int(re.search(r"const int blocks = 1, threads = (\d+);", (folder / "cases.cpp").read_text())[1])
        said = subprocess.run([nvcc, "-std=c++17", "-arch=sm_90", "-Xptxas", "-v", "-Xcompiler", "-w", "-x", "cu", "-I", runtime, "-cubin",
                               folder / "cases.cpp", "-o", folder / "cubin"], check=True, capture_output=True, text=True).stderr
        used = int(re.search(r"Compiling entry function '\w*stepsKernel.*?Used (\d+) registers", said, re.S)[1])
    allocated = threads * ((used + 7) // 8 * 8)
    print(f"{threads} threads of {used} registers: {allocated} of {REGISTERS}")
    # Smaller blocks would show nothing.
    return 0 if allocated <= REGISTERS and threads > 256 else 1


if __name__ == "__main__":
    sys.exit(main())
