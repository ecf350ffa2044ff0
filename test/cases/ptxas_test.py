#!/usr/bin/env python3
"""`warploom cases --registers ptxas`: registers are those that ptxas gives the kernels of each case, and a case that caps them is the one that runs where there are few.

SHOWS: MF-70 MF-83 MF-108
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


def capped(tool, work):
    """A product whose blocks are large: with two of them on a multiprocessor a thread has 64 registers. Its program computes the same on devices with more and with fewer."""
    name, sizes, arguments = "matmul", "B0=16,B1=32,s=8", ["256", "16", "32", "8"]
    subprocess.run([tool, "cases", HERE / f"programs/{name}.mf", "--strategies", "bounds", "--sizes", sizes, "--registers", "ptxas", "-o", work], check=True, timeout=600,
                   stdout=subprocess.DEVNULL)
    (tree,) = [json.loads(path.read_text()) for path in work.glob("*.json")]
    registers = [int(case["needs"]["registers"]) for case in tree["cases"]]
    assert registers[0] > 64 == registers[1] and len(registers) == 2, registers
    cuda, text = (work / f"{name}_cases.cu").read_text(), (work / f"{name}_cases.c").read_text()
    bounds = [re.search(rf"__launch_bounds__\(([^)]*)\)\s*multiply_9_kernel{number}\(", cuda)[1] for number in (1, 2)]
    assert [re.sub(r"multiply_9_kernel.|\s", "", one) for one in bounds] == ["_THREADS_X*_THREADS_Y", "_THREADS_X*_THREADS_Y,2"], bounds
    subprocess.run([tool, "build", work / f"{name}_cases.c", "--recipe", work / f"{name}_cases.lua", "--tunables", "kernel", "--target", "cpu", "-o", work / "program", "--",
                    *(work / f"{name}_cases.flags").read_text().split()], check=True, timeout=600, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([tool, "translate", HERE / f"programs/{name}.mf", "--to", "c", "-o", work / "serial.c"], check=True)
    subprocess.run(["cc", "-O1", work / "serial.c", "-o", work / "serial"], check=True)
    right = subprocess.run([work / "serial", *arguments], capture_output=True, check=True, text=True).stdout
    lines = [number for number, line in enumerate(text.split("\n"), 1) if "for (int u0_all" in line]
    for limit, line in ((registers[0], lines[0]), (registers[0] - 1, lines[1]), (64, lines[1])):
        done = subprocess.run([work / "program", *arguments], capture_output=True, check=True, text=True, timeout=300,
                              env={**os.environ, "WARPLOOM_LIMITS": f"{limit},232448,1024", "WARPLOOM_DEVICE": "gpu", "WARPLOOM_TIMING": "1"})
        assert done.stdout == right, (limit, done.stdout, right)
        assert re.search(rf"region multiply:{line} .* path gpu", done.stderr), (limit, line, done.stderr)


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
        (Path(work) / "capped").mkdir()
        capped(tool, Path(work) / "capped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
