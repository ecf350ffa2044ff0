#!/usr/bin/env python3
"""`warploom project` with the switches of RT-CUDA on and off, and with several bounds: every project, run on the CPU's
execution, prints what the C program prints, at sizes that divide evenly and at others.
"""
# SHOWS: RT-1 RT-14 RT-15 RT-20 RT-22 RT-66

import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

tool, archive, runtime = sys.argv[1], sys.argv[2], Path(sys.argv[3])
here = Path(__file__).parent
SIZES = ["1", "31", "32", "33", "64", "70"]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    configs = [("none", None)]
    for skew, prefetch in itertools.product([0, 1], repeat=2):
        configs.append((f"skew{skew}_prefetch{prefetch}",
                        f"LOOP_COLLAPSING=1\nBLOCK_SKEW={skew}\nPREFETCHING={prefetch}\n2DMATRIX=1\n"))
    # The outermost loop alone; skewing needs two, and is taken as off.
    for prefetch in 0, 1:
        configs.append((f"outer_prefetch{prefetch}", f"LOOP_COLLAPSING=0\nPREFETCHING={prefetch}\n"))
    # The largest and the smallest sizes.
    configs.append(("large", "BLOCK_SKEW=1\nPREFETCHING=1\n2DMATRIX=1\nMIN_MERGE_LEVEL=16\nMIN_SKEW_LEVEL=8\n"
                    "MIN_BLOCKSIZE=1024\n"))
    configs.append(("small", "BLOCK_SKEW=1\nPREFETCHING=1\n2DMATRIX=1\nMAX_MERGE_LEVEL=1\nMAX_SKEW_LEVEL=1\nMIN_BLOCKSIZE=1\n"
                    "MAX_BLOCKSIZE=16\n"))
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        run("cc", "-O1", here / "kernels.c", here / "main.c", "-o", folder / "reference")
        expected = [run(folder / "reference", size) for size in SIZES]
        params = set()
        for name, text in configs:
            project = folder / name
            command = [tool, "project", here / "kernels.c", here / "main.c", "-o", project]
            if text is not None:
                (folder / "config.txt").write_text(text + "KERNEL_NAMES=matrix_mul,matrix_scale,matrix_mv,matrix_vv\n")
                command += ["--config", folder / "config.txt"]
            run(*command)
            params.add((project / "params.h").read_text())
            made = (project / "kernels.cu").read_text()
            assert '#include "params.h"' in made and '#include "warploom.h"' in made, f"{name}: what is included"
            outer = text is not None and "LOOP_COLLAPSING=0" in text
            assert ("blockIdx.y" in made) != outer, f"{name}: which loops are shared out"
            staged = "A_tile" in made
            assert staged == (text is None or "PREFETCHING=1" in text and not outer), f"{name}: staged in shared memory: {staged}"
            kernels = [path for path in project.glob("*.cu")]
            for path in kernels:
                run("g++", f"@{runtime / 'flags' / 'cpu'}", "-O1", "-I", project / "runtime", "-x", "c++", "-c", path, "-o",
                    path.with_suffix(".o"))
            run("cc", "-O1", "-c", project / "kernels.c", "-o", project / "kernels.host.o")
            run("cc", "-O1", "-c", project / "main.c", "-o", project / "main.host.o")
            run("g++", *[path.with_suffix(".o") for path in kernels], project / "kernels.host.o", project / "main.host.o",
                archive, "-lboost_context", "-pthread", "-lm", "-o", project / "program")
            for size, wanted in zip(SIZES, expected):
                said = subprocess.run([project / "program", size], text=True, capture_output=True,
                                      env={"WARPLOOM_ALWAYS": "1", "WARPLOOM_TIMING": "1"})
                assert said.returncode == 0, said.stderr
                assert said.stdout == wanted, f"{name}, n = {size}:\n{said.stdout}instead of\n{wanted}"
                assert "path gpu" in said.stderr, said.stderr
        assert len(params) >= 5, "the settings do not show in params.h"
        print(f"{len(configs)} projects, {len(SIZES)} sizes")


main()
