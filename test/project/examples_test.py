#!/usr/bin/env python3
"""RT-CUDA's examples as projects, run on the CPU's execution: each prints what the C program prints, at sizes that divide evenly and at others, square and
not. One project has sections with settings for each kernel and is run under the sanitizer, where races, bounds and memory that nobody has set would show;
one shares out outermost loops alone; one has its settings as directives in the source.

    examples_test.py WARPLOOM RUNTIME ARCHIVE SANITIZED_ARCHIVE

Example 11 is test/packaging, 12, 13 and 15 are programs_test.py, 17 is test/runtime/jacobi_test.py. What the tests of the fifteen defects are:
"""
# SHOWS: RT-13 RT-21 RT-106 RT-107
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DEFECTS = {
    "D1": "add and histogram with SKEW_LEVEL above 1: every element is in what is printed",
    "D2": "mv and jacobi with PREFETCHING=1",
    "D3": "sub with SKEW_LEVEL above 1: nothing is left out",
    "D4": "test/lit/project/scripts.test: a candidate that leaves work out is not timed, and times have a unit",
    "D5": "mv and jacobi compile, and jacobi is called in a loop of the host",
    "D6": "mul with MERGE_LEVEL above 1: sums begin with 0 in every row",
    "D7": "demosaic: subscripts of several terms; axpy: of one",
    "D8": "rows and columns differ, and demosaic's bounds are N - 16",
    "D9": "programs_test.py: every dense function with rows, columns and terms that differ",
    "D10": "sub, scaleadd and scaleaddstore with one array twice",
    "D11": "the kernels of conjugate gradients compile and cover all of n * m",
    "D12": "programs_test.py: a project is written the same way twice; test/gallery: pages show what the tool writes",
    "D13": "mul through shared memory under the sanitizer: a missing barrier is a race",
    "D14": "histogram: indices declared outside the loops",
    "D15": "neighbouring threads of axpy take neighbouring elements",
}
tool, runtime, archive, sanitized = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4]
here = Path(__file__).parent
SMALL = [1, 1, 16, 16, 31, 33, 32, 32, 33, 31, 1, 70, 70, 1]
LARGE = [1000, 3, 2, 1023, 1024, 1024, 333, 2458]
SWITCHES = "DATA_TYPE=float\n2DMATRIX=1\n"
SECTIONS = SWITCHES + """BLOCK_SKEW=1
PREFETCHING=1
[matrix_mul]
MIN_MERGE_LEVEL=4
MAX_MERGE_LEVEL=4
MIN_SKEW_LEVEL=2
MAX_SKEW_LEVEL=2
[matrix_mv]
MAX_BLOCKSIZE=64
[sub]
MIN_SKEW_LEVEL=4
MAX_SKEW_LEVEL=4
[axpy]
MIN_BLOCKSIZE=16
MAX_BLOCKSIZE=16
[matrix_mul_serial]
PREFETCHING=0
[matrix_add]
LOOP_COLLAPSING=0
"""


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=500, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr[-4000:]}")
    return done.stdout


class Project:
    def __init__(self, folder, config, source=None):
        self.folder = folder
        command = [tool, "project", source or here / "examples.c", here / "examples_main.c", "-o", folder]
        if config is not None:
            folder.with_suffix(".txt").write_text(config)
            command += ["--config", folder.with_suffix(".txt")]
        run(*command)
        self.text = (folder / "examples.cu").read_text()
        (folder / "examples_main.cu").unlink(missing_ok=True)  # the loops of main stay as they were

    def kernel(self, name):
        """The text of the kernel of a function."""
        found = re.search(rf"\n// {name}, line .*?\n}}\n", self.text, re.S)
        return found[0] if found else sys.exit(f"no kernel {name}")

    def build(self, compiler, flags, libraries):
        out = self.folder / "program"
        run(compiler, f"@{runtime / 'flags' / flags}", "-I", self.folder / "runtime", "-x", "c++", "-c", self.folder / "examples.cu", "-o",
            self.folder / "examples.o")
        run("cc", "-O1", "-w", "-c", self.folder / "examples.c", "-o", self.folder / "host.o")
        run("cc", "-O1", "-w", "-c", "-I", here, here / "examples_main.c", "-o", self.folder / "main.o")
        heap = re.search(r"-Wl,--wrap=\S+", (self.folder / "Makefile").read_text())[0]
        run("cc", "-O2", "-fno-builtin", "-c", self.folder / "runtime" / "warploom_heap.c", "-o", self.folder / "heap.o")
        run(compiler, *[self.folder / f"{name}.o" for name in ("examples", "host", "main", "heap")], heap, *libraries, "-lboost_context", "-pthread", "-lm",
            "-o", out)
        return out


