"""Where nvcc is, for tests that need it: those end as skipped where it is not."""
import shutil
import sys


def found():
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if not nvcc:
        print("skipped: there is no nvcc")
        sys.exit(77)
    return nvcc
