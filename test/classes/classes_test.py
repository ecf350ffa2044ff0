#!/usr/bin/env python3
"""What becomes of the loops of test/corpus/classes_*.c: each is made parallel in the way that its mark `/* HOW: way */` says, or stays; and built
for the CPU execution under the sanitizer it gives what the C compiler's program gives, at n = 0, 1, 2, a ragged and a larger one.

    classes_test.py WARPLOOM ROOT FOLDER [FILE...]

Ways: the first of rename, levels, scan and reduce that is among the steps of its recipe; `parallel` when it is mapped by others, `in part` when one thread
then runs some of it; `host` when it stays. Where sums are taken in another order, results differ in their last digits.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FUNCTION = re.compile(r"^void (\w+)\(int n(, int k)?\) \{ /\* HOW: ([a-z ]+) \*/$", re.M)
REGION = re.compile(r'^region\("(\w+):\d+", [^\n]*\n(.*?)(?=^region\(|\Z)', re.M | re.S)
SIZES = [0, 1, 2, 67, 1031]
MOST = 3 * max(SIZES) + 64


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=580, **more)


def globals_of(text):
    """Per variable of the file: its type, its name, how many elements it has."""
    found = []
    for kind, names in re.findall(r"^(double|float|int|short) ([^();]*);$", text, re.M):
        for name in names.split(", "):
            extents = re.findall(r"\[(\w+)\]", name)
            found.append((kind, name.split("[")[0], " * ".join(extents) or "1"))
    return found


def driver(text):
    """A main function that calls every function of the file with fresh data at each size, and prints what is left."""
    lines = ["#include <stdio.h>", "static volatile int at_; /* keeps these loops on the host */", "static void fill_(int n) {"]
    for number, (kind, name, count) in enumerate(globals_of(text)):
        value = ("(at_ * 7 + %d) %% 23 * 0.5 - 3" % number if kind in ("double", "float") else
                 "(int)((at_ * %dL + %d) %% (n > 0 ? n : 1))" % (7919 + 2 * number, number))
        lines.append(f"  for (at_ = 0; at_ < {count}; at_++) (({kind}*)&{name})[at_] = {value};")
    lines += ["}", "static double sum_(void) {", "  volatile double s = 0;"]
    for kind, name, count in globals_of(text):
        lines.append(f"  for (at_ = 0; at_ < {count}; at_++) s = s + (({kind}*)&{name})[at_] * (at_ % 13 + 1);")
    lines += ["  return s;", "}", "int main(void) {", f"  const int sizes[] = {{{', '.join(map(str, SIZES))}}};",
              f"  for (int which = 0; which < {len(SIZES)}; which++) {{", "    const int n = sizes[which];"]
    for name, symbol, _ in FUNCTION.findall(text):
        for more in ([", 3", ", 40"] if symbol else [""]):
            lines.append(f'    fill_(n), {name}(n{more}), printf("{name} %d %.17g\\n", n, sum_());')
    return "\n".join(lines + ["  }", "  return 0;", "}", ""])


def way(name, steps, text):
    for step in ("rename", "levels", "scan", "reduce"):
        if f"{step}(" in steps:
            return step
    return "in part" if re.search(rf"^// {name}, line \d+: what is not parallel, by one thread\.$", text, re.M) else "parallel"


def close(a, b):
    one, other = float(a), float(b)
    return a == b or abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other))


def check(warploom, source, folder):
    """What is wrong with the loops of one file: a list of lines; and how many loops it has."""
    text = source.read_text()
    wanted = {name: how for name, _, how in FUNCTION.findall(text)}
    program, recipe, cuda = folder / source.name, folder / (source.stem + ".lua"), folder / (source.stem + ".cu")
    program.write_text(text.replace("#ifndef SIZE", f"#define SIZE {MOST}\n#ifndef SIZE") + driver(text))
    plain, made = folder / source.stem, folder / (source.stem + "_made")
    compiled = run([os.environ.get("CC", "cc"), "-O1", "-w", "-ffp-contract=off", program, "-o", plain])
    if compiled.returncode:
        return [compiled.stderr], 0
    built = run([warploom, "compile", program, "-o", cuda, "--emit-recipe", recipe, "--", "-w"])
    if built.returncode == 0:
        built = run([warploom, "build", program, "-o", made, "--target", "cpu", "--sanitize", "--", "-w", "-ffp-contract=off"])
    if built.returncode:
        return [built.stderr], 0
    found = {name: way(name, steps, cuda.read_text()) for name, steps in REGION.findall(recipe.read_text())}
    wrong = [f"{source.name}: {name}: {found.get(name, 'host')}, expected {how}" for name, how in wanted.items()
             if found.get(name, "host") != how]
    expected = run([plain]).stdout
    got = run([made], env=dict(os.environ, WARPLOOM_DEVICE="gpu", WARPLOOM_THREADS="2"))
    if got.returncode or len(got.stdout.splitlines()) != len(expected.splitlines()):
        return wrong + [f"{source.name}: status {got.returncode}\n{got.stderr[-3000:]}"], len(wanted)
    for line, other in zip(expected.splitlines(), got.stdout.splitlines()):
        name, n, value = line.split()
        same = other.split()[:2] == [name, n] and (close if wanted[name] in ("scan", "reduce") else str.__eq__)(value, other.split()[2])
        if not same:
            wrong.append(f"{source.name}: {line}, but {other}")
    return wrong, len(wanted)


def main():
    warploom, root, folder = (Path(word).resolve() for word in sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted((root / "test" / "corpus").glob("classes_*.c"))
    if len(sys.argv) > 4:
        sources = [source for source in sources if source.name in sys.argv[4:]]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda source: check(warploom, source, folder), sources))
    wrong = [line for lines, _ in results for line in lines]
    loops = sum(count for _, count in results)
    print("\n".join(wrong) if wrong else f"{loops} loops are right")
    return 1 if wrong or loops == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
