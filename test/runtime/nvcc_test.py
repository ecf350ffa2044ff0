"""All headers, and the kernels of the tests, compile under nvcc for sm_80 and sm_90 without a warning."""
import os
import shutil
import sys

from build import must, start

root, folder = start()
nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
if not nvcc:
    print("skipped: there is no nvcc")
    sys.exit(77)
tests = os.path.join(root, "test", "runtime")
both = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90"]
for source in ("faults.cu", "matmul.cu", "services.cu"):
    must([nvcc, "-std=c++17", *both, "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra", "-I",
          os.path.join(root, "runtime"), "-c", os.path.join(tests, source), "-o", os.path.join(folder, "out.o")])
