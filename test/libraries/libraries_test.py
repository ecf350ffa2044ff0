#!/usr/bin/env python3
"""`--libraries`: products.c, for float and for double, is built for the CPU execution under the sanitizer with `--libraries always`; it prints
what the C compiler's program prints; each loop is the operation that its mark says, or none for the reason that its mark says; and the
library was called wherever the operands let it, and only there. `auto` tries both and prints the same; WARPLOOM_LIBRARIES=never calls
nothing; `--strict-fp` and the default have no library in their text; and the recipe that `--emit-recipe` writes makes the same text again.

    libraries_test.py WARPLOOM SOURCE FOLDER
"""
# SHOWS: RT-102
import os
import re
import subprocess
import sys
from pathlib import Path

MARK = re.compile(r"/\* (no library|library): (.*?) \*/")
MAY_BE = re.compile(r":(\d+): (?:kernel \S+|loop \S+ of the host, with its kernels,) may be a library's (.*)")
IS_NONE = re.compile(r":(\d+): no library does what kernel \S+ does: (.*)")
CALLS = re.compile(r"warploom: kernel (\w+?)(?:_\d+)+: (\d+) of (\d+) calls by the library")
SIZES = [(1, 1, 1), (3, 5, 7), (17, 1, 9), (1, 20, 33), (33, 29, 41)]
# By function: how often the library does it, and how often it is asked to, in all sizes. t_nn has a factor of 0, twice, and a result that
# overlaps an operand, where there is more than one element, and stays on the host; the rows and columns of t_sparse are not contiguous,
# but where it has one row. Every sparse matrix is there twice, once with a first row that begins behind the first entry: then the kernel of the runtime does it. Where
# there is one row, some solves have nothing to do.
CALLED = {"nn": (6, 16), "gaps": (0, 5), "sparse": (2, 5), "csr": (10, 10), "csrinto": (10, 10), "csrends": (10, 10), "csrrest": (10, 10),
          "unit": (3, 3), "before": (3, 5), "sides": (3, 3)}


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=580, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr[-4000:]}")
    return done


def program_text(source):
    both = "#include <stdio.h>\n#include <stdlib.h>\n"
    for prefix, real, other in (("s", "float", "double"), ("d", "double", "float")):
        part = source
        if prefix == "d":  # what is no product is the same for both
            begin, end = part.index("void n_triangle("), part.index("static double t_sum(")
            part = re.sub(r"\n.*\bn_\w+\(.*|\n  for .*ia\[i\].*", "", part[:begin] + part[end:])
        both += re.sub(r"\b([tn])_(\w+)\(", rf"{prefix}\1_\2(", part).replace("REAL", real).replace("OTHER", other)
    calls = "".join(f"  {p}t_all({m}, {n}, {k});\n" for p in "sd" for m, n, k in SIZES)
    again = "".join(f"  {p}t_all({m}, {n}, {k});\n" for p in "sd" for m, n, k in SIZES[1:2])
    return both + f"int main(int argc, char **argv) {{\n  (void)argv;\n{calls}  while (--argc > 0) {{\n{again}  }}\n}}\n"


def main():
    warploom, source, folder = (Path(word).resolve() for word in sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    text = program_text(source.read_text())
    program = folder / "products.c"
    program.write_text(text)
    wrong = []
    run(["cc", "-O1", "-w", "-ffp-contract=off", program, "-o", folder / "plain"])
    expected = run([folder / "plain"]).stdout

    # Small kernels: what a product is does not depend on how its kernel is made.
    built = run([warploom, "build", program, "-o", folder / "always", "--target", "cpu", "--sanitize", "--libraries", "always", "--no-shared",
                 "--explain", "--", "-w"])
    lines = text.splitlines()
    may_be = {int(line): what for line, what in MAY_BE.findall(built.stderr)}
    is_none = {int(line): why for line, why in IS_NONE.findall(built.stderr)}
    functions = set()
    for number, line in enumerate(lines, 1):
        mark = MARK.search(line)
        if mark and mark[1] == "library" and may_be.get(number) != mark[2]:
            wrong.append(f"line {number}: {may_be.get(number, is_none.get(number))}, not {mark[2]}: {line}")
        if mark and mark[1] == "no library" and not any(word in is_none.get(number, "") for word in mark[2].split("|")):
            wrong.append(f"line {number}: {may_be.get(number, is_none.get(number))}, not for {mark[2]}: {line}")
        functions.update(re.findall(r"^\w+ ([sd]t_\w+)\(", line))

    def ran(program, expectation, *words, **environment):
        got = run([program, *words], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_TIMING="1", WARPLOOM_THREADS="2", **environment))
        if got.stdout != expectation:
            different = [f"wanted {a}\ngot    {b}" for a, b in zip(expectation.splitlines(), got.stdout.splitlines()) if a != b]
            wrong.append(f"{program.name} {environment}:\n" + "\n".join(different[:10]))
        counts = {}
        for name, taken, asked in CALLS.findall(got.stderr):
            before = counts.get(name, (0, 0))
            counts[name] = before[0] + int(taken), before[1] + int(asked)
        return counts, got.stderr

    calls, said = ran(folder / "always", expected)
    for name in sorted(functions - {"st_all", "dt_all", "st_fill", "dt_fill", "st_sum", "dt_sum", "st_matrix", "dt_matrix"}):
        short = name.split("_")[1]
        wanted = CALLED.get(short, (len(SIZES), len(SIZES)))
        if short in ("chain", "factors"):  # two of them
            wanted = (2 * len(SIZES), 2 * len(SIZES))
        if calls.get(name) != wanted:
            wrong.append(f"{name}: {calls.get(name)} calls of the library and of all, not {wanted}")
    if not re.search(r"region st_nn:\d+ .* path host:c and b overlap|region st_nn:\d+ .* path host:b and c overlap", said):
        wrong.append("a product with an overlapping operand did not stay on the host")
    never, _ = ran(folder / "always", expected, WARPLOOM_LIBRARIES="never")
    if any(taken for taken, _ in never.values()):
        wrong.append(f"WARPLOOM_LIBRARIES=never: {never}")
    # Seven passes with one size: by then both have been tried, and one is chosen.
    tried, _ = ran(folder / "always", run([folder / "plain", *"123456"]).stdout, *"123456", WARPLOOM_LIBRARIES="auto")
    for name in ("st_nt", "dt_nt"):
        if not 3 <= tried.get(name, (0, 0))[0] <= 3 + 1 or tried[name][1] != len(SIZES) + 6:
            wrong.append(f"auto: {name}: {tried.get(name)}")

    few = folder / "few.c"
    few.write_text(text[:text.index("// A part of larger matrices")])

    def compiled(name, *options):
        run([warploom, "compile", few, "-o", folder / name, *options, "--", "-w"])
        return (folder / name).read_text()

    recipe = folder / "few.lua"
    always = compiled("first.cu", "--libraries", "always", "--emit-recipe", recipe)
    if recipe.read_text().count("library(") != 4:
        wrong.append("the recipe does not say which kernels may be calls:\n" + recipe.read_text())
    if always != compiled("again.cu", "--recipe", recipe):
        wrong.append("the recipe makes another text")
    for options in ([], ["--libraries", "always", "--strict-fp"]):
        if "Library" in compiled("none.cu", *options):
            wrong.append(f"{options}: a library is called")
    print("\n".join(wrong) if wrong else f"{len(may_be)} loops are operations of a library, {len(is_none)} are none")
    return 1 if wrong or len(may_be) < 20 else 0


sys.exit(main())
