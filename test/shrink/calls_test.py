#!/usr/bin/env python3
"""What the groups of a loop ask of CUDA, on a CUDA runtime without a device that writes down all calls (test/sync/FakeCuda.cpp): the host waits for the last
of them only, where the data are needed, and each has about as many threads as iterations. As CRINK launched (WARPLOOM_LAUNCH=crink) the host waits after
each, and there are as many threads as the array has elements. The same holds of a loop over time around two kernels.

    calls_test.py WARPLOOM COMPILER ROOT FOLDER      skipped where there is no nvcc
"""
# SHOWS: CR-46 CR-48 CR-66 RT-68
import os
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAM = """enum { n = 3000, far = 40 };
static int w[n], v[n];
void groups(void) {
  for (int i = far; i < n; i++) w[i] = w[i - far] + i;
}
void steps(int t) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++) v[i] = w[i - 1] + w[i + 1];
    for (int i = 1; i < n - 1; i++) w[i] = v[i];
  }
}
int main(void) {
  groups();
  steps(7);
  return w[0] == 3;
}
"""
N, FAR = 3000, 40
GROUPS, STEPS = (N - FAR) // FAR, 14
BLOCK = 32


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=280, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")


def main():
    warploom, compiler, root, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        print("no nvcc here")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    toolkit = Path(nvcc).resolve().parent.parent
    fake, source, program = folder / "libfake.so", folder / "calls.c", folder / "calls"
    source.write_text(PROGRAM)
    run([compiler, "-std=c++17", "-shared", "-fPIC", "-isystem", toolkit / "include", root / "test/sync/FakeCuda.cpp", "-o", fake])
    run([warploom, "compile", source, "-o", folder / "calls.cu", "--shrink", "simple", "--", f"-DWARPLOOM_BLOCK={BLOCK}"])
    run([nvcc, "-std=c++17", "-O0", "-arch=sm_90", "-cudart", "shared", "-Xlinker", f"-rpath={toolkit}/lib64", f"-DWARPLOOM_BLOCK={BLOCK}", "-I", root / "runtime",
         folder / "calls.cu", folder / "calls.host.c", "-o", program])
    wrong = []
    for way, waits in (("launches", 0), ("crink", 1)):
        log, sizes = folder / f"{way}.log", folder / f"{way}.threads"
        run([program], env={**os.environ, "LD_PRELOAD": str(fake), "CUDA_LOG": str(log), "CUDA_THREADS": str(sizes), "CUDA_FAIL": "0", "WARPLOOM_DEVICE": "gpu", "WARPLOOM_LAUNCH": way})
        calls = [line.split() for line in log.read_text().splitlines()]
        kernels = [i for i, call in enumerate(calls) if call[0] == "cudaLaunchKernel"]
        threads = [int(line) for line in sizes.read_text().splitlines()]
        if len(kernels) != GROUPS + STEPS or len(threads) != len(kernels):
            wrong.append(f"{way}: {len(kernels)} launches instead of {GROUPS} and {STEPS}")
            continue
        # What the host waits for from one launch to the next, in each region.
        for first, last in ((0, GROUPS), (GROUPS, GROUPS + STEPS)):
            for one, other in zip(kernels[first:last - 1], kernels[first + 1:last]):
                between = [call[0] for call in calls[one + 1:other] if "Synchronize" in call[0] or "Memcpy" in call[0]]
                if between != ["cudaStreamSynchronize"] * waits:
                    wrong.append(f"{way}: between two launches: {between}")
        most = [FAR + BLOCK] * GROUPS + [N - 2 + BLOCK] * STEPS
        if way == "launches" and any(count >= limit for count, limit in zip(threads, most)):
            wrong.append(f"threads of the launches: {threads}")
        if way == "crink" and any(count < N for count in threads):
            wrong.append(f"as CRINK: threads of the launches: {threads}")
        # Before a region ends the host waits for what it gets back.
        if not any("Synchronize" in call[0] for call in calls[kernels[-1]:]):
            wrong.append(f"{way}: nobody waits for the end")
    print("\n".join(wrong) if wrong else f"{GROUPS} groups and {STEPS} launches of steps")
    return 1 if wrong else 0


sys.exit(main())