def main():
    wrong = []

    def check(holds, what):
        if not holds:
            wrong.append(what)

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        run("cc", "-O1", here / "examples.c", here / "examples_main.c", "-o", folder / "reference")

        def same(program, sizes, name):
            expected = run(folder / "reference", *sizes)
            done = subprocess.run([program, *map(str, sizes)], text=True, capture_output=True, timeout=500,
                                  env={"WARPLOOM_DEVICE": "gpu", "WARPLOOM_TIMING": "1", "WARPLOOM_THREADS": "2"})
            lines = [f"{a} instead of {b}" for a, b in zip(done.stdout.splitlines(), expected.splitlines()) if a != b]
            check(done.returncode == 0 and done.stdout == expected, f"{name}: status {done.returncode}\n" + "\n".join(lines[:5]) + done.stderr[-2000:])
            for function in re.findall(r"^void (\w+)", (here / "examples.c").read_text(), re.M):
                check(re.search(rf"region {function}:\d+ .* path gpu", done.stderr), f"{name}: {function} did not run on the device")

        # Sections: sizes and memories of one kernel are not those of others.
        sections = Project(folder / "sections", SECTIONS)
        for kernel, size, value in (("matrix_mul", "ITEMS_Y", 4), ("matrix_mul", "ITEMS_X", 2), ("matrix_mv", "ROWS", 2), ("sub", "VECTOR", 4), ("axpy", "BLOCK", 16)):
            check(re.search(rf"#define WARPLOOM_{kernel}_\d+_{size} {value}\n", sections.text), f"{kernel} has another {size}")
        check("_tile[" in sections.kernel("matrix_mul"), "matrix_mul is not tiled")
        check("_tile[" not in sections.kernel("matrix_mul_serial"), "matrix_mul_serial is tiled")
        check("blockIdx.y" not in sections.kernel("matrix_add"), "both loops of matrix_add are shared out")
        check("blockIdx.y" in sections.kernel("matrix_scale"), "one loop of matrix_scale is shared out")
        check(re.search(r"i = blockIdx\.x \* [^;]*\+ threadIdx\.x;", sections.kernel("axpy")), "D15: neighbours are not neighbouring threads")
        same(sections.build("clang++-19", "sanitize.clang", [sanitized, "-ldw", "-lelf"]), SMALL, "sections")

        # Directives: the same keys, above the loops.
        text = (here / "examples.c").read_text()
        loop = "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      C[i * m + j] = A[i * m + j] + B[i * m + j];"
        assert text.count(loop) == 1
        source = folder / "source"
        source.mkdir()
        (source / "examples.h").write_text((here / "examples.h").read_text())
        (source / "examples.c").write_text(text.replace(loop, "#pragma warploom LOOP_COLLAPSING=0 MAX_BLOCKSIZE=64\n" + loop))
        directives = Project(folder / "directives", None, source / "examples.c")
        check("blockIdx.y" not in directives.kernel("matrix_add"), "the directive is not followed")
        check("blockIdx.y" in directives.kernel("matrix_scale"), "the directive is followed elsewhere")
        check(re.search(r"#define WARPLOOM_matrix_add_\d+_BLOCK 64\n", directives.text), "the directive's size is not there")
        same(directives.build("g++", "cpu", [archive]), SMALL[2:8] + LARGE, "directives")
        (source / "examples.c").write_text(text.replace(loop, "#pragma warploom BLOCKSIZES=64\n" + loop))
        bad = subprocess.run([tool, "compile", source / "examples.c", "-o", folder / "bad.cu"], text=True, capture_output=True)
        check(bad.returncode == 1 and re.search(r"examples\.c:\d+: error: there is no key 'BLOCKSIZES'", bad.stderr), bad.stderr)
    print("\n".join(wrong) if wrong else f"{len(DEFECTS)} defects")
    return 1 if wrong else 0


sys.exit(main())
