"""What a program asks of CUDA, on a CUDA runtime without a device that writes down all calls and whose kernels do nothing: room for the arrays of a region, what is read goes
in, a launch, what is written comes out, and the room is given back; times are those between events. Whichever call fails, the program ends with a message that names it.

  calls_test.py WARPLOOM ROOT FOLDER

Skipped when there is no nvcc.
"""
# SHOWS: CH-21 CH-70 MF-47
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nvcc

warploom, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
compiler = nvcc.found()
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
(folder / "program.c").write_text(r"""#include <stdio.h>
#include <stdlib.h>
void scale(int n, float *restrict a, const float *restrict b) {
  for (int i = 0; i < n; i++) a[i] = b[i] * 2;
}
int main(void) {
  float *a = malloc(4000), *b = calloc(1000, 4);
  for (int i = 0; i < 1000; i++) a[i] = i + printf("");
  scale(1000, a, b);
  printf("%g\n", a[7]);
  return 0;
}
""")
toolkit = Path(compiler).resolve().parent.parent
link = ["-cudart", "shared", "-Xlinker", f"-rpath={toolkit}/lib64"]
for command in (["c++", "-std=c++17", "-shared", "-fPIC", "-isystem", toolkit / "include", root / "test/sync/FakeCuda.cpp", "-o", "fake.so"],
                [warploom, "compile", "program.c", "-o", "program.cu"], ["cc", "-c", "program.host.c", "-o", "host.o"],
                [compiler, "-std=c++17", "-arch=sm_80", "-I", root / "runtime", "-c", "program.cu", "-o", "kernels.o"],
                [compiler, *link, "kernels.o", "host.o", "-o", "program"]):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")


def run(failing):
    """The program, of whose calls one fails (0: none), and its calls."""
    done = subprocess.run([folder / "program"], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "WARPLOOM_DEVICE": "gpu", "WARPLOOM_TIMING": "1", "LD_PRELOAD": str(folder / "fake.so"), "CUDA_LOG": str(folder / "log"),
                               "CUDA_FAIL": str(failing)})
    return done, [line.split() for line in (folder / "log").read_text().splitlines()]


faults = []
done, calls = run(0)
said = [name if more == "-" else f"{name} {more}" for name, more, _ in calls]
moves = [word for word in said if word.startswith(("cudaMallocAsync", "cudaMemcpyAsync", "cudaLaunchKernel", "cudaFreeAsync"))]
if moves != 2 * ["cudaMallocAsync"] + ["cudaMemcpyAsync in,pageable", "cudaLaunchKernel", "cudaMemcpyAsync out,pageable"] + 2 * ["cudaFreeAsync"]:
    faults.append(f"memory comes and goes as {moves}")
# The room for `a` held zeros, and no kernel has written there.
if done.returncode or done.stdout != "0\n":
    faults.append(f"status {done.returncode}, what came out is {done.stdout}{done.stderr}")
# An event before each transfer and each launch and one after all: between two of them it takes a second.
if "region scale:4 kernels 1000.000 transfers 2000.000 launches 1 path gpu" not in done.stderr or said.count("cudaEventRecord") != 4:
    faults.append(f"{said.count('cudaEventRecord')} events: {done.stderr}")
for number, name in enumerate((name for name, _, _ in calls), 1):
    done, _ = run(number)
    # A count of devices that fails is one of none.
    named = {"cudaLaunchKernel": "kernel launch", "cudaGetDeviceCount": "there is no CUDA device" if number == 1 else name}.get(name, name)
    if done.returncode == 0 or done.stdout or named not in done.stderr or "region scale:4" not in done.stderr:
        faults.append(f"call {number}, {name}, failed, and the program ended with {done.returncode}: {done.stderr}")
print("\n".join(faults) or f"{len(calls)} calls, each made to fail once")
sys.exit(1 if faults else 0)
