"""The fuzzer finds faults: with a runtime that forgets to copy results back, a nest that writes an array differs, and is kept.

    fuzz_test.py WARPLOOM ROOT
"""
import os
import shutil
import subprocess
import sys
import tempfile

import nests

warploom, root = sys.argv[1:3]
with tempfile.TemporaryDirectory() as folder:
    runtime = os.path.join(folder, "runtime")
    shutil.copytree(os.path.join(root, "runtime"), runtime)
    path = os.path.join(runtime, "warploom_region.h")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    broken = text.replace("copyToHost(host, device, bytes, queue, place);", "")
    assert broken != text
    with open(path, "w", encoding="utf-8") as file:
        file.write(broken)
    seed = next(seed for seed in range(1000) if nests.FuzzNest(seed, "nest0").nest_shape is nests.conditional)
    run = subprocess.run([sys.executable, os.path.join(root, "test", "fuzz", "fuzz.py"), "--tool", warploom, "--nest", str(seed),
                          "--keep", folder],
                         # Without the headers that the other tests have compiled before: those are of the runtime that is right.
                         env={**os.environ, "WARPLOOM_RUNTIME": runtime, "WARPLOOM_SANITIZE_FLAGS": "-O0"}, capture_output=True, text=True, timeout=600)
    assert run.returncode == 1, run.stdout + run.stderr
    assert " differ" in run.stdout, run.stdout
    assert os.path.exists(os.path.join(folder, f"fuzz_{seed}.c")), run.stdout
