"""`warploom build --target cuda`: nvcc takes the generated text, and the program runs wherever it is put.

Without a GPU the loops that were kept run; with one, kernels do. Skipped when there is no nvcc.
"""
# SHOWS: RT-70 RT-73 CR-43
import os
import re
import shutil
import subprocess
import sys

import nvcc

warploom, root, folder = sys.argv[1:4]
compiler = nvcc.found()
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)


def must(command, **options):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done


# Generated text leaves CUDA to the runtime, which checks what every call returns. Questions are only whether there is a device at all, and
# whether there is room for a copy, or for one that stays; other errors of the former are checked.
header = "".join(open(os.path.join(root, "runtime", name)).read() for name in ("warploom_cuda.h", "warploom_transfers.h"))
present, room, stays, locked = (re.search(rf"inline {start}.*?^}}", header, re.DOTALL | re.MULTILINE)[0]
                        for start in (r"bool devicePresent", r"void\* allocateIfRoom", r"void\* allocateToStay", r"void\* allocatePageLocked"))
assert re.search(r"if \(error == cudaErrorMemoryAllocation\) \{.*?\}\s*check\(error,", room, re.DOTALL), room
others = header.replace(present, "").replace(room, "").replace(stays, "").replace(locked, "")
# Nor are answers errors where memory is page-locked in place: it need not be, and at the program's end it is no more.
others = re.sub(r"  (bool lock|void unlock)\(void\* memory.*?^  }", "", others, flags=re.DOTALL | re.MULTILINE)
for call in re.finditer(r"\b(cuda(?!GetErrorString|GetErrorName)[A-Z]\w*)\(", others):
    assert others[:call.start()].rstrip().endswith(("check(", "WARPLOOM_CHECK(")), f"{call[1]} is not checked"

for name, arguments in (("saxpy", ["100000"]), ("heat", [])):
    source = os.path.join(root, "examples", name + ".c")
    built = must([warploom, "build", source, "-o", name, "--target", "cuda", "--arch", "sm_90", "--", "-O2", "-lm"])
    assert "deprecated" not in built.stdout + built.stderr, built.stderr
    done = must([os.path.join(folder, name), *arguments], env={**os.environ, "WARPLOOM_TIMING": "1"})
    assert "right" in done.stdout, done.stdout
    gpu = os.path.exists("/dev/nvidiactl")
    assert ("path gpu" if gpu else "path host:no device") in done.stderr, done.stderr

    must([warploom, "compile", source, "-o", name + ".cu"])
    text = open(os.path.join(folder, name + ".cu")).read()
    assert not re.search(r"\bcuda[A-Z]|<<<", text), text
