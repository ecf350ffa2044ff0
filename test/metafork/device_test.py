#!/usr/bin/env python3
"""Fork-join programs on the road to kernels: one kernel for each nest, staged as `cache` says, on the CPU execution with the sanitizer.

SHOWS: MF-18 MF-20 MF-22 MF-23 MF-52 MF-53 MF-57 MF-60 MF-61 MF-78
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent / "device"


def output(words, **environment):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=200, env={**os.environ, **environment})
    assert done.returncode == 0, (words, done)
    return done.stdout, done.stderr


def tiles(cuda, kernel):
    """The arrays that a kernel has in shared memory, with their extents."""
    struct = re.search(r"struct " + kernel + r"_shared \{(.*?)\};", cuda, re.S)
    return re.findall(r"\w+ (\w+?)_tile\d*((?:\[[^]]*\])+);", struct[1]) if struct else []


def sizes(cuda, kernel):
    return dict(re.findall(r"#define WARPLOOM_" + kernel + r"_(\w+) (\d+)", cuda))


def line_of(text, function):
    """The lines of the outermost meta_for of each nest of the function."""
    found, inside = [], False
    for number, line in enumerate(text.split("\n"), 1):
        inside = re.match(r"(static )?void " + function, line) is not None or (inside and line != "}")
        if inside and "meta_for" in line and not (found and found[-1][1] < len(line) - len(line.lstrip())):
            found.append((number, len(line) - len(line.lstrip())))
    return [number for number, _ in found]


def same(tool, name, work, arguments):
    """The CUDA text of a program that prints what it prints serially, and what it says of the last run."""
    file = HERE / f"{name}.mf"
    output([tool, "compile", file, "-o", work / f"{name}.cu"])
    output([tool, "build", file, "--target", "cpu", "--sanitize", "-o", work / name])
    output([tool, "translate", file, "--to", "c", "-o", work / "serial.c"])
    output(["cc", "-O1", "-w", work / "serial.c", "-o", work / "serial"])
    for argument in arguments:
        right, _ = output([work / "serial", argument])
        got, said = output([work / name, argument], WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1")
        assert got == right, (name, argument, got, right)
    return file.read_text(), (work / f"{name}.cu").read_text(), said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    tool = parser.parse_args().tool
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        text, cuda, said = same(tool, "nests", work, [1, 2, 33, 50])
        # One kernel for each nest, launched in each step of the loop around it: 2 nests, 3 steps.
        first, second = line_of(text, "smooth")
        assert f" smooth_{first}(" in cuda and f" smooth_{second}(" in cuda
        assert re.search(r"region smooth:\d+ .*launches 6 path gpu", said), said
        # What `cache` lists is staged, nothing else; blocks are as the program says where it says it.
        assert tiles(cuda, f"smooth_{first}") == [("a", f"[smooth_{first}_TILE_X + 2]")], tiles(cuda, f"smooth_{first}")
        assert [name for name, _ in tiles(cuda, f"smooth_{second}")] == ["a"]
        assert sizes(cuda, f"smooth_{first}") == {"TILE_X": "16", "ITEMS_X": "1"}
        (one,) = line_of(text, "turn")
        assert tiles(cuda, f"turn_{one}") == [("a", f"[turn_{one}_TILE_Y][turn_{one}_TILE_X]")]
        assert sizes(cuda, f"turn_{one}") == {"TILE_X": "16", "ITEMS_X": "1", "TILE_Y": "4", "ITEMS_Y": "1"}
        (one,) = line_of(text, "shift")
        assert sizes(cuda, f"shift_{one}") == {"TILE_X": "128", "ITEMS_X": "1"}
        (one,) = line_of(text, "reverse")
        assert tiles(cuda, f"reverse_{one}") == [] and sizes(cuda, f"reverse_{one}") == {"TILE_X": "16", "ITEMS_X": "2"}
        # A parallel loop of which that is proved is on the device, the other one on threads.
        host = (work / "nests.host.c").read_text()
        assert re.search(r"region main:\d+ .* path gpu", said) and "warploom_for(fork_loop" in host, said
        # On the command line it is one command.
        assert output([tool, "run", HERE / "nests.mf", "--target", "cpu", "--", "33"])[0] == output([work / "serial", 33])[0]

        text, cuda, _ = same(tool, "lu", work, [1, 2, 17, 40])
        first, second = line_of(text, "decompose")
        row, square = f"decompose_{first}_TILE_X", (f"decompose_{second}_TILE_Y", f"decompose_{second}_TILE_X")
        # One element, a part of a row, a part of a column, and a square of the same array.
        assert sorted(tiles(cuda, f"decompose_{first}")) == [("L", f"[{row}]"), ("U", "[1]"), ("U", f"[{row}]")]
        assert sorted(tiles(cuda, f"decompose_{second}")) == sorted([("L", f"[{square[1]}]"), ("U", f"[{square[0]}]"), ("U", f"[{square[0]}][{square[1]}]")])

        # Sums that are in no `cache` are in registers, and rows that threads side by side use across are padded.
        text, cuda, _ = same(tool, "products", work, [1, 17, 40])
        (one,), (two,) = line_of(text, "vector"), line_of(text, "matrix")
        assert f"c_own[vector_{one}_ITEMS_X]" in cuda and f"c_own[matrix_{two}_ITEMS_Y][matrix_{two}_ITEMS_X]" in cuda
        padded = dict(tiles(cuda, f"vector_{one}"))["a"]
        assert padded.startswith(f"[vector_{one}_TILE_X][") and padded != f"[vector_{one}_TILE_X][vector_{one}_TILE_K]", padded
        assert dict(tiles(cuda, f"matrix_{two}"))["a"] == f"[matrix_{two}_TILE_Y][matrix_{two}_TILE_K]"

        # Six parallel loops are blocks and threads in three dimensions.
        text, cuda, said = same(tool, "cube", work, [1, 9, 13])
        (one,) = line_of(text, "fill")
        kernel = cuda.split(f" fill_{one}(")[1].split("\n}")[0]
        assert all(f"{index}.{axis}" in kernel for index in ("blockIdx", "threadIdx") for axis in "xyz"), kernel
        assert re.search(rf"region fill:{one} .*launches 1 path gpu", said), said

        # Cilk's programs take the same road.
        cilk = HERE.parent / "programs" / "stencil.cilk.c"
        output([tool, "compile", cilk, "-o", work / "stencil.cu"])
        assert "__global__" in (work / "stencil.cu").read_text()
        # What `cache` lists is an array of the nest, or that is said.
        for names, reason in {"a, n": "'n' is no array", "a, b": "'b' is no array of this statement's loops", "q": "'q' is no variable"}.items():
            wrong = work / "wrong.mf"
            wrong.write_text("int a[9], b[9], n = 3;\nvoid f(int B) {\n  int d = 9 / B;\n  meta_schedule cache(%s) {\n    meta_for (int v = 0; v < d; v++)\n"
                             "      meta_for (int u = 0; u < B; u++) a[v * B + u] = 1;\n  }\n}\n" % names)
            done = subprocess.run([tool, "compile", wrong, "-o", work / "wrong.cu"], capture_output=True, text=True)
            assert done.returncode == 1 and f"wrong.mf:4:" in done.stderr and reason in done.stderr, done
    return 0


if __name__ == "__main__":
    sys.exit(main())
