#!/usr/bin/env python3
"""What a generated system asks of CUDA while it runs, on a CUDA runtime without a device that writes down all calls: transfers of a run use
pinned buffers and streams of their own, in the order that lets them overlap with kernels; nothing is made in a step; and whichever call fails, the
program ends with a message that names it.

Usage: calls_test.py WARPLOOM COMPILER RUNTIME WORK SYSTEM.aif... Skipped where there is no nvcc.
"""
# SHOWS: GA-55 GA-56 GA-57
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

STEPS = 6


def run(program, fake, folder, fail):
    log = folder / "log"
    ran = subprocess.run([program], input="0 " * 100000, capture_output=True, text=True, timeout=60,
                         env={**os.environ, "LD_PRELOAD": str(fake), "CUDA_LOG": str(log), "CUDA_FAIL": str(fail)})
    return ran, [line.split() for line in log.read_text().splitlines()]


def faults(program, fake, folder):
    """What is wrong with the calls of a program."""
    ran, calls = run(program, fake, folder, 0)
    if ran.returncode or len(ran.stdout.splitlines()) != STEPS:
        yield f"the run ended with {ran.returncode}: {ran.stderr}"
        return
    launches = [i for i, call in enumerate(calls) if call[0] == "cudaLaunchKernel"]
    loop = calls[launches[0]:launches[-1] + 1]
    copies = [call for call in loop if call[0] == "cudaMemcpyAsync"]
    incoming = [call for call in copies if call[1] == "in,pinned"]
    outgoing = [call for call in copies if call[1] == "out,pinned"]
    if not len(incoming) == len(outgoing) == STEPS - 1 or len(copies) != len(incoming) + len(outgoing):
        yield f"transfers between the first launch and the last: {copies}"
    if len({calls[launches[0]][2], incoming[0][2], outgoing[0][2]}) != 3:
        yield "kernels, inputs and outputs do not have streams of their own"
    # A step: the immediate kernel, the inputs of the next step, the delayed kernel, the outputs of this one.
    order = "".join({"cudaLaunchKernel": "k"}.get(call[0], call[1][0]) for call in loop if call[0] in ("cudaLaunchKernel", "cudaMemcpyAsync"))
    if order != "kiko" * (STEPS - 1) + "kk":
        yield f"kernels, inputs and outputs come as {order}"
    made = {call[0] for call in loop} & {"cudaStreamCreateWithFlags", "cudaMallocAsync", "cudaHostAlloc", "cudaFreeAsync", "cudaFreeHost"}
    if made:
        yield f"within the steps: {made}"
    for number, call in enumerate(calls, 1):
        ran, _ = run(program, fake, folder, number)
        # Our names of some calls are words.
        name = {"cudaLaunchKernel": "kernel launch", "cudaEventCreateWithFlags": "cudaEventCreate"}.get(call[0], call[0])
        if ran.returncode == 0 or name not in ran.stderr or "cudaErrorLaunchFailure" not in ran.stderr:
            yield f"call {number} of {len(calls)}, {call[0]}, failed, and the program ended with {ran.returncode}: {ran.stderr}"
    print(f"{program.name}: {len(calls)} calls, each made to fail once")


def main():
    warploom, compiler, runtime, work, *systems = sys.argv[1:]
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        print("no nvcc here")
        return 77
    wrong = []
    with tempfile.TemporaryDirectory(dir=work) as name:
        folder = pathlib.Path(name)
        toolkit = pathlib.Path(nvcc).resolve().parent.parent
        fake = folder / "libfake.so"
        subprocess.run([compiler, "-std=c++17", "-shared", "-fPIC", "-isystem", toolkit / "include", pathlib.Path(__file__).parent / "FakeCuda.cpp", "-o", fake], check=True)
        for system in systems:
            program = folder / pathlib.Path(system).stem
            subprocess.run([warploom, "sync", system, "--target", "cuda", "--steps", str(STEPS), "-o", f"{program}.cu"], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([nvcc, "-std=c++17", "-O0", "-arch=sm_90", "-cudart", "shared", "-Xlinker", f"-rpath={toolkit}/lib64", "-I", runtime, f"{program}.cu", "-o", program], check=True)
            wrong += faults(program, fake, folder)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
