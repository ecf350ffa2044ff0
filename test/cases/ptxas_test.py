#!/usr/bin/env python3
"""`warploom cases --registers ptxas`: registers are those that ptxas gives the kernels of each case.

SHOWS: MF-83 MF-108
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    tool = parser.parse_args().tool
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path=os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin")
    if not nvcc:
        print("there is no nvcc")
        return 77
    with tempfile.TemporaryDirectory() as work:
        words = [tool, "cases", HERE / "programs/matvec.mf", "--sizes", "B=8,s=2", "--registers", "ptxas", "-o", work]
        subprocess.run(words, check=True, timeout=600, stdout=subprocess.DEVNULL)
        (tree,) = [json.loads(path.read_text()) for path in Path(work).glob("*.json")]
        # The same text, compiled here.
        done = subprocess.run([nvcc, "-std=c++17", "-arch=sm_80", "-Xptxas", "-v", "-cubin", "-I", HERE.parents[1] / "runtime",
                               Path(work) / "matvec_cases.cu", "-o", Path(work) / "x.cubin"],
                              check=True, timeout=600, capture_output=True, text=True)
        used = {}
        for name, count in re.findall(r"entry function '\w*?product_8_kernel(\d+)\w*' for.*?Used (\d+) registers", done.stdout + done.stderr, re.S):
            used[int(name)] = max(used.get(int(name), 0), int(count))
        assert len(used) == len(tree["cases"]), (used, done.stderr)
        for number, case in enumerate(tree["cases"], 1):
            assert int(case["needs"]["registers"]) == used[number], (number, case, used)
    return 0


if __name__ == "__main__":
    sys.exit(main())
