#!/usr/bin/env python3
"""The CUDA form: compiled by nvcc and linked with cuBLAS and cuSPARSE to a program; where there is a GPU, it is run. Skipped
where there is no nvcc, or no cuBLAS and cuSPARSE."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# The library's files that are the same for both machines come from the CPU's library, whose own operations are then not taken.
la, library, source = Path(sys.argv[1]), sys.argv[2], Path(__file__).with_name("api.c")
nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
if not Path(nvcc).exists():
    print("skipped: there is no nvcc")
    sys.exit(77)
toolkit = Path(nvcc).resolve().parent.parent
if not all(list(toolkit.rglob(name)) for name in ["cublas_v2.h", "cusparse.h", "libcublas.so*", "libcusparse.so*"]):
    print("skipped: there is no cuBLAS or no cuSPARSE")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    program = Path(folder) / "program"
    subprocess.run([nvcc, "-std=c++20", "-O0", "-I", la, la / "BackendCuda.cpp", source, library, "-L", toolkit / "lib",
                    "-L", toolkit / "lib64", "-lcublas", "-lcusparse", "-o", program], check=True)
    if not os.access("/dev/nvidiactl", os.R_OK | os.W_OK):
        print("there is no GPU: the program was built, and not run")
        sys.exit(0)
    matrix = Path(folder) / "matrix.mtx"
    matrix.write_text("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 2.5\n1 1 1\n2 2 7\n")
    subprocess.run([program, matrix], check=True)
